// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changes.c - changelogs as they stand in the mails: blocks for the cover letter, and for
 * below the "---" of each patch.
 */
#include <stdlib.h>
#include "history.h"
#include "series/changes.h"
#include "series/compose.h"
#include "series/mem.h"

#define LINK_MASK "https://lore.kernel.org/r/%s"

/* series.changelog.patches */
enum where { IN_PATCHES = 1, IN_COVER = 2, IN_BOTH = 3 };

struct render {
	struct history h;
	const struct config *c;
	bool arrow;
	enum where where;
	bool single; /* one patch: its notes are the cover letter */
};

void changes_release(struct changes *c)
{
	buf_release(&c->cover);
	for (size_t i = 0; i < c->n; i++)
		buf_release(&c->patches[i]);
	free(c->patches);
	*c = (struct changes){ 0 };
}

void changes_link(const struct config *c, const char *message_id, struct buf *out)
{
	const char *mask = config_get(c, "series.linkmask"), *at;

	if (!mask)
		mask = config_get(c, "b4.linkmask");
	if (!mask || !strstr(mask, "%s"))
		mask = LINK_MASK;
	at = strstr(mask, "%s");
	buf_add(out, mask, at - mask);
	buf_puts(out, message_id);
	buf_puts(out, at + 2);
}

static int read_settings(struct render *r, struct err *err)
{
	const char *style = config_get(r->c, "series.changelog");
	const char *where = config_get(r->c, "series.changelog.patches");

	if (style && strcmp(style, "arrow") && strcmp(style, "changes"))
		return err_set(err, E_USAGE,
			       "series.changelog: expected changes or arrow, not '%s'",
			       style);
	r->arrow = style && !strcmp(style, "arrow");
	r->where = IN_PATCHES;
	if (where && !strcmp(where, "cover"))
		r->where = IN_COVER;
	else if (where && !strcmp(where, "both"))
		r->where = IN_BOTH;
	else if (where && strcmp(where, "patches"))
		return err_set(err, E_USAGE,
			       "series.changelog.patches: expected patches, cover or "
			       "both, not '%s'",
			       where);
	return 0;
}

/* The number that came before: numbers may be skipped. */
static int number_before(struct render *r, const struct step *st)
{
	const struct step *older = history_older(&r->h, st);

	return older && older->rfc == st->rfc ? older->n : st->n - 1;
}

static void put_heading(struct render *r, const struct step *st, struct buf *out)
{
	const char *word = st->rfc ? "RFC " : "";

	if (!r->arrow)
		buf_printf(out, "Changes in %sv%d:\n", word, st->n);
	else if (st->n > 1)
		buf_printf(out, "%sv%d->%sv%d:\n", word, number_before(r, st), word,
			   st->n);
	else
		buf_printf(out, "RFC->v%d:\n", st->n);
}

/* What has been put below a heading so far. */
struct block {
	struct buf b;
	bool plain; /* the last entry was one */
};

static void put_part(const struct render *r, const struct changelog_part *p,
		     const char *intro, struct block *to)
{
	for (size_t i = 0; i < p->n; i++) {
		bool plain = p->v[i].plain && !*intro;

		if (to->b.len && (plain || to->plain))
			buf_putc(&to->b, '\n');
		changelog_entry_show(&p->v[i], r->arrow ? " - " : "- ", intro, &to->b);
		to->plain = plain;
	}
}

static void put_link(struct render *r, const struct step *st, struct block *to)
{
	const struct step *older = history_older(&r->h, st);
	const char *id = older ? version_link(older->v) : NULL;

	if (r->arrow || !id || (st != r->h.v && !st->v))
		return;
	if (to->plain)
		buf_putc(&to->b, '\n');
	buf_printf(&to->b, "- Link to %sv%d: ", older->rfc ? "RFC " : "", older->n);
	changes_link(r->c, id, &to->b);
	buf_putc(&to->b, '\n');
}

/*
 * Does this part stand in the cover letter? One that fits no patch has no other place.
 * The notes of a single patch have the cover's place, and what was said of other patches
 * is none of its business.
 */
static bool in_cover(const struct render *r, const struct changelog_part *p, int own)
{
	return !p->k || !p->found || r->where != IN_PATCHES || (r->single && p->k == own);
}

/*
 * own: the number that the single patch of today had in that step. A link alone has no
 * heading, for that would promise changes.
 */
static void put_cover(struct render *r, const struct step *st, int own, struct buf *out)
{
	struct block b = { BUF_INIT, false };
	bool said;

	for (size_t i = 0; i < st->log.n; i++) {
		const struct changelog_part *p = &st->log.v[i];
		bool self =
			p->found && (st->n_patches == 1 || (r->single && p->k == own));
		char *intro _cleanup_free_ =
			p->k && !self ? xasprintf("patch %d: ", p->k) : xstrdup("");

		if (in_cover(r, p, own))
			put_part(r, p, intro, &b);
	}
	said = b.b.len;
	put_link(r, st, &b);
	if (said)
		put_heading(r, st, out);
	if (b.b.len) {
		buf_addstr(out, buf_str(&b.b));
		buf_putc(out, '\n');
	}
	buf_release(&b.b);
}

