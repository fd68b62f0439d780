/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trailer.h - the trailers of messages ("Reviewed-by: NAME <ADDRESS>"), as lines.
 *
 * git-interpret-trailers(1) has the form. What it leaves open is decided here: a word in
 * front of a colon begins many a sentence, so names that are known count for more.
 * Everything that is returned is a view into the text.
 */
#ifndef SERIES_TRAILER_H
#define SERIES_TRAILER_H

#include <stdbool.h>
#include "series/str.h"

/* Letters, digits and dashes, a colon, then a blank or the end; the value may be empty. */
bool trailer_read(struct str line, struct str *ret_key, struct str *ret_value);
/* "WORD: VALUE" in any case of letters, the blank missing or not. */
bool trailer_is(struct str line, const char *word, struct str *ret_value);
/* One that says who did something: "Reviewed-by:", "Co-developed-by:". */
bool trailer_is_person(struct str line);
/* That, or who is to read it and where to read on: "Cc:", "Closes:". */
bool trailer_is_known(struct str line);
/*
 * Where the trailers at the end of a message begin, else its length: its last paragraph,
 * if that is made of them, goes on in indented or [bracketed] lines and has one that is
 * known; else the known ones at the end of that. A paragraph that is all there is may be a
 * sentence, "rmap: fix the build".
 */
size_t trailers_at(struct str text);

#endif
