// SPDX-License-Identifier: GPL-2.0-or-later
/* render.c: what all styles share: which style, how numbers are scaled, headings, widths.
 */
#include "render.h"

#include <math.h>
#include <string.h>
#include "series/mem.h"

static const struct {
	const char *name;
	void (*render)(struct buf *out, const struct bench_table *t);
} styles[] = {
	[BENCH_STYLE_TABLE] = { "table", render_table },
	[BENCH_STYLE_MEAN] = { "mean", render_mean },
	[BENCH_STYLE_BEFORE_AFTER] = { "before-after", render_before_after },
	[BENCH_STYLE_RUNS] = { "runs", render_runs },
	[BENCH_STYLE_STEPS] = { "steps", render_steps },
	[BENCH_STYLE_TIME] = { "time", render_time },
	[BENCH_STYLE_CSV] = { "csv", render_csv },
};

int bench_style_find(const char *name, enum bench_style *ret_style, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		if (!strcmp(styles[i].name, name)) {
			*ret_style = (enum bench_style)i;
			return 0;
		}
	}
	return err_set(
		err, E_USAGE,
		"style %s: not known; there are table, mean, before-after, runs, steps, "
		"time and csv",
		name);
}

void bench_table_render(struct buf *out, const struct bench_table *t,
			enum bench_style style)
{
	if (t->is_void && style != BENCH_STYLE_CSV)
		put_wrapped(out,
			    "VOID: base measured against itself differs; this session "
			    "says nothing "
			    "about the patches.",
			    2);
	styles[style].render(out, t);
	if (style != BENCH_STYLE_CSV)
		put_footer(out, t);
}

/* Mean over the runs of boot @b; false when none of them has a value. */
static bool boot_mean(const struct bench_samples *s, size_t k, size_t b, double *ret_mean)
{
	const int64_t *v = s->values + (k * s->blocks + b) * s->runs;
	double sum = 0;
	size_t n = 0;

	for (size_t r = 0; r < s->runs; r++) {
		if (v[r] != SAMPLE_NONE) {
			sum += (double)v[r];
			n++;
		}
	}
	if (n)
		*ret_mean = sum / (double)n;
	return n > 0;
}

struct bench_cell bench_cell_of(const struct bench_samples *s, size_t k)
{
	struct bench_cell c = { 0 };
	double sum = 0, squares = 0, m;

	for (size_t b = 0; b < s->blocks; b++) {
		if (boot_mean(s, k, b, &m)) {
			sum += m;
			c.boots++;
		}
	}
	if (!c.boots)
		return c;
	sum /= (double)c.boots;
	for (size_t b = 0; b < s->blocks; b++)
		if (boot_mean(s, k, b, &m))
			squares += (m - sum) * (m - sum);
	c.mean = llround(sum);
	if (c.boots > 1)
		c.sd = llround(sqrt(squares / (double)(c.boots - 1)));
	return c;
}

struct scale scale_of(const struct bench_table *t)
{
	static const struct scale ns[] = { { 1e9, 0, "s", "seconds" },
					   { 1e6, 0, "ms", "ms" },
					   { 1e3, 0, "us", "us" },
					   { 1, 0, "ns", "ns" } };
	struct scale s = { 1, 0, t->unit, t->unit };
	double most = 0, shown;
	size_t i = 0;

	if (strcmp(t->unit, "ns"))
		return s;
	for (size_t r = 0; r < t->nrows; r++)
		for (size_t k = 0; k < t->kernels; k++)
			most = fmax(most, (double)t->rows[r].cells[k].mean);
	while (i + 1 < ARRAY_SIZE(ns) && most < ns[i].divisor)
		i++;
	s = ns[i];
	shown = most / s.divisor;
	if (s.divisor > 1)
		s.decimals = shown < 10 ? 4 : shown < 100 ? 3 : shown < 1000 ? 2 : 1;
	return s;
}

void put_value(struct buf *out, const struct scale *s, int64_t value)
{
	verdict_fixed(out, (double)value / s->divisor, s->decimals);
}

void pad_to(struct buf *out, size_t line, size_t column)
{
	size_t at = out->len - line;

	if (at < column)
		buf_fill(out, ' ', column - at);
}

void put_wrapped(struct buf *out, const char *text, size_t indent)
{
	size_t at = strspn(text, " ");

	buf_fill(out, ' ', at);
	text += at;
	for (bool first = true; *text; first = false) {
		size_t len = strcspn(text, " ");

		if (!first && at + 1 + len > BENCHTAB_WIDTH) {
			buf_putc(out, '\n');
			buf_fill(out, ' ', indent);
			at = indent;
		} else if (!first) {
			buf_putc(out, ' ');
			at++;
		}
		buf_add(out, text, len);
		at += len;
		text += len;
		text += strspn(text, " ");
	}
	buf_putc(out, '\n');
}

const struct verdict *total_of(const struct bench_row *r)
{
	return r->verdict ? &r->verdict->total : NULL;
}

const char *bench_table_label(const struct bench_table *t)
{
	if (t->instructions)
		return "instruction cost (emulated)";
	return t->emulated ? "time (emulated)" : NULL;
}

void put_case(struct buf *out, const struct bench_row *r)
{
	buf_puts(out, r->name);
	if (r->metric)
		buf_printf(out, " %s", r->metric);
}

void put_heading(struct buf *out, const struct bench_table *t, const struct bench_row *r,
		 const char *more)
{
	const char *label = bench_table_label(t);
	struct buf line _cleanup_buf_ = BUF_INIT;

	buf_puts(&line, t->bench);
	if (r) {
		buf_putc(&line, ' ');
		put_case(&line, r);
	}
	if (label)
		buf_printf(&line, ", %s", label);
	if (more)
		buf_printf(&line, ", %s", more);
	buf_putc(&line, ':');
	put_wrapped(out, buf_cstr(&line), 2);
}
