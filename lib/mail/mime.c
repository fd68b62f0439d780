// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mime.c - Content-Type, Content-Disposition and their parameters.
 */
#include <ctype.h>
#include "mime.h"
#include "series/addr.h"
#include "series/mem.h"

#define PIECES_MAX 100 /* of one parameter, RFC 2231 section 3 */

struct param {
	struct str name;
	struct buf value; /* without quotes */
};

static void skip_space(struct str *s)
{
	while (s->len && isspace((unsigned char)s->p[0])) {
		s->p++;
		s->len--;
	}
}

/* A quoted string at the start of *s, or what stands up to the end of it. */
static void take_quoted(struct str *s, struct buf *out)
{
	size_t i = 1;

	for (; i < s->len && s->p[i] != '"'; i++) {
		if (s->p[i] == '\\' && i + 1 < s->len)
			i++;
		if (s->p[i] != '\n' && s->p[i] != '\r')
			buf_putc(out, s->p[i]);
	}
	i = MIN(i + 1, s->len);
	*s = str_n(s->p + i, s->len - i);
}

/* Up to the semicolon, or a comment ("us-ascii (plain text)", RFC 2045 section 5.1). */
static void take_token(struct str *s, struct buf *out)
{
	struct str value;
	size_t i = 0, end;

	while (i < s->len && s->p[i] != ';')
		i++;
	value = str_n(s->p, i);
	for (end = 1; end < value.len; end++)
		if (value.p[end] == '(' && isspace((unsigned char)value.p[end - 1]))
			value.len = end;
	buf_addstr(out, str_trim(value));
	*s = str_n(s->p + i, s->len - i);
}

/* Next "; name=value" of *s; false at the end. */
static bool next_param(struct str *s, struct param *ret)
{
	for (;;) {
		ptrdiff_t semi = str_chr(*s, ';');
		size_t n = 0;

		if (semi < 0)
			return false;
		*s = str_n(s->p + semi + 1, s->len - (size_t)semi - 1);
		skip_space(s);
		while (n < s->len && s->p[n] != '=' && s->p[n] != ';')
			n++;
		if (n == s->len || s->p[n] == ';')
			continue;
		ret->name = str_trim(str_n(s->p, n));
		*s = str_n(s->p + n + 1, s->len - n - 1);
		skip_space(s);
		buf_reset(&ret->value);
		if (s->len && s->p[0] == '"')
			take_quoted(s, &ret->value);
		else
			take_token(s, &ret->value);
		return true;
	}
}

static void put_percent(struct str s, struct buf *out)
{
	for (size_t i = 0; i < s.len; i++) {
		int hi = i + 2 < s.len && s.p[i] == '%' ? hex_digit(s.p[i + 1]) : -1;
		int lo = hi >= 0 ? hex_digit(s.p[i + 2]) : -1;

		buf_putc(out, lo >= 0 ? (char)(hi * 16 + lo) : s.p[i]);
		i += lo >= 0 ? 2 : 0;
	}
}

/* What is gathered of a parameter that comes in pieces or encoded. */
struct gathered {
	struct buf bytes;
	char *charset;
	int64_t pieces;
};

/*
 * Is p the next piece of name ("name*2*", "name*2"; "name*" is all of it)? Then its bytes
 * are added; the first one that is encoded has charset and language in front.
 */
static bool gather(const struct param *p, const char *name, struct gathered *g)
{
	struct str mark = p->name, value = buf_str(&p->value), charset, language;
	bool encoded;
	int64_t piece = 0;

	if (!str_istarts(mark, name))
		return false;
	mark = str_n(mark.p + strlen(name), mark.len - strlen(name));
	if (!str_skip(&mark, "*"))
		return false;
	encoded = !mark.len || str_ends(mark, "*");
	if (encoded && mark.len)
		mark.len--;
	if ((mark.len && !str_to_i64(mark, 0, PIECES_MAX, &piece)) || piece != g->pieces)
		return false;
	g->pieces++;
	if (encoded && !piece && str_chr(value, '\'') >= 0) {
		str_cut(&value, '\'', &charset);
		if (!str_cut(&value, '\'', &language) || !value.p)
			value = STR_LIT("");
		g->charset = charset.len ? str_dup(charset) : NULL;
	}
	if (encoded)
		put_percent(value, &g->bytes);
	else
		buf_addstr(&g->bytes, value);
	return true;
}

/* All pieces, in the order of their numbers. */
static void gather_all(struct str value, const char *name, struct gathered *g)
{
	struct param p = { .value = BUF_INIT };
	int64_t before;

	do {
		struct str rest = value;

		before = g->pieces;
		while (next_param(&rest, &p) && !gather(&p, name, g))
			;
	} while (g->pieces > before && g->pieces <= PIECES_MAX);
	buf_release(&p.value);
}

char *mime_param(struct str value, const char *name)
{
	struct param p = { .value = BUF_INIT };
	struct gathered g = { .bytes = BUF_INIT };
	struct str rest = value;
	struct buf out = BUF_INIT;
	bool found = false;

	gather_all(value, name, &g);
	if (g.pieces)
		charset_text(g.charset, buf_str(&g.bytes), &out);
	while (!g.pieces && !found && next_param(&rest, &p))
		if (str_ieqc(p.name, name)) {
			rfc2047_decode(buf_str(&p.value), &out);
			found = true;
		}
	buf_release(&p.value);
	buf_release(&g.bytes);
	free(g.charset);
	if (found || g.pieces)
		return buf_take(&out);
	buf_release(&out);
	return NULL;
}

char *mime_type(struct str value)
{
	struct buf type = BUF_INIT;
	ptrdiff_t end = value.p ? str_chr(value, ';') : 0;
	struct str word = str_trim(str_n(value.p, end < 0 ? value.len : (size_t)end));

	if (str_chr(word, '/') > 0)
		for (size_t i = 0; i < word.len && !isspace((unsigned char)word.p[i]) &&
				   word.p[i] && word.p[i] != '(';
		     i++)
			buf_putc(&type, (char)tolower((unsigned char)word.p[i]));
	return buf_take(&type);
}

static bool has_word(struct str s, const char *word)
{
	for (size_t i = 0; i + strlen(word) <= s.len; i++)
		if (str_istarts(str_n(s.p + i, s.len - i), word))
			return true;
	return false;
}

enum mail_encoding mime_encoding(struct str value)
{
	if (has_word(value, "base64"))
		return ENC_BASE64;
	return has_word(value, "quoted-printable") ? ENC_QP : ENC_PLAIN;
}
