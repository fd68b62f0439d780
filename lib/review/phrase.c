// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * phrase.c - see phrase.h.
 */
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include "phrase.h"
#include "series/mem.h"

/*
 * Classes that patterns name. "done" is what was asked for when it has happened, "fix"
 * what one asks for, "nit" what is to be mended.
 */
static const struct class
{
	const char *name, *words;
} classes[] = {
	{ "done",
	  "fixed|addressed|changed|removed|renamed|dropped|updated|corrected|resolved|"
	  "moved|"
	  "done|folded|squashed|cleaned|adjusted|tweaked|reworded|sorted|replaced|"
	  "clarified|"
	  "amended|added|reverted|split|handled|swapped|incorporated|tidied|documented|"
	  "extended|simplified|rewritten|adopted|included|restored|deleted|mentioned|"
	  "expanded|merged|reworked|modified|converted|improved|settled|fixed-up|"
	  "rephrased|"
	  "fulfilled|satisfied|accounted|eliminated|taken" },
	{ "fix",
	  "fix|address|change|remove|rename|drop|update|correct|resolve|move|fold|squash|"
	  "clean|adjust|tweak|reword|replace|clarify|amend|split|handle|swap|document|"
	  "extend|simplify|rewrite|restore|delete|mention|expand|rework|modify|convert|"
	  "rephrase|make|use|add|put|do|include|keep|merge" },
	{ "fixing",
	  "incorporating|fixing|addressing|changing|removing|renaming|dropping|updating|"
	  "correcting|"
	  "resolving|moving|folding|squashing|cleaning|adjusting|tweaking|rewording|"
	  "replacing|clarifying|amending|splitting|handling|reverting|doing" },
	{ "nit",
	  "nit|nits|nitpick*|typo*|fix|fixes|fixup|fixups|fixlet|change|changes|rename|"
	  "renames|renaming|update|updates|correction*|adjustment*|tweak|tweaks|"
	  "clarification*|comment|comments|suggestion*|modification*|addition*|caveat*|"
	  "remark*|issue|issues|feedback|cleanup|cleanups|concern*|improvement*|wording|"
	  "spelling|style|rewording|indentation|whitespace|removal" },
	{ "det",
	  "the|that|this|these|those|all|both|my|any|a|an|some|one|two|three|few|above|"
	  "below|your|our|couple|it|its|such" },
	{ "patch",
	  "patch|patches|series|patchset|patch-set|set|kernel|commit|commits|tree|branch|"
	  "version|config|configuration|option" },
	{ "good",
	  "good|great|fine|ok|okay|lgtm|happy|sane|correct|right|nice|reasonable|"
	  "sensible|"
	  "ack|acked|acked-by|review|reviewed|reviewed-by|tested|tested-by|r-b|rb|rvb|"
	  "tag|tags|add|a-b|t-b" },
	{ "test",
	  "tested|test|testing|tests|tried|built|booted|boots|boot|verified|checked|"
	  "reproduced|reproduce|ran|run|running|compiled|benchmarked|measured|works|pass|"
	  "passes|passed|working" },
};

void words_release(struct words *w)
{
	free(w->v);
	*w = (struct words){ 0 };
}

static enum word_end end_of(char c)
{
	switch (c) {
	case '.':
	case '!':
		return END_SENTENCE;
	case '?':
		return END_QUESTION;
	case ',':
	case ';':
	case ':':
	case '(':
	case ')':
		return END_CLAUSE;
	}
	return END_NONE;
}

/* Part of a word wherever it stands: what is no ASCII is a letter. */
static bool in_word(char c)
{
	return isalnum((unsigned char)c) || (signed char)c < 0 || c == '#' || c == '_';
}

static bool abbreviation(struct str s)
{
	return word_is(s, "e.g|i.e|etc|vs|cf|mr|dr|st");
}

/* A sum of a word that is the same for all that same() takes for one. */
static unsigned char sum_of(struct str s)
{
	unsigned sum = 0;

	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)tolower((unsigned char)s.p[i]);

		if (str_starts(str_n(s.p + i, s.len - i), "\xe2\x80\x99")) {
			c = '\'';
			i += 2;
		}
		sum = sum * 31 + c;
	}
	return (unsigned char)(sum ^ sum >> 8);
}

