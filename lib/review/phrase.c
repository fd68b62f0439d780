// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * phrase.c - see phrase.h.
 */
#include <ctype.h>
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

static void add_word(struct words *w, struct str raw)
{
	struct word new = { .raw = raw };
	size_t from = 0, to = raw.len;

	while (from < to && !in_word(raw.p[from]))
		from++;
	while (to > from && !in_word(raw.p[to - 1]))
		to--;
	new.s = str_n(raw.p + from, to - from);
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

static bool word_in(struct word *word, struct str alternatives);

/* Classes are long and patterns many, so each word keeps what was found. */
static bool in_class(struct word *word, struct str name)
{
	for (unsigned i = 0; i < ARRAY_SIZE(classes); i++) {
		if (!str_eqc(name, classes[i].name))
			continue;
		if (!(word->asked & 1u << i) && word_in(word, str_c(classes[i].words)))
			word->in |= 1u << i;
		word->asked |= 1u << i;
		return word->in & 1u << i;
	}
	return false;
}

/* One alternative, n bytes at p. */
static bool is_one(struct word *word, const char *p, size_t n)
{
	struct str s = word->s;

	if (n && *p == '@')
		return in_class(word, str_n(p + 1, n - 1));
	if (n && p[n - 1] == '*')
		return s.len >= n - 1 && same(str_n(s.p, n - 1), str_n(p, n - 1));
	return same(s, str_n(p, n));
}

static bool word_in(struct word *word, struct str alternatives)
{
	const char *p = alternatives.p, *end = p + alternatives.len, *next;
	char first = word->s.len ? (char)tolower((unsigned char)*word->s.p) : '\0';

	for (; p < end; p = next + 1) {
		next = memchr(p, '|', (size_t)(end - p));
		if (!next)
			next = end;
		/* this is asked for each word and pattern: most go by their first letter
		 */
		if ((*p == first || *p == '@') && is_one(word, p, (size_t)(next - p)))
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

/* Where pattern ends when it begins at word at; 0: it does not fit (at + 1 is meant). */
static size_t match(struct span s, size_t at, struct str pattern)
{
	struct str e;
	size_t end;

	while (str_word(&pattern, &e)) {
		bool here = at < s.to;
		struct str rest = str_n(e.p + 1, e.len - 1);

		if (e.p[0] == '^') {
			if (at > s.from && s.w->v[at - 1].end < END_CLAUSE)
				return 0;
		} else if (e.p[0] == '$') {
			if (at > s.from && here && s.w->v[at - 1].end < END_CLAUSE)
				return 0;
		} else if (e.p[0] == '!') {
			if (here && word_in(&s.w->v[at], rest))
				return 0;
		} else if (e.p[0] == '?') {
			if (here && word_in(&s.w->v[at], rest) &&
			    (end = match(s, at + 1, pattern)))
				return end;
		} else if (str_starts(e, "..")) {
			size_t most = (size_t)(e.p[2] - '0');

			for (size_t i = 0; i <= most && at + i <= s.to; i++)
				if ((end = match(s, at + i, pattern)))
					return end;
			return 0;
		} else {
			if (!here || !word_in(&s.w->v[at], e))
				return 0;
			at++;
		}
	}
	return at + 1;
}

bool phrase_find(struct span s, const char *pattern, struct span *ret)
{
	struct str rest = str_c(pattern), first;
	bool clause, plain;

	/* Where it begins with a word, only there match() is asked. */
	str_word(&rest, &first);
	clause = first.p[0] == '^';
	if (clause)
		str_word(&rest, &first);
	plain = !strchr("^$!?.", first.p[0]);
	for (size_t i = s.from; i < s.to; i++) {
		size_t end;

		if ((clause && i > s.from && s.w->v[i - 1].end < END_CLAUSE) ||
		    (plain && !word_in(&s.w->v[i], first)))
			continue;
		end = match(s, i, str_c(pattern));
		if (!end)
			continue;
		if (ret)
			*ret = (struct span){ s.w, i, end - 1 };
		return true;
	}
	return false;
}

bool phrase_any(struct span s, const char *const *patterns, struct span *ret)
{
	for (; *patterns; patterns++)
		if (phrase_find(s, *patterns, ret))
			return true;
	return false;
}
