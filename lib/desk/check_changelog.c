// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_changelog.c - a later version says what changed (changelog.h), and not of a patch
 * that git range-diff finds unchanged.
 */
#include "check_priv.h"
#include "series/changelog.h"
#include "series/compare.h"

/* Is there an entry that says more than "(no changes since v3)"? */
static bool claims_change(const struct changelog_part *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strstr(p->v[i].text, "no change"))
			return true;
	return false;
}

static bool unchanged(const struct comparison *c, size_t k)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct compared *p = &c->v[i];

		if (p->pair->to == k)
			return p->pair->mark == RANGE_SAME && !p->pair->moved &&
			       !p->retitled;
	}
	return false;
}

/* The parts of patches, set beside what git says of them. */
static int look_at_parts(struct check_ctx *x, const struct version *last,
			 const struct changelog *log, const char *path, struct err *err)
{
	struct comparison c _cleanup_comparison_ = { 0 };
	struct side from _cleanup_(side_release) = { 0 },
			 to _cleanup_(side_release) = { 0 };
	int rc;

	side_version(last, &from);
	rc = side_branch(x->s, &to, err);
	if (!rc)
		rc = compare_make(x->s->repo, &from, &to, 0, &c, err);
	if (rc == E_NOTFOUND) { /* commits that are gone deny nothing */
		err_release(err);
		return 0;
	}
	for (size_t i = 1; i < log->n && !rc; i++) {
		const struct changelog_part *p = &log->v[i];

		if (p->found && p->k > 0 && claims_change(p) &&
		    unchanged(&c, (size_t)p->k))
			check_add(x, "changelog-denied", path, "series changes --edit",
				  "it tells of patch %d, which is as it was in %s", p->k,
				  c.from.name);
	}
	return rc;
}

int check_changelog(struct check_ctx *x, struct err *err)
{
	const struct version *v = &x->p->outbox->version, *last = series_last(x->s);
	struct changelog log _cleanup_changelog_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *path _cleanup_free_ = NULL;
	int n = series_changelog_number(x->s, v->n, x->p->outbox->restart);
	int rc;

	path = xasprintf("changes/v%d.txt", n);
	rc = series_changelog_read(x->s->repo, x->s->name, n, &text, err);
	if (rc == E_NOTFOUND) {
		err_release(err);
		rc = 0;
	}
	if (rc)
		return rc;
	changelog_parse(buf_str(&text), &log);
	changelog_match(&log, v->patches, v->n_patches);
	if (v->n > 1 && changelog_empty(&log))
		check_add(x, "changelog-missing", path,
			  "write it: series changes --edit",
			  "v%d does not say what changed: its %s is empty", v->n, path);
	return last && log.n > 1 ? look_at_parts(x, last, &log, path, err) : 0;
}
