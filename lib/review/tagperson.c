// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagperson.c - the person of a tag. A trailer is plain text and no header field: nothing
 * is unquoted, the last <...> with an "@" in it is the address, and what stands before it
 * is the name. Without an address a name has to look like one.
 */
#include <ctype.h>
#include "series/mem.h"
#include "tag_priv.h"

/* Words that begin a sentence and no name. */
#define PROSE                                                                            \
	"a|an|the|this|that|these|those|it|is|are|was|were|be|been|not|no|none|yes|"     \
	"nope|"                                                                          \
	"n/a|tbd|todo|if|when|once|as|and|or|but|for|from|to|in|on|of|with|without|by|"  \
	"please|thanks|thank|see|still|same|just|only|also|will|would|should|could|can|" \
	"can't|cannot|has|have|had|i|i'm|we|you|he|she|they|me|us|my|your|mine|yours|"   \
	"his|her|their|our|missing|pending|running|using|tag|tags|line|lines|trailer|"   \
	"trailers|above|below|maybe|someone|somebody|anyone|nobody|everyone|who|what|"   \
	"where|why|how|there|here|needs|need|ok|okay|lgtm"

/* "(name)" and "[name]" may be about anything; an address has one "@" and a dot. */
static bool is_address(struct str s)
{
	ptrdiff_t at = str_chr(s, '@');

	if (at < 1 || (size_t)at + 1 >= s.len)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (str_space(s.p[i]) || strchr("<>,;:\"()[]", s.p[i]))
			return false;
	return true;
}

/* A word of a name: a capital, an initial, a particle, letters of other scripts. */
static bool name_word(struct str w)
{
	while (w.len && strchr("\"'(", w.p[0]))
		w = str_n(w.p + 1, w.len - 1);
	while (w.len && strchr("\"'),.", w.p[w.len - 1]))
		w.len--;
	if (!w.len)
		return false;
	for (size_t i = 0; i < w.len; i++)
		if (!isalpha((unsigned char)w.p[i]) && (signed char)w.p[i] >= 0 &&
		    !strchr("'-.", w.p[i]))
			return false;
	return isupper((unsigned char)w.p[0]) || (signed char)w.p[0] < 0 ||
	       word_is(w,
		       "de|da|do|dos|del|den|der|di|du|la|le|van|von|ten|ter|bin|al|el|"
		       "y|zu|af|ibn");
}

/* Words up to "#", "(" or "[": a name by its look, one to five words. */
static bool name_only(struct str s)
{
	struct str w, rest = s;
	size_t n = 0;

	while (str_word(&rest, &w)) {
		if (!name_word(w) || ++n > 5)
			return false;
		/* a sentence goes on: "Nope. Not yet" */
		if (w.len > 3 && strchr(".!?;:", w.p[w.len - 1]))
			return false;
	}
	rest = s;
	return n && str_word(&rest, &w) && !word_is(w, PROSE);
}

/* The last <...> with an "@" in it, before a comment begins. */
static bool bracketed(struct str v, struct person *ret)
{
	for (size_t to = v.len; to-- > 0;) {
		size_t from = to;

		if (v.p[to] != '>')
			continue;
		while (from > 0 && v.p[from] != '<')
			from--;
		ret->email = str_trim(str_n(v.p + from + 1, to - from - (to > from)));
		if (v.p[from] != '<' || str_chr(ret->email, '@') < 0)
			continue;
		/* "A <a@example.org> # as B <b@example.org> asked" */
		ret->name = str_trim(str_n(v.p, from));
		if (str_find(ret->name, "> #") >= 0)
			continue;
		ret->rest = str_trim(str_n(v.p + to + 1, v.len - to - 1));
		return true;
	}
	return false;
}

/* "Ada Able <ada@example.org" without its end. */
static bool unclosed(struct str v, struct person *ret)
{
	ptrdiff_t open = str_chr(v, '<');

	if (open < 0 || !is_address(str_n(v.p + open + 1, v.len - (size_t)open - 1)))
		return false;
	ret->name = str_trim(str_n(v.p, (size_t)open));
	ret->email = str_n(v.p + open + 1, v.len - (size_t)open - 1);
	return true;
}

