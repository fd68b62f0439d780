/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listed_priv.h - the parts of listed_find().
 */
#ifndef SERIES_REVIEW_LISTED_PRIV_H
#define SERIES_REVIEW_LISTED_PRIV_H

#include "series/listed.h"

struct lister {
	const struct thread *t;
	const struct posted *p;
	struct tags tags;
	struct remarks remarks;
	struct listed_all *all;
	size_t *newest; /* of each series the version that its row is about */
};

/* listed_tags.c: the people who gave tags, and NAKs. */
void list_tags(struct lister *l);
/* listed_patches.c: what the patches of the newest version touch, and their ids. */
void list_patches(struct lister *l, size_t series);
/* A copy, unless it stands there. The list is sorted afterwards, see sort_once(). */
void push_lower(struct strvec *v, const char *email);
/* Sorted, each once. */
void sort_once(struct strvec *v);

#endif
