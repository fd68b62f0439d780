/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replylines.h - the lines of a reply by what they are: own text, quotes, diffs, what
 * belongs to another mail.
 */
#ifndef SERIES_REVIEW_REPLYLINES_H
#define SERIES_REVIEW_REPLYLINES_H

#include "series/str.h"

enum line_kind {
	LINE_TEXT,
	LINE_BLANK,
	LINE_QUOTED,
	LINE_DIFF,
	LINE_OFF, /* signature, forwarded mail, patch below scissors: to the end */
	LINE_TAG, /* set by who finds them */
};

struct line {
	struct str s;
	enum line_kind kind;
};

struct lines {
	struct line *v;
	size_t n, cap;
};

/* Views into text. */
void lines_read(struct str text, struct lines *ret);
void lines_release(struct lines *l);
#define _cleanup_lines_ __attribute__((cleanup(lines_release)))

#endif
