// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagdecide.c - what the user decides about tags, and what there is to decide it by.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/rangediff.h"
#include "series/store.h"
#include "series/tagjudge.h"

#define LEAST_DIGITS 4

static int find_tag(struct review *r, const char *id, struct review_tag **ret,
		    struct err *err)
{
	struct review_tag *found = NULL;

	if (strlen(id) < LEAST_DIGITS)
		return err_set(err, E_USAGE,
			       "'%s': at least %d digits of a tag's id are needed; "
			       "series tags shows them",
			       id, LEAST_DIGITS);
	for (size_t i = 0; i < r->n_tags; i++) {
		if (strncmp(r->tags[i].id, id, strlen(id)) != 0)
			continue;
		if (found)
			return err_set(err, E_USAGE,
				       "'%s' is the beginning of two tags: %s and %s", id,
				       found->id, r->tags[i].id);
		found = &r->tags[i];
	}
	if (!found)
		return err_set(err, E_NOTFOUND,
			       "there is no tag '%s'; series tags shows those there are",
			       id);
	*ret = found;
	return 0;
}

int tags_decide(struct series *s, const struct strvec *ids, enum decision d,
		const char *reason, struct err *err)
{
	static const char *const words[] = { "undecided", "keep", "drop" };
	struct review r _cleanup_review_ = { .n_tags = 0 };
	struct store *t _cleanup_store_ = NULL;
	char *message _cleanup_free_ = NULL;
	int rc = store_begin(s->repo, s->name, false, &t, err);

	if (rc)
		return rc;
	/* What is there now, under the lock. */
	memcpy(s->state, store_at(t), OID_HEX);
	rc = review_load(s, &r, err);
	for (size_t i = 0; i < ids->n && !rc; i++) {
		struct review_tag *tag = NULL;

		rc = find_tag(&r, ids->v[i], &tag, err);
		if (rc)
			return rc;
		tag->decision = d;
		free(tag->reason);
		tag->reason = d == DECIDED_NOT ? NULL : xstrdup_null(reason);
		review_put_tag(t, tag);
	}
	if (rc)
		return rc;
	message = xasprintf("tags: %s %zu", words[d], ids->n);
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