static void add_word(struct words *w, struct str raw)
{
	struct word new = { .raw = raw };
	size_t from = 0, to = raw.len;

	while (from < to && !in_word(raw.p[from]))
		from++;
	while (to > from && !in_word(raw.p[to - 1]))
		to--;
	new.s = str_n(raw.p + from, to - from);
	new.sum = sum_of(new.s);
	for (size_t i = to; i < raw.len; i++)
		new.end = MAX(new.end, end_of(raw.p[i]));
	if (new.end == END_SENTENCE && abbreviation(new.s))
		new.end = END_NONE;
	if (from == raw.len || word_is(raw, "#")) {
		/* A dash between blanks ends a clause; a smile ends nothing. */
		bool mark = word_is(raw, "-|--|.|!|?|:|;|,|...|(|=>|->|#");

		if (mark && w->n)
			w->v[w->n - 1].end =
				MAX(w->v[w->n - 1].end, MAX(new.end, END_CLAUSE));
		return;
	}
	if (from && raw.p[0] == '(' && w->n)
		w->v[w->n - 1].end = MAX(w->v[w->n - 1].end, END_CLAUSE);
	vec_grow(w->v, w->n, w->cap);
	w->v[w->n++] = new;
}

void words_add(struct words *w, struct str line)
{
	struct str raw;

	line = str_trim(line);
	while (w->n < WORDS_MAX && str_word(&line, &raw))
		add_word(w, raw);
}

void words_close(struct words *w)
{
	if (w->n)
		w->v[w->n - 1].end = MAX(w->v[w->n - 1].end, END_SENTENCE);
}

/* ASCII case folded; a printer's apostrophe is one. */
static bool same(struct str word, struct str lower)
{
	size_t i = 0;

	for (size_t k = 0; k < lower.len; k++) {
		if (i < word.len && lower.p[k] == '\'' &&
		    str_starts(str_n(word.p + i, word.len - i), "\xe2\x80\x99"))
			i += 3;
		else if (i < word.len && tolower((unsigned char)word.p[i]) == lower.p[k])
			i++;
		else
			return false;
	}
	return i == word.len;
}

/*
 * The words of all classes by their first letter. Classes are long, patterns many and
 * mails more: it is made once, and each word keeps what was found.
 */
struct class_word {
	struct str s; /* "typo*" too */
	unsigned in;
};
static struct {
	struct class_word *v;
	size_t n, cap, from[256 + 1];
} class_words;
static pthread_once_t class_once = PTHREAD_ONCE_INIT;

static void class_words_make(void)
{
	for (unsigned c = 0; c < 256; c++) {
		class_words.from[c] = class_words.n;
		for (unsigned i = 0; i < ARRAY_SIZE(classes); i++) {
			struct str rest = str_c(classes[i].words), s;

			while (str_cut(&rest, '|', &s)) {
				if ((unsigned char)s.p[0] != c)
					continue;
				vec_grow(class_words.v, class_words.n, class_words.cap);
				class_words.v[class_words.n++] =
					(struct class_word){ s, 1u << i };
			}
		}
	}
	class_words.from[256] = class_words.n;
}

static unsigned char first_letter(const struct word *w)
{
	return w->s.len ? (unsigned char)tolower((unsigned char)*w->s.p) : '\0';
}

/* Is the word one alternative, or does it begin as "typo*" says? */
static bool fits(struct str s, const char *p, size_t n)
{
	if (n && p[n - 1] == '*')
		return s.len >= n - 1 && same(str_n(s.p, n - 1), str_n(p, n - 1));
	return same(s, str_n(p, n));
}

