/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patchlines.h - what patches add and remove, compared as bags of lines: where the lines
 * of a patch went that is gone, and where those of a new one come from.
 */
#ifndef SERIES_PATCHLINES_H
#define SERIES_PATCHLINES_H

#include "series/git.h"

/*
 * For each commit its added and removed lines ("+" or "-" in front, blanks folded),
 * sorted; lines without a letter or digit are left out. *ret has ids->n lists, which the
 * caller releases one by one and frees.
 */
int patchlines_read(struct repo *r, const struct strvec *ids, struct strvec **ret,
		    struct err *err);
/* a without b, each line of b taking one away. Both sorted. */
void patchlines_minus(const struct strvec *a, const struct strvec *b, struct strvec *ret);
/* How many lines of a are in b too. Both sorted. */
size_t patchlines_shared(const struct strvec *a, const struct strvec *b);

#endif
