// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replylines.c - see replylines.h. A hunk is as long as its header says, so that a
 * context line " Reviewed-by: ..." of a change to a document is no indented tag; a line
 * that cannot be of a hunk ends it. Attributions are in replyintro.c.
 */
#include <ctype.h>
#include "replylines_priv.h"
#include "series/mem.h"
#include "series/trailer.h"

#define INITIALS_MAX 8

void lines_release(struct lines *l)
{
	free(l->v);
	*l = (struct lines){ 0 };
}

/* What stands from the first ">" on: "> x", " > x", "JD> x"; STR_NULL: no quote. */
static struct str from_mark(struct str s)
{
	size_t n = 0;

	/* More blanks than one are an indent. */
	str_skip(&s, " ");
	while (n < s.len && n < INITIALS_MAX && isalpha((unsigned char)s.p[n]))
		n++;
	if (n == s.len || s.p[n] != '>' ||
	    (n && n + 1 < s.len && s.p[n + 1] != ' ' && s.p[n + 1] != '>'))
		return STR_NULL;
	return str_n(s.p + n, s.len - n);
}

/* ">> > text": the marks stand at the start, blanks between them. */
static bool read_quote(struct line *l)
{
	struct str s = from_mark(l->text);

	for (size_t i = 0; i < s.len && (s.p[i] == '>' || s.p[i] == ' '); i++) {
		if (s.p[i] != '>')
			continue;
		l->depth++;
		l->bare = str_n(s.p + i + 1, s.len - i - 1);
	}
	str_skip(&l->bare, " ");
	return l->depth;
}

struct str line_inner(const struct line *l)
{
	struct str s = from_mark(l->text);

	str_skip(&s, ">");
	str_skip(&s, " ");
	/* The end of a line that was wrapped has no mark. */
	return s.p ? s : l->text;
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

/* A head in a text has no more lines that are fields; each line may begin one. */
#define FIELDS_MAX 16

static bool other_mail(struct str line, struct str rest)
{
	unsigned seen = 0, one;

	if (str_starts(line, "---") && (str_find(line, "Original Message---") >= 0 ||
					str_find(line, "Original Message ---") >= 0 ||
					str_find(line, "Forwarded Message ---") >= 0 ||
					str_find(line, "Forwarded message ---") >= 0))
		return true;
	for (int i = 0; i < FIELDS_MAX && (one = field_of_mail(line)); i++) {
		seen |= one;
		if (!str_line(&rest, &line))
			break;
	}
	/* From, and the title or the time */
	return (seen & 1) && (seen & 14);
}

/* What a line may begin, to the end of the text or until something ends it. */
enum part {
	PART_TEXT,
	PART_BELOW,	/* scissors */
	PART_SIGNATURE, /* until a quote: some have theirs above it */
	PART_FIELDS,	/* of another mail: when a quote follows, an attribution */
	PART_MAIL,
};

static enum part begins(struct str line, struct str rest)
{
	struct str next;

	/* nearly all that begin so are quoted */
	if (line.p[0] == '>' && (line.len < 2 || !strchr("8%", line.p[1])))
		return PART_TEXT;
	/* Some have "--" for it, and some draw a line above a tag so. */
	if (str_eqc(line, "--"))
		return str_line(&rest, &next) && trailer_is_known(next) ? PART_TEXT
									: PART_SIGNATURE;
	if (str_eqc(str_trim_end(line), "--"))
		return PART_SIGNATURE;
	if (strchr("-FSDTCMIfsdtcmi", line.p[0]) && other_mail(line, rest))
		return PART_FIELDS;
	return strchr("-<>8%", line.p[0]) && scissors(line) ? PART_BELOW : PART_TEXT;
}

static enum line_kind kind_of(enum part part, struct line *l)
{
	if (part >= PART_SIGNATURE)
		return LINE_OFF;
	if (!l->text.len)
		return LINE_BLANK;
	if (l->depth)
		return LINE_QUOTED;
	if (line_is_cut(str_trim(l->text)))
		return LINE_CUT;
	return part == PART_BELOW ? LINE_BELOW : LINE_TEXT;
}

void lines_read(struct str text, struct lines *ret)
{
	struct str rest = text, s;
	enum part part = PART_TEXT, next;
	struct hunk h = { 0 };

	while (str_line(&rest, &s)) {
		struct line l = { .text = str_trim_end(s) };
		bool quoted = read_quote(&l);

		next = s.len && part < PART_FIELDS ? begins(s, rest) : PART_TEXT;
		if (next > part)
			part = next;
		else if (quoted && (part == PART_SIGNATURE || part == PART_FIELDS))
			part = PART_TEXT;
		else if (part == PART_FIELDS && l.text.len && !str_space(s.p[0]) &&
			 !field_of_mail(s))
			part = PART_MAIL;
		if (part < PART_SIGNATURE &&
		    (hunk_begins(s, &h) || in_hunk(s, &h) || diff_header(s, rest)))
			l.kind = LINE_DIFF;
		else
			l.kind = kind_of(part, &l);
		vec_grow(ret->v, ret->n, ret->cap);
		ret->v[ret->n++] = l;
	}
	lines_mark_intros(ret);
}
