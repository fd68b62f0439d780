// SPDX-License-Identifier: GPL-2.0-or-later
/* sanitize.c - foreign text without anything a terminal would act on. */
#include <ctype.h>
#include "series/mem.h"
#include "series/sanitize.h"

enum { ESC = 0x1b, BEL = 0x07, C1_ST = 0x9c };

static bool next_is(const struct str *s, int lo, int hi)
{
	return s->len && (unsigned char)s->p[0] >= lo && (unsigned char)s->p[0] <= hi;
}

static void skip_range(struct str *s, int lo, int hi)
{
	while (next_is(s, lo, hi))
		*s = str_n(s->p + 1, s->len - 1);
}

static void skip_one(struct str *s, int lo, int hi)
{
	if (next_is(s, lo, hi))
		*s = str_n(s->p + 1, s->len - 1);
}

/* ECMA-48 5.4: parameters, intermediates, a final byte. */
static void skip_csi(struct str *s)
{
	skip_range(s, 0x30, 0x3f);
	skip_range(s, 0x20, 0x2f);
	skip_one(s, 0x40, 0x7e);
}

/*
 * ECMA-48 5.6: a control string up to ST (or BEL, which xterm takes too), but not across
 * the end of its line.
 */
static void skip_string(struct str *s)
{
	while (s->len) {
		struct str rest = *s;
		uint32_t cp = 0;

		utf8_next(&rest, &cp);
		if (cp == '\n' || (cp == ESC && !next_is(&rest, '\\', '\\')))
			return; /* an ESC that opens something else is looked at anew */
		*s = rest;
		if (cp == BEL || cp == C1_ST)
			return;
		if (cp == ESC) {
			skip_one(s, '\\', '\\');
			return;
		}
	}
}

/* What follows an introducer: '[' a CSI, and the openers of strings; ESC X is C1 X+0x40.
 */
static void skip_introduced(int kind, struct str *s)
{
	if (kind == '[')
		skip_csi(s);
	else if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_')
		skip_string(s);
}

static void skip_escape(struct str *s)
{
	int kind;

	if (next_is(s, 0x20, 0x2f)) { /* ECMA-35 13.2: ESC I..I F */
		skip_range(s, 0x20, 0x2f);
		skip_one(s, 0x30, 0x7e);
		return;
	}
	if (!next_is(s, 0x30, 0x7e))
		return;
	kind = s->p[0];
	skip_one(s, kind, kind);
	skip_introduced(kind, s);
}

static bool is_bidi_control(uint32_t cp)
{
	return (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069) ||
	       cp == 0x200e || cp == 0x200f || cp == 0x061c;
}

static void clean(struct str s, bool one_line, struct buf *out)
{
	uint32_t cp;

	for (;;) {
		const char *at = s.p;

		if (!utf8_next(&s, &cp))
			return;
		if (cp == UTF8_INVALID)
			utf8_put(0xfffd, out);
		else if (one_line && (cp == '\n' || cp == '\r' || cp == '\t'))
			buf_putc(out, ' ');
		else if (cp == '\n' || cp == '\t')
			buf_putc(out, (char)cp);
		else if (cp == ESC)
			skip_escape(&s);
		else if (cp >= 0x80 && cp <= 0x9f)
			skip_introduced((int)cp - 0x40, &s);
		else if (cp >= 0x20 && cp != 0x7f && !is_bidi_control(cp))
			buf_add(out, at, (size_t)(s.p - at));
	}
}

void sanitize(struct str s, struct buf *out)
{
	clean(s, false, out);
}

void sanitize_line(struct str s, struct buf *out)
{
	clean(s, true, out);
}

char *sanitize_dup(const char *s)
{
	struct buf b = BUF_INIT;

	sanitize(str_c(s), &b);
	return buf_take(&b);
}

char *sanitize_line_dup(const char *s)
{
	struct buf b = BUF_INIT;

	sanitize_line(str_c(s), &b);
	return buf_take(&b);
}

static bool is_plain_word(const char *s)
{
	if (!*s || *s == '-')
		return false;
	for (; *s; s++)
		if ((unsigned char)*s >= 0x80 ||
		    (!isalnum((unsigned char)*s) && !strchr("._/+@%:,-", *s)))
			return false;
	return true;
}

char *shell_word(const char *s)
{
	struct buf b = BUF_INIT;

	if (is_plain_word(s))
		return xstrdup(s);
	buf_putc(&b, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_puts(&b, "'\\''");
		else
			buf_putc(&b, *s);
	}
	buf_putc(&b, '\'');
	return buf_take(&b);
}

int control_in(struct str line)
{
	while (line.len && line.p[line.len - 1] == '\r')
		line.len--;
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.p[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return c;
	}
	return -1;
}
