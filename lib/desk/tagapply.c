// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagapply.c - see tagapply.h.
 */
#include <stdlib.h>
#include "atrest.h"
#include "b4move.h"
#include "series/mem.h"
#include "series/store.h"
#include "series/tagapply.h"
#include "tagtext.h"

struct refs {
	char *branch, *before, *after;
};

static void refs_init(const struct series *s, struct refs *ret)
{
	ret->branch = xasprintf("refs/heads/%s", s->branch);
	ret->before = xasprintf("refs/series/%s/tags-before", s->name);
	ret->after = xasprintf("refs/series/%s/tags-after", s->name);
}

static void refs_release(struct refs *r)
{
	free(r->branch);
	free(r->before);
	free(r->after);
}
#define _cleanup_refs_ _cleanup_(refs_release)

/* One commit with its tags on the parent at, which follows. */
static int apply_one(struct series *s, const struct commit *k,
		     const struct tag_lines *lines, const struct tag_style *style,
		     char at[OID_HEX], struct tags_applied *done, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT, clean _cleanup_buf_ = BUF_INIT;
	size_t gone = tagtext_remove(str_c(k->message), &lines->remove, &clean);
	size_t n = tagtext_add(buf_str(&clean), &lines->add, style, &text);
	char next[OID_HEX];
	bool was_signed = false;
	int rc = n || gone ? repo_reword(s->repo, k, at, buf_str(&text), next,
					 &was_signed, err)
			   : repo_rechain(s->repo, k, at, NULL, next, &was_signed, err);

	if (rc)
		return rc;
	done->added += n;
	done->commits += n > 0;
	done->removed += gone;
	done->cleaned += gone > 0;
	done->left += lines->remove.n - gone;
	done->moved += strcmp(next, k->id) != 0;
	done->signed_lost += was_signed;
	memcpy(at, next, OID_HEX);
	return 0;
}

static int make_commits(struct series *s, const struct config *c,
			const struct tag_lines *lines, struct tags_applied *done,
			struct err *err)
{
	const char *email = config_get(c, "user.email");
	struct commit *v = NULL;
	size_t n = 0;
	int rc = repo_range(s->repo, s->base, s->head, SERIES_MAX_PATCHES, &v, &n, err);

	memcpy(done->head, s->base, OID_HEX);
	for (size_t i = 0; i < n && !rc; i++) {
		struct tag_style style = { .order = trailer_order(c) };

		if (email)
			strvec_push(&style.own, email);
		strvec_push(&style.own, v[i].committer_email);
		rc = apply_one(s, &v[i], &lines[i], &style, done->head, done, err);
		strvec_release(&style.own);
	}
	commits_free(v, n);
	return rc;
}

/* The branch from one commit to another; the refs say both, or go. */
static int move(struct series *s, const char *from, const char *to, bool undo,
		struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct refs r _cleanup_refs_ = { NULL };
	int rc = store_begin(s->repo, s->name, false, &t, err);

	if (rc)
		return rc;
	refs_init(s, &r);
	/* Git moves one after the other: a branch that moved can be brought back. */
	if (undo)
		store_ref(t, r.branch, to, from);
	store_ref(t, r.before, undo ? NULL : from, NULL);
	store_ref(t, r.after, undo ? NULL : to, NULL);
	if (!undo)
		store_ref(t, r.branch, to, from);
	rc = store_forward(t, store_at(t), undo ? "tags --undo" : "tags --apply", err);
	if (rc == E_CONFLICT)
		return err_set(err, rc,
			       "branch %s has moved meanwhile, and stays as it is; try "
			       "again",
			       s->branch);
	return rc;
}

static int branch_there(const struct series *s, struct err *err)
{
	return *s->head ? 0
			: err_set(err, E_NOTFOUND,
				  "series %s: its branch %s is gone, so there are no "
				  "commits to put tags into",
				  s->name, s->branch ? s->branch : "");
}

int tags_apply(struct series *s, const struct config *c, const struct tag_lines *lines,
	       struct tags_applied *ret, struct err *err)
{
	struct tags_applied done = { .added = 0 };
	int rc = branch_there(s, err);
	bool changed;

	if (!rc)
		rc = branch_at_rest(s->repo, s->branch, err);
	if (rc)
		return rc;
	memcpy(done.old_head, s->head, OID_HEX);
	rc = make_commits(s, c, lines, &done, err);
	changed = done.added || done.removed;
	if (!rc && changed)
		rc = move(s, done.old_head, done.head, false, err);
	if (rc)
		return rc;
	if (changed)
		carry_notes(s->repo, s->base, done.old_head, s->base, done.head);
	else
		memcpy(done.head, s->head, OID_HEX);
	*ret = done;
	return 0;
}

int tags_undo(struct series *s, struct tags_applied *ret, struct err *err)
{
	struct tags_applied done = { .added = 0 };
	struct refs r _cleanup_refs_ = { NULL };
	char after[OID_HEX];
	int rc = branch_there(s, err);

	if (rc)
		return rc;
	refs_init(s, &r);
	rc = repo_ref(s->repo, r.before, done.head, NULL);
	if (!rc)
		rc = repo_ref(s->repo, r.after, after, NULL);
	if (rc)
		return err_set(err, E_NOTFOUND,
			       "series %s: no tags were applied that could be undone",
			       s->name);
	if (strcmp(after, s->head) != 0)
		return err_set(err, E_FAIL,
			       "branch %s has moved since tags were applied (it was at "
			       "%.12s); what it was before that: git log %s",
			       s->branch, after, r.before);
	rc = branch_at_rest(s->repo, s->branch, err);
	if (!rc)
		rc = move(s, s->head, done.head, true, err);
	if (rc)
		return rc;
	memcpy(done.old_head, s->head, OID_HEX);
	*ret = done;
	return 0;
}
