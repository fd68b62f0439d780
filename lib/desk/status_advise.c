// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is wrong or stale in a status, and the one thing to do next.
 */
#include "series/changelog.h"
#include "series/cover.h"
#include "series/covertext.h"
#include "series/mem.h"
#include "series/post.h"
#include "series/sanitize.h"
#include "status_priv.h"

/* What is known of the cover letter. */
struct letter {
	bool there, torn;
	bool changelog;	       /* the draft has one, or needs none */
	struct strvec benches; /* names behind "@bench" */
};

static int read_letter(const struct status *st, struct letter *ret, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str rest, line, word;
	int rc = series_cover_read(st->series->repo, st->series->name, &text, err);

	if (rc == E_NOTFOUND) {
		if (err)
			err_release(err);
		return 0;
	}
	if (rc)
		return rc;
	ret->torn = series_cover_torn(st->series->repo, st->series->name);
	ret->there = !cover_is_template(buf_str(&text));
	rest = buf_str(&text);
	while (str_line(&rest, &line)) {
		char *name;

		if (!str_skip(&line, "@bench ") || !str_word(&line, &word))
			continue;
		name = str_dup(word);
		if (!strvec_has(&ret->benches, name))
			strvec_push(&ret->benches, name);
		free(name);
	}
	return 0;
}

/* A later version whose commits are others than the last one's says what changed. */
static int read_changelog(const struct status *st, struct letter *ret, struct err *err)
{
	const struct series *s = st->series;
	const struct version *last = series_last(s);
	struct changelog log _cleanup_changelog_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc, n = series_draft(s);

	ret->changelog = n < 2 || !last || !strcmp(last->head, s->head);
	if (ret->changelog)
		return 0;
	rc = series_changelog_read(s->repo, s->name, n, &text, err);
	if (rc == E_NOTFOUND) {
		if (err)
			err_release(err);
		return 0;
	}
	changelog_parse(buf_str(&text), &log);
	ret->changelog = !changelog_empty(&log);
	return rc;
}

static void find_build_problems(struct status *st)
{
	const struct series *s = st->series;

	for (size_t a = 0; a < st->archs.n; a++) {
		const char *arch = st->archs.v[a];
		size_t known = 0;

		for (size_t i = 0; i < s->n_patches; i++) {
			char *where _cleanup_free_ =
				xasprintf("patch %zu/%zu", i + 1, s->n_patches);
			char *again _cleanup_free_ =
				xasprintf("series build --arch %s --each", arch);
			enum build_outcome o = st->patches[i].builds[a];

			known += o != BUILD_UNKNOWN;
			if (o == BUILD_FAIL)
				findings_add(&st->findings, "build-fails", SEVERITY_ERROR,
					     where, again, "does not build for %s", arch);
			else if (o == BUILD_WARN)
				findings_add(&st->findings, "build-warns",
					     SEVERITY_WARNING, where, again,
					     "builds with new warnings for %s", arch);
		}
		if (s->n_patches && !known) {
			char *again _cleanup_free_ =
				xasprintf("series build --arch %s", arch);

			findings_add(&st->findings, "build-stale", SEVERITY_WARNING, NULL,
				     again,
				     "the branch changed since it was built for %s",
				     arch);
		}
	}
}

static void find_stale_benches(struct status *st)
{
	for (size_t i = 0; i < st->n_bench; i++) {
		const struct status_bench *b = &st->bench[i];
		char *where _cleanup_free_ =
			xasprintf("%s %s on %s", b->name, b->case_name, b->host);
		char *again _cleanup_free_ =
			xasprintf("series bench %s --arch %s", b->name, b->arch);

		if (!b->fresh)
			findings_add(&st->findings, "bench-stale", SEVERITY_WARNING,
				     where, again, "%s", b->why);
	}
}

static void find_posting_problems(struct status *st)
{
	const struct status_outbox *o = &st->outbox;

	if (o->unsure)
		findings_add(&st->findings, "mail-unsure", SEVERITY_ERROR, "outbox",
			     "series send --resume",
			     "%zu of %zu mails may or may not have arrived", o->unsure,
			     o->total);
	else if (o->total)
		findings_add(&st->findings, "mail-partial", SEVERITY_ERROR, "outbox",
			     "series send --resume", "%zu of %zu mails were accepted",
			     o->accepted, o->total);
}

