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

int bench_render(const struct bench_session *s, const struct config *c, const char *style,
		 const char *case_name, struct buf *out, struct err *err)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;
	struct instrument ins;
	enum bench_style st;
	int rc = bench_style_find(style ? style : "table", &st, err);

	if (!rc)
		rc = bench_instrument(s, c, &ins, err);
	if (!rc)
		rc = bench_report_new(s, &ins, &r, err);
	if (!rc && case_name)
		rc = keep_case(&r->table, case_name, err);
	if (rc)
		return rc;
	r->table.setup = s->setup;
	bench_table_render(out, &r->table, st);
	return 0;
}