/* Too long for a name, or a sentence. */
static bool sentence(struct str name)
{
	struct str w, rest = name;
	size_t n = 0;
	bool prose = str_word(&rest, &w) && word_is(w, PROSE);

	for (rest = name; str_word(&rest, &w); n++)
		;
	return n > 8 || (prose && n > 1);
}

bool person_read(struct str value, struct person *ret)
{
	struct person p = { 0 };
	struct str v = str_trim(value), word, rest = v;
	size_t n = 0;

	if (!v.len || str_find(v, "://") >= 0)
		return false;
	if (bracketed(v, &p) || unclosed(v, &p)) {
		if (sentence(p.name))
			return false;
	} else if (str_word(&rest, &word) &&
		   (is_address(word) ||
		    (str_ends(word, ",") && is_address(str_n(word.p, word.len - 1))))) {
		p.email = word;
		p.rest = str_trim(rest);
	} else {
		while (n < v.len && !strchr("#([<", v.p[n]))
			n++;
		p.name = str_trim(str_n(v.p, n));
		p.rest = str_trim(str_n(v.p + n, v.len - n));
		if (!name_only(p.name))
			return false;
	}
	if (person_is_model(p.name, p.email))
		return false;
	*ret = p;
	return true;
}

bool person_is_model(struct str name, struct str email)
{
	struct words w _cleanup_words_ = { 0 };
	struct span s;
	bool digit = false;

	if (str_istarts(email, "noreply@") || str_istarts(email, "no-reply@"))
		return true;
	words_add(&w, name);
	if (!w.n)
		return false;
	s = (struct span){ &w, 0, w.n };
	for (size_t i = 0; i < name.len; i++)
		digit = digit || isdigit((unsigned char)name.p[i]);
	if (phrase_find(s,
			"chatgpt*|gpt*|copilot|deepseek*|openai|codex|coderabbit*|llama*|"
			"qwen*|sashiko*",
			NULL))
		return true;
	return phrase_find(s, "claude*|gemini*|grok*|mistral*|devstral*", NULL) &&
	       (digit || phrase_find(s,
				     "opus|sonnet|haiku|code|pro|flash|ai|bot|assistant|"
				     "anthropic|google|xai|cli",
				     NULL));
}

/* Words of a name without marks, "Doe, Jane" in the order of "Jane Doe". */
static void name_words(const char *name, struct words *ret)
{
	struct str s = str_c(name);
	ptrdiff_t cut = str_find(s, " via ");

	if (cut > 0)
		s.len = (size_t)cut;
	cut = str_chr(s, '(');
	if (cut > 0)
		s.len = (size_t)cut;
	words_add(ret, s);
	if (ret->n > 1 && str_ends(ret->v[0].raw, ",")) {
		struct word first = ret->v[0];

		memmove(ret->v, ret->v + 1, (ret->n - 1) * sizeof(first));
		ret->v[ret->n - 1] = first;
	}
}

/* Names that begin with other letters are not one, unless their words may be turned. */
static bool differ_at_once(const char *a, const char *b)
{
	return tolower((unsigned char)*a) != tolower((unsigned char)*b) &&
	       !strpbrk(a, ",\"'") && !strpbrk(b, ",\"'");
}

bool name_same(const char *a, const char *b, bool first_will_do)
{
	struct words x _cleanup_words_ = { 0 }, y _cleanup_words_ = { 0 };
	size_t i = 0;

	if (differ_at_once(a, b))
		return false;
	name_words(a, &x);
	name_words(b, &y);
	while (i < x.n && i < y.n && str_ieq(x.v[i].s, y.v[i].s))
		i++;
	return i && ((i == x.n && i == y.n) ||
		     (first_will_do && i == 1 && (x.n == 1 || y.n == 1)));
}
