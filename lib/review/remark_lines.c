// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remark_lines.c - the lines of a reply: quoted, the replier's own, or neither.
 */
#include <ctype.h>
#include <stdlib.h>
#include "remark_priv.h"
#include "series/mem.h"

#define ATTRIBUTION_LINES 4
#define CUT_WORD	  7 /* letters of "trimmed" */

void squash(struct str s, struct buf *out)
{
	static const bool skipped[256] = {
		[' '] = true, ['\t'] = true, ['\r'] = true, ['\n'] = true, ['>'] = true
	};
	char *to = buf_reserve(out, s.len);
	size_t n = 0;

	for (size_t i = 0; to && i < s.len; i++)
		if (!skipped[(unsigned char)s.p[i]])
			to[n++] = s.p[i];
	if (to)
		to[n] = '\0';
	out->len += n;
}

/* ">> > text": the marks stand at the start, blanks between them. */
static void read_quote(struct reply_line *l)
{
	struct str s = l->text;

	l->bare = s;
	for (size_t i = 0; i < s.len && (s.p[i] == '>' || s.p[i] == ' '); i++) {
		if (s.p[i] != '>')
			continue;
		l->depth++;
		l->bare = str_n(s.p + i + 1, s.len - i - 1);
	}
	/* " > text" is how some clients quote; more blanks than one are an indent. */
	if (l->depth && s.p[0] == ' ' && s.len > 1 && s.p[1] == ' ')
		l->depth = 0;
	if (l->depth) {
		l->kind = LINE_QUOTED;
		str_skip(&l->bare, " ");
	}
}

/* "[...]", "<snip>", "-----", "[ 40 lines trimmed ]", "---end quoted text---". */
static bool is_cut(struct str s)
{
	static const char *const words[] = { "snip",	"snipped", "cut",     "trim",
					     "trimmed", "skip",	   "skipped", "deleted" };
	struct buf letters _cleanup_buf_ = BUF_INIT;
	bool bracket = str_starts(s, "[") || str_starts(s, "<") || str_starts(s, "(");
	bool prose = !bracket && !str_starts(s, "---");

	for (size_t i = 0; i < s.len; i++) {
		if (isalpha((unsigned char)s.p[i]))
			buf_putc(&letters, (char)tolower((unsigned char)s.p[i]));
		/* more of them than one of the words has */
		if (prose && letters.len > CUT_WORD)
			return false;
	}
	if (!letters.len)
		return str_find(s, "..") >= 0 || str_find(s, "\xe2\x80\xa6") >= 0 ||
		       str_starts(s, "---") || str_starts(s, "===") ||
		       str_starts(s, "___");
	if (str_starts(s, "---") && str_find(buf_str(&letters), "quotedtext") >= 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_eqc(buf_str(&letters), words[i]) ||
		    (bracket && str_find(buf_str(&letters), words[i]) >= 0 && s.len < 60))
			return true;
	return false;
}

/* What ends "On DATE, NAME wrote:"; some languages have the name last. */
static bool says_wrote(struct str s)
{
	static const char *const words[] = {
		"wrote",
		"writes",
		"said",
		"schrieb",
		"skrev",
		"a \xc3\xa9\x63rit",
		"escribi\xc3\xb3",
		"\xe5\x86\x99\xe9\x81\x93",
	};
	bool colon = str_ends(s, ":") || str_ends(s, "\xef\xbc\x9a");

	for (size_t i = 0; colon && i < ARRAY_SIZE(words); i++)
		if (str_find(s, words[i]) >= 0)
			return true;
	return str_ends(s, "wrote") || (colon && str_starts(s, "* "));
}

static bool begins_attribution(struct str s)
{
	return str_starts(s, "On ") || str_starts(s, "Am ") || str_starts(s, "Le ") ||
	       str_starts(s, "At ") || str_starts(s, "Den ") || str_starts(s, "El ") ||
	       str_starts(s, "* ") || str_starts(s, "Quoting ") ||
	       str_starts(s, "In message ") || (str_starts(s, "\xe5\x9c\xa8"));
}

