/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judgecache.h - what became of patches from one version to the next, remembered.
 *
 * <common dir>/series/tags-judged has lines "WHAT FROM TO A B", each added by one write;
 * deleting it loses nothing.
 */
#ifndef DESK_JUDGECACHE_H
#define DESK_JUDGECACHE_H

#include "series/git.h"

struct judge_fact {
	char what; /* 'p': commit FROM is patch A below the tip TO, 0: is not there; 'c':
		      patch-ids FROM and TO differ by A lines, B of them of code */
	char from[OID_HEX], to[OID_HEX];
	size_t a, b;
};

struct judge_cache {
	char *path;
	struct judge_fact *v;
	size_t n, cap;
};

/* Nothing of another program can be in patch-ids of 40 zeros: no patch. */
#define NO_PATCH "0000000000000000000000000000000000000000"

void judge_cache_read(struct repo *r, struct judge_cache *ret);
void judge_cache_release(struct judge_cache *c);
const struct judge_fact *judge_cache_find(const struct judge_cache *c, char what,
					  const char *from, const char *to);
void judge_cache_add(struct judge_cache *c, char what, const char *from, const char *to,
		     size_t a, size_t b);

#endif