static void put_own(struct render *r, const struct step *st, int k, struct buf *out)
{
	const struct changelog_part *p = changelog_part(&st->log, k);
	struct block b = { BUF_INIT, false };

	if (p && p->n) {
		put_heading(r, st, out);
		put_part(r, p, "", &b);
		buf_addstr(out, buf_str(&b.b));
		buf_putc(out, '\n');
	}
	buf_release(&b.b);
}

/* "(no changes since v2)": the version in which patch k changed last. */
static int put_unchanged(struct render *r, int k, struct buf *out, struct err *err)
{
	struct step *st = history_older(&r->h, r->h.v);
	const struct step *since = NULL;
	bool same = true;

	for (; st && same; st = history_older(&r->h, st)) {
		int rc = history_follow(&r->h, st, k, &k, &same, err);

		if (rc)
			return rc;
		if (same)
			since = st;
	}
	if (since)
		buf_printf(out, "(no changes since %sv%d)\n\n", since->rfc ? "RFC " : "",
			   since->n);
	return 0;
}

/* Everything below the "---" of patch k. */
static int put_patch(struct render *r, int k, struct buf *out, struct err *err)
{
	const struct changelog_part *p = changelog_part(&r->h.v->log, k);
	struct step *st = r->h.v;
	int rc = 0;

	if (!history_has_patches(&r->h, st))
		return 0;
	put_own(r, st, k, out);
	if ((!p || !p->n) && step_has_patches(st))
		rc = put_unchanged(r, k, out, err);
	for (st = history_older(&r->h, st); !rc && st && history_has_patches(&r->h, st);
	     st = history_older(&r->h, st)) {
		bool same;

		rc = history_follow(&r->h, st, k, &k, &same, err);
		if (!rc && !k)
			break;
		if (!rc)
			put_own(r, st, k, out);
	}
	return rc;
}

static void check_headings(const struct step *st, int number, struct findings *f)
{
	char *where _cleanup_free_ = xasprintf("changes/v%d.txt", number);

	for (size_t i = 1; i < st->log.n; i++) {
		const struct changelog_part *p = &st->log.v[i];

		if (!p->found)
			findings_add(f, "changes-patch", SEVERITY_ERROR, where,
				     "name the patch that is meant: series changes "
				     "--edit",
				     "'patch %d:%s%s' is none of the %zu patches of the "
				     "branch",
				     p->k, *p->subject ? " " : "", p->subject,
				     st->n_patches);
	}
}

static void check_cut(struct str text, int number, struct findings *f)
{
	char *where _cleanup_free_ = xasprintf("changes/v%d.txt", number);
	char *cut _cleanup_free_ = notes_cut(text);

	if (cut)
		findings_add(f, "notes-cut", SEVERITY_ERROR, where,
			     "indent the line, or put \"- \" in front of it: series "
			     "changes --edit",
			     "%s", cut);
}

static int put_covers(struct render *r, struct buf *out, struct err *err)
{
	struct step *st = r->h.v;
	int own = r->single ? 1 : 0;
	int rc = 0;

	for (size_t i = 0; i < r->h.n && !rc; i++) {
		bool same;

		if (own && i && &r->h.v[i] == history_older(&r->h, st)) {
			st = &r->h.v[i];
			rc = history_follow(&r->h, st, own, &own, &same, err);
		}
		if (!rc)
			put_cover(r, &r->h.v[i], own, out);
	}
	return rc;
}

/* number: of the document that holds the newest changelog. */
static int render_all(struct render *r, int number, struct changes *to,
		      struct findings *f, struct err *err)
{
	struct step *now = r->h.v;
	int rc = put_covers(r, &to->cover, err);

	to->links = !r->arrow;
	to->n = now->n_patches;
	to->patches = xcalloc(to->n + 1, sizeof(*to->patches));
	for (size_t i = 0; i < to->n && !rc && !r->single && r->where & IN_PATCHES; i++) {
		rc = put_patch(r, (int)i + 1, &to->patches[i], err);
		check_cut(buf_str(&to->patches[i]), number, f);
	}
	if (r->single)
		check_cut(buf_str(&to->cover), number, f);
	if (!now->v)
		check_headings(now, number, f);
	return rc;
}

int changes_make(const struct series *s, const struct config *c, int version,
		 bool restart, struct changes *ret, struct findings *f, struct err *err)
{
	struct changes to _cleanup_changes_ = { 0 };
	struct render r = { .c = c };
	int rc = read_settings(&r, err);

	if (!rc)
		rc = history_read(s, version, restart, &r.h, err);
	if (rc)
		return rc;
	r.single = r.h.v->n_patches == 1;
	rc = render_all(&r, series_changelog_number(s, version, restart), &to, f, err);
	history_release(&r.h);
	if (rc)
		return rc;
	*ret = to;
	to = (struct changes){ 0 };
	return 0;
}
