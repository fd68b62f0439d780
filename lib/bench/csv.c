// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * csv.c: a line per kernel and comparison, for spreadsheets and scripts. RFC 4180, but
 * lines end in LF. Change, interval and what could be seen are percent; empty where there
 * is nothing to compare.
 */
#include "render.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void field(struct buf *out, const char *text)
{
	bool quote = text && strpbrk(text, ",\"\r\n");

	if (quote)
		buf_putc(out, '"');
	for (; text && *text; text++) {
		if (*text == '"')
			buf_putc(out, '"');
		buf_putc(out, *text);
	}
	if (quote)
		buf_putc(out, '"');
	buf_putc(out, ',');
}

static void name(struct buf *out, const struct bench_table *t, size_t k)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (t->kernel_names)
		buf_puts(&text, t->kernel_names[k]);
	else if (k)
		buf_printf(&text, "%zu", k);
	else
		buf_puts(&text, "base");
	field(out, buf_cstr(&text));
}

static void number(struct buf *out, double x, int decimals)
{
	if (isfinite(x) && fabs(x) < 1e9)
		verdict_fixed(out, x, decimals);
	buf_putc(out, ',');
}

static void comparison(struct buf *out, const struct bench_table *t, size_t against,
		       const struct verdict *v)
{
	if (!v || !v->blocks) {
		buf_puts(out, ",,,,,,");
	} else {
		name(out, t, against);
		number(out, 100 * expm1(v->effect), 6);
		number(out, v->nu > 0 ? 100 * expm1(v->lo) : NAN, 6);
		number(out, v->nu > 0 ? 100 * expm1(v->hi) : NAN, 6);
		number(out, v->nu > 0 ? v->p : NAN, 9);
		number(out, 100 * expm1(v->mde), 6);
	}
	if (v && v->word != VERDICT_NONE) {
		buf_puts(out, verdict_word(v));
		buf_puts(out, v->below_delta ? "; below delta" : "");
	}
	buf_puts(out, t->emulated ? ",yes\n" : ",no\n");
}

static void line(struct buf *out, const struct bench_table *t, const struct bench_row *r,
		 size_t k, size_t against, const struct verdict *v)
{
	const struct bench_cell *c = &r->cells[k];

	field(out, t->bench);
	field(out, t->host);
	field(out, t->arch);
	field(out, r->name);
	field(out, r->metric);
	name(out, t, k);
	field(out, t->unit);
	buf_printf(out, "%zu,", c->boots);
	if (c->boots)
		buf_printf(out, "%" PRId64 ",%" PRId64 ",", c->mean, c->sd);
	else
		buf_puts(out, ",,");
	comparison(out, t, against, v);
}

void render_csv(struct buf *out, const struct bench_table *t)
{
	buf_puts(out, "bench,host,arch,case,metric,kernel,unit,boots,mean,sd,against,"
		      "change,low,"
		      "high,p,could_see,verdict,emulated\n");
	for (size_t i = 0; i < t->nrows; i++) {
		const struct bench_row *r = &t->rows[i];
		const struct verdict_case *c = r->verdict;

		line(out, t, r, 0, 0, NULL);
		for (size_t k = 1; c && k <= c->nsteps && k < t->kernels; k++)
			line(out, t, r, k, k - 1, &c->steps[k - 1]);
		if (t->kernels > 1)
			line(out, t, r, t->kernels - 1, 0, total_of(r));
	}
}
