// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remarks_decide.c - see remarks_decide.h.
 */
#include <stdlib.h>
#include "remarks_decide.h"
#include "series/mem.h"
#include "series/store.h"

void remarks_chosen_release(struct remarks_chosen *l)
{
	free(l->remarks.v);
	free(l->report);
}

static void add_remark(struct remark_list *l, const struct review_remark *m)
{
	for (size_t k = 0; k < l->n; k++)
		if (l->v[k] == m)
			return;
	vec_grow(l->v, l->n, l->cap);
	l->v[l->n++] = m;
}

int remarks_choose(const struct review *r, const struct strvec *ids,
		   struct remarks_chosen *l, struct err *err)
{
	for (size_t i = 0; i < ids->n; i++) {
		const struct review_remark *m;
		const struct review_report *p;
		bool there = false;
		int rc = review_find(r, ids->v[i], &m, &p, err);

		if (rc)
			return rc;
		if (m) {
			add_remark(&l->remarks, m);
			continue;
		}
		for (size_t k = 0; k < l->n_reports; k++)
			there = there || l->report[k] == p;
		if (there)
			continue;
		vec_grow(l->report, l->n_reports, l->cap_reports);
		l->report[l->n_reports++] = p;
	}
	return 0;
}

/* --in v3, else the version that is being prepared. */
static int done_version(struct ctx *c, const char *in, int *ret, struct err *err)
{
	struct str s = str_c(in);
	int64_t n = series_draft(c->series);

	if (in) {
		str_skip(&s, "v");
		if (!str_to_i64(s, 1, SERIES_MAX_VERSION, &n))
			return err_set(err, E_USAGE,
				       "--in %s: a version is expected, "
				       "as v3",
				       in);
	}
	*ret = (int)n;
	return 0;
}

int remarks_decide(struct ctx *c, const struct remarks_decision *q,
		   const struct remarks_chosen *chosen, int digits, struct err *err)
{
	const struct remark_list *l = &chosen->remarks;
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct remark_word w = { .answered = q->answered, .forget = q->open };
	struct store *t _cleanup_store_ = NULL;
	struct buf msg _cleanup_buf_ = BUF_INIT;
	int rc = q->done ? done_version(c, q->in, &w.done_in, err) : 0;

	for (size_t i = 0; i < l->n && !rc && q->open; i++)
		if (l->v[i]->answer)
			rc = err_set(
				err, E_FAIL,
				"%.*s was answered by <%s>; what was sent stays said",
				digits, l->v[i]->id, l->v[i]->answer);
	for (size_t i = 0; i < l->n; i++)
		strvec_push(&ids, l->v[i]->id);
	for (size_t i = 0; i < chosen->n_reports; i++)
		strvec_push(&ids, chosen->report[i]->id);
	if (!rc)
		rc = store_begin(c->repo, c->series->name, false, &t, err);
	for (size_t i = 0; i < ids.n && !rc; i++)
		rc = review_say(t, ids.v[i], &w, err);
	if (rc)
		return rc;
	buf_puts(&msg, "remarks:");
	for (size_t i = 0; i < ids.n; i++)
		buf_printf(&msg, " %.*s", digits, ids.v[i]);
	if (w.done_in)
		buf_printf(&msg, " done in v%d", w.done_in);
	else
		buf_puts(&msg, w.forget ? " open" : " answered");
	rc = store_commit(t, buf_cstr(&msg), err);
	if (!rc)
		out_printf(&c->out, "%s\n", buf_cstr(&msg));
	return rc;
}
