// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagfind.c - the tags in one text: lines are told apart (replylines.c), those that are
 * tags are read with what belongs to them on the lines below, and then the words around
 * each are asked for conditions and what it is for (tagphrase.c).
 */
#include <ctype.h>
#include "series/mem.h"
#include "tag_priv.h"
#include "replylines.h"

/* A tag and the lines it takes, [from, to). */
struct found {
	struct tag tag;
	char *rest;	 /* what stands behind the person */
	struct str lead; /* what stands before it on its own line */
	size_t from, to;
};

struct finder {
	struct lines lines;
	struct found *v;
	size_t n, cap;
};

static struct str line_at(const struct finder *f, size_t i)
{
	if (i >= f->lines.n || f->lines.v[i].kind != LINE_TEXT)
		return STR_LIT("");
	return str_trim(f->lines.v[i].text);
}

/* "Reviewed-by :" -> the word and what stands behind the colon. */
static const char *tag_word(struct str line, struct str *ret_value, bool *ret_misspelt)
{
	ptrdiff_t colon =
		str_chr(str_n(line.p, MIN(line.len, (size_t)TAG_WORD_MAX)), ':');
	const char *type;

	if (colon < 2 || !isalpha((unsigned char)line.p[0]))
		return NULL;
	type = tag_type(str_n(line.p, (size_t)colon), ret_misspelt);
	*ret_value = str_trim(str_n(line.p + colon + 1, line.len - (size_t)colon - 1));
	return type;
}

static bool hash_first(struct str value)
{
	size_t n = 0;

	if (str_istarts(value, "commit "))
		value = str_trim(str_n(value.p + 7, value.len - 7));
	while (n < value.len && isxdigit((unsigned char)value.p[n]))
		n++;
	return n >= 7 && n <= 64 && (n == value.len || strchr(" (,:\"", value.p[n]));
}

/* Only an address, with or without <>. */
static bool only_address(struct str s)
{
	struct person p;

	return person_read(s, &p) && p.email.len && !p.name.len && !p.rest.len;
}

/*
 * The person behind the colon, on this line or with the next: a mailer or an editor broke
 * it. *ret_next: both lines are meant; value then is both on one line, in fresh memory.
 */
static bool person_on_lines(const struct finder *f, size_t at, struct str value,
			    char **ret, bool *ret_next)
{
	struct str next = line_at(f, at + 1), word;
	struct person p;
	bool misspelt, alone = person_read(value, &p);
	bool indented, open = str_chr(value, '<') >= 0 && str_chr(value, '>') < 0;

	*ret_next = false;
	if ((alone && p.email.len) || !next.len || tag_word(next, &word, &misspelt)) {
		*ret = alone ? str_dup(value) : NULL;
		return alone;
	}
	indented = str_space(f->lines.v[at + 1].text.p[0]);
	if (open || indented || !value.len || only_address(next)) {
		char *both = xasprintf(STR_FMT "%s" STR_FMT, STR_ARG(value),
				       value.len && !open ? " " : "", STR_ARG(next));

		if (person_read(str_c(both), &p) && p.email.len) {
			*ret_next = true;
			*ret = both;
			return true;
		}
		free(both);
	}
	*ret = alone ? str_dup(value) : NULL;
	return alone;
}

/* "[mm parts]" below a tag; not "[...]", which stands for text that was cut, nor "[1]".
 */
static char *note_at(const struct finder *f, size_t at, size_t *ret_to)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	bool letters = false;

	for (size_t i = at; i < at + 4; i++) {
		struct str s = line_at(f, i);

		if (!s.len || (i == at && s.p[0] != '['))
			return NULL;
		if (b.len)
			buf_putc(&b, ' ');
		buf_addstr(&b, s);
		for (size_t k = 0; k < s.len; k++)
			letters = letters || isalpha((unsigned char)s.p[k]);
		if (s.p[s.len - 1] != ']')
			continue;
		if (!letters)
			return NULL;
		*ret_to = i + 1;
		return buf_take(&b);
	}
	return NULL;
}

static struct str unquoted(struct str name)
{
	if (name.len > 1 && name.p[0] == '"' && name.p[name.len - 1] == '"')
		return str_n(name.p + 1, name.len - 2);
	return name;
}

static void set_person(struct tag *t, const struct person *p)
{
	t->name = str_dup(unquoted(p->name));
	t->email = str_dup(p->email);
}

/* Tags that name no person: what is right behind the colon of each? */
static bool other_value(const char *type, struct str value)
{
	if (!strcmp(type, "Fixes"))
		return hash_first(value);
	return str_find(value, "://") >= 0;
}

static bool names_nobody(const char *type)
{
	return !strcmp(type, "Fixes") || !strcmp(type, "Link") || !strcmp(type, "Closes");
}

