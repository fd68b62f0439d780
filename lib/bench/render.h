/* SPDX-License-Identifier: GPL-2.0-or-later */
/* render.h: what the files of the table's styles share. Private to lib/bench. */
#ifndef BENCH_RENDER_H
#define BENCH_RENDER_H

#include "series/benchtab.h"

/* How values are printed: value / divisor with this many decimals. */
struct scale {
	double divisor;
	int decimals;
	const char *unit; /* "ms" */
	const char *word; /* "seconds", where one writes the word; else the unit */
};

/* One scale for all rows, so that columns compare: five digits for the largest mean. */
struct scale scale_of(const struct bench_table *t);
void put_value(struct buf *out, const struct scale *s, int64_t value);
/* Blanks up to @column of the current line (its start is at @line in @out). */
void pad_to(struct buf *out, size_t line, size_t column);
/*
 * The words, broken at blanks after BENCHTAB_WIDTH, further lines indented by @indent.
 * Blanks the text begins with stay.
 */
void put_wrapped(struct buf *out, const char *text, size_t indent);
/* The verdict on the last kernel of @r, or NULL. */
const struct verdict *total_of(const struct bench_row *r);
/* "64K", or "64K user" when the row has a metric. */
void put_case(struct buf *out, const struct bench_row *r);
/* A line "swapout 64K, instruction cost (emulated):" and the warning of a void session.
 */
void put_heading(struct buf *out, const struct bench_table *t, const struct bench_row *r,
		 const char *more);
/* Boots and host, the emulation notice, proof and outcomes: below every style but CSV. */
void put_footer(struct buf *out, const struct bench_table *t);

void render_table(struct buf *out, const struct bench_table *t);
void render_mean(struct buf *out, const struct bench_table *t);
void render_before_after(struct buf *out, const struct bench_table *t);
void render_runs(struct buf *out, const struct bench_table *t);
void render_steps(struct buf *out, const struct bench_table *t);
void render_time(struct buf *out, const struct bench_table *t);
void render_csv(struct buf *out, const struct bench_table *t);

#endif
