// SPDX-License-Identifier: GPL-2.0-or-later
/* styles.c: the other ways in which people on kernel lists write numbers down. */
#include "render.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "series/mem.h"

/* "TEXT: -12.5 % [-12.9, -12.1], faster"; nothing without blocks to compare. */
static void put_change(struct buf *out, const char *text, const struct verdict *v)
{
	struct buf line _cleanup_buf_ = BUF_INIT;

	if (!v || !v->blocks)
		return;
	buf_printf(&line, "%s ", text);
	verdict_change(&line, v);
	if (v->word != VERDICT_NONE)
		buf_puts(&line, ", ");
	verdict_text(&line, v);
	put_wrapped(out, buf_cstr(&line), 2);
}

static void put_mean(struct buf *out, const struct bench_table *t, const char *who,
		     const struct bench_cell *c)
{
	buf_printf(out, "%s - Mean: ", who);
	if (!c->boots) {
		buf_puts(out, "none\n");
		return;
	}
	buf_printf(out, "%" PRId64 " %s, std dev of boots: ", c->mean, t->unit);
	if (c->boots > 1) {
		verdict_two_digits(out,
				   c->mean ? 100.0 * (double)c->sd / (double)c->mean : 0);
		buf_puts(out, "%\n");
	} else {
		buf_puts(out, "none, one boot\n");
	}
}

void render_mean(struct buf *out, const struct bench_table *t)
{
	for (size_t i = 0; i < t->nrows; i++) {
		const struct bench_row *r = &t->rows[i];

		put_heading(out, t, r, NULL);
		put_mean(out, t, "Vanilla", &r->cells[0]);
		put_mean(out, t, "Patched", &r->cells[t->kernels - 1]);
		put_change(out, "Change:", total_of(r));
		buf_putc(out, '\n');
	}
}

static void put_side(struct buf *out, const struct bench_table *t, const struct scale *s,
		     size_t k)
{
	for (size_t i = 0; i < t->nrows; i++) {
		put_case(out, &t->rows[i]);
		if (t->rows[i].cells[k].boots) {
			buf_puts(out, ": ");
			put_value(out, s, t->rows[i].cells[k].mean);
			buf_printf(out, " %s\n", s->word);
		} else {
			buf_puts(out, ": none\n");
		}
	}
}

void render_before_after(struct buf *out, const struct bench_table *t)
{
	struct scale s = scale_of(t);

	put_heading(out, t, NULL, NULL);
	buf_puts(out, "Before the patchset:\n");
	put_side(out, t, &s, 0);
	buf_puts(out, "After the patchset:\n");
	put_side(out, t, &s, t->kernels - 1);
	buf_puts(out, "Change:\n");
	for (size_t i = 0; i < t->nrows; i++) {
		struct buf name _cleanup_buf_ = BUF_INIT;

		put_case(&name, &t->rows[i]);
		buf_putc(&name, ':');
		put_change(out, buf_cstr(&name), total_of(&t->rows[i]));
	}
	buf_putc(out, '\n');
}

static void put_right(struct buf *out, const char *text, size_t width)
{
	size_t len = strlen(text);

	if (len < width)
		buf_fill(out, ' ', width - len);
	buf_puts(out, text);
}

static void put_run(struct buf *out, const struct scale *s, int64_t v, size_t width)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (v == SAMPLE_NONE)
		buf_putc(&text, '-');
	else
		put_value(&text, s, v);
	put_right(out, buf_cstr(&text), width);
}

void render_runs(struct buf *out, const struct bench_table *t)
{
	struct scale s = scale_of(t);

	for (size_t i = 0; i < t->nrows; i++) {
		const struct bench_samples *m = t->rows[i].samples;
		size_t last;

		put_heading(out, t, &t->rows[i], s.unit);
		if (!m) {
			buf_puts(out, "no runs stored\n\n");
			continue;
		}
		buf_puts(out, "boot  run        base     patched\n");
		last = (m->kernels - 1) * m->blocks * m->runs;
		for (size_t at = 0; at < m->blocks * m->runs; at++) {
			buf_printf(out, "%4zu %4zu", at / m->runs + 1, at % m->runs + 1);
			put_run(out, &s, m->values[at], 12);
			put_run(out, &s, m->values[last + at], 12);
			buf_putc(out, '\n');
		}
		put_change(out, "Change:", total_of(&t->rows[i]));
		buf_putc(out, '\n');
	}
}

