// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A session rendered with its own instrument: what can be told apart was fixed before
 * measuring, so that nobody tunes a verdict afterwards.
 */
#include <stdlib.h>
#include <string.h>

#include "series/mem.h"
#include "series/report.h"

static int setting(const struct config *c, const char *name, const char *key,
		   double *value, struct err *err)
{
	char *k _cleanup_free_ = xasprintf("series.instrument.%s.%s", name, key);
	const char *text = c ? config_get(c, k) : NULL;
	char *end;
	double v;

	if (!text)
		return 0;
	v = strtod(text, &end);
	if (end == text || *end || !(v >= 0 && v < 1))
		return err_set(
			err, E_USAGE,
			"%s is '%s'; expected a fraction from 0 to below 1, such as "
			"0.01",
			k, text);
	*value = v;
	return 0;
}

int bench_instrument(const struct bench_session *s, const struct config *c,
		     struct instrument *ret_ins, struct err *err)
{
	struct instrument ins;
	int rc = instrument_find(s->instrument ? s->instrument : "real", &ins, err);

	if (rc)
		return rc;
	if (s->delta_ppb > 0 && s->floor_ppb >= 0 && s->q_ppb >= 0) {
		ins.delta = (double)s->delta_ppb / 1e9;
		ins.floor = (double)s->floor_ppb / 1e9;
		ins.q = (double)s->q_ppb / 1e9;
	} else {
		rc = setting(c, ins.name, "delta", &ins.delta, err);
		if (!rc)
			rc = setting(c, ins.name, "floor", &ins.floor, err);
		if (!rc)
			rc = setting(c, ins.name, "q", &ins.q, err);
	}
	if (!rc)
		rc = instrument_check(&ins, err);
	if (!rc)
		*ret_ins = ins;
	return rc;
}

/* Show one row only; all were judged. */
static int keep_case(struct bench_table *t, const char *name, struct err *err)
{
	struct buf names _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < t->nrows; i++) {
		if (!strcmp(t->rows[i].name, name)) {
			t->rows += i;
			t->nrows = 1;
			return 0;
		}
		buf_printf(&names, "%s%s", i ? ", " : "", t->rows[i].name);
	}
	return err_set(err, E_NOTFOUND, "%s: no case '%s' was measured; there are: %s",
		       t->bench, name, buf_cstr(&names));
}

int bench_report_of(const struct bench_session *s, const struct config *c,
		    struct bench_report **ret_report, struct err *err)
{
	struct instrument ins;
	int rc = bench_instrument(s, c, &ins, err);

	if (!rc)
		rc = bench_report_new(s, &ins, ret_report, err);
	if (!rc)
		(*ret_report)->table.setup = s->setup;
	return rc;
}

int bench_render(const struct bench_session *s, const struct config *c, const char *style,
		 const char *case_name, struct buf *out, struct err *err)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;
	enum bench_style st;
	int rc = bench_style_find(style ? style : "table", &st, err);

	if (!rc)
		rc = bench_report_of(s, c, &r, err);
	if (!rc && case_name)
		rc = keep_case(&r->table, case_name, err);
	if (rc)
		return rc;
	bench_table_render(out, &r->table, st);
	return 0;
}

size_t bench_findings(const struct bench_report *r, struct strvec *ret)
{
	const struct bench_table *t = &r->table;
	size_t n = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		const struct verdict *v = &t->rows[i].verdict->total;
		struct buf change _cleanup_buf_ = BUF_INIT;

		/* Below what counts as the same it is no regression. */
		if (v->word != VERDICT_SLOWER || v->below_delta)
			continue;
		verdict_change(&change, v);
		strvec_pushf(ret, "%s %s: %s, %s", t->bench, t->rows[i].name,
			     verdict_word(v), buf_cstr(&change));
		n++;
	}
	for (size_t i = 0; i < t->noutcomes; i++) {
		size_t patched = 0;

		for (size_t k = 1; k < t->kernels; k++)
			patched += t->outcomes[i].boots[k];
		if (t->outcomes[i].boots[0] || !patched)
			continue;
		strvec_pushf(ret, "%s: %s with the patches, never with base", t->bench,
			     t->outcomes[i].what);
		n++;
	}
	if (t->is_void) {
		strvec_pushf(ret, "%s: void, base differs from itself", t->bench);
		n++;
	}
	return n;
}
