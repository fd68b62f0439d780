/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.h - the commits from a head back along first parents, and whose they are.
 */
#ifndef SERIES_LINE_H
#define SERIES_LINE_H

#include <stddef.h>
#include "internal.h"

struct line_commit {
	char id[OID_HEX];
	bool mine; /* the user committed it */
	bool merge;
};

struct line {
	struct line_commit *v; /* v[0] is the head */
	size_t n;
	bool cut; /* it ends because a commit is missing: a shallow clone */
};

/* At most max commits; an error only when head itself cannot be read. */
int line_walk(struct repo *r, const struct config *c, const char *head, size_t max,
	      struct line *ret, struct err *err);
void line_release(struct line *l);
/* Index of a commit: so many commits are on top of it. -1 when it is not there. */
ptrdiff_t line_at(const struct line *l, const char *id);
/* Is any of [from, to) the user's (mine), or anybody else's (!mine)? */
bool line_any(const struct line *l, ptrdiff_t from, ptrdiff_t to, bool mine);
/* First commit back that somebody else committed, with only the user's on top; -1. */
ptrdiff_t line_boundary(const struct line *l);

#endif