static bool in_class(struct word *word, struct str name)
{
	if (!word->asked) {
		unsigned char c = first_letter(word);

		pthread_once(&class_once, class_words_make);
		for (size_t i = class_words.from[c]; i < class_words.from[c + 1]; i++)
			if (fits(word->s, class_words.v[i].s.p, class_words.v[i].s.len))
				word->in |= class_words.v[i].in;
		word->asked = true;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(classes); i++)
		if (str_eqc(name, classes[i].name))
			return word->in & 1u << i;
	return false;
}

static bool word_in(struct word *word, struct str alternatives)
{
	const char *p = alternatives.p, *end = p + alternatives.len, *next;
	char first = (char)first_letter(word);

	for (; p < end; p = next + 1) {
		next = memchr(p, '|', (size_t)(end - p));
		if (!next)
			next = end;
		/* this is asked for each word and pattern: most go by their first letter
		 */
		if (*p == '@' ? in_class(word, str_n(p + 1, (size_t)(next - p) - 1))
			      : *p == first && fits(word->s, p, (size_t)(next - p)))
			return true;
	}
	return false;
}

bool word_is(struct str word, const char *alternatives)
{
	struct word w = { .s = word };

	return word_in(&w, str_c(alternatives));
}

void sentence_around(const struct words *w, size_t at, size_t *ret_from, size_t *ret_to)
{
	size_t from = at, to = at;

	while (from > 0 && w->v[from - 1].end < END_SENTENCE)
		from--;
	while (to < w->n && w->v[to].end < END_SENTENCE)
		to++;
	*ret_from = from;
	*ret_to = MIN(to + 1, w->n);
}

char *words_text(const struct words *w, size_t from, size_t to)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	const char *end = w->v[to - 1].raw.p + w->v[to - 1].raw.len;

	for (const char *p = w->v[from].raw.p; p < end; p++) {
		if (!str_space(*p))
			buf_putc(&b, *p);
		else if (b.len && b.p[b.len - 1] != ' ')
			buf_putc(&b, ' ');
	}
	while (b.len && strchr(" ,:;.-", b.p[b.len - 1]))
		buf_truncate(&b, b.len - 1);
	return buf_take(&b);
}

/*
 * Which words may be one of some alternatives: a bit for the sum of each, and one for the
 * first letter of each that ends in "*".
 */
struct sieve {
	uint64_t word[4], begin;
};

static uint64_t letter_bit(unsigned char c)
{
	return (uint64_t)1 << (c & 63);
}

static void sieve_word(struct sieve *v, unsigned char sum)
{
	v->word[sum >> 6] |= (uint64_t)1 << (sum & 63);
}

static void sieve_add(struct sieve *v, struct str alternatives)
{
	struct str s;

	while (str_cut(&alternatives, '|', &s)) {
		if (s.len && *s.p != '@' && s.p[s.len - 1] != '*')
			sieve_word(v, sum_of(s));
		else if (s.len && *s.p != '@')
			v->begin |= letter_bit((unsigned char)*s.p);
		for (unsigned i = 0; s.len && *s.p == '@' && i < ARRAY_SIZE(classes); i++)
			if (str_eqc(str_n(s.p + 1, s.len - 1), classes[i].name))
				sieve_add(v, str_c(classes[i].words));
	}
}

static bool sieve_holds(const struct sieve *v, const struct word *w)
{
	return (v->word[w->sum >> 6] >> (w->sum & 63) & 1) ||
	       (v->begin & letter_bit(first_letter(w)));
}

/* Has the text (as a sieve of all its words) one that passes? */
static bool sieves_meet(const struct sieve *a, const struct sieve *b)
{
	uint64_t both = a->begin & b->begin;

	for (size_t i = 0; i < ARRAY_SIZE(a->word); i++)
		both |= a->word[i] & b->word[i];
	return both;
}

static struct sieve sieve_of(struct span s)
{
	struct sieve v = { { 0 }, 0 };

	for (size_t i = s.from; i < s.to; i++) {
		sieve_word(&v, s.w->v[i].sum);
		v.begin |= letter_bit(first_letter(&s.w->v[i]));
	}
	return v;
}

/* An element of a pattern, and the pattern: read once, for most words pass many of them.
 */
