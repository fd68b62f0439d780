// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sent heads refs/series/NAME/vN after a merge: what the versions of the state say.
 * One that gives way to another is kept as refs/series/NAME/lost/vN-HASH, so that gc
 * never takes what was posted.
 */
#include <stdlib.h>
#include "merge.h"
#include "series/mem.h"

struct heads {
	struct strvec labels, ids;
};

static void heads_release(struct heads *h)
{
	strvec_release(&h->labels);
	strvec_release(&h->ids);
}

static const char *head_of(const struct heads *h, const char *label)
{
	for (size_t i = 0; i < h->labels.n; i++)
		if (!strcmp(h->labels.v[i], label))
			return h->ids.v[i];
	return NULL;
}

static bool here(struct repo *r, const char *id)
{
	struct commit c;

	if (repo_commit(r, id, &c, NULL))
		return false;
	commit_release(&c);
	return true;
}

/* Keep a head that no version names any more. */
static void keep(struct merge *m, const char *label, const char *id)
{
	char *ref _cleanup_free_ =
		xasprintf("refs/series/%s/lost/%s-%.12s", m->name, label, id);
	char now[OID_HEX];

	if (!here(m->repo, id) || !repo_ref(m->repo, ref, now, NULL))
		return;
	store_ref(m->store, ref, id, "");
	strvec_pushf(m->notes, "the commits of the other %s are kept: %s", label, ref);
}

static void set_head(struct merge *m, const char *label, const char *id)
{
	char *ref _cleanup_free_ = xasprintf("refs/series/%s/%s", m->name, label);
	char now[OID_HEX];

	if (repo_ref(m->repo, ref, now, NULL)) {
		if (here(m->repo, id))
			store_ref(m->store, ref, id, "");
		return;
	}
	if (!strcmp(now, id) || !here(m->repo, id))
		return;
	keep(m, label, now);
	store_ref(m->store, ref, id, now);
}

/* A version that ours had and the result has not. */
static void drop_head(struct merge *m, const char *label, const char *id)
{
	char *ref _cleanup_free_ = xasprintf("refs/series/%s/%s", m->name, label);
	char now[OID_HEX];

	if (repo_ref(m->repo, ref, now, NULL) || strcmp(now, id))
		return;
	keep(m, label, now);
	store_ref(m->store, ref, NULL, now);
}

/* What the transaction will have: ours and theirs, less what was removed. */
static int heads_of_merge(struct merge *m, const struct heads *ours,
			  const struct heads *theirs, struct heads *ret)
{
	const struct heads *both[] = { ours, theirs };

	for (size_t k = 0; k < ARRAY_SIZE(both); k++)
		for (size_t i = 0; i < both[k]->labels.n; i++) {
			const char *label = both[k]->labels.v[i];
			char *path _cleanup_free_ =
				xasprintf("versions/%s.json", label + (label[0] == 'v'));
			struct json *j _cleanup_json_ = NULL;
			struct buf b _cleanup_buf_ = BUF_INIT;

			if (strchr(label, '.') || head_of(ret, label) ||
			    store_get(m->store, path, &b, NULL) ||
			    json_parse(buf_str(&b), path, &j, NULL))
				continue;
			document_heads(j, label, &ret->labels, &ret->ids);
		}
	return 0;
}

static int read_heads(struct merge *m, const char *commit, struct heads *ret,
		      struct err *err)
{
	return *commit ? state_heads(m->repo, m->name, commit, &ret->labels, &ret->ids,
				     err)
		       : 0;
}

int merge_heads(struct merge *m, const char *to, struct err *err)
{
	struct heads ours _cleanup_(heads_release) = { 0 };
	struct heads theirs _cleanup_(heads_release) = { 0 };
	struct heads then _cleanup_(heads_release) = { 0 };
	int rc = read_heads(m, m->ours, &ours, err);

	if (!rc)
		rc = read_heads(m, m->theirs, &theirs, err);
	if (!rc)
		rc = to ? read_heads(m, to, &then, err)
			: heads_of_merge(m, &ours, &theirs, &then);
	if (rc)
		return rc;
	for (size_t i = 0; i < then.labels.n; i++)
		set_head(m, then.labels.v[i], then.ids.v[i]);
	for (size_t i = 0; i < ours.labels.n; i++)
		if (!head_of(&then, ours.labels.v[i]))
			drop_head(m, ours.labels.v[i], ours.ids.v[i]);
	/* Theirs that gave way to ours. */
	for (size_t i = 0; !to && i < theirs.labels.n; i++) {
		const char *id = head_of(&then, theirs.labels.v[i]);

		if (!id || strcmp(id, theirs.ids.v[i]))
			keep(m, theirs.labels.v[i], theirs.ids.v[i]);
	}
	return 0;
}
