// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replylines.c - see replylines.h. A hunk is as long as its header says, so that a
 * context line " Reviewed-by: ..." of a change to a document is no indented tag; a line
 * that cannot be of a hunk ends it.
 */
#include <ctype.h>
#include "series/mem.h"
#include "replylines.h"

void lines_release(struct lines *l)
{
	free(l->v);
	*l = (struct lines){ 0 };
}

/* "> x", "JD> x", "| x" */
static bool quoted(struct str s)
{
	size_t n = 0;

	if (s.p[0] == '>' || s.p[0] == '|')
		return true;
	while (n < s.len && n < 8 && isalpha((unsigned char)s.p[n]))
		n++;
	return n && n < s.len && s.p[n] == '>' && (n + 1 == s.len || s.p[n + 1] == ' ');
}

struct hunk {
	int64_t old, new; /* lines still to come */
};

/* ",N" or nothing, which is 1. */
static int64_t count(struct str *s)
{
	struct str digits;
	int64_t n = 1;
	size_t len = 0;

	while (s->len && isdigit((unsigned char)s->p[0]))
		*s = str_n(s->p + 1, s->len - 1);
	if (!str_skip(s, ","))
		return 1;
	while (len < s->len && isdigit((unsigned char)s->p[len]))
		len++;
	digits = str_n(s->p, len);
	*s = str_n(s->p + len, s->len - len);
	return str_to_i64(digits, 0, INT32_MAX, &n) ? n : 0;
}

static bool hunk_begins(struct str line, struct hunk *h)
{
	struct hunk new;

	if (!line.len || line.p[0] != '@' || !str_skip(&line, "@@ -"))
		return false;
	new.old = count(&line);
	if (!str_skip(&line, " +"))
		return false;
	new.new = count(&line);
	if (!str_skip(&line, " @@"))
		return false;
	*h = new;
	return true;
}

static bool in_hunk(struct str line, struct hunk *h)
{
	char c = line.len ? line.p[0] : ' ';

	if (c == '\\')
		return str_starts(line, "\\ No newline");
	if ((h->old <= 0 && h->new <= 0) || !strchr(" +-\t", c)) {
		*h = (struct hunk){ 0 };
		return false;
	}
	h->old -= c != '+';
	h->new -= c != '-';
	return true;
}

/* What each line is asked: its first letter says no to most. */
static bool diff_header(struct str line, struct str rest)
{
	struct str next;

	switch (line.len ? line.p[0] : ' ') {
	case 'd':
		return str_starts(line, "diff --git ");
	case 'i':
		return str_starts(line, "index ");
	case 'n':
		return str_starts(line, "new file mode ");
	case '+':
		return str_starts(line, "+++ ");
	case '-':
		return str_starts(line, "--- ") && str_line(&rest, &next) &&
		       str_starts(next, "+++ ");
	}
	return false;
}

/* As git has it: dashes and scissors only, and both enough of them. */
static bool scissors(struct str line)
{
	size_t marks = 0, dashes = 0, cuts = 0;
	struct str rest = line, w;

	if (str_find(line, ">8") < 0 && str_find(line, "8<") < 0 &&
	    str_find(line, "%<") < 0 && str_find(line, ">%") < 0)
		return false;
	while (str_word(&rest, &w)) {
		bool all = true;

		for (size_t i = 0; i < w.len; i++) {
			all = all && strchr("-<>8%", w.p[i]);
			dashes += w.p[i] == '-';
			cuts += strchr("8%", w.p[i]) != NULL;
		}
		marks += all ? w.len : 0;
	}
	return dashes > 3 && cuts && marks * 3 >= line.len;
}

/* Fields of another mail that stand in the text; which of them this is. */
static unsigned field_of_mail(struct str line)
{
	static const char *const names[] = { "From:",	    "Subject:",	   "Date:",
					     "Sent:",	    "To:",	   "Cc:",
					     "Message-ID:", "In-Reply-To:" };

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (str_istarts(line, names[i]))
			return 1u << i;
	return 0;
}

static bool other_mail(struct str line, struct str rest)
{
	unsigned seen = 0, one;

	if (str_starts(line, "-----Original Message") ||
	    (str_starts(line, "-----") && str_find(line, " Forwarded message ") >= 0))
		return true;
	while ((one = field_of_mail(line))) {
		seen |= one;
		if (!str_line(&rest, &line))
			break;
	}
	/* From, and the title or the time */
	return (seen & 1) && (seen & 14);
}

static bool goes_off(struct str line, struct str rest)
{
	/* nearly all that begin so are quoted */
	if (line.p[0] == '>' && (line.len < 2 || !strchr("8%", line.p[1])))
		return false;
	if (strchr("-<>8%", line.p[0]))
		return str_eqc(line, "-- ") || str_eqc(line, "-- \r") || scissors(line) ||
		       (line.p[0] == '-' && other_mail(line, rest));
	return strchr("FSDTCMIfsdtcmi", line.p[0]) && other_mail(line, rest);
}

void lines_read(struct str text, struct lines *ret)
{
	struct str rest = text, s;
	struct hunk h = { 0 };
	bool off = false;

	while (str_line(&rest, &s)) {
		struct str bare = str_trim(s);
		enum line_kind kind = LINE_TEXT;

		off = off || (s.len && goes_off(s, rest));
		if (off)
			kind = LINE_OFF;
		else if (hunk_begins(s, &h) || in_hunk(s, &h) || diff_header(s, rest))
			kind = LINE_DIFF;
		else if (!bare.len)
			kind = LINE_BLANK;
		else if (quoted(bare))
			kind = LINE_QUOTED;
		vec_grow(ret->v, ret->n, ret->cap);
		ret->v[ret->n++] = (struct line){ s, kind };
	}
}
