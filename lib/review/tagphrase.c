// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagphrase.c - what people say about a tag in words: that it holds once something is
 * mended, what it is for.
 *
 * The rules are patterns (phrase.h) on the sentence that leads to the tag or goes on
 * behind it; none is made for one mail. A sentence farther up in that paragraph counts
 * when it also says that the patch is good.
 */
#include "series/mem.h"
#include "tag_priv.h"

/* "With that fixed", "once the nits are addressed", "assuming that it is so". */
static const char *const conditions[] = {
	"^ with ?@det ?@det !@patch ..4 @nit|@done",
	"^ with that|this|those|these|above !being|said|out|in|patch|series $",
	"^ with ..9 "
	"fixed|addressed|changed|removed|renamed|dropped|corrected|resolved|reworded|"
	"clarified|adjusted|tweaked|folded|squashed",
	"with ..5 "
	"fixed|addressed|changed|removed|renamed|dropped|corrected|resolved|reworded|"
	"clarified|adjusted|tweaked|folded|squashed",
	"once|after|until|when ..6 @done",
	"once|after|when|while|by ..2 @fixing",
	"once|after|when you|we ..3 @fix",
	"^ once|after !testing|reviewing|reading|looking|running|some ..9 "
	"can|may|could|free ..2 add",
	"^ after that|those|these|the @nit|re-org|reorg|reorganization|split|rework",
	"^ once the|this|that|these|those|your|you|we|it|all|there",
	"^ assuming",
	"@good assuming",
	"^ provided|providing !by|with|for",
	"^ modulo",
	"@good modulo",
	"as long as",
	"so long as",
	"on|under|with the|one condition|proviso",
	"conditional|contingent|conditionally on|upon",
	"subject to",
	"^ pending",
	"@good pending",
	"^ unless",
	"if you|we|they|it|that|this|these !need|have|do|want|end|happen|decide|plan|get|"
	"respin|resend|repost ..5 @fix|@done",
	"please|pls|just|could|can|should|would|must ..5 @fix !my ..9 "
	"then|feel|can|may|free ..3 "
	"add|take|include|have|put|stick|keep",
	NULL
};

/* What goes on behind a tag begins with one of these. */
static const char begins[] =
	"?but|and|only "
	"with|once|after|when|if|assuming|provided|providing|modulo|as|so|"
	"subject|pending|unless|conditional|contingent|on|under|until";

/* The same words, and yet no condition. */
static const char *const no_conditions[] = { "with that|this ?being said",
					     "with or without",
					     "^ with ..3 @patch applied", NULL };

/* "You can add": after a request it holds when that is done. */
static const char *const grants[] = {
	"feel free to ..2 add|put|include|carry|keep|use|take|stick|apply",
	"free to add",
	"you|we|they can|may|could ..3 add|put|include|carry|keep|have|take|stick",
	"can|may|could be added",
	"then ..3 add|have|get",
	NULL
};

static const char *const requests[] = {
	"^ nit|nits|nitpick*|typo*|minor",
	"please|pls !feel|add|consider ..3 @fix|@fixing !my",
	"please|pls add a|an|the|some|more|comment|comments|documentation",
	"can|could|would|should you|we ..3 @fix",
	"should|must ?be ?@done @fix|@done",
	"needs|need to be ?@done",
	NULL
};

#define FOR_LEAD                                                                         \
	"add|acked|ack|acks|review|reviewed|good|fine|lgtm|tag|tags|free|r-b|rb|me|"     \
	"nack|"                                                                          \
	"nak|nacked|reviewed-by|acked-by|tested-by|tested|fwiw|mine|by|ok|okay|so|and|"  \
	"but|"                                                                           \
	"apply|applies|it|this|same"
#define ALL_OF "the|this|that|your|whole|entire|full|complete|all|of|patch|rest|v*"

static const char *const series_scopes[] = {
	"^ ?so|and|but|then|also|here for ?@det ?whole|entire|full|complete|patch ?patch "
	"series|patchset|patch-set|patchseries|set|lot|batch",
	FOR_LEAD " for|to ?@det ?whole|entire|full|complete|patch ?patch "
		 "series|patchset|patch-set|patchseries|set|lot|batch",
	"add ..4 to|for the|this|your ?whole|entire|full|complete series|patchset",
	"for|to the whole|entire|full|complete ..1 series|patchset",
	"for|to each ?of ?the|these|your patch|patches|them",
	"whole|entire|full|complete ?patch series|patchset|patch-set|patchseries|set|lot|"
	"batch|thing",
	"^ ?patch series|patchset $",
	"for|to|on|all all|both|these|the ?of "
	"?the|these|your|two|three|four|five|six|seven "
	"patches",
	"for|to|on all ?of ?them|these|it $",
	"^ for both|all $",
	NULL
};

