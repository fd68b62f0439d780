// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unimport.c - the way back: a branch that was imported becomes b4's again, or is no
 * series any more.
 */
#include <stdlib.h>
#include "atrest.h"
#include "b4move.h"
#include "b4prep.h"
#include "series/import.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/store.h"

struct undo {
	struct series *s;
	const struct config *c;
	struct store *t;
	char b4[OID_HEX]; /* the branch as b4 made it */
	struct commit cover;
	char cover_free[OID_HEX]; /* the branch right after the import */
	char base[OID_HEX];	  /* the commit below the cover, "" without one */
	struct import_undone *done;
};

void import_undone_release(struct import_undone *u)
{
	free(u->branch);
	free(u->name);
	*u = (struct import_undone){ 0 };
}

/* What the import made of b4's branch. */
static int look_back(struct undo *q, struct err *err)
{
	char *ref _cleanup_free_ = xasprintf("refs/series/%s/b4", q->s->name);
	bool was_signed = false;
	size_t n = 0;
	int rc = repo_ref(q->s->repo, ref, q->b4, err);

	if (rc == E_NOTFOUND)
		return err_set(err, rc,
			       "series %s was not imported in this repository (there is "
			       "no %s)",
			       q->s->name, ref);
	if (!rc)
		rc = b4prep_find(q->s->repo, q->b4, NULL, &q->cover, NULL);
	memcpy(q->cover_free, q->b4, OID_HEX);
	if (rc == E_NOTFOUND || (!rc && q->cover.parents != 1))
		return 0;
	if (rc)
		return rc;
	memcpy(q->base, q->cover.parent, OID_HEX);
	return branch_without(q->s->repo, &q->cover, q->b4, q->cover_free, &n,
			      &was_signed, err);
}

/* Versions that are not in the first state were posted by us: b4 would number them anew.
 */
static int nothing_posted(const struct undo *q, struct err *err)
{
	char *first[] = { "rev-list", "--max-parents=0", (char *)store_at(q->t), NULL };
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct strvec roots _cleanup_strvec_ = STRVEC_INIT;
	int rc = git_check(q->s->repo, first, STR_NULL, &out, err);

	if (rc)
		return rc;
	strvec_split(&roots, buf_str(&out), '\n');
	for (size_t i = 0; i < q->s->n_versions; i++) {
		char *path _cleanup_free_ = version_path(&q->s->versions[i]);
		char *label _cleanup_free_ = version_label(&q->s->versions[i]);
		char *copy _cleanup_free_ = xasprintf("%s-b4", q->s->branch);
		char *word _cleanup_free_ = shell_word(copy);
		struct buf doc _cleanup_buf_ = BUF_INIT;
		bool had = false;

		for (size_t k = 0; k < roots.n && !had; k++)
			had = !repo_file(q->s->repo, roots.v[k], path, &doc, NULL);
		if (!had)
			return q->done->posted
				       ? err_set(err, E_FAIL,
						 "series %s has posted %s since the "
						 "import: it is yours by now, and "
						 "there is no way back",
						 q->s->name, label)
				       : err_set(err, E_FAIL,
						 "series %s has posted %s since the "
						 "import, which "
						 "b4 would know nothing of; to go on "
						 "with b4 all "
						 "the same: git switch -c %s "
						 "refs/series/%s/b4 && "
						 "b4 prep --force-revision %d",
						 q->s->name, label, word, q->s->name,
						 series_draft(q->s));
	}
	return 0;
}

static int new_head(struct undo *q, char ret[OID_HEX], struct err *err)
{
	struct series *s = q->s;
	char *key _cleanup_free_ =
		xasprintf("branch.%s.b4-prep-cover-strategy", s->branch);
	const char *strategy = config_get(q->c, key);
	int rc;

	q->done->moved = strcmp(s->head, q->cover_free) != 0;
	if (!q->done->moved) {
		memcpy(ret, q->b4, OID_HEX);
		return 0;
	}
	if (!*q->base) {
		memcpy(ret, s->head, OID_HEX);
		return 0;
	}
	rc = series_find_patches(s, q->c, err);
	if (rc)
		return rc;
	return branch_with(s->repo, &q->cover,
			   strategy ? !strcmp(strategy, "tip-commit")
				    : !strcmp(q->cover.id, q->b4),
			   s->base, s->head, ret, err);
}

