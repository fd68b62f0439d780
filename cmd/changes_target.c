// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changes_target.c - see changes_target.h.
 */
#include "changes_target.h"
#include "intake.h"
#include "series/mem.h"

void target_release(struct target *t)
{
	buf_release(&t->stored);
}

int target_find(struct ctx *c, int n, struct target *ret, struct err *err)
{
	const struct series *s = c->series;
	const struct version *v;

	*ret = (struct target){ .n = n ? n : series_draft(s) };
	ret->restart = n == 1 && series_may_restart(s);
	v = ret->restart ? NULL : series_version(s, ret->n);
	if (!v && ret->n > series_draft(s))
		return err_set(err, E_NOTFOUND, "series %s has no v%d; the draft is v%d",
			       s->name, ret->n, series_draft(s));
	ret->draft = ret->restart || ret->n == series_draft(s);
	ret->patches = v ? v->patches : s->patches;
	ret->n_patches = v ? v->n_patches : s->n_patches;
	return 0;
}

/* The number that it is stored under. */
static int stored_number(const struct ctx *c, const struct target *t)
{
	return series_changelog_number(c->series, t->n, t->restart);
}

int target_read(struct ctx *c, struct target *t, struct changelog *ret, struct err *err)
{
	int rc;

	buf_reset(&t->stored);
	rc = series_changelog_read(c->repo, c->series->name, stored_number(c, t),
				   &t->stored, err);
	if (rc && rc != E_NOTFOUND)
		return rc;
	err_release(err);
	changelog_parse(buf_str(&t->stored), ret);
	changelog_match(ret, t->patches, t->n_patches);
	return 0;
}

/* Store a changelog over what was read, and say what is wrong with it. */
static int target_put(struct ctx *c, struct target *t, const struct changelog *log,
		      struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str before = buf_str(&t->stored);
	bool changed = false;
	int rc;

	changelog_format(log, &text);
	rc = series_changelog_write(c->repo, c->series->name, stored_number(c, t),
				    buf_str(&text), &before, &changed, err);
	if (!rc)
		out_printf(&c->out, "series %s: changelog of v%d %s\n", c->series->name,
			   t->n,
			   !changed   ? "unchanged"
			   : text.len ? "stored"
				      : "removed");
	return rc;
}

int target_put_text(struct ctx *c, struct target *t, struct str text, struct err *err)
{
	struct changelog log _cleanup_changelog_ = { 0 };

	changelog_parse(text, &log);
	changelog_match(&log, t->patches, t->n_patches);
	return target_put(c, t, &log, err);
}

int target_add(struct ctx *c, struct target *t, int k, const char *words,
	       const char *thanks, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = E_CONFLICT;

	if (!str_trim(str_c(words)).len)
		return err_set(err, E_USAGE, "--add: there is no text");
	if ((size_t)k > t->n_patches)
		return err_set(err, E_USAGE, "--patch %d: v%d has %zu patches", k, t->n,
			       t->n_patches);
	buf_addstr(&text, str_trim(str_c(words)));
	if (thanks)
		buf_printf(&text, " (thanks %s)", thanks);
	if (intake_check(CHANGELOG_TITLE, buf_str(&text), STR_NULL, err))
		return E_FAIL;
	for (int try = 0; rc == E_CONFLICT && try < 5; try++) {
		struct changelog log _cleanup_changelog_ = { 0 };

		err_release(err);
		rc = target_read(c, t, &log, err);
		if (rc)
			return rc;
		changelog_add(&log, k, k ? t->patches[k - 1].subject : "",
			      buf_str(&text));
		changelog_match(&log, t->patches, t->n_patches);
		rc = target_put(c, t, &log, err);
	}
	return rc;
}
