/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * str.h - {pointer, length}: views for parsing without copies.
 *
 * A struct str borrows; it is valid as long as what it points into. It may hold any
 * byte, NUL included, and is not terminated.
 */
#ifndef SERIES_STR_H
#define SERIES_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	const char *p;
	size_t len;
};

#define STR_NULL   ((struct str){ NULL, 0 })
#define STR_LIT(s) ((struct str){ (s), sizeof(s) - 1 })
#define STR_FMT	   "%.*s"
#define STR_ARG(s) (int)(s).len, (s).p

static inline struct str str_c(const char *s)
{
	return (struct str){ s, s ? strlen(s) : 0 };
}
static inline struct str str_n(const char *s, size_t n)
{
	return (struct str){ s, n };
}

bool str_eq(struct str a, struct str b);
bool str_eqc(struct str a, const char *b);
/* ASCII case folded. */
bool str_ieq(struct str a, struct str b);
bool str_ieqc(struct str a, const char *b);
/* Inline, so that the length of a literal costs nothing: it is asked for every line. */
static inline bool str_starts(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && (!n || !memcmp(s.p, prefix, n));
}
bool str_istarts(struct str s, const char *prefix);
bool str_ends(struct str s, const char *suffix);
/* If s starts with prefix, cut it off and return true. */
bool str_skip(struct str *s, const char *prefix);
/* White space as git has it: blank, tab, CR, LF; neither form feed nor vertical tab. */
static inline bool str_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
/* Without white space (str_space) at the ends. */
struct str str_trim(struct str s);
struct str str_trim_end(struct str s);
/* Offset of c, or -1. */
ptrdiff_t str_chr(struct str s, char c);
/* Offset of the first needle, or -1. */
ptrdiff_t str_find(struct str s, const char *needle);
/* Next line of *rest without its LF (a CR stays); false at the end. */
bool str_line(struct str *rest, struct str *ret_line);
/* Next piece of *rest up to sep or the end; false when *rest is used up (p == NULL). */
bool str_cut(struct str *rest, char sep, struct str *ret_piece);
/* Next word of *rest, separated by blanks and tabs; false at the end. */
bool str_word(struct str *rest, struct str *ret_word);
/* 0 to 15, or -1. */
static inline int hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
				      : -1;
}
/* Copy with a NUL behind it; the caller frees. */
char *str_dup(struct str s);
/*
 * Whole string as a decimal number within [lo, hi]: digits, "-" before them or nothing.
 * False (and *ret untouched) if it is not.
 */
bool str_to_i64(struct str s, int64_t lo, int64_t hi, int64_t *ret);
/* The same for a C string. */
bool cstr_to_i64(const char *s, int64_t lo, int64_t hi, int64_t *ret);

#endif