#define PART_WORD                                                                        \
	"part|parts|bit|bits|side|portion|portions|piece|pieces|half|hunk|hunks|stuff|"  \
	"section|component|changes|change|code|driver|drivers|aspects|subsystem|files|"  \
	"pov|perspective|rest|binding|bindings|conversion"

static const char *const part_scopes[] = {
	"^ ?so|and|but|then|also ?only for|on !this|me|what|now !change|code|conversion "
	"..4 " PART_WORD,
	FOR_LEAD " for|on !this|me|what|now !change|code|conversion ..4 " PART_WORD,
	"^ ?only ?for the ..3 part|parts|bit|bits|side|portion|pieces "
	"look|looks|lgtm|is|are|"
	"seem|seems",
	"^ ?only ..3 part|parts|bits|portion $",
	"for this part|parts|bits $",
	"^ from !my|our|a|an|here ..4 pov|perspective|standpoint|side|viewpoint $",
	NULL
};

/* "For XFS:", and what is no part at all. */
static const char *const short_part = "^ ?and|so|but for !now|me|what|that|it|this|these|"
				      "those|the|all|both|record|reference|sure|example|"
				      "instance|some|reasons|completeness|good|real|free|"
				      "patch|patches|v* ..1 $";
static const char *const no_part[] = {
	"for this|the|these|that|those|your|all ?code change|changes|code|patch|patches|"
	"conversion|driver $",
	"thank|thanks for", NULL
};

/* The last sentence of a span. */
static struct span last_sentence(struct span s)
{
	size_t from, to;

	if (s.from >= s.to)
		return s;
	sentence_around(s.w, s.to - 1, &from, &to);
	return (struct span){ s.w, MAX(from, s.from), s.to };
}

static struct span first_sentence(struct span s)
{
	size_t from, to;

	if (s.from >= s.to)
		return s;
	sentence_around(s.w, s.from, &from, &to);
	return (struct span){ s.w, s.from, MIN(to, s.to) };
}

static char *span_text(struct span s)
{
	return words_text(s.w, s.from, s.to);
}

/* A scope in words, from "for" on when that is in it. */
static char *scope_text(struct span s)
{
	struct span lead;

	if (phrase_find(s, "for|to|on", &lead))
		s.from = lead.from;
	if (phrase_find(s, "look|looks|lgtm|is|are|seem|seems $", &lead) &&
	    lead.from > s.from)
		s.to = lead.from;
	return span_text(s);
}

static bool conditional(struct span s)
{
	/* What was tested, and not what is to be done. */
	if (s.from < s.to && phrase_find(s, "@test", NULL) &&
	    !phrase_find(s, "@good", NULL))
		return false;
	return phrase_any(s, conditions, NULL) && !phrase_any(s, no_conditions, NULL);
}

/* "With a better name:" and the tag, whatever it is that has to come. */
static bool led_by_with(struct span s)
{
	struct span at;
	struct str raw;

	if (s.from >= s.to ||
	    !phrase_find(s, "^ with !or|kind|best|warm|many|regards|respect", &at))
		return false;
	raw = s.w->v[s.to - 1].raw;
	return s.to - at.from < 9 && strchr(",:", raw.p[raw.len - 1]) &&
	       !phrase_any(s, no_conditions, NULL);
}

char *tag_condition(const char *type, struct span before, struct span above,
		    struct span behind)
{
	struct span last = last_sentence(before), one;

	/* "Tested-by" behind "With qemu:" */
	if (conditional(last) || (strcmp(type, "Tested-by") && led_by_with(last)))
		return span_text(last);
	for (size_t at = before.from; at < last.from; at = one.to) {
		one = first_sentence((struct span){ before.w, at, last.from });
		if (phrase_find(one, "@good", NULL) && conditional(one))
			return span_text(one);
	}
	if (phrase_any(last, grants, NULL))
		for (size_t at = above.from; at < above.to; at = one.to) {
			one = first_sentence((struct span){ above.w, at, above.to });
			if (phrase_any(one, requests, NULL))
				return span_text(one);
		}
	one = first_sentence(behind);
	return phrase_find(one, begins, &last) && last.from == one.from &&
			       conditional(one)
		       ? span_text(one)
		       : NULL;
}

/* ---- numbers of patches ---- */