/* "On DATE, NAME wrote:" in up to four lines; those that a mail client put in. */
static void mark_attributions(struct reply_lines *l)
{
	bool top = true; /* nothing of the mail stands above */

	for (size_t i = 0; i < l->n; i++) {
		size_t first = i, below = i + 1;
		bool begins, quote, alone = top;

		top = top && l->v[i].kind != LINE_TEXT;
		if (l->v[i].kind != LINE_TEXT || !says_wrote(l->v[i].text))
			continue;
		while (below < l->n &&
		       (l->v[below].kind == LINE_BLANK || l->v[below].kind == LINE_CUT))
			below++;
		quote = below < l->n && l->v[below].kind == LINE_QUOTED;
		for (size_t up = 0; up < ATTRIBUTION_LINES; up++) {
			begins = begins_attribution(str_trim(l->v[i - up].text));
			if (begins)
				first = i - up;
			if (begins || i == up || l->v[i - up - 1].kind != LINE_TEXT)
				break;
		}
		begins = begins_attribution(str_trim(l->v[first].text));
		/* "Jane Doe wrote:", all of whose mail was cut. */
		alone = alone && l->v[i].text.len < 60 &&
			str_ends(l->v[i].text, " wrote:");
		if (!begins && !quote && !alone)
			continue;
		/* "Name <address>" on one line, "wrote:" on the next. */
		if (!begins && i && l->v[i].text.len < 12 &&
		    l->v[i - 1].kind == LINE_TEXT && str_chr(l->v[i - 1].text, '@') >= 0)
			first = i - 1;
		for (size_t k = first; k <= i; k++)
			l->v[k].kind = LINE_OUT;
	}
}

/* What follows is a mail that was put below the text as it came. */
static bool begins_forward(const struct reply_lines *l, size_t i)
{
	struct str s = str_trim(l->v[i].text);

	if (str_find(s, "---") >= 0 && (str_find(s, "Original Message---") >= 0 ||
					str_find(s, "Forwarded Message---") >= 0 ||
					str_find(s, "Forwarded message ---") >= 0))
		return true;
	/* As Outlook does. */
	return str_starts(s, "From: ") && i + 2 < l->n &&
	       (str_starts(l->v[i + 1].text, "Sent: ") ||
		str_starts(l->v[i + 1].text, "Date: ") ||
		str_starts(l->v[i + 2].text, "Sent: ") ||
		str_starts(l->v[i + 2].text, "Date: "));
}

/* Signatures end where a quote begins: some have the quote below their signature. */
static void mark_signatures(struct reply_lines *l)
{
	bool out = false;

	for (size_t i = 0; i < l->n; i++) {
		struct reply_line *line = &l->v[i];

		if (line->kind == LINE_QUOTED)
			out = false;
		else if (str_eqc(line->text, "--") || begins_forward(l, i))
			out = true;
		if (out && line->kind != LINE_BLANK)
			line->kind = LINE_OUT;
	}
}

void reply_lines_read(struct str text, struct reply_lines *ret)
{
	struct str line;

	*ret = (struct reply_lines){ 0 };
	while (str_line(&text, &line)) {
		struct reply_line l = { .text = str_trim_end(line), .kind = LINE_TEXT };

		read_quote(&l);
		if (l.kind == LINE_TEXT && !l.text.len)
			l.kind = LINE_BLANK;
		else if (l.kind == LINE_TEXT && is_cut(str_trim(l.text)))
			l.kind = LINE_CUT;
		vec_grow(ret->v, ret->n, ret->cap);
		ret->v[ret->n++] = l;
	}
	mark_signatures(ret);
	mark_attributions(ret);
}

void reply_lines_release(struct reply_lines *l)
{
	free(l->v);
	*l = (struct reply_lines){ 0 };
}
