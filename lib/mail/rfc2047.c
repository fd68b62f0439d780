// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rfc2047.c - header text in other scripts: encoded words, and folding of header lines.
 */
#include <ctype.h>
#include "mime.h"
#include "series/addr.h"
#include "series/mem.h"

#define WORD_MAX 75 /* RFC 2047 section 2 */
#define FOLD_AT	 78 /* RFC 5322 section 2.1.1 */
#define PREFIX	 "=?UTF-8?q?"

/* Bytes of the UTF-8 character at s, 1 for what is none. */
static size_t char_len(const char *s, size_t left)
{
	unsigned char c = *s;
	size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

	if (n > left)
		return 1;
	for (size_t i = 1; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 1;
	return n;
}

/* What may stand in a word of a phrase unencoded (RFC 2047 section 5 (3)). */
static bool q_plain(unsigned char c)
{
	return c < 0x80 && (isalnum(c) || (c && strchr("!*+-/", c)));
}

void rfc2047_encode(struct str s, size_t col, struct buf *out)
{
	size_t used = col + strlen(PREFIX);

	buf_puts(out, PREFIX);
	for (size_t i = 0; i < s.len;) {
		size_t n = char_len(s.p + i, s.len - i);
		bool plain = n == 1 && (q_plain(s.p[i]) || s.p[i] == ' ');
		size_t cost = plain ? 1 : 3 * n;

		if (used + cost + 2 > WORD_MAX + 1) {
			buf_puts(out, "?=\n " PREFIX);
			used = 1 + strlen(PREFIX);
		}
		for (size_t k = 0; k < n; k++) {
			if (plain)
				buf_putc(out, s.p[i] == ' ' ? '_' : s.p[i]);
			else
				buf_printf(out, "=%02X", (unsigned char)s.p[i + k]);
		}
		used += cost;
		i += n;
	}
	buf_puts(out, "?=");
}

static bool text_is_plain(struct str s)
{
	size_t word = 0;

	if (str_find(s, "=?") >= 0)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = s.p[i];

		if (c >= 0x7f || c < 0x20)
			return false;
		word = c == ' ' ? 0 : word + 1;
		if (word > 900)
			return false;
	}
	return true;
}

/* Words of s from column col on; a line is folded before the blank it breaks at. */
static void put_folded(struct str s, size_t col, struct buf *out)
{
	while (s.len) {
		size_t blanks = 0, word;

		while (blanks < s.len && s.p[blanks] == ' ')
			blanks++;
		for (word = blanks; word < s.len && s.p[word] != ' ';)
			word++;
		if (blanks && word > blanks && col + word > FOLD_AT && col > 1) {
			buf_putc(out, '\n');
			col = 0;
		}
		buf_add(out, s.p, word);
		col += word;
		s = str_n(s.p + word, s.len - word);
	}
}

void header_text(const char *field, const char *raw, struct str text, struct buf *out)
{
	struct buf line _cleanup_buf_ = BUF_INIT;

	buf_printf(&line, "%s:", field);
	if (raw[0])
		buf_printf(&line, " %s", raw);
	if (text_is_plain(text)) {
		buf_putc(&line, ' ');
		buf_addstr(&line, text);
		put_folded(buf_str(&line), 0, out);
	} else {
		/* An encoded word that starts late would be cut into slivers. */
		bool late = line.len > 50;

		buf_addstr(out, buf_str(&line));
		buf_puts(out, late ? "\n " : " ");
		rfc2047_encode(text, late ? 1 : line.len + 1, out);
	}
	buf_putc(out, '\n');
}

static void decode_q(struct str s, struct buf *out)
{
	for (size_t i = 0; i < s.len; i++) {
		int hi = s.p[i] == '=' && i + 2 < s.len ? hex_digit(s.p[i + 1]) : -1;
		int lo = hi >= 0 ? hex_digit(s.p[i + 2]) : -1;

		if (lo >= 0) {
			buf_putc(out, (char)(hi << 4 | lo));
			i += 2;
		} else {
			buf_putc(out, s.p[i] == '_' ? ' ' : s.p[i]);
		}
	}
}

static void to_utf8(struct str charset, struct str raw, struct buf *out)
{
	char *name _cleanup_free_ = str_dup(charset);

	charset_text(name, raw, out);
}

/* Encoded word at the start of s: its parts and its whole length, or 0. */
static size_t encoded_word(struct str s, struct str *charset, char *kind,
			   struct str *text)
{
	size_t q1, q2, end;

	if (!str_starts(s, "=?"))
		return 0;
	for (q1 = 2; q1 < s.len && s.p[q1] != '?'; q1++)
		if (isspace((unsigned char)s.p[q1]))
			return 0;
	if (q1 + 2 >= s.len || s.p[q1 + 2] != '?')
		return 0;
	*kind = (char)tolower((unsigned char)s.p[q1 + 1]);
	if (*kind != 'q' && *kind != 'b')
		return 0;
	q2 = q1 + 2;
	for (end = q2 + 1; end + 1 < s.len; end++)
		if (s.p[end] == '?' && s.p[end + 1] == '=')
			break;
	if (end + 1 >= s.len)
		return 0;
	*charset = str_n(s.p + 2, q1 - 2);
	*text = str_n(s.p + q2 + 1, end - q2 - 1);
	/* RFC 2231 language behind a star. */
	if (str_chr(*charset, '*') >= 0)
		charset->len = str_chr(*charset, '*');
	return end + 2;
}

/* Text between encoded words: UTF-8, or what broken clients put there. */
static void put_between(struct str s, struct buf *out)
{
	charset_text(NULL, s, out);
}

/* Behind the last "?=": no encoded word ends later, and each search ends there. */
static size_t last_end(struct str s)
{
	const char *at = s.len ? s.p + s.len : NULL;

	while (at && (at = memrchr(s.p, '=', (size_t)(at - s.p))))
		if (at > s.p && at[-1] == '?')
			return (size_t)(at - s.p) + 1;
	return 0;
}

void rfc2047_decode(struct str s, struct buf *out)
{
	struct buf raw _cleanup_buf_ = BUF_INIT;
	struct str open = STR_NULL; /* charset of the words gathered in raw */
	size_t i = 0, from = 0;	    /* from: text that is still to be put */
	size_t end = last_end(s);

	/* Words side by side in one charset are joined first: some cut characters. */
	while (i < end || open.p) {
		struct str rest = str_n(s.p + i, s.len - i), charset, text;
		size_t blanks = 0, n;
		char kind;

		while (open.p && blanks < rest.len &&
		       isspace((unsigned char)rest.p[blanks]))
			blanks++;
		n = encoded_word(str_n(rest.p + blanks, rest.len - blanks), &charset,
				 &kind, &text);
		if (!n && !open.p) {
			i++;
			continue;
		}
		if (open.p && (!n || !str_ieq(charset, open))) {
			to_utf8(open, buf_str(&raw), out);
			buf_reset(&raw);
			open = STR_NULL;
			/* Blanks between two encoded words are nothing. */
			i += n ? blanks : 0;
			from = i;
			continue;
		}
		if (!open.p)
			put_between(str_n(s.p + from, i - from), out);
		i += blanks + n;
		from = i;
		open = charset;
		if (kind == 'q')
			decode_q(text, &raw);
		else
			base64_decode(text, &raw);
	}
	if (open.p)
		to_utf8(open, buf_str(&raw), out);
	put_between(str_n(s.p + from, s.len - from), out);
}
