// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_tags.c - which of the tags in replies go into the commits. See am.h.
 *
 * There are no commits that could be compared as for a series of ours (tagjudge.h): a
 * patch is the same when its patch-id is.
 */
#include <stdlib.h>
#include <strings.h>
#include "am_priv.h"
#include "mailmap.h"
#include "series/addr.h"
#include "series/mem.h"
#include "tagtext.h"

static bool same_patch(const struct posted_patch *a, const struct posted_patch *b)
{
	return a->mail != NO_MAIL && b->mail != NO_MAIL &&
	       (a->mail == b->mail ||
		(*a->patch_id && !strcmp(a->patch_id, b->patch_id)));
}

/* Are all patches of the two versions the same, in the same order? */
static bool same_version(const struct am *a, size_t version)
{
	const struct posted_version *x = &a->posted->v[version], *y = am_version(a);

	for (size_t k = 0; x->total == y->total && k < x->total; k++)
		if (!same_patch(&x->patch[k], &y->patch[k]))
			return false;
	return x->total == y->total;
}

static enum am_tag_state state_of(const struct am *a, const struct tag *g, bool same)
{
	if (g->retracted_by != NO_MAIL)
		return AM_TAG_RETRACTED;
	if (g->kind == TAG_NAK)
		return AM_TAG_NAK;
	if (g->kind == TAG_OFFERED)
		return AM_TAG_OFFERED;
	if (g->proposal != NO_MAIL)
		return AM_TAG_PROPOSAL;
	if (g->condition)
		return AM_TAG_CONDITIONAL;
	if (g->scope == SCOPE_PART)
		return AM_TAG_PART;
	if (!g->by_sender)
		return AM_TAG_OTHER;
	if (g->by_author)
		return AM_TAG_AUTHOR;
	/* A test was of all patches together. */
	if (g->version != a->version && !strcmp(g->type, "Tested-by"))
		same = same && same_version(a, g->version);
	return same ? AM_TAG_TAKEN : AM_TAG_CHANGED;
}

static bool same_tag(const struct tag *x, const struct tag *y)
{
	return x->kind == y->kind && !strcmp(x->type, y->type) &&
	       (*x->email && *y->email ? email_same(x->email, y->email)
				       : !strcasecmp(x->name, y->name));
}

/* It stays, whatever else the person said of the patch: a NAK of the code as it is, too.
 */
static bool is_settled(const struct am_tag *t)
{
	return t->state == AM_TAG_TAKEN || (t->state == AM_TAG_NAK && t->same);
}

/* Of what one person gave a patch twice the better counts, of two alike the later. */
static void add(struct am *a, const struct am_tag *t)
{
	for (size_t i = 0; i < a->n_tags; i++) {
		struct am_tag *was = &a->tag[i];

		if (was->patch != t->patch || !same_tag(was->tag, t->tag))
			continue;
		if (!is_settled(was))
			*was = *t;
		return;
	}
	vec_grow(a->tag, a->n_tags, a->cap_tags);
	a->tag[a->n_tags++] = *t;
}

static size_t find_chosen(const struct am *a, size_t patch)
{
	for (size_t i = 0; i < a->n_patches; i++)
		if (a->patch[i].n == patch)
			return i;
	return a->n_patches;
}

/* Does the message have it? Each is read once: mails are long, and many give tags. */
static bool has_tag(const struct am *a, size_t i, const struct tag *g, struct buf *read)
{
	if (!read[i].len)
		am_message(a, a->patch[i].mail, &read[i]);
	return tagtext_has(buf_str(&read[i]), g->type, g->email);
}

/* A tag that was given to patch k of its version. read: messages, of each patch. */
static void judge(struct am *a, const struct tag *g, size_t k, struct buf *read)
{
	const struct posted_version *from = &a->posted->v[g->version], *v = am_version(a);
	size_t to = posted_became(a->posted, g->version, k, a->version);
	struct am_tag t = { .tag = g };
	size_t i;

	if (to == NO_MAIL || !to)
		return;
	i = find_chosen(a, to);
	if (i == a->n_patches)
		return;
	t.patch = to;
	t.same = same_patch(&from->patch[k - 1], &v->patch[to - 1]);
	t.state = state_of(a, g, t.same);
	if (g->kind != TAG_NAK && *g->email && has_tag(a, i, g, read))
		return;
	add(a, &t);
}

