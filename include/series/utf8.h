/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.h - UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above
 * U+10FFFF. Pure functions, no locale.
 */
#ifndef SERIES_UTF8_H
#define SERIES_UTF8_H

#include <stdbool.h>
#include <stdint.h>
#include "series/buf.h"

#define UTF8_INVALID 0xFFFFFFFFu
/* What some editors put in front of a text; it is no part of it. */
#define UTF8_BOM "\xef\xbb\xbf"

/*
 * Cut the next code point off *s into *ret; false at the end. What is no UTF-8 is cut off
 * in maximal subparts (Unicode 3.9, as Python and browsers do) and gives UTF8_INVALID.
 */
bool utf8_next(struct str *s, uint32_t *ret);
/* True when all of s is UTF-8 (a NUL is). */
bool utf8_valid(struct str s);
/* Append a code point (<= U+10FFFF, no surrogate; U+FFFD for anything else). */
void utf8_put(uint32_t cp, struct buf *out);
/* Append s with U+FFFD for what is not UTF-8; all else, NUL included, stays as it is. */
void utf8_lossy(struct str s, struct buf *out);
/*
 * Columns s takes on a terminal: wcwidth(3) of the C.UTF-8 locale, so ambiguous is 1,
 * combining 0, CJK 2; controls are 0 and what is not UTF-8 is 1 (it shows as U+FFFD).
 */
size_t utf8_width(struct str s);
/* The longest prefix of s that takes at most width columns. Borrowed from s. */
struct str utf8_fit(struct str s, size_t width);
/*
 * Append the words of s, the first in column at, further lines indented by at blanks;
 * lines have at most width columns, but for a word that is longer. No LF at the end.
 */
void utf8_wrap(struct str s, size_t at, size_t width, struct buf *out);

#endif
