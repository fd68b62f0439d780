/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phrase.h - plain English as words, and patterns of words: how people say in a mail what
 * no syntax exists for ("with that fixed", "for the whole series").
 *
 * A pattern is elements with blanks between:
 *	fix|fixed|fixes	one of these words, whatever its case; "nack*": begins so
 *	@class		one of the words of a class (phrase.c)
 *	?fix|fixed	the same or nothing
 *	!fix|fixed	the next word is none of these; it is not passed
 *	..4		up to four words
 *	^		the beginning of a clause
 *	$		the end of a clause
 * Words are views into the text they were read from. A pattern is a literal, or stays where
 * and as it is until the program ends: what was learnt of it is kept under its address.
 */
#ifndef SERIES_REVIEW_PHRASE_H
#define SERIES_REVIEW_PHRASE_H

#include "series/buf.h"
#include "series/str.h"

enum word_end {
	END_NONE,
	END_CLAUSE,   /* , ; : - ( */
	END_SENTENCE, /* . ! */
	END_QUESTION, /* ? */
};

struct word {
	struct str s;	   /* without the punctuation around it */
	struct str raw;	   /* with it */
	enum word_end end; /* what stands behind it */
	/* Was it looked up in the classes, and those it is in, a bit each. */
	bool asked;
	unsigned char sum; /* of its letters, to tell most words apart */
	unsigned in;
};

struct words {
	struct word *v;
	size_t n, cap;
};

void words_release(struct words *w);
#define _cleanup_words_ __attribute__((cleanup(words_release)))
/* Append the words of a line; none beyond WORDS_MAX, which no paragraph of a person has.
 */
#define WORDS_MAX 5000
void words_add(struct words *w, struct str line);
/* The last word ends a sentence, for a paragraph ends here. */
void words_close(struct words *w);
/* Is it one of "a|b|c*|@class"? */
bool word_is(struct str word, const char *alternatives);
/* The sentence that word at is in: [*ret_from, *ret_to). */
void sentence_around(const struct words *w, size_t at, size_t *ret_from, size_t *ret_to);
/* Words [from, to), at least one, as they stand, on one line, without , : ; . at the end.
 */
char *words_text(const struct words *w, size_t from, size_t to);

/* A piece of text: words [from, to). */
struct span {
	const struct words *w;
	size_t from, to;
};

/* The first place in the span where pattern fits; *ret is what it covers (may be NULL).
 */
bool phrase_find(struct span s, const char *pattern, struct span *ret);
/* The same for any of a list closed by NULL, in its order. */
bool phrase_any(struct span s, const char *const *patterns, struct span *ret);

#endif
