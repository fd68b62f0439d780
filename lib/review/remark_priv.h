/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remark_priv.h - the parts of remark.c: lines of a reply, what is small talk, and where
 * quoted lines stand in a patch.
 */
#ifndef SERIES_REMARK_PRIV_H
#define SERIES_REMARK_PRIV_H

#include "series/remark.h"

enum line_kind {
	LINE_BLANK,
	LINE_TEXT,
	LINE_QUOTED,
	LINE_CUT, /* "[...]": the quote has a gap here */
	LINE_OUT, /* an attribution, a signature, a mail that was quoted whole */
};

struct reply_line {
	struct str text; /* as it stands, without blanks at its end */
	struct str bare; /* of a quoted line: without any ">" */
	size_t depth;	 /* how many */
	enum line_kind kind;
};

struct reply_lines {
	struct reply_line *v;
	size_t n, cap;
};

/* The lines of a reply; they point into text. */
void reply_lines_read(struct str text, struct reply_lines *ret);
void reply_lines_release(struct reply_lines *l);

/*
 * Narrow [*from, *to) of text between two quotes to what wants an answer: a greeting,
 * tags, thanks and names at its ends go. False when nothing is left, or praise, assent
 * and notices ("Thanks, applied.") alone. sender: the reviewer's name; first: nothing of
 * the mail stands above.
 */
bool remark_narrow(const struct reply_lines *l, const char *sender, bool first,
		   size_t *from, size_t *to);

/* Append s without white space and without ">": what mail clients change. */
void squash(struct str s, struct buf *out);

/* The text of a mail with a patch, made ready to find quoted lines in. */
struct patch_text {
	struct buf own; /* what text may point into: see thread_text() */
	struct str text;
	struct buf keys; /* of all lines, squashed, one behind the other */
	struct diff diff;
	struct patch_line *v;
	size_t n, cap;
};

void patch_text_read(const struct thread *t, size_t mail, struct patch_text *ret);
void patch_text_release(struct patch_text *p);
/*
 * Where the last of the quoted lines [from, to) stands: file, lines and code of *r.
 * after: the place of the remark above, which decides between equal ones; it moves on.
 */
void patch_text_place(const struct patch_text *p, const struct reply_lines *l,
		      size_t from, size_t to, size_t *after, struct remark *r);

#endif