static int keep_state(struct undo *q, char **ret_ref, struct err *err)
{
	struct commit c _cleanup_(commit_release) = { .subject = NULL };
	int rc = repo_commit(q->s->repo, store_at(q->t), &c, err);

	if (rc || !c.parents)
		return rc;
	memcpy(q->done->kept, c.id, OID_HEX);
	*ret_ref = xasprintf("refs/series-undone/%s", q->s->name);
	return 0;
}

static int move_all(struct undo *q, struct err *err)
{
	struct series *s = q->s;
	char *prefix _cleanup_free_ = xasprintf("refs/series/%s/", s->name);
	char *branch _cleanup_free_ = xasprintf("refs/heads/%s", s->branch);
	char *kept _cleanup_free_ = NULL;
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	struct ref_update *u;
	size_t n = 0;
	int rc = repo_refs(s->repo, prefix, &refs, err);

	if (!rc)
		rc = keep_state(q, &kept, err);
	if (rc)
		return rc;
	u = xcalloc(refs.n + 2, sizeof(*u));
	for (size_t i = 0; i < refs.n; i++)
		u[n++] = (struct ref_update){ refs.v[i], NULL, NULL };
	if (kept)
		u[n++] = (struct ref_update){ kept, q->done->kept, NULL };
	if (strcmp(q->done->old_head, q->done->head))
		u[n++] = (struct ref_update){ branch, q->done->head, q->done->old_head };
	rc = git_update_refs(s->repo, u, n, "series: import --undo", err);
	free(u);
	return rc;
}

/* Imported from mails: the branch stays what it is. */
static bool was_posted(const struct series *s)
{
	char *ref _cleanup_free_ = xasprintf("refs/series/%s/posted", s->name);
	char id[OID_HEX];

	return !repo_ref(s->repo, ref, id, NULL);
}

static int untie(const struct undo *q, struct err *err)
{
	char *key _cleanup_free_ = xasprintf("branch.%s.series", q->s->branch);
	char *args[] = { "config", "--unset-all", key, NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc = git_run(q->s->repo, args, STR_NULL, &res, err);

	/* 5: it is not set */
	if (!rc && res.status && res.status != 5)
		rc = err_set(err, E_FAIL,
			     "the series is gone, but %s is still set (git config "
			     "--unset-all %s)",
			     key, key);
	return rc;
}

static int undo_posted(struct undo *q, struct err *err)
{
	int rc = store_begin(q->s->repo, q->s->name, false, &q->t, err);

	if (!rc)
		rc = nothing_posted(q, err);
	if (rc)
		return rc;
	memcpy(q->done->head, q->done->old_head, OID_HEX);
	rc = move_all(q, err);
	return rc || !q->s->branch ? rc : untie(q, err);
}

static int undo(struct undo *q, struct err *err)
{
	struct series *s = q->s;
	char *word _cleanup_free_ = shell_word(s->branch ? s->branch : s->name);
	int rc = look_back(q, err);

	if (!rc && !*s->head)
		rc = err_set(
			err, E_NOTFOUND,
			"series %s: its branch is gone; bring it back as b4 made it: "
			"git branch %s refs/series/%s/b4",
			s->name, word, s->name);
	if (!rc)
		rc = branch_at_rest(s->repo, s->branch, err);
	if (!rc)
		rc = store_begin(s->repo, s->name, false, &q->t, err);
	if (!rc)
		rc = nothing_posted(q, err);
	if (!rc)
		rc = new_head(q, q->done->head, err);
	if (!rc)
		rc = move_all(q, err);
	if (!rc && *q->base)
		carry_notes(s->repo, q->base, s->head, q->cover.id, q->done->head);
	return rc ? rc : untie(q, err);
}

int import_undo(struct series *s, const struct config *c, struct import_undone *ret,
		struct err *err)
{
	struct import_undone done = { .branch = xstrdup_null(s->branch),
				      .name = xstrdup(s->name) };
	struct undo q = { .s = s, .c = c, .done = &done };
	int rc;

	memcpy(done.old_head, s->head, OID_HEX);
	done.posted = was_posted(s);
	rc = done.posted ? undo_posted(&q, err) : undo(&q, err);
	store_end(q.t);
	commit_release(&q.cover);
	if (rc) {
		import_undone_release(&done);
		return rc;
	}
	*ret = done;
	return 0;
}
