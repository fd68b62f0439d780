// SPDX-License-Identifier: GPL-2.0-or-later
/* utf8.c - decoding, repairing and measuring UTF-8. */
#include <locale.h>
#include <wchar.h>
#include "series/utf8.h"

/*
 * Table 3-7 of the Unicode standard: how many bytes follow a lead byte, and the range of
 * the first of them, which rules out overlong forms, surrogates and the too large.
 */
static int lead(unsigned char c, unsigned char *lo, unsigned char *hi)
{
	*lo = 0x80;
	*hi = 0xbf;
	if (c >= 0xc2 && c <= 0xdf)
		return 1;
	if (c >= 0xe0 && c <= 0xef) {
		if (c == 0xe0)
			*lo = 0xa0;
		if (c == 0xed)
			*hi = 0x9f;
		return 2;
	}
	if (c >= 0xf0 && c <= 0xf4) {
		if (c == 0xf0)
			*lo = 0x90;
		if (c == 0xf4)
			*hi = 0x8f;
		return 3;
	}
	return -1;
}

bool utf8_next(struct str *s, uint32_t *ret)
{
	const unsigned char *p = (const unsigned char *)s->p;
	unsigned char lo, hi;
	uint32_t cp;
	int more, i;

	if (!s->len)
		return false;
	if (p[0] < 0x80) {
		*ret = p[0];
		*s = str_n(s->p + 1, s->len - 1);
		return true;
	}
	more = lead(p[0], &lo, &hi);
	cp = p[0] & (0x3fu >> (more > 0 ? more : 0));
	for (i = 1; i <= more; i++) {
		if ((size_t)i >= s->len || p[i] < lo || p[i] > hi)
			break;
		cp = cp << 6 | (p[i] & 0x3fu);
		lo = 0x80;
		hi = 0xbf;
	}
	*ret = more > 0 && i > more ? cp : UTF8_INVALID;
	*s = str_n(s->p + i, s->len - (size_t)i);
	return true;
}

bool utf8_valid(struct str s)
{
	uint32_t cp;

	while (utf8_next(&s, &cp))
		if (cp == UTF8_INVALID)
			return false;
	return true;
}

void utf8_put(uint32_t cp, struct buf *out)
{
	char c[4];

	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	if (cp < 0x80) {
		buf_putc(out, (char)cp);
	} else if (cp < 0x800) {
		c[0] = (char)(0xc0 | cp >> 6);
		c[1] = (char)(0x80 | (cp & 0x3f));
		buf_add(out, c, 2);
	} else if (cp < 0x10000) {
		c[0] = (char)(0xe0 | cp >> 12);
		c[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		c[2] = (char)(0x80 | (cp & 0x3f));
		buf_add(out, c, 3);
	} else {
		c[0] = (char)(0xf0 | cp >> 18);
		c[1] = (char)(0x80 | (cp >> 12 & 0x3f));
		c[2] = (char)(0x80 | (cp >> 6 & 0x3f));
		c[3] = (char)(0x80 | (cp & 0x3f));
		buf_add(out, c, 4);
	}
}

void utf8_lossy(struct str s, struct buf *out)
{
	const char *good = s.p;
	struct str rest = s;
	uint32_t cp;

	for (;;) {
		const char *at = rest.p;
		bool more = utf8_next(&rest, &cp);

		if (more && cp != UTF8_INVALID)
			continue;
		if (at > good)
			buf_add(out, good, (size_t)(at - good));
		if (!more)
			return;
		utf8_put(0xfffd, out);
		good = rest.p;
	}
}

/* The locale whose tables we measure with; (locale_t)0 on a system without C.UTF-8. */
static locale_t utf8_locale(void)
{
	static locale_t loc;
	static bool tried;

	if (!tried) {
		loc = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
		tried = true;
	}
	return loc;
}

static size_t cp_width(uint32_t cp)
{
	int w;

	if (cp == UTF8_INVALID)
		return 1;
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
		return 0;
	if (cp < 0x300)
		return 1;
	w = wcwidth((wchar_t)cp);
	return w < 0 ? 1 : (size_t)w;
}

/* Cut code points off *s while they fit into width; returns the columns they take. */
static size_t measure(struct str *s, size_t width)
{
	locale_t loc = utf8_locale();
	locale_t old = loc ? uselocale(loc) : (locale_t)0;
	size_t sum = 0;
	uint32_t cp;

	for (;;) {
		struct str rest = *s;
		size_t w;

		if (!utf8_next(&rest, &cp))
			break;
		w = cp_width(cp);
		if (w > width - sum)
			break;
		sum += w;
		*s = rest;
	}
	if (loc)
		uselocale(old);
	return sum;
}

size_t utf8_width(struct str s)
{
	return measure(&s, SIZE_MAX);
}

struct str utf8_fit(struct str s, size_t width)
{
	struct str rest = s;

	measure(&rest, width);
	return str_n(s.p, s.len - rest.len);
}

void utf8_wrap(struct str s, size_t at, size_t width, struct buf *out)
{
	size_t column = at;
	struct str word;

	while (str_word(&s, &word)) {
		size_t n = utf8_width(word);

		if (column > at && column + 1 + n > width) {
			buf_putc(out, '\n');
			buf_fill(out, ' ', at);
			column = at;
		} else if (column > at) {
			buf_putc(out, ' ');
			column++;
		}
		buf_addstr(out, word);
		column += n;
	}
}
