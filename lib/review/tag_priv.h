/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tag_priv.h - what the files of tags share: tag.c names, tagperson.c people,
 * tagphrase.c what is said in words, tagfind.c texts, tagcollect.c threads.
 */
#ifndef SERIES_REVIEW_TAG_PRIV_H
#define SERIES_REVIEW_TAG_PRIV_H

#include "phrase.h"
#include "series/tag.h"

/* No name of a tag is longer. */
#define TAG_WORD_MAX 40
/* Nor has a series that is named in words more patches. */
#define SCOPE_MAX 999
/* No mail has more tags, but one that is made to take time. */
#define FOUND_MAX 200

void tag_release(struct tag *t);
/* Of a name that tag_type() gave. */
enum tag_kind tag_kind_of(const char *type);

/* ---- tagperson.c ---- */

struct person {
	struct str name, email; /* views; email.len 0: no address */
	struct str rest;	/* what stands behind the person: "# mm", "(arm64)" */
};

/* Who is named behind a colon? False: nobody. What has :// in it is a page. */
bool person_read(struct str value, struct person *ret);
/* Is it a program that writes and reviews text? Such give no tags. */
bool person_is_model(struct str name, struct str email);
/* One name in two orders or spellings of blanks and case; or is one only its first word?
 */
bool name_same(const char *a, const char *b, bool first_will_do);

/* ---- tagphrase.c: spans are what stands before and behind a tag ---- */

/* The sentence that makes a tag conditional, in fresh memory, or NULL. */
char *tag_condition(const char *type, struct span before, struct span above,
		    struct span behind);
/* Sets scope, scope_words and scope_patches. */
void tag_set_scope(struct tag *t, struct span before, struct span behind);

/* ---- taginformal.c ---- */

/* What is told without trailers in a paragraph: NAKs, retractions. Appends to *ret. */
void tag_informal(struct span paragraph, size_t line, struct tags *ret);

#endif
