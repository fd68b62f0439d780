/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remark_priv.h - the parts of remark.c: what is small talk, and where quoted lines stand
 * in a patch.
 */
#ifndef SERIES_REMARK_PRIV_H
#define SERIES_REMARK_PRIV_H

#include "replylines.h"
#include "series/remark.h"

/* What the reviewer wrote; a patch of his may be all of a remark. */
static inline bool line_own(const struct line *l)
{
	return l->kind == LINE_TEXT || l->kind == LINE_DIFF || l->kind == LINE_BELOW;
}

/*
 * Narrow [*from, *to) of text between two quotes to what wants an answer: a greeting,
 * tags, thanks and names at its ends go. False when nothing is left, or praise, assent
 * and notices ("Thanks, applied.") alone. sender: the reviewer's name; first: nothing of
 * the mail stands above.
 */
bool remark_narrow(const struct lines *l, const char *sender, bool first, size_t *from,
		   size_t *to);

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
	size_t *by_key; /* lines that are not empty, sorted; NULL: not yet */
	size_t n_keys;
	size_t compared; /* lines with quotes, so far */
};

void patch_text_read(const struct thread *t, size_t mail, struct patch_text *ret);
void patch_text_release(struct patch_text *p);
/*
 * Where the last of the quoted lines [from, to) stands: file, lines and code of *r.
 * after: the place of the remark above, which decides between equal ones; it moves on.
 */
void patch_text_place(struct patch_text *p, const struct lines *l, size_t from, size_t to,
		      size_t *after, struct remark *r);

#endif