/* A tag that begins line at. */
static bool read_tag(const struct finder *f, size_t at, struct found *ret)
{
	struct str line = line_at(f, at), value;
	struct found r = { .from = at, .to = at + 1 };
	struct person p = { 0 };
	bool next = false;
	const char *type = tag_word(line, &value, &r.tag.misspelt);

	if (!type)
		return false;
	if (names_nobody(type)) {
		if (!other_value(type, value))
			return false;
		r.tag.value = str_dup(value);
	} else if (!person_on_lines(f, at, value, &r.tag.value, &next)) {
		return false;
	} else {
		person_read(str_c(r.tag.value), &p);
	}
	r.to += next;
	r.tag.type = xstrdup(type);
	r.tag.kind = tag_kind_of(type);
	set_person(&r.tag, &p);
	r.rest = str_dup(p.rest);
	r.tag.note = note_at(f, r.to, &r.to);
	*ret = r;
	return true;
}

/* Offset of the "y" of the first "by:", or -1. */
static ptrdiff_t by_colon(struct str line)
{
	const char *end = line.p + line.len, *at = line.p;

	for (; at < end && (at = memchr(at, ':', (size_t)(end - at))); at++)
		if (at - line.p > 1 && (at[-1] | 0x20) == 'y' && (at[-2] | 0x20) == 'b')
			return at - line.p - 1;
	return -1;
}

/*
 * A tag at the end of a line of text: "Looks good, Reviewed-by: A <a@example.org>". Only
 * with an address and nothing behind it, spelt as it should be, and where a clause ends
 * or it is handed over ("please add ...").
 */
static bool read_inline(const struct finder *f, size_t at, struct found *ret)
{
	struct str line = line_at(f, at), value, lead, word = STR_NULL, w;
	struct found r = { .from = at, .to = at };
	ptrdiff_t colon = by_colon(line);
	struct person p;
	const char *type;
	size_t from;

	if (colon < 8)
		return false;
	for (from = (size_t)colon; from > 0 && line.p[from - 1] != ' '; from--)
		;
	if (!from)
		return false;
	type = tag_word(str_n(line.p + from, line.len - from), &value, &r.tag.misspelt);
	lead = str_trim(str_n(line.p, from));
	if (!type || r.tag.misspelt || tag_kind_of(type) == TAG_SHOWN ||
	    !person_read(value, &p) || !p.email.len || !isalpha((unsigned char)lead.p[0]))
		return false;
	for (r.lead = lead; str_word(&lead, &w);)
		word = w;
	if (p.rest.len > 1 || (!strchr(",:;.!-", word.p[word.len - 1]) &&
			       !word_is(word, "add|then|have|get|is|also|so|and|a|for")))
		return false;
	r.tag.value = str_dup(value);
	r.tag.type = xstrdup(type);
	r.tag.kind = tag_kind_of(type);
	set_person(&r.tag, &p);
	*ret = r;
	return true;
}

static void find_tags(struct finder *f)
{
	for (size_t i = 0; i < f->lines.n && f->n < FOUND_MAX; i++) {
		struct found r;

		if (f->lines.v[i].kind != LINE_TEXT ||
		    (!read_tag(f, i, &r) && !read_inline(f, i, &r)))
			continue;
		r.tag.line = i + 1;
		r.tag.retracted_by = r.tag.proposal = NO_MAIL;
		vec_grow(f->v, f->n, f->cap);
		f->v[f->n++] = r;
		for (size_t k = r.from; k < r.to; k++)
			f->lines.v[k].kind = LINE_TAG;
		if (r.to > i)
			i = r.to - 1;
	}
}

/* Nothing but thanks: the sentence that matters stands above. */
static bool only_thanks(struct str s)
{
	struct str rest = s, w;
	size_t n = 0;

	if (!str_istarts(s, "thank") && !str_istarts(s, "cheers"))
		return false;
	while (n < 4 && str_word(&rest, &w))
		n++;
	return n < 4;
}

/* Nothing, or "-----": what is around goes together. */
static bool is_gap(const struct finder *f, size_t i)
{
	return f->lines.v[i].kind == LINE_BLANK || f->lines.v[i].kind == LINE_CUT;
}

/*
 * Nobody's sentence about a tag is longer; a mail that is made to take time has such
 * lines, and all of them are read for each of its tags.
 */
#define LOOK_BYTES 2000

/*
 * The words of the unquoted text above line at, at most LOOK_BACK lines of it, oldest
 * first; *ret_last is where the last paragraph begins.
 */
