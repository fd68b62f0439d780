/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - where the patches of posted versions are in the draft, and by how much code
 * they differ from what they were.
 */
#ifndef DESK_FOLLOW_H
#define DESK_FOLLOW_H

#include "judgecache.h"
#include "series/series.h"

struct follow {
	const struct series *s; /* borrowed */
	struct judge_cache cache;
};

void follow_init(const struct series *s, struct follow *ret);
void follow_release(struct follow *f);
#define _cleanup_follow_ __attribute__((cleanup(follow_release)))
/*
 * The patch of the draft (from 1) that patch k (from 1) of a version has become, 0: it is
 * gone. By patch-id, by title, then from version to version, in the end by git
 * range-diff.
 */
int follow_patch(struct follow *f, const struct version *v, size_t k, size_t *ret,
		 struct err *err);
/* Two patches to be compared; NULL: none there. */
struct follow_pair {
	const struct patch *from, *to;
};
/*
 * Compare all of them at once, so that follow_lines() knows. Where commits are not here
 * that one says so. E_INTR.
 */
int follow_compare(struct follow *f, const struct follow_pair *v, size_t n,
		   struct err *err);
/*
 * Lines of code that only one of the two has, context and comments apart; *ret_code:
 * those outside of Documentation/. False: it could not be found out.
 */
bool follow_lines(const struct follow *f, const struct follow_pair *p, size_t *ret,
		  size_t *ret_code);

#endif
