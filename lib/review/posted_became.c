// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_became.c - the patch of one posted version in another. See posted.h.
 */
#include <string.h>
#include "series/posted.h"

/* How surely b is a: the same mail, the same diff, the same title; 0: it is not. */
static int likeness(const struct posted_patch *a, const struct posted_patch *b)
{
	if (a->mail == NO_MAIL || b->mail == NO_MAIL)
		return 0;
	if (a->mail == b->mail)
		return 3;
	if (*a->patch_id && !strcmp(a->patch_id, b->patch_id))
		return 2;
	return *a->title && !strcmp(a->title, b->title) ? 1 : 0;
}

size_t posted_became(const struct posted *p, size_t from, size_t patch, size_t to)
{
	const struct posted_version *a = &p->v[from], *b = &p->v[to];
	size_t best = NO_MAIL;
	int sure = 0;

	if (a->series != b->series)
		return NO_MAIL;
	if (from == to || !patch)
		return patch;
	if (patch > a->total)
		return NO_MAIL;
	for (size_t k = 0; k < b->total; k++) {
		int like = likeness(&a->patch[patch - 1], &b->patch[k]);

		if (like > sure) {
			sure = like;
			best = k + 1;
		}
	}
	return best;
}