#define LOOK_BACK  40
#define LOOK_WORDS 2000
static void words_above(const struct finder *f, size_t at, struct words *w,
			size_t *ret_last)
{
	size_t from = at, to = at;
	bool text = false;

	while (to > 0 && (is_gap(f, to - 1) || f->lines.v[to - 1].kind == LINE_TAG ||
			  (f->lines.v[to - 1].kind == LINE_TEXT &&
			   only_thanks(line_at(f, to - 1)))))
		to--;
	for (from = to; from > 0 && to - from < LOOK_BACK; from--)
		if ((f->lines.v[from - 1].kind != LINE_TEXT && !is_gap(f, from - 1)) ||
		    f->lines.v[from - 1].text.len > LOOK_BYTES)
			break;
	*ret_last = 0;
	for (size_t i = from; i < to && w->n < LOOK_WORDS; i++) {
		bool blank = is_gap(f, i);

		if (blank)
			words_close(w);
		else if (!text)
			*ret_last = w->n;
		text = !blank;
		if (text)
			words_add(w, f->lines.v[i].text);
	}
	words_close(w);
}

/* What goes on below: on the next line, or in small letters behind an empty one. */
static void words_below(const struct finder *f, size_t at, struct words *w)
{
	bool near = true;
	struct str next;

	for (; at < f->lines.n; at++) {
		bool tag = f->lines.v[at].kind == LINE_TAG;

		if (!tag && !is_gap(f, at))
			break;
		near = tag;
	}
	next = line_at(f, at);
	if (!next.len ||
	    (!near && !islower((unsigned char)next.p[0]) && !strchr("(.", next.p[0])))
		return;
	for (size_t i = at; i < at + 6 && (next = line_at(f, i)).len; i++) {
		if (next.len > LOOK_BYTES)
			break;
		words_add(w, next);
	}
	words_close(w);
}

static void look_around(const struct finder *f, struct found *r)
{
	struct words above _cleanup_words_ = { 0 }, rest _cleanup_words_ = { 0 },
			   below _cleanup_words_ = { 0 };
	struct span run, before, none, behind;
	size_t last = 0;

	if (r->tag.kind == TAG_SHOWN)
		return;
	words_above(f, r->from, &above, &last);
	if (r->lead.len) {
		if (f->lines.v[r->from ? r->from - 1 : 0].kind != LINE_TEXT)
			last = above.n;
		else if (above.n)
			above.v[above.n - 1].end = END_NONE;
		words_add(&above, str_n(r->lead.p + r->lead.len -
						MIN(r->lead.len, (size_t)LOOK_BYTES),
					MIN(r->lead.len, (size_t)LOOK_BYTES)));
	}
	if (r->rest)
		words_add(&rest,
			  str_n(r->rest, MIN(strlen(r->rest), (size_t)LOOK_BYTES)));
	words_below(f, r->to > r->from ? r->to : r->from + 1, &below);
	run = (struct span){ &above, 0, above.n };
	before = (struct span){ &above, last, above.n };
	none = (struct span){ &below, 0, 0 };
	behind = (struct span){ &below, 0, below.n };
	r->tag.condition = tag_condition(r->tag.type, before, run,
					 (struct span){ &rest, 0, rest.n });
	if (!r->tag.condition)
		r->tag.condition = tag_condition(r->tag.type, none, none, behind);
	tag_set_scope(&r->tag, before, (struct span){ &rest, 0, rest.n });
	if (r->tag.scope == SCOPE_HERE)
		tag_set_scope(&r->tag, none, behind);
}

/* May a NAK or a retraction be in it? Most lines say no here. */
static bool may_tell(struct str s)
{
	for (size_t i = 1; i < s.len; i++) {
		char c = s.p[i] | 0x20, before = s.p[i - 1] | 0x20;

		/* "my", and what ends NAK and NACK */
		if ((c == 'y' && before == 'm') || (c == 'k' && before == 'a') ||
		    (c == 'k' && before == 'c' && i > 1 && (s.p[i - 2] | 0x20) == 'a'))
			return true;
	}
	return false;
}

static void find_informal(const struct finder *f, struct tags *ret)
{
	size_t to;

	for (size_t i = 0; i < f->lines.n; i = to + 1) {
		struct words w _cleanup_words_ = { 0 };
		bool may = false;

		for (to = i; to < f->lines.n && f->lines.v[to].kind == LINE_TEXT; to++)
			may = may || may_tell(f->lines.v[to].text);
		if (!may)
			continue;
		for (size_t k = i; k < to; k++)
			words_add(&w, f->lines.v[k].text);
		words_close(&w);
		tag_informal((struct span){ &w, 0, w.n }, i + 1, ret);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct tag *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

void tags_find(struct str text, struct tags *ret)
{
	struct finder f = { 0 };
	size_t had = ret->n;

	lines_read(text, &f.lines);
	find_tags(&f);
	for (size_t i = 0; i < f.n; i++) {
		look_around(&f, &f.v[i]);
		vec_grow(ret->v, ret->n, ret->cap);
		ret->v[ret->n++] = f.v[i].tag;
		free(f.v[i].rest);
	}
	find_informal(&f, ret);
	if (ret->n > had)
		qsort(ret->v + had, ret->n - had, sizeof(*ret->v), by_line);
	free(f.v);
	lines_release(&f.lines);
}
