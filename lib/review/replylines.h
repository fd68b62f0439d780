/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replylines.h - the lines of a reply by what they are: own text, quotes, diffs, what
 * belongs to another mail. For tags, remarks and robots alike.
 */
#ifndef SERIES_REVIEW_REPLYLINES_H
#define SERIES_REVIEW_REPLYLINES_H

#include "series/str.h"

enum line_kind {
	LINE_TEXT,
	LINE_BLANK,
	LINE_QUOTED,
	LINE_CUT,   /* "[...]": the quote has a gap here */
	LINE_DIFF,  /* a patch that the replier wrote */
	LINE_BELOW, /* text below scissors */
	LINE_INTRO, /* "On DATE, NAME wrote:" */
	LINE_OFF,   /* a signature, or a mail that was quoted whole */
	LINE_TAG,   /* set by who finds them */
};

struct line {
	struct str text; /* without blanks at its end */
	struct str bare; /* of a quoted line: without any mark */
	size_t depth;	 /* how many marks */
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
/* A quoted line without its first mark. */
struct str line_inner(const struct line *l);

#endif
