// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * letter.c - see letter.h.
 */
#include <ctype.h>
#include "letter.h"
#include "series/mem.h"
#include "series/store.h"

#define SHORT_ID  12 /* digits, as the kernel's Fixes: lines have them */
#define LINK_MASK "https://lore.kernel.org/r/%s"

char *letter_base_name(const struct series *s, const struct config *c)
{
	struct str ref = str_c(s->base_ref ? s->base_ref : "");
	struct strvec remotes _cleanup_strvec_ = STRVEC_INIT;
	bool tracking = str_skip(&ref, "refs/remotes/");
	ptrdiff_t slash;

	if (!ref.len)
		return NULL;
	str_skip(&ref, "refs/");
	if (!str_skip(&ref, "heads/"))
		str_skip(&ref, "tags/");
	slash = str_chr(ref, '/');
	config_subsections(c, "remote", "", &remotes);
	/* What a remote is called here means nothing to others. */
	if (slash > 0) {
		char *first _cleanup_free_ = str_dup(str_n(ref.p, slash));

		if (tracking || strvec_has(&remotes, first))
			ref = str_n(ref.p + slash + 1, ref.len - slash - 1);
	}
	return str_dup(ref);
}

static void put_base_line(const struct letter *l, struct buf *out)
{
	char *name _cleanup_free_ = letter_base_name(l->series, l->config);

	if (name)
		buf_printf(out, "Applies on %s (%.*s)\n\n", name, SHORT_ID,
			   l->series->base);
	else
		buf_printf(out, "Applies on %.*s\n\n", SHORT_ID, l->series->base);
}

/* Does this version count as an RFC that v1 came after? */
static bool set_aside_now(const struct letter *l, const struct version *v)
{
	return v->rfc || l->restart;
}

/* The number that came before n: numbers may be skipped. */
static int number_before(const struct letter *l, int n)
{
	int best = n - 1;

	for (size_t i = 0; i < l->series->n_versions; i++) {
		const struct version *v = &l->series->versions[i];

		if (!set_aside_now(l, v) && v->n < n)
			best = v->n;
	}
	return best;
}

static void put_heading(const struct letter *l, int n, bool rfc, struct buf *out)
{
	const char *style = config_get(l->config, "series.changelog");
	const char *word = rfc ? "RFC " : "";

	if (!style || strcmp(style, "arrow"))
		buf_printf(out, "Changes in %sv%d:\n", word, n);
	else if (n > 1)
		buf_printf(out, "%sv%d->%sv%d:\n", word,
			   rfc ? n - 1 : number_before(l, n), word, n);
	else
		buf_printf(out, "RFC->v%d:\n", n);
}

static int put_change(const struct letter *l, const char *path, int n, bool rfc,
		      struct buf *out, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = store_read(l->series->repo, l->series->name, path, &text, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	if (rc || !str_trim(buf_str(&text)).len)
		return rc;
	put_heading(l, n, rfc, out);
	buf_addstr(out, str_trim(buf_str(&text)));
	buf_puts(out, "\n\n");
	return 0;
}

/* changes/vN.txt of every version, newest first, then those of the RFCs before v1. */
static int put_changes(const struct letter *l, struct buf *out, struct err *err)
{
	int rc = 0;

	for (int n = l->version; n > 0 && !rc; n--) {
		char *path _cleanup_free_ = xasprintf("changes/v%d.txt", n);

		rc = put_change(l, path, n, false, out, err);
	}
	for (size_t i = l->series->n_versions; i-- > 0 && !rc;) {
		const struct version *v = &l->series->versions[i];
		char *path _cleanup_free_ =
			xasprintf("changes/%s%d.txt", v->rfc ? "rfc" : "v", v->n);

		if (set_aside_now(l, v) && v->n > 1)
			rc = put_change(l, path, v->n, true, out, err);
	}
	return rc;
}

static void put_link(const struct letter *l, const char *id, struct buf *out)
{
	const char *mask = config_get(l->config, "series.linkmask"), *at;

	if (!mask)
		mask = config_get(l->config, "b4.linkmask");
	if (!mask || !strstr(mask, "%s"))
		mask = LINK_MASK;
	at = strstr(mask, "%s");
	buf_add(out, mask, at - mask);
	buf_puts(out, id);
	buf_puts(out, at + 2);
}

static void put_links(const struct letter *l, struct buf *out)
{
	bool any = false;

	for (size_t i = l->series->n_versions; i-- > 0;) {
		const struct version *v = &l->series->versions[i];
		const char *id = version_link(v);
		bool rfc = set_aside_now(l, v);

		if (!id || (!rfc && v->n >= l->version))
			continue;
		buf_printf(out, "%sv%d: ", rfc ? "RFC " : "", v->n);
		put_link(l, id, out);
		buf_putc(out, '\n');
		any = true;
	}
	if (any)
		buf_putc(out, '\n');
}

static void put_block(struct str text, struct buf *out)
{
	if (!text.len)
		return;
	buf_addstr(out, text);
	buf_putc(out, '\n');
}

static void put_ids(const struct letter *l, struct buf *out)
{
	buf_printf(out, "base-commit: %s\n", series_public_base(l->series));
	if (l->series->change_id)
		buf_printf(out, "change-id: %s\n", l->series->change_id);
	for (size_t i = 0; i < l->series->prerequisites.n; i++) {
		const char *line = l->series->prerequisites.v[i];

		buf_printf(out, "%s%s\n",
			   strchr(line, ':') ? "" : "prerequisite-patch-id: ", line);
	}
}

int letter_cover(const struct letter *l, struct buf *out, struct err *err)
{
	struct str sig = l->patches->signature;
	int rc;

	put_block(buf_str(&l->cover->body), out);
	buf_puts(out, "---\n");
	put_block(buf_str(&l->cover->notes), out);
	put_base_line(l, out);
	rc = put_changes(l, out, err);
	if (rc)
		return rc;
	put_links(l, out);
	buf_addstr(out, buf_str(&l->patches->shortlog));
	buf_addstr(out, buf_str(&l->patches->stat));
	buf_putc(out, '\n');
	put_ids(l, out);
	if (sig.len) {
		buf_puts(out, "-- \n");
		buf_addstr(out, sig);
		buf_puts(out, "\n\n");
	}
	return 0;
}

/* Letters, digits, dots and blanks, and what is beyond ASCII. */
static bool name_is_simple(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < 0x80 && !isalnum((unsigned char)*name) &&
		    !strchr(" .-_'", *name))
			return false;
	return true;
}

