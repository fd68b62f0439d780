// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The measurements of a status: the newest session of each benchmark on each host and
 * arch, judged, and whether it is still true of the draft.
 */
#include <math.h>
#include "series/mem.h"
#include "series/report.h"
#include "status_priv.h"

static bool same_place(const struct bench_session *a, const struct bench_session *b)
{
	return !strcmp(a->bench, b->bench) && !strcmp(a->arch, b->arch) &&
	       !strcmp(a->host_alias, b->host_alias);
}

/* Is there a newer one of the same place? The list has the newest first. */
static bool superseded(struct bench_session *const *v, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (v[k]->complete && same_place(v[k], v[i]))
			return true;
	return false;
}

static void add_case(struct status *st, const struct bench_session *b,
		     const struct bench_report *r, size_t i, bool fresh, const char *why)
{
	const struct verdict *v = &r->verdicts.cases[i].total;
	struct buf change = BUF_INIT, text = BUF_INIT;
	bool known = v->blocks > 0, judged = v->word != VERDICT_NONE;
	struct status_bench *row = &st->bench[st->n_bench++];

	if (known)
		verdict_change(&change, v);
	if (judged)
		verdict_text(&text, v);
	*row = (struct status_bench){
		.name = xstrdup(b->bench),
		.case_name = xstrdup(b->cases.v[i]),
		.host = xstrdup(b->host_alias),
		.arch = xstrdup(b->arch),
		.effect = known ? exp(v->effect) : NAN,
		.lo = judged ? exp(v->lo) : NAN,
		.hi = judged ? exp(v->hi) : NAN,
		.change = buf_take(&change),
		.verdict = xstrdup(judged ? verdict_word(v) : ""),
		.verdict_text = buf_take(&text),
		.fresh = fresh,
		.emulated = r->table.emulated,
		.why = xstrdup(fresh ? "" : why),
	};
}

static int add_session(struct status *st, const struct config *c,
		       const struct bench_session *b, struct err *err)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;
	struct buf why _cleanup_buf_ = BUF_INIT;
	struct instrument ins;
	bool fresh;
	int rc = bench_instrument(b, c, &ins, err);

	if (!rc)
		rc = bench_report_new(b, &ins, &r, err);
	if (rc) {
		/* One that cannot be judged must not hide everything else. */
		findings_add(&st->findings, "bench-unreadable", SEVERITY_WARNING, b->id,
			     NULL, "%s: %s", b->bench, err_msg(err));
		if (err)
			err_release(err);
		return 0;
	}
	fresh = bench_freshness(b, st->series, NULL, &why) == FRESH_SAME;
	st->bench = xreallocarray(st->bench, st->n_bench + b->cases.n + 1,
				  sizeof(*st->bench));
	for (size_t i = 0; i < b->cases.n && i < r->verdicts.n; i++)
		add_case(st, b, r, i, fresh, buf_cstr(&why));
	return 0;
}

int status_benches(struct status *st, const struct config *c, struct err *err)
{
	struct bench_session **v = NULL;
	size_t n = 0;
	/* bench_sessions() takes what it could change; it does not. */
	int rc = bench_sessions((struct series *)st->series, NULL, &v, &n, err);

	if (rc == E_CORRUPT) {
		findings_add(&st->findings, "bench-unreadable", SEVERITY_WARNING, NULL,
			     NULL, "%s", err_msg(err));
		err_release(err);
		return 0;
	}
	for (size_t i = 0; i < n && !rc; i++)
		if (v[i]->complete && !superseded(v, i))
			rc = add_session(st, c, v[i], err);
	if (v)
		bench_sessions_free(v, n);
	return rc;
}