static int by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* "3", "#3", "1-3", "02/13", "1,2,5": false when it is none of these. */
static bool read_numbers(struct str s, size_t *list, size_t *n)
{
	size_t from = 0, had = *n;
	bool range = false;

	if (s.len && s.p[0] == '#')
		s = str_n(s.p + 1, s.len - 1);
	while (s.len) {
		size_t digits = 0, number = 0;

		while (digits < s.len && digits < 4 && s.p[digits] >= '0' &&
		       s.p[digits] <= '9')
			number = number * 10 + (size_t)(s.p[digits++] - '0');
		if (!digits || !number || number > SCOPE_MAX)
			return *n = had, false;
		for (size_t k = range ? from + 1 : number; k <= number && *n < SCOPE_MAX;
		     k++)
			list[(*n)++] = k;
		from = number;
		s = str_n(s.p + digits, s.len - digits);
		if (s.len && s.p[0] == '/') {
			/* k/n: n is the whole */
			do
				s = str_n(s.p + 1, s.len - 1);
			while (s.len && s.p[0] >= '0' && s.p[0] <= '9');
		}
		if (!s.len)
			return true;
		if (!strchr(",-+&", s.p[0]))
			return *n = had, false;
		range = s.p[0] == '-';
		s = str_n(s.p + 1, s.len - 1);
	}
	return *n = had, false;
}

/* Numbers from word at on: "1, 3 and 5", "1 through 4". The word behind them. */
static size_t numbers_at(struct span s, size_t at, size_t *list, size_t *n)
{
	bool through = false;

	for (; at < s.to; at++) {
		struct str w = s.w->v[at].s;
		size_t had = *n;

		if (*n && word_is(w, "and|&|as|well|patch|patches|plus|+"))
			continue;
		if (*n && word_is(w, "to|through|thru|until|till|..")) {
			through = true;
			continue;
		}
		if (!read_numbers(w, list, n))
			break;
		if (through && had)
			for (size_t k = list[had - 1] + 1;
			     k < list[*n - 1] && *n < SCOPE_MAX; k++) {
				list[*n] = list[*n - 1];
				list[*n - 1] = k;
				(*n)++;
			}
		through = false;
		if (s.w->v[at].end >= END_SENTENCE)
			return at + 1;
	}
	return at;
}

/* "first three patches" */
static size_t first_patches(struct span s, size_t *list)
{
	static const char *const numbers[] = { "one|1",	  "two|2|couple", "three|3",
					       "four|4",  "five|5",	  "six|6",
					       "seven|7", "eight|8" };
	struct span at;

	if (!phrase_find(s, "for|to|on ?the first ..1 patch|patches", &at))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (phrase_find(at, numbers[i], NULL)) {
			for (size_t k = 0; k <= i; k++)
				list[k] = k + 1;
			return i + 1;
		}
	list[0] = 1;
	return phrase_find(at, "first patch", NULL);
}

static bool patch_scope(struct span s, struct tag *t)
{
	static const char *const leads[] = { "for|on|to ?the patch|patches|#",
					     "^ patch|patches", "^ ?so|and|but for|on|to",
					     NULL };
	size_t list[SCOPE_MAX + 1], n = first_patches(s, list), end = s.to;
	struct span at = s;

	for (size_t i = 0; !n && leads[i]; i++) {
		if (!phrase_find(s, leads[i], &at))
			continue;
		end = numbers_at(s, at.to, list, &n);
		/* "For 2 reasons" */
		if (i == 2 && end < s.to && s.w->v[end - 1].end < END_CLAUSE)
			n = 0;
	}
	if (!n)
		return false;
	qsort(list, n, sizeof(*list), by_number);
	t->scope_patches = xcalloc(n, sizeof(*list));
	for (size_t i = 0; i < n; i++)
		if (!i || list[i] != list[i - 1])
			t->scope_patches[t->n_scope_patches++] = list[i];
	t->scope = SCOPE_PATCHES;
	t->scope_words = words_text(s.w, at.from, MAX(end, at.to));
	return true;
}

static bool set_scope(struct span s, bool parts, struct tag *t)
{
	struct span at;
	bool thanks = phrase_find(s, "thank|thanks ..2 for", NULL);

	if (s.from >= s.to)
		return false;
	if (!thanks && phrase_any(s, series_scopes, &at) &&
	    !phrase_find(s, "rest of", NULL)) {
		t->scope = SCOPE_SERIES;
		t->scope_words = scope_text(at);
		return true;
	}
	if (patch_scope(s, t))
		return true;
	if (parts && !thanks && !phrase_any(s, no_part, NULL) &&
	    (phrase_any(s, part_scopes, &at) ||
	     (s.to - s.from < 5 && phrase_find(s, short_part, &at)))) {
		t->scope = SCOPE_PART;
		t->scope_words = scope_text(at);
		return true;
	}
	return false;
}

void tag_set_scope(struct tag *t, struct span before, struct span behind)
{
	struct span last = last_sentence(before), first;

	behind = first_sentence(behind);
	if (!set_scope(last, true, t))
		set_scope(behind,
			  phrase_find(behind, "for|from", &first) &&
				  first.from == behind.from,
			  t);
}