enum kind { WORD, MAYBE, NOT, UP_TO, BEGIN, END };
struct element {
	struct str s; /* the alternatives */
	struct sieve sieve;
	enum kind kind;
	unsigned most; /* of UP_TO */
};
#define ELEMENTS 12
struct pattern {
	const char *text;
	unsigned n;
	struct element v[ELEMENTS];
};

static struct element read_element(struct str e)
{
	struct element r = { .s = str_n(e.p + 1, e.len - 1) };

	switch (e.p[0]) {
	case '^':
		r.kind = BEGIN;
		return r;
	case '$':
		r.kind = END;
		return r;
	case '.':
		r.kind = UP_TO;
		r.most = (unsigned)(e.p[2] - '0');
		return r;
	case '!':
		r.kind = NOT;
		break;
	case '?':
		r.kind = MAYBE;
		break;
	default:
		r.kind = WORD;
		r.s = e;
	}
	sieve_add(&r.sieve, r.s);
	return r;
}

static void read_pattern(const char *text, struct pattern *p)
{
	struct str rest = str_c(text), e;

	for (p->text = text, p->n = 0; str_word(&rest, &e); p->n++) {
		if (p->n == ELEMENTS)
			abort(); /* ELEMENTS is too small for a pattern of ours */
		p->v[p->n] = read_element(e);
	}
}

/* Patterns are literals, so the address tells which one it is. */
#define SLOT_BITS 9
static const struct pattern *pattern_of(const char *text)
{
	static _Thread_local struct pattern known[1 << SLOT_BITS];
	struct pattern *p = &known[((uint64_t)(uintptr_t)text * 0x9e3779b97f4a7c15u) >>
				   (64 - SLOT_BITS)];

	if (p->text != text)
		read_pattern(text, p);
	return p;
}

static bool is_one_of(struct word *w, const struct element *e)
{
	return sieve_holds(&e->sieve, w) && word_in(w, e->s);
}

/* Where elements [k, n) end when they begin at word at; 0: no fit (at + 1 is meant). */
static size_t match(struct span s, size_t at, const struct pattern *p, unsigned k)
{
	size_t end;

	for (; k < p->n; k++) {
		const struct element *e = &p->v[k];
		bool here = at < s.to;

		switch (e->kind) {
		case BEGIN:
			if (at > s.from && s.w->v[at - 1].end < END_CLAUSE)
				return 0;
			break;
		case END:
			if (at > s.from && here && s.w->v[at - 1].end < END_CLAUSE)
				return 0;
			break;
		case NOT:
			if (here && is_one_of(&s.w->v[at], e))
				return 0;
			break;
		case MAYBE:
			if (here && is_one_of(&s.w->v[at], e) &&
			    (end = match(s, at + 1, p, k + 1)))
				return end;
			break;
		case UP_TO:
			for (size_t i = 0; i <= e->most && at + i <= s.to; i++)
				if ((end = match(s, at + i, p, k + 1)))
					return end;
			return 0;
		case WORD:
			if (!here || !is_one_of(&s.w->v[at], e))
				return 0;
			at++;
		}
	}
	return at + 1;
}

static bool find(struct span s, const struct sieve *words, const char *text,
		 struct span *ret)
{
	const struct pattern *p = pattern_of(text);

	for (unsigned k = 0; k < p->n; k++)
		if (p->v[k].kind == WORD && !sieves_meet(&p->v[k].sieve, words))
			return false;
	for (size_t i = s.from; i < s.to; i++) {
		size_t end = match(s, i, p, 0);

		if (!end)
			continue;
		if (ret)
			*ret = (struct span){ s.w, i, end - 1 };
		return true;
	}
	return false;
}

bool phrase_find(struct span s, const char *pattern, struct span *ret)
{
	struct sieve words = sieve_of(s);

	return find(s, &words, pattern, ret);
}

bool phrase_any(struct span s, const char *const *patterns, struct span *ret)
{
	struct sieve words = sieve_of(s);

	for (; s.from < s.to && *patterns; patterns++)
		if (find(s, &words, *patterns, ret))
			return true;
	return false;
}