static void put_avg(struct buf *out, const struct scale *s, const struct bench_cell *c)
{
	if (!c->boots) {
		buf_puts(out, ": none\n");
		return;
	}
	buf_puts(out, ": avg: ");
	put_value(out, s, c->mean);
	buf_printf(out, "%s, stddev: ", s->unit);
	put_value(out, s, c->sd);
	buf_putc(out, '\n');
}

/* The way from base to patch @k: the sum of the steps. */
static void put_so_far(struct buf *out, const struct verdict_case *c, size_t k)
{
	struct verdict sum = { .blocks = c->steps[0].blocks };

	for (size_t i = 0; i < k; i++)
		sum.effect += c->steps[i].effect;
	if (!sum.blocks)
		return;
	buf_puts(out, "  total ");
	verdict_change(out, &sum);
	buf_putc(out, '\n');
}

void render_steps(struct buf *out, const struct bench_table *t)
{
	struct scale s = scale_of(t);

	for (size_t i = 0; i < t->nrows; i++) {
		const struct bench_row *r = &t->rows[i];
		bool steps = r->verdict && r->verdict->nsteps + 1 == t->kernels;

		put_heading(out, t, r, NULL);
		for (size_t k = 0; k < t->kernels; k++) {
			if (k)
				buf_printf(out, "After patch %zu", k);
			else
				buf_puts(out, "Before");
			put_avg(out, &s, &r->cells[k]);
			if (k && steps) {
				put_change(out, "  step", &r->verdict->steps[k - 1]);
				put_so_far(out, r->verdict, k);
			}
		}
		put_change(out, "Total:", total_of(r));
		buf_putc(out, '\n');
	}
	buf_puts(out, "Intervals and verdicts of steps hold for all steps of a case "
		      "together.\n");
}

/* 0m7.901s, as time(1) of a shell. */
static void put_clock(struct buf *out, const struct bench_cell *c, size_t width)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int64_t ms = (c->mean + 500000) / 1000000;

	if (c->boots)
		buf_printf(&text, "%" PRId64 "m%" PRId64 ".%03ds", ms / 60000,
			   ms / 1000 % 60, (int)(ms % 1000));
	else
		buf_putc(&text, '-');
	put_right(out, buf_cstr(&text), width);
}

/* Rows of one case stand together: its real, user and sys. */
void render_time(struct buf *out, const struct bench_table *t)
{
	const char *last = NULL;

	put_heading(out, t, NULL, NULL);
	for (size_t i = 0; i < t->nrows; i++) {
		const struct bench_row *r = &t->rows[i];
		const struct verdict *v = total_of(r);
		size_t line;

		if (!last || strcmp(last, r->name)) {
			line = out->len;
			buf_puts(out, r->name);
			pad_to(out, line, 10);
			put_right(out, "base", 12);
			put_right(out, "patched", 12);
			buf_puts(out, "  change [95 % CI]\n");
		}
		last = r->name;
		line = out->len;
		buf_puts(out, r->metric ? r->metric : "time");
		pad_to(out, line, 10);
		put_clock(out, &r->cells[0], 12);
		put_clock(out, &r->cells[t->kernels - 1], 12);
		if (v && v->blocks) {
			buf_puts(out, "  ");
			verdict_change(out, v);
		}
		buf_putc(out, '\n');
		if (v && v->word != VERDICT_NONE) {
			buf_fill(out, ' ', 36);
			verdict_text(out, v);
			buf_putc(out, '\n');
		}
	}
	buf_putc(out, '\n');
}
