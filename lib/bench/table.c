// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c: the default style: case | base | patched | change [95 % CI] | verdict. */
#include "render.h"

#include <string.h>
#include "series/mem.h"

enum { CASE, BASE, PATCHED, CHANGE, VERDICT, COLUMNS };

/* One row as text. The verdict may end in a second part that moves below it. */
struct cells {
	struct buf text[COLUMNS];
	struct buf rest;
};

static void cells_fill(struct cells *c, const struct bench_table *t,
		       const struct bench_row *r, const struct scale *s)
{
	const struct verdict *v = total_of(r);

	put_case(&c->text[CASE], r);
	for (int i = BASE; i <= PATCHED; i++) {
		const struct bench_cell *cell = &r->cells[i == BASE ? 0 : t->kernels - 1];

		if (cell->boots)
			put_value(&c->text[i], s, cell->mean);
		else
			buf_putc(&c->text[i], '-');
	}
	if (v && v->blocks) {
		verdict_change(&c->text[CHANGE], v);
		verdict_text(&c->text[VERDICT], v);
	}
	if (!c->text[CHANGE].len)
		buf_putc(&c->text[CHANGE], '-');
	if (!c->text[VERDICT].len)
		buf_putc(&c->text[VERDICT], '-');
}

/* Move what follows the word itself, ", below delta" or " (could see ...)", to the rest.
 */
static void cells_split(struct cells *c)
{
	struct buf *v = &c->text[VERDICT];
	const char *text = buf_cstr(v), *at = strstr(text, " (");

	if (!at && (at = strchr(text, ',')))
		at++;
	if (!at)
		return;
	buf_puts(&c->rest, at + 1);
	buf_truncate(v, (size_t)(at - text));
}

static size_t measure(const struct cells *rows, size_t n, size_t *width)
{
	size_t sum = 2 * (COLUMNS - 1);

	for (int i = 0; i < COLUMNS; i++) {
		width[i] = 0;
		for (size_t r = 0; r < n; r++) {
			width[i] = MAX(width[i], rows[r].text[i].len);
			if (i == VERDICT)
				width[i] = MAX(width[i], rows[r].rest.len);
		}
		sum += width[i];
	}
	return sum;
}

static void put_row(struct buf *out, const struct cells *c, const size_t *width)
{
	size_t line = out->len, column = 0;

	for (int i = 0; i < COLUMNS; i++) {
		bool right = i == BASE || i == PATCHED;

		pad_to(out, line, column + (right ? width[i] - c->text[i].len : 0));
		buf_addstr(out, buf_str(&c->text[i]));
		if (i < VERDICT)
			column += width[i] + 2;
	}
	buf_putc(out, '\n');
	if (c->rest.len) {
		buf_fill(out, ' ', column);
		buf_addstr(out, buf_str(&c->rest));
		buf_putc(out, '\n');
	}
}

/* For names too long for a line: the case, then what belongs to it below. */
static void put_stacked(struct buf *out, const struct cells *c)
{
	buf_printf(out, "%s\n    %s -> %s  %s\n    %s", buf_cstr(&c->text[CASE]),
		   buf_cstr(&c->text[BASE]), buf_cstr(&c->text[PATCHED]),
		   buf_cstr(&c->text[CHANGE]), buf_cstr(&c->text[VERDICT]));
	if (c->rest.len)
		buf_printf(out, " %s", buf_cstr(&c->rest));
	buf_putc(out, '\n');
}

void render_table(struct buf *out, const struct bench_table *t)
{
	static const char *const head[] = { "case", "base", "patched", "change [95 % CI]",
					    "verdict" };
	struct scale s = scale_of(t);
	struct cells *rows = xcalloc(t->nrows + 1, sizeof(*rows));
	struct buf more _cleanup_buf_ = BUF_INIT;
	size_t width[COLUMNS], n = t->nrows + 1, total;

	for (int i = 0; i < COLUMNS; i++)
		buf_puts(&rows[0].text[i], head[i]);
	for (size_t r = 1; r < n; r++)
		cells_fill(&rows[r], t, &t->rows[r - 1], &s);
	total = measure(rows, n, width);
	if (total > BENCHTAB_WIDTH) {
		for (size_t r = 1; r < n; r++)
			cells_split(&rows[r]);
		total = measure(rows, n, width);
	}
	buf_printf(&more, "%s, %s is better", s.unit,
		   t->better == BENCH_LOWER ? "lower" : "higher");
	put_heading(out, t, NULL, buf_cstr(&more));
	for (size_t r = 0; r < n; r++) {
		if (total <= BENCHTAB_WIDTH)
			put_row(out, &rows[r], width);
		else if (r)
			put_stacked(out, &rows[r]);
		for (int i = 0; i < COLUMNS; i++)
			buf_release(&rows[r].text[i]);
		buf_release(&rows[r].rest);
	}
	free(rows);
}
