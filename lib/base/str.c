// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * str.c - views of text: compare, search, take apart, read numbers.
 */
#include "series/mem.h"
#include "series/str.h"

static unsigned char fold(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c + ('a' - 'A')) : c;
}

static bool same(const char *a, const char *b, size_t n)
{
	return !n || !memcmp(a, b, n);
}

static bool isame(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fold((unsigned char)a[i]) != fold((unsigned char)b[i]))
			return false;
	return true;
}

bool str_eq(struct str a, struct str b)
{
	return a.len == b.len && same(a.p, b.p, a.len);
}

bool str_eqc(struct str a, const char *b)
{
	return str_eq(a, str_c(b));
}

bool str_ieq(struct str a, struct str b)
{
	return a.len == b.len && isame(a.p, b.p, a.len);
}

bool str_ieqc(struct str a, const char *b)
{
	return str_ieq(a, str_c(b));
}

bool str_istarts(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && isame(s.p, prefix, n);
}

bool str_ends(struct str s, const char *suffix)
{
	size_t n = strlen(suffix);

	return s.len >= n && (!n || same(s.p + s.len - n, suffix, n));
}

bool str_skip(struct str *s, const char *prefix)
{
	size_t n = strlen(prefix);

	if (!str_starts(*s, prefix))
		return false;
	if (n) {
		s->p += n;
		s->len -= n;
	}
	return true;
}

struct str str_trim(struct str s)
{
	while (s.len && str_space(s.p[0])) {
		s.p++;
		s.len--;
	}
	return str_trim_end(s);
}

struct str str_trim_end(struct str s)
{
	while (s.len && str_space(s.p[s.len - 1]))
		s.len--;
	return s;
}

ptrdiff_t str_chr(struct str s, char c)
{
	const char *at = s.len ? memchr(s.p, c, s.len) : NULL;

	return at ? at - s.p : -1;
}

ptrdiff_t str_find(struct str s, const char *needle)
{
	size_t n = strlen(needle);
	const char *at;

	if (!n)
		return 0;
	at = s.len ? memmem(s.p, s.len, needle, n) : NULL;
	return at ? at - s.p : -1;
}

bool str_line(struct str *rest, struct str *ret_line)
{
	ptrdiff_t at;

	if (!rest->len)
		return false;
	at = str_chr(*rest, '\n');
	if (at < 0) {
		*ret_line = *rest;
		rest->p += rest->len;
		rest->len = 0;
		return true;
	}
	*ret_line = str_n(rest->p, (size_t)at);
	rest->p += at + 1;
	rest->len -= (size_t)at + 1;
	return true;
}

bool str_cut(struct str *rest, char sep, struct str *ret_piece)
{
	ptrdiff_t at;

	if (!rest->p)
		return false;
	at = str_chr(*rest, sep);
	if (at < 0) {
		*ret_piece = *rest;
		*rest = STR_NULL;
		return true;
	}
	*ret_piece = str_n(rest->p, (size_t)at);
	rest->p += at + 1;
	rest->len -= (size_t)at + 1;
	return true;
}

bool str_word(struct str *rest, struct str *ret_word)
{
	size_t n = 0;

	while (rest->len && (*rest->p == ' ' || *rest->p == '\t')) {
		rest->p++;
		rest->len--;
	}
	if (!rest->len)
		return false;
	while (n < rest->len && rest->p[n] != ' ' && rest->p[n] != '\t')
		n++;
	*ret_word = str_n(rest->p, n);
	rest->p += n;
	rest->len -= n;
	return true;
}

char *str_dup(struct str s)
{
	return xmemdup0(s.p, s.len);
}

bool str_to_i64(struct str s, int64_t lo, int64_t hi, int64_t *ret)
{
	bool neg = str_skip(&s, "-");
	int64_t v = 0;

	if (!s.len)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		int digit = s.p[i] - '0';

		if (digit < 0 || digit > 9)
			return false;
		/* Count downwards: INT64_MIN has no positive twin. */
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, digit, &v))
			return false;
	}
	if (!neg && __builtin_sub_overflow((int64_t)0, v, &v))
		return false;
	if (v < lo || v > hi)
		return false;
	*ret = v;
	return true;
}

bool cstr_to_i64(const char *s, int64_t lo, int64_t hi, int64_t *ret)
{
	return str_to_i64(str_c(s), lo, hi, ret);
}
