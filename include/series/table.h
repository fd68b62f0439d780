/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - rows in aligned columns for a terminal.
 *
 * Cells are copied and sanitised. Columns are as wide as their widest cell; the columns
 * marked flexible are cut with "..." when the line is wider than the limit.
 */
#ifndef SERIES_TABLE_H
#define SERIES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include "series/buf.h"

enum table_align { TABLE_LEFT, TABLE_RIGHT, TABLE_FLEX };

struct table;
/* aligns: one per column. */
struct table *table_new(size_t columns, const enum table_align *aligns);
void table_free(struct table *t);
void table_freep(struct table **t);
#define _cleanup_table_ __attribute__((cleanup(table_freep)))
/* Next cell; a row is complete after as many cells as there are columns. */
void table_cell(struct table *t, const char *text);
void table_cellf(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* SGR colour of the cell added last: "32", NULL for none. Used when colour is on. */
void table_color(struct table *t, const char *sgr);
/*
 * Lines without blanks at their ends, each starting with indent blanks; two blanks between
 * columns. width 0: no limit. A last row that is not complete is filled with empty cells.
 */
void table_render(const struct table *t, size_t indent, size_t width, bool color,
		  struct buf *out);

#endif