static bool tip_built(const struct status *st)
{
	size_t n = st->series->n_patches;

	for (size_t a = 0; n && a < st->archs.n; a++)
		if (st->patches[n - 1].builds[a] != BUILD_UNKNOWN)
			return true;
	return false;
}

/* The first build that fails, as advice; NULL if none. */
static char *fix_build(const struct status *st)
{
	for (size_t i = 0; i < st->series->n_patches; i++)
		for (size_t a = 0; a < st->archs.n; a++)
			if (st->patches[i].builds[a] == BUILD_FAIL)
				return xasprintf("repair patch %zu for %s, then series "
						 "build --arch %s --each",
						 i + 1, st->archs.v[a], st->archs.v[a]);
	return NULL;
}

/* A benchmark that the letter wants and that is missing or stale; NULL if none. */
static char *bench_wanted(const struct status *st, const struct letter *l)
{
	for (size_t k = 0; k < l->benches.n; k++) {
		const struct status_bench *found = NULL;

		for (size_t i = 0; i < st->n_bench; i++)
			if (!strcmp(st->bench[i].name, l->benches.v[k]) &&
			    (!found || !found->fresh))
				found = &st->bench[i];
		if (!found)
			return xasprintf("series bench %s", l->benches.v[k]);
		if (!found->fresh)
			return xasprintf("series bench %s --arch %s", found->name,
					 found->arch);
	}
	return NULL;
}

static bool has_recipients(const struct status *st, const struct config *c)
{
	return recipients_any(st->series, c);
}

static char *next_step(const struct status *st, const struct config *c,
		       const struct letter *l)
{
	const struct series *s = st->series;
	const struct version *last = series_last(s);
	char *word _cleanup_free_ = shell_word(s->branch ? s->branch : "NAME");
	const char *was = last ? version_state(last) : NULL;
	char *step;

	if (st->outbox.total)
		return xstrdup("series send --resume");
	if (!strcmp(st->state, "partial") && (!was || !strcmp(was, "sending")))
		return xasprintf("v%d is on its way from another clone; wait for its end",
				 last->n);
	if (!strcmp(st->state, "partial") && *s->head)
		return xasprintf(
			"v%d went out in part: series send posts v%d, series send "
			"--resend posts v%d whole",
			last->n, series_draft(s), last->n);
	if (!*s->head)
		return xasprintf("the branch %s is gone; bring it back: git branch %s "
				 "%.12s",
				 s->branch ? s->branch : "", word,
				 series_last(s) ? series_last(s)->head : "COMMIT");
	if (!s->n_patches)
		return xstrdup("commit patches on the branch");
	if (judged_count(&st->tags, judged_is_ready) ||
	    judged_count(&st->tags, judged_is_stale))
		return xstrdup("series tags --apply");
	if (!strcmp(st->state, "sent") &&
	    (status_remarks_open(st) || reports_open(&st->review)))
		return xstrdup("series remarks");
	if (!strcmp(st->state, "sent"))
		return xasprintf("series update, or series update --from MBOX: what came "
				 "back for v%d",
				 last->n);
	if (l->torn || (!l->there && s->n_patches > 1))
		return xstrdup("series cover --edit");
	if (!l->changelog)
		return xstrdup("series changes --edit");
	if ((step = fix_build(st)))
		return step;
	if (!tip_built(st))
		return st->archs.n ? xasprintf("series build --arch %s --each",
					       st->archs.v[0])
				   : xstrdup("series build --each");
	if ((step = bench_wanted(st, l)))
		return step;
	if (!has_recipients(st, c))
		return xstrdup("series recipients --add-to LIST");
	return xstrdup("series send");
}

int status_advise(struct status *st, const struct config *c, struct err *err)
{
	struct letter l = { .there = false };
	int rc = read_letter(st, &l, err);

	if (!rc)
		rc = read_changelog(st, &l, err);
	if (!rc) {
		cover_conflict(st->series, &st->findings);
		find_posting_problems(st);
		find_build_problems(st);
		find_stale_benches(st);
		status_review_findings(st);
		st->next = next_step(st, c, &l);
	}
	strvec_release(&l.benches);
	return rc;
}
