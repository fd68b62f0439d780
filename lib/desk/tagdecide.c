// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagdecide.c - what the user decides about tags, and what there is to decide it by.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/rangediff.h"
#include "series/store.h"
#include "tagjudge_priv.h"

#define LEAST_DIGITS 4

/* One of the ids of the user. */
struct wish {
	struct review_tag *tag;
	size_t patch; /* of the draft, 0: all */
	enum decision decision;
};

struct decide {
	struct series *s;
	struct review r;
	bool reasoned;		 /* the user says why */
	struct judged by_itself; /* as if nothing was decided about the tags of wishes */
	struct wish *v;
	size_t n, cap;
};

static void decide_release(struct decide *d)
{
	judged_release(&d->by_itself);
	review_release(&d->r);
	free(d->v);
}

static int find_tag(struct review *r, struct str id, struct review_tag **ret,
		    struct err *err)
{
	struct review_tag *found = NULL;
	int digits = review_digits(r);

	if (id.len < LEAST_DIGITS)
		return err_set(err, E_USAGE,
			       "'" STR_FMT "': at least %d digits of a tag's id are "
			       "needed; series tags shows them",
			       STR_ARG(id), LEAST_DIGITS);
	for (size_t i = 0; i < r->n_tags; i++) {
		if (strncmp(r->tags[i].id, id.p, id.len) != 0)
			continue;
		if (found)
			return err_set(err, E_USAGE,
				       "'" STR_FMT "' is the beginning of two tags: "
				       "%.*s and %.*s",
				       STR_ARG(id), digits, found->id, digits,
				       r->tags[i].id);
		found = &r->tags[i];
	}
	if (!found)
		return err_set(err, E_NOTFOUND,
			       "there is no tag '" STR_FMT "'; series tags shows those "
			       "there are",
			       STR_ARG(id));
	*ret = found;
	return 0;
}

/* "1f560979", or "1f560979:3" for one patch. */
static int read_wish(struct decide *d, const char *word, enum decision decision,
		     struct err *err)
{
	struct wish w = { .decision = decision };
	const char *colon = strchr(word, ':');
	struct str id = colon ? str_n(word, (size_t)(colon - word)) : str_c(word);
	int64_t patch = 0;
	int rc = find_tag(&d->r, id, &w.tag, err);

	if (rc)
		return rc;
	if (colon && !str_to_i64(str_c(colon + 1), 1, (int64_t)d->s->n_patches, &patch))
		return err_set(
			err, E_USAGE,
			"'%s': behind the colon stands a patch of the branch, 1 to "
			"%zu",
			word, d->s->n_patches);
	if (w.tag->kind == TAG_NAK && decision == DECIDED_DROP && !d->reasoned)
		return err_set(
			err, E_USAGE,
			"'%s' is a NAK of %s; say how it was settled: --reason TEXT",
			word, *w.tag->name ? w.tag->name : w.tag->email);
	w.patch = (size_t)patch;
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].tag == w.tag && d->v[i].decision != decision &&
		    (!w.patch || !d->v[i].patch || d->v[i].patch == w.patch))
			return err_set(err, E_USAGE,
				       "'%s' is to be kept and to be dropped; say one",
				       word);
	vec_grow(d->v, d->n, d->cap);
	d->v[d->n++] = w;
	return 0;
}

static int read_wishes(struct decide *d, const struct tag_wishes *w, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < w->keep.n && !rc; i++)
		rc = read_wish(d, w->keep.v[i], DECIDED_KEEP, err);
	for (size_t i = 0; i < w->drop.n && !rc; i++)
		rc = read_wish(d, w->drop.v[i], DECIDED_DROP, err);
	return rc;
}

/* Where the tag would hold, if what replaces all that was decided had not been. */
static int judge_wishes(struct decide *d, const struct config *c, struct err *err)
{
	for (size_t i = 0; i < d->n; i++)
		if (!d->v[i].patch)
			tag_decide(d->v[i].tag, 0, DECIDED_NOT, NULL);
	return tags_judge_each(d->s, c, &d->r, &d->by_itself, err);
}

/* For the patches that it is about; false: it is about none of these. */
static bool decide_each(struct decide *d, const struct wish *w, const char *reason)
{
	bool any = false;

	for (size_t i = 0; i < d->by_itself.n; i++) {
		const struct judged_tag *e = &d->by_itself.v[i];

		if (e->tag != w->tag || !e->patch || (w->patch && e->patch != w->patch))
			continue;
		any = true;
		if (w->patch || e->state != TAG_HOLDS)
			/* A tag for one patch has one decision. */
			tag_decide(w->tag, w->tag->patch ? 0 : e->given, w->decision,
				   reason);
	}
	return any;
}

static int grant(struct decide *d, const struct wish *w, const char *reason,
		 struct err *err)
{
	bool by_patch = w->patch || (w->decision == DECIDED_KEEP && !w->tag->patch);

	if (by_patch && decide_each(d, w, reason))
		return 0;
	if (w->patch)
		return err_set(err, E_NOTFOUND,
			       "the tag %.*s is not about patch %zu; series tags shows "
			       "the patches of each",
			       review_digits(&d->r), w->tag->id, w->patch);
	tag_decide(w->tag, 0, w->decision, reason);
	return 0;
}

static char *state_message(const struct tag_wishes *w)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	buf_puts(&b, "tags:");
	if (w->keep.n)
		buf_printf(&b, " keep %zu", w->keep.n);
	if (w->drop.n)
		buf_printf(&b, "%s drop %zu", w->keep.n ? "," : "", w->drop.n);
	return buf_take(&b);
}

int tags_decide(struct series *s, const struct config *c, const struct tag_wishes *w,
		struct err *err)
{
	struct decide d _cleanup_(
		decide_release) = { .s = s, .reasoned = w->reason && *w->reason };
	struct store *t _cleanup_store_ = NULL;
	char *message _cleanup_free_ = state_message(w);
	int rc = store_begin(s->repo, s->name, false, &t, err);

	if (rc)
		return rc;
	/* What is there now, under the lock. */
	memcpy(s->state, store_at(t), OID_HEX);
	rc = review_load(s, &d.r, err);
	if (!rc)
		rc = read_wishes(&d, w, err);
	if (!rc)
		rc = judge_wishes(&d, c, err);
	for (size_t i = 0; i < d.n && !rc; i++) {
		rc = grant(&d, &d.v[i], w->reason, err);
		if (!rc)
			review_put_tag(t, d.v[i].tag);
	}
	if (!rc)
		rc = store_commit(t, message, err);
	if (!rc)
		memcpy(s->state, store_at(t), OID_HEX);
	return rc;
}

int judged_diff(struct series *s, const struct judged_tag *e, struct buf *out,
		struct err *err)
{
	struct rangediff d = { 0 };
	struct commit a, b;
	const char *now = e->patch ? s->patches[e->patch - 1].commit : "";
	int rc;

	if (!*now || !*e->from || repo_commit(s->repo, e->from, &a, NULL))
		return 0;
	rc = repo_commit(s->repo, now, &b, err);
	if (!rc) {
		rc = git_range_diff(s->repo, a.parent, a.id, b.parent, b.id, 100, &d,
				    err);
		if (!rc && d.n == 1)
			buf_addstr(out, d.v[0].body);
		rangediff_release(&d);
		commit_release(&b);
	}
	commit_release(&a);
	return rc;
}