static void judge_tag(struct am *a, const struct tag *g, struct buf *read)
{
	const struct posted_version *from = &a->posted->v[g->version];

	if (g->kind == TAG_SHOWN || g->kind == TAG_RETRACTION ||
	    from->series != am_version(a)->series)
		return;
	if (g->patch) {
		if (g->patch <= from->total)
			judge(a, g, g->patch, read);
		return;
	}
	if (g->kind == TAG_NAK) {
		struct am_tag t = { .tag = g };

		t.same = g->version == a->version || same_version(a, g->version);
		t.state = state_of(a, g, t.same);
		add(a, &t);
		return;
	}
	for (size_t k = 1; k <= from->total; k++)
		judge(a, g, k, read);
}

static int by_date(const void *x, const void *y, void *arg)
{
	const struct thread *in = arg;
	const struct am_tag *s = x, *t = y;
	int64_t a = in->v[s->tag->mail].date, b = in->v[t->tag->mail].date;

	if (s->patch != t->patch)
		return s->patch < t->patch ? -1 : 1;
	if (a != b)
		return a < b ? -1 : 1;
	return (s->tag > t->tag) - (s->tag < t->tag);
}

static void decide(struct am *a, const char *changed)
{
	for (size_t i = 0; i < a->n_tags; i++) {
		struct am_tag *t = &a->tag[i];

		t->take =
			t->state == AM_TAG_TAKEN || (t->state == AM_TAG_CHANGED &&
						     changed && !strcmp(changed, "keep"));
		for (size_t k = 0; a->opts->take && k < a->opts->take->n; k++)
			t->take = t->take ||
				  (t->state < AM_TAG_RETRACTED &&
				   email_same(t->tag->email, a->opts->take->v[k]));
	}
}

int am_judge_tags(struct am *a, struct err *err)
{
	const char *changed = config_get(a->config, "series.tags.changed");
	struct buf *read _cleanup_free_ = NULL;

	if (changed && strcmp(changed, "ask") && strcmp(changed, "keep") &&
	    strcmp(changed, "drop"))
		return err_set(
			err, E_USAGE,
			"series.tags.changed: expected ask, keep or drop, not '%s'",
			changed);
	tags_collect(a->thread, a->posted, same_by_mailmap, a->repo, &a->tags);
	read = xcalloc(a->n_patches + 1, sizeof(*read));
	for (size_t i = 0; i < a->tags.n; i++)
		judge_tag(a, &a->tags.v[i], read);
	for (size_t i = 0; i < a->n_patches; i++)
		buf_release(&read[i]);
	if (a->n_tags)
		qsort_r(a->tag, a->n_tags, sizeof(*a->tag), by_date, (void *)a->thread);
	if (!a->opts->no_tags)
		decide(a, changed);
	return 0;
}

bool am_tag_asks(const struct am *a, const struct am_tag *t)
{
	const char *changed = config_get(a->config, "series.tags.changed");

	return !a->opts->no_tags && !t->take && t->state < AM_TAG_RETRACTED &&
	       !(t->state == AM_TAG_CHANGED && changed && !strcmp(changed, "drop"));
}

void am_tag_why(const struct am *a, const struct am_tag *t, struct buf *out)
{
	const struct tag *g = t->tag;
	const char *label = a->posted->v[g->version].label;
	static const char *const words[] = {
		[AM_TAG_TAKEN] = "",
		[AM_TAG_CONDITIONAL] = "conditional",
		[AM_TAG_PART] = "for a part",
		[AM_TAG_PROPOSAL] = "for the patch in a reply",
		[AM_TAG_OTHER] = "somebody else sent it",
		[AM_TAG_AUTHOR] = "the author's own",
		[AM_TAG_OFFERED] = "offered in a reply",
		[AM_TAG_RETRACTED] = "taken back",
		[AM_TAG_NAK] = "",
	};

	if (t->state == AM_TAG_CHANGED)
		buf_printf(out, "given to %s, and %s changed since", label,
			   t->same ? "the series has" : "the patch has");
	else
		buf_puts(out, words[t->state]);
	if (t->state == AM_TAG_CONDITIONAL)
		buf_printf(out, ": %s", g->condition);
	else if (t->state == AM_TAG_PART && g->scope_words)
		buf_printf(out, ": %s", g->scope_words);
	else if (t->state == AM_TAG_NAK && g->version != a->version)
		buf_printf(out, "of %s", label);
}

const struct am_tag *am_nak(const struct am *a)
{
	for (size_t i = 0; i < a->n_tags; i++)
		if (a->tag[i].state == AM_TAG_NAK && a->tag[i].same)
			return &a->tag[i];
	return NULL;
}
