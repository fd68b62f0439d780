// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_queue.c - a fix is for a tree that has its patch already: does it apply there as
 * that tree is by now? Looked at on the branches of "series base --suggest".
 */
#include "check_priv.h"
#include "series/mem.h"
#include "series/progress.h"
#include "suggest_base_priv.h"

/* Has the candidate the patch that the fix is for? */
static bool has_patch(const struct base_candidate *c, int patch)
{
	for (size_t i = 0; i < c->n_queued; i++)
		if (c->queued[i].patch == patch)
			return true;
	return false;
}

/* The fixes before this one, onto the tree; *files when they do not apply. */
static int add_earlier(struct check_ctx *x, struct trial_room *room, char tree[OID_HEX],
		       struct strvec *files, struct err *err)
{
	const struct version *v = &x->p->outbox->version;
	int rc = 0;

	for (size_t i = 0; i + 1 < v->n_fixups && !rc && !files->n; i++) {
		struct commit c;

		rc = repo_commit(x->s->repo, v->fixups[i].commit, &c, err);
		if (rc)
			return rc;
		rc = trial_pick(room, c.parent, c.id, tree, files, err);
		commit_release(&c);
	}
	return rc;
}

/* The fix on a branch that has no earlier one yet, or does: *files when on neither. */
static int try_both(struct check_ctx *x, struct trial_room *room, char tree[OID_HEX],
		    struct strvec *files, struct err *err)
{
	struct strvec with _cleanup_strvec_ = STRVEC_INIT;
	char other[OID_HEX];
	int rc;

	memcpy(other, tree, OID_HEX);
	rc = trial_pick(room, x->base, x->head, tree, files, err);
	if (rc || !files->n || x->p->outbox->version.n_fixups == 1)
		return rc;
	rc = add_earlier(x, room, other, &with, err);
	if (!rc && !with.n)
		rc = trial_pick(room, x->base, x->head, other, &with, err);
	if (rc || with.n)
		return rc;
	memcpy(tree, other, OID_HEX);
	strvec_release(files);
	return 0;
}

static int try_branch(struct check_ctx *x, struct trial_room *room, const char *ref,
		      const struct base_candidate *c, struct err *err)
{
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	char *where _cleanup_free_ = check_where(x, 0), *names _cleanup_free_ = NULL;
	char *name _cleanup_free_ = branch_short_name(x->s->repo, ref);
	char tree[OID_HEX];
	struct commit tip;
	int rc = repo_commit(x->s->repo, c->tip, &tip, err);

	if (rc)
		return rc;
	memcpy(tree, tip.tree, OID_HEX);
	rc = try_both(x, room, tree, &files, err);
	names = strvec_join(&files, ", ");
	if (!rc && files.n)
		check_add(
			x, "fixup-queue", where,
			"fetch the branch and look what it has there; a new version "
			"may be due",
			"%s has the patch, and the fix does not apply there (conflict in "
			"%s)",
			name, names);
	else if (!rc && !strcmp(tip.tree, tree))
		check_add(x, "fixup-queue", where, "then there is nothing to send",
			  "%s has the change of this fix already", name);
	commit_release(&tip);
	return rc;
}

static int look_at_branches(struct check_ctx *x, struct trial_room *room,
			    const struct strvec *refs, struct err *err)
{
	const struct version *v = &x->p->outbox->version;
	const struct fixup *f = &v->fixups[v->n_fixups - 1];
	struct progress progress = { 0 };
	bool any = false;
	int rc = 0;

	progress_start(&progress, "looking for the patch", (int64_t)refs->n);
	for (size_t i = 0; i < refs->n && !rc; i++) {
		struct base_candidate c = { 0 };

		progress_update(&progress, (int64_t)i, refs->v[i]);
		rc = repo_resolve(x->s->repo, refs->v[i], c.tip, err);
		if (!rc)
			rc = queue_find(x->s, v, &c, err);
		if (!rc && has_patch(&c, f->patch)) {
			any = true;
			rc = try_branch(x, room, refs->v[i], &c, err);
		}
		base_candidate_release(&c);
	}
	progress_end(&progress);
	if (!rc && !any)
		check_add(x, "fixup-unqueued", NULL,
			  "git fetch, or name the branch: series.baseCandidate; what no "
			  "tree has taken is better posted as a new version",
			  "no branch here has patch %d of v%d", f->patch, v->n);
	return rc;
}

int check_queue(struct check_ctx *x, struct err *err)
{
	struct trial_room *room _cleanup_trial_ = NULL;
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	struct strvec missing _cleanup_strvec_ = STRVEC_INIT;
	int rc = branches_to_try(x->s, x->c, &refs, &missing, err);

	if (!rc)
		rc = trial_open(x->s->repo, &room, err);
	return rc ? rc : look_at_branches(x, room, &refs, err);
}
