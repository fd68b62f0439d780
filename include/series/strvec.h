/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strvec.h - list of owned C strings; v[n] is NULL, so v is an argv.
 */
#ifndef SERIES_STRVEC_H
#define SERIES_STRVEC_H

#include <stdbool.h>
#include <stddef.h>
#include "series/str.h"

struct strvec {
	char **v;
	size_t n, cap;
};

#define STRVEC_INIT { NULL, 0, 0 }

void strvec_release(struct strvec *s);
#define _cleanup_strvec_ __attribute__((cleanup(strvec_release)))
/* Append a copy. Returns the stored string (borrowed). */
const char *strvec_push(struct strvec *s, const char *item);
const char *strvec_pushf(struct strvec *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
const char *strvec_push_str(struct strvec *s, struct str item);
/* Append a string made by malloc(), which then belongs to the list. */
void strvec_take(struct strvec *s, char *item);
/* Append copies of several, closed by NULL: strvec_pushl(&v, "git", "am", NULL). */
void strvec_pushl(struct strvec *s, ...) __attribute__((sentinel));
void strvec_extend(struct strvec *s, const struct strvec *more);
bool strvec_has(const struct strvec *s, const char *item);
/* Remove element i. */
void strvec_remove(struct strvec *s, size_t i);
/* Byte order (strcmp). */
void strvec_sort(struct strvec *s);
/* Pieces of text between sep, empty ones dropped, ends trimmed. */
void strvec_split(struct strvec *s, struct str text, char sep);
/* Joined by sep, in fresh memory. */
/*
 * Words of a command line as sh has them, without expansions: blanks separate, '...' and
 * "..." keep what is in them, \ the next byte (inside "..." only before " and \). 0, or
 * E_USAGE when a quote is not closed; nothing is appended then.
 */
int strvec_words(struct strvec *s, struct str text);
char *strvec_join(const struct strvec *s, const char *sep);
/* v as argv, never NULL. */
char *const *strvec_argv(struct strvec *s);

#endif
