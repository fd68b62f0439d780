// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * taginformal.c - what people say without a trailer: that they are against a patch, or
 * take a tag back.
 *
 * A NAK is also a signal on many a bus, so only a sentence that begins with the word, or
 * says that this is one, counts; a question never does.
 */
#include <ctype.h>
#include "series/mem.h"
#include "tag_priv.h"

#define NAK "nak|nack"
#define FORCE                                                                            \
	"big|strong|hard|firm|clear|another|soft|definite|absolute|obvious|huge|total"

/* From the beginning of a sentence on. */
static const char *const naks[] = {
	"^ ?so|and|but|sorry|then|still|again|therefore|hence|thus|definitely|also "
	"?but|a|an|"
	"my ?" FORCE " " NAK " $",
	"^ ?so|and|but|sorry|then|still|again|therefore|hence|thus|definitely|also "
	"?a|an|my ?" FORCE " " NAK
	" to|for|on|this|that|from|again|as|because|since|until|unless|these|"
	"those|it|both|here|too|and",
	"^ " NAK " the|your ..2 patch|series|idea|change|approach|patchset|revert|thing",
	"^ ?so|and|but|then i|i'm|i'd|i'll|we "
	"?am|will|have|would|must|hereby|just|strongly|"
	"still|going|like ?to " NAK "|naking|nacking this|it|the|that|these|your",
	"^ ?so|but|and|please this|that|it|it's|that's|here's|consider|take|still "
	"?is|remains|"
	"this|it|still ?still|also ?a|an|my|as|is ?a|an ?" FORCE " " NAK " $",
	"^ ?so|but|and|please this|that|it|it's|that's|here's|consider|take|still "
	"?is|remains|"
	"this|it|still ?still|also ?a|an|my|as|is ?a|an ?" FORCE " " NAK
	" from|to|for|on|"
	"until|unless",
	NULL
};

/* Anywhere in it. */
static const char *const naks_within[] = {
	"i|i'm|am|we ?am inclined|tempted|afraid|going|have|need ?i ?have ?to " NAK
	" this|it|that|the|these",
	NULL
};

#define DROP                                                                             \
	"revoke|withdraw|retract|rescind|remove|drop|delete|strip|discard|disregard|"    \
	"ignore|cancel|scratch|revoking|withdrawing|retracting|rescinding|unack"

/* What goes, and the words for it. */
static const struct {
	const char *type, *words;
} given[] = {
	{ "Acked-by", "ack|acks|acked|acked-by|acked-bys|a-b|acked-by's" },
	{ "Reviewed-by",
	  "review|reviewed|reviewed-by|reviewed-bys|r-b|rb|rvb|r-by|r-bs" },
	{ "Tested-by", "tested|tested-by|t-b|tested-bys" },
	{ "Nacked-by", "nak|nack|nacked-by|objection|objections" },
	{ "Signed-off-by", "sob|s-o-b|signed-off-by|signoff|sign-off" },
	{ "Suggested-by", "suggested-by" },
	{ "Reported-by", "reported-by" },
	{ "", "tag|tags|approval|trailer|trailers" },
};

static bool refused(struct span s)
{
	return phrase_find(s,
			   "no|not|don't|doesn't|didn't|without|never|why|rather|instead|"
			   "shouldn't|won't|wouldn't|needn't|did|unnecessary|n't",
			   NULL);
}

static struct tag *add(struct tags *ret, enum tag_kind kind, const char *type,
		       struct span s, size_t line)
{
	struct tag *t;

	vec_grow(ret->v, ret->n, ret->cap);
	t = &ret->v[ret->n++];
	*t = (struct tag){ .kind = kind,
			   .type = xstrdup(type),
			   .value = words_text(s.w, s.from, s.to),
			   .name = xstrdup(""),
			   .email = xstrdup(""),
			   .line = line,
			   .informal = true,
			   .proposal = NO_MAIL,
			   .retracted_by = NO_MAIL };
	tag_set_scope(t, s, (struct span){ s.w, s.to, s.to });
	return t;
}

static bool is_nak(struct span s)
{
	struct span at;

	for (size_t i = 0; naks[i]; i++)
		if (phrase_find(s, naks[i], &at) && at.from == s.from)
			/* in small letters it may be code, "nack:" */
			return s.to - s.from == 1 ||
			       isupper((unsigned char)s.w->v[s.from].s.p[0]);
	return phrase_any(s, naks_within, NULL);
}

/* "I revoke my Ack": the type that goes, else NULL. */
static const char *retracted(struct span s, bool question)
{
	static const char *const asks[] = { "please|pls", "can|could|would you", NULL };
	struct span verb, noun;

	if (!phrase_find(s, DROP " ?back ?all my|mine", &verb) &&
	    !phrase_find(s, "take|taking back my", &verb) &&
	    !phrase_find(s, "take|taking my", &verb))
		return NULL;
	if (refused((struct span){ s.w, s.from, verb.from }) ||
	    (question && !phrase_any(s, asks, NULL)))
		return NULL;
	noun = (struct span){ s.w, verb.to, MIN(verb.to + 3, s.to) };
	for (size_t i = 0; i < ARRAY_SIZE(given); i++) {
		struct span at;

		if (!phrase_find(noun, given[i].words, &at))
			continue;
		if (at.to < s.to &&
		    word_is(s.w->v[at.to].s, "comment|comments|mail|email|remarks"))
			return NULL;
		/* "take my ack" is not "take my ack back" */
		if (word_is(s.w->v[verb.from].s, "take|taking") &&
		    !phrase_find((struct span){ s.w, verb.from, s.to }, "back", NULL))
			return NULL;
		return given[i].type;
	}
	return NULL;
}

void tag_informal(struct span paragraph, size_t line, struct tags *ret)
{
	const char *counted = paragraph.from < paragraph.to
				      ? paragraph.w->v[paragraph.from].raw.p
				      : NULL;
	size_t from, to;

	for (size_t at = paragraph.from; at < paragraph.to && ret->n < FOUND_MAX;
	     at = to) {
		struct span s;
		bool question, nak = false, my = false;
		const char *type;

		sentence_around(paragraph.w, at, &from, &to);
		to = MIN(to, paragraph.to);
		s = (struct span){ paragraph.w, at, to };
		for (; counted < s.w->v[at].raw.p; counted++)
			line += *counted == '\n';
		question = s.w->v[to - 1].end == END_QUESTION;
		for (size_t i = at; i < to; i++) {
			nak = nak || str_istarts(s.w->v[i].s, "na");
			my = my || str_ieqc(s.w->v[i].s, "my");
		}
		if (nak && !question && is_nak(s))
			add(ret, TAG_NAK, "Nacked-by", s, line);
		else if (my && (type = retracted(s, question))) {
			struct tag *t = add(ret, TAG_RETRACTION, type, s, line);

			if (phrase_find(s, "if|unless|otherwise|case", NULL))
				t->condition = words_text(s.w, s.from, s.to);
		}
	}
}
