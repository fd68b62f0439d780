// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - rows in aligned columns. */
#include <stdarg.h>
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/table.h"

#define GAP	 2
#define MIN_FLEX 8 /* a flexible column is not cut below this */

struct cell {
	char *text;
	char *sgr;
	size_t width;
};

struct table {
	size_t columns;
	enum table_align *aligns;
	struct cell *cells;
	size_t n, cap;
};

struct table *table_new(size_t columns, const enum table_align *aligns)
{
	struct table *t = xcalloc(1, sizeof(*t));
	size_t i;

	t->columns = columns;
	t->aligns = xcalloc(columns, sizeof(*t->aligns));
	for (i = 0; i < columns; i++)
		t->aligns[i] = aligns[i];
	return t;
}

void table_free(struct table *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->n; i++) {
		free(t->cells[i].text);
		free(t->cells[i].sgr);
	}
	free(t->cells);
	free(t->aligns);
	free(t);
}

void table_freep(struct table **t)
{
	table_free(*t);
	*t = NULL;
}

void table_cell(struct table *t, const char *text)
{
	struct cell c = { .text = sanitize_line_dup(text) };

	c.width = utf8_width(str_c(c.text));
	vec_grow(t->cells, t->n, t->cap);
	t->cells[t->n++] = c;
}

void table_cellf(struct table *t, const char *fmt, ...)
{
	char *text _cleanup_free_ = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	table_cell(t, text);
}

void table_color(struct table *t, const char *sgr)
{
	struct cell *c;

	if (!t->n)
		return;
	c = &t->cells[t->n - 1];
	free(c->sgr);
	c->sgr = xstrdup_null(sgr);
}

/* Widths of the columns, the widest flexible ones cut until a line fits. */
static size_t *layout(const struct table *t, size_t indent, size_t width)
{
	size_t *w = xcalloc(t->columns, sizeof(*w));
	size_t sum = indent + (t->columns ? (t->columns - 1) * GAP : 0);
	size_t i;

	for (i = 0; i < t->n; i++)
		w[i % t->columns] = MAX(w[i % t->columns], t->cells[i].width);
	for (i = 0; i < t->columns; i++)
		sum += w[i];
	while (width && sum > width) {
		size_t widest = t->columns;

		for (i = 0; i < t->columns; i++)
			if (t->aligns[i] == TABLE_FLEX && w[i] > MIN_FLEX &&
			    (widest == t->columns || w[i] > w[widest]))
				widest = i;
		if (widest == t->columns)
			break;
		w[widest]--;
		sum--;
	}
	return w;
}

/* One cell, cut when it is wider than w; *pad collects blanks until text needs them. */
static void render_cell(const struct cell *c, bool right, size_t w, bool color,
			size_t *pad, struct buf *out)
{
	struct str text = str_c(c->text);
	size_t used = c->width;
	bool cut = used > w;

	if (cut) {
		text = utf8_fit(text, w - 3);
		used = utf8_width(text) + 3;
	}
	if (right)
		*pad += w - used;
	if (used) {
		buf_fill(out, ' ', *pad);
		*pad = 0;
		if (color && c->sgr)
			buf_printf(out, "\033[%sm", c->sgr);
		buf_addstr(out, text);
		if (cut)
			buf_puts(out, "...");
		if (color && c->sgr)
			buf_puts(out, "\033[m");
	}
	if (!right)
		*pad += w - used;
}

void table_render(const struct table *t, size_t indent, size_t width, bool color,
		  struct buf *out)
{
	size_t *w _cleanup_free_ = layout(t, indent, width);
	size_t row, i;

	for (row = 0; row < t->n; row += t->columns) {
		size_t pad = indent;

		for (i = 0; i < t->columns && row + i < t->n; i++) {
			if (i)
				pad += GAP;
			render_cell(&t->cells[row + i], t->aligns[i] == TABLE_RIGHT, w[i],
				    color, &pad, out);
		}
		buf_putc(out, '\n');
	}
}
