// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_width.c - lines of the cover letter as the user wrote them fit a quoted mail: 78
 * columns (RFC 5322 section 2.1.1). Tables, links and quoted or indented text may be
 * wider.
 */
#include "check_priv.h"
#include "series/covertext.h"
#include "series/utf8.h"

#define COLUMNS 78

/* A row of a table has bars or two runs of blanks between its cells. */
static bool is_table(struct str line)
{
	size_t runs = 0;

	for (size_t i = 1; i < line.len; i++)
		runs += line.p[i] == '|' || line.p[i] == '\t' ||
			(line.p[i] == ' ' && line.p[i - 1] == ' ' &&
			 (i < 2 || line.p[i - 2] != ' '));
	return runs >= 2;
}

static bool may_be_wide(struct str line)
{
	return strchr(" \t>@|+", line.p[0]) || str_find(line, "://") >= 0 ||
	       is_table(line);
}

int check_width(struct check_ctx *x, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str rest, line;
	size_t n = 0;
	int rc = series_cover_read(x->s->repo, x->s->name, &text, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	rest = buf_str(&text);
	while (!rc && str_line(&rest, &line)) {
		size_t width = utf8_width(line);

		n++;
		if (width > COLUMNS && !may_be_wide(line)) {
			char *where _cleanup_free_ = xasprintf("cover.txt:%zu", n);

			check_add(x, "cover-width", where, "series cover --edit",
				  "the line has %zu columns; up to %d can be quoted",
				  width, COLUMNS);
		}
	}
	return rc;
}
