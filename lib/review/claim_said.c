// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * claim_said.c - claims in words: a percentage or a factor in a sentence that says what
 * became better or worse, and "from 35% to 5%".
 */
#include <string.h>

#include "claim_priv.h"
#include "phrase.h"
#include "series/mem.h"

/* A sentence without one of these says of a number something else. */
#define GAINS                                                                            \
	"improve*|faster|quicker|speedup*|speed-up*|speeds|speed|sped|reduc*|increas*|"  \
	"decreas*|regress*|slower|slowdown*|slow-down*|gain*|better|worse|drop|drops|"   \
	"dropped|lower|lowers|higher|boost*|save|saves|saved|saving*|degrad*|uplift*|"   \
	"cut|cuts|throughput|overhead|shorter|longer|penalty"

/* What a percentage is part of when it is no change: "10% of the pages". */
#define PARTS "of|cpu|confidence|utilization|usage|full|free|idle|busy|similar"

static const char *text_end(struct str s)
{
	return s.p + s.len;
}

/* Words [from, to) of w are one sentence: is number n, which stands in it, a change? */
static bool is_change(const struct words *w, size_t from, size_t to,
		      const struct number *n, struct str text)
{
	struct span s = { w, from, to };

	if (!phrase_find(s, GAINS, NULL))
		return false;
	for (size_t i = from; i < to; i++) {
		struct str raw = w->v[i].raw;

		/* "tolerance to 15%", "--vm-bytes 150%": what something is set to */
		if (raw.p < text.p + n->from && i + 1 < to &&
		    w->v[i + 1].raw.p + w->v[i + 1].raw.len >= text.p + n->to &&
		    (word_is(w->v[i].s, "to|at") || str_starts(raw, "--")))
			return false;
		if (raw.p >= text.p + n->to)
			return n->unit->dim == DIM_FACTOR || !word_is(w->v[i].s, PARTS);
	}
	return true;
}

/* "from 10.7 s to 9.8 s": the second number, when the first is such a one. */
static bool pair_after(struct str text, const struct number *a, struct number *ret)
{
	static const char *const joints[] = {
		"to around ", "to about ",     "to approximately ",
		"down to ",   "up to ",	       "to ~",
		"to ",	      "-> ",	       "->",
		"=> ",	      "\xe2\x86\x92 ", "\xe2\x86\x92"
	};
	struct str between = str_trim(str_n(text.p + a->to, text.len - a->to));

	for (size_t i = 0; i < ARRAY_SIZE(joints); i++) {
		struct str rest = between;
		size_t at;

		if (!str_skip(&rest, joints[i]))
			continue;
		at = (size_t)(rest.p - text.p);
		return number_next(text, at, ret) && ret->from <= at + 1 &&
		       text.p + ret->from <= text_end(text);
	}
	return false;
}

/* Is "from", or an arrow behind it, what makes it the first of a pair? */
static bool pair_before(struct str text, const struct number *a)
{
	struct str lead = str_trim_end(str_n(text.p, a->from));
	struct str rest = str_n(text.p + a->to, text.len - a->to);

	rest = str_trim(rest);
	if (str_starts(rest, "->") || str_starts(rest, "=>") ||
	    str_starts(rest, "\xe2\x86\x92"))
		return true;
	while (lead.len && strchr("~<>", lead.p[lead.len - 1]))
		lead.len--;
	lead = str_trim_end(lead);
	for (size_t words = 0; words < 2 && lead.len; words++) {
		size_t from = lead.len;

		while (from && !str_space(lead.p[from - 1]))
			from--;
		if (word_is(str_n(lead.p + from, lead.len - from), "from"))
			return true;
		if (!word_is(str_n(lead.p + from, lead.len - from),
			     "about|around|approximately|roughly|nearly|~"))
			return false;
		lead = str_trim_end(str_n(lead.p, from));
	}
	return false;
}

/* "from 14% to 35% reduction": two changes, and not before and after. */
static bool is_range(struct str text, const struct number *second)
{
	struct str rest = str_n(text.p + second->to, text.len - second->to), w;

	return second->unit->dim == DIM_PERCENT && str_word(&rest, &w) &&
	       word_is(w, GAINS);
}

static void say(struct claims *ret, const struct number *n, const struct words *w,
		size_t from, size_t to, size_t line)
{
	struct claim c = { .kind = CLAIM_SAID,
			   .text = words_text(w, from, to),
			   .unit = n->unit->name,
			   .value = n->value,
			   .change = __builtin_nan(""),
			   .p = __builtin_nan(""),
			   .line = line };

	claim_add(ret, &c);
}

/* All numbers of one sentence, which are bytes [start, end) of the text. */
static void sentence(struct str text, const struct words *w, size_t from, size_t to,
		     size_t line, struct claims *ret)
{
	size_t at = (size_t)(w->v[from].raw.p - text.p);
	size_t end = (size_t)(text_end(w->v[to - 1].raw) - text.p);
	struct str upto = str_n(text.p, end);
	struct number n, second;
	bool said = false;

	while (number_next(upto, at, &n)) {
		at = n.to;
		if (pair_before(upto, &n) && pair_after(upto, &n, &second) &&
		    !is_range(upto, &second)) {
			char *words = words_text(w, from, to);

			at = second.to;
			said = true;
			if (!n.unit->dim) /* "from 12 to 10 seconds" */
				n.unit = second.unit;
			if (n.unit->dim && n.unit->dim != DIM_FACTOR)
				claim_add_pair(ret, n, second, str_c(words), line);
			free(words);
			continue;
		}
		if (said || (n.unit->dim != DIM_PERCENT && n.unit->dim != DIM_FACTOR) ||
		    !is_change(w, from, to, &n, text))
			continue;
		say(ret, &n, w, from, to, line);
		said = true;
	}
}

void claims_said(struct str paragraph, size_t line, struct claims *ret)
{
	struct words w _cleanup_words_ = { 0 };
	struct number n;
	size_t from = 0, to;

	if (!number_next(paragraph, 0, &n))
		return;
	words_add(&w, paragraph);
	words_close(&w);
	for (; from < w.n; from = to) {
		size_t first;

		sentence_around(&w, from, &first, &to);
		sentence(paragraph, &w, from, to, line, ret);
	}
}