/*
 * Does git am need the author's name in the text? When another one sends; when encoded
 * words hide quotes, for it decodes them first and then takes quotes and brackets of the
 * name for syntax; and to keep the first line of the text from being read as a header.
 */
static bool needs_author(const struct letter *l, const struct commit *c)
{
	return strcmp(l->from->name, c->author_name) ||
	       strcmp(l->from->email, c->author_email) ||
	       !name_is_simple(c->author_name) ||
	       message_header_like(message_body(c->message));
}

/* "From: NAME <EMAIL>", as git writes it where git am and mail readers agree on that. */
static void put_author(const struct commit *c, struct buf *out)
{
	struct addr author = { c->author_name, c->author_email };
	struct buf shown _cleanup_buf_ = BUF_INIT;
	/* Without an '@' git am looks for no quotes. */
	bool simple = name_is_simple(author.name) || !strchr(author.email, '@');

	buf_puts(out, "From: ");
	if (strstr(author.name, "=?")) {
		/* git decodes it before it takes the quotes off, so they are inside. */
		addr_show(&author, &shown);
		buf_truncate(&shown, shown.len - strlen(author.email) - 3);
		rfc2047_encode(buf_str(&shown), 6, out);
		buf_printf(out, " <%s>", author.email);
	} else if (simple) {
		buf_printf(out, "%s%s<%s>", author.name, author.name[0] ? " " : "",
			   author.email);
	} else {
		addr_show(&author, out);
	}
	buf_puts(out, "\n\n");
}

void letter_message(const struct letter *l, size_t i, struct buf *out)
{
	const struct commit *c = &l->patches->commits[i];
	struct str body = message_body(c->message);

	if (needs_author(l, c))
		put_author(c, out);
	buf_addstr(out, body);
	if (body.len)
		buf_putc(out, '\n');
}

int letter_patch(const struct letter *l, size_t i, struct buf *out, struct err *err)
{
	const struct patch_mail *m = &l->patches->mails[i];
	int rc;

	letter_message(l, i, out);
	buf_puts(out, "---\n");
	if (l->patches->n == 1) {
		if (l->cover) {
			put_block(buf_str(&l->cover->body), out);
			put_block(buf_str(&l->cover->notes), out);
		}
		put_base_line(l, out);
		rc = put_changes(l, out, err);
		if (rc)
			return rc;
		put_links(l, out);
		put_ids(l, out);
		buf_putc(out, '\n');
	}
	buf_addstr(out, m->notes);
	buf_addstr(out, m->rest);
	if (!m->rest.len || m->rest.p[m->rest.len - 1] != '\n')
		buf_putc(out, '\n');
	return 0;
}
