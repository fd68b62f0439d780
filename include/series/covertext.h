/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * covertext.h - the stored text of a cover letter: title line, blank, body with directives
 * ("@bench swapout"), a line "---", notes. Directives are kept as written; lib/desk renders
 * them when the cover is shown or sent.
 */
#ifndef SERIES_COVERTEXT_H
#define SERIES_COVERTEXT_H

#include <stdbool.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/git.h"

#define COVER_MAX (1 << 20)
/* Its name in the state. */
#define COVERTEXT_FILE "cover.txt"

/* body and notes end in LF or are empty; none is NULL. */
struct covertext {
	char *title, *body, *notes;
};

/* Split a cover; never fails (see covertext_check). Free with covertext_release(). */
void covertext_parse(struct str text, struct covertext *ret);
void covertext_release(struct covertext *c);
/* The text again, in the form that is stored. */
void covertext_format(const struct covertext *c, struct buf *out);
/* Without blank lines at both ends, one LF behind the last line; caller frees. */
char *covertext_block(struct str s);
/* E_FAIL when there is no title. */
int covertext_check(const struct covertext *c, struct err *err);

/* cover.txt of a series appended to *ret; E_NOTFOUND says how to write one. */
int series_cover_read(struct repo *r, const char *name, struct buf *ret, struct err *err);
/*
 * Two letters, after a merge of two machines' states: is cover.txt.theirs there?
 */
bool series_cover_torn(struct repo *r, const char *name);
/* Both in one text, with the marks of git merge-file; E_NOTFOUND when there is one only. */
int series_cover_join(struct repo *r, const char *name, struct buf *ret, struct err *err);
/* E_FAIL when such marks are left in text. */
int covertext_no_marks(struct str text, struct err *err);
struct store;
/* Remove the other letters in a transaction; true when there were any. */
bool series_cover_settle(struct store *t);
/*
 * Store a cover in one state commit; *ret_changed false when it is what was there. When
 * expected is not NULL and the stored text is another by now ("" when there was none),
 * nothing is written: E_CONFLICT. Other letters that a merge left are settled by it.
 */
int series_cover_write(struct repo *r, const char *name, struct str text,
		       const struct str *expected, bool *ret_changed, struct err *err);

#endif
