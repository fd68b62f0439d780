// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest_base.c - where the draft could start: each branch tried, the best first.
 */
#include "series/mem.h"
#include "series/progress.h"
#include "series/sanitize.h"
#include "suggest_base_priv.h"

void base_candidate_release(struct base_candidate *c)
{
	for (size_t k = 0; k < c->n_queued; k++)
		free(c->queued[k].subject);
	free(c->queued);
	free(c->ref);
	strvec_release(&c->on_tip.files);
	strvec_release(&c->on_before.files);
}

void base_suggestions_release(struct base_suggestions *b)
{
	for (size_t i = 0; i < b->n; i++)
		base_candidate_release(&b->v[i]);
	free(b->v);
	free(b->version);
	strvec_release(&b->missing);
}

char *branch_short_name(struct repo *r, const char *full)
{
	const char *part = strchr(full + 5, '/') + 1;
	char *back _cleanup_free_ = NULL;

	if (!repo_ref_full(r, part, &back, NULL) && !strcmp(back, full))
		return xstrdup(part);
	return xstrdup(full + strlen("refs/"));
}

/* What applies further; then what has less of it already; then as they were found. */
static int better(const void *a, const void *b)
{
	const struct base_candidate *p = a, *q = b;

	if (p->on_tip.applied != q->on_tip.applied)
		return p->on_tip.applied < q->on_tip.applied ? 1 : -1;
	if (p->n_queued != q->n_queued)
		return p->n_queued < q->n_queued ? -1 : 1;
	return p->order < q->order ? -1 : p->order > q->order;
}

static int try_one(struct series *s, struct trial_room *room, const char *full,
		   struct base_suggestions *b, struct err *err)
{
	struct base_candidate *c;
	int rc;

	vec_grow(b->v, b->n, b->cap);
	c = &b->v[b->n];
	*c = (struct base_candidate){ .order = b->n,
				      .ref = branch_short_name(s->repo, full) };
	b->n++;
	rc = repo_resolve(s->repo, full, c->tip, err);
	if (!rc)
		rc = trial_run(s, room, c->tip, &c->on_tip, err);
	if (!rc)
		rc = queue_find(s, series_last(s), c, err);
	if (!rc && *c->before)
		rc = trial_run(s, room, c->before, &c->on_before, err);
	return rc ? err_context(err, "%s", c->ref) : 0;
}

int suggest_base(struct series *s, const struct config *c, struct base_suggestions *ret,
		 struct err *err)
{
	struct trial_room *room _cleanup_trial_ = NULL;
	struct base_suggestions b _cleanup_base_suggestions_ = { .v = NULL };
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	const struct version *last = series_last(s);
	struct progress progress = { 0 };
	int rc;

	if (!s->n_patches)
		return err_set(err, E_NOTFOUND,
			       "base: series %s has no patches to try yet; commit them, "
			       "then series base --suggest",
			       s->name);
	rc = branches_to_try(s, c, &refs, &b.missing, err);
	if (!rc && !refs.n)
		rc = err_set(err, E_NOTFOUND,
			     "base: no branch to try; name one: git config --add "
			     "series.baseCandidate BRANCH");
	if (!rc)
		rc = trial_open(s->repo, &room, err);
	if (rc)
		return rc;
	b.version = last ? version_label(last) : NULL;
	b.n_looked_for = last ? last->n_patches : s->n_patches;
	progress_start(&progress, "trying branches", (int64_t)refs.n);
	for (size_t i = 0; i < refs.n && !rc; i++) {
		progress_update(&progress, (int64_t)i, refs.v[i]);
		rc = try_one(s, room, refs.v[i], &b, err);
	}
	progress_end(&progress);
	if (rc)
		return rc;
	qsort(b.v, b.n, sizeof(*b.v), better);
	*ret = b;
	memset(&b, 0, sizeof(b));
	return 0;
}

char *suggest_base_move(const struct series *s, const char *commit, const char *set)
{
	char *branch _cleanup_free_ = shell_word(s->branch);
	char *to _cleanup_free_ = shell_word(set);

	return xasprintf("git rebase --onto %.12s %.12s %s && series base --set %s",
			 commit, s->base, branch, to);
}

char *suggest_base_fix(const struct series *s, const struct base_candidate *c)
{
	return xasprintf("git switch --no-track -c %s-fix %.12s", s->name, c->tip);
}
