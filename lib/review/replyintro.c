// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replyintro.c - lines of a reply that a mail client put in above a quote, and those that
 * say that the quote has a gap.
 */
#include <ctype.h>
#include "replylines_priv.h"
#include "series/mem.h"

#define ATTRIBUTION_LINES 4

/* The next letters of *rest without anything between; false at the end. */
static bool next_letters(struct str *rest, struct str *ret)
{
	size_t from = 0, to;

	while (from < rest->len && !isalpha((unsigned char)rest->p[from]))
		from++;
	for (to = from; to < rest->len && isalpha((unsigned char)rest->p[to]);)
		to++;
	*ret = str_n(rest->p + from, to - from);
	*rest = str_n(rest->p + to, rest->len - to);
	return ret->len;
}

/* "[...]", "<snip>", "-----", "[ 40 lines trimmed ]", "---end quoted text---". */
bool line_is_cut(struct str s)
{
	static const char *const words[] = { "snip",	"snipped", "cut",     "trim",
					     "trimmed", "skip",	   "skipped", "deleted" };
	bool bracket = str_starts(s, "[") || str_starts(s, "<") || str_starts(s, "(");
	struct str rest = s, word;
	size_t n = 0;
	bool cut = false;

	while (n < (bracket ? SIZE_MAX : 2) && next_letters(&rest, &word)) {
		n++;
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			cut = cut || str_ieqc(word, words[i]);
	}
	if (!n)
		return str_find(s, "..") >= 0 || str_find(s, "\xe2\x80\xa6") >= 0 ||
		       str_starts(s, "---") || str_starts(s, "===") ||
		       str_starts(s, "___");
	return (cut && (n == 1 || (bracket && s.len < 60))) ||
	       (str_starts(s, "---") && str_find(s, "quoted text") >= 0);
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

void lines_mark_intros(struct lines *l)
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
			l->v[k].kind = LINE_INTRO;
	}
}
