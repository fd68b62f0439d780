/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rangediff.h - two versions of a series set side by side: which patch became which, by
 * git range-diff, and what changed in it.
 */
#ifndef SERIES_RANGEDIFF_H
#define SERIES_RANGEDIFF_H

#include "series/git.h"

/* git-range-diff(1) prints them as "=", "!", "<" and ">". */
enum range_mark { RANGE_SAME, RANGE_CHANGED, RANGE_DROPPED, RANGE_NEW };
/* "unchanged", "changed", "dropped", "new". */
const char *range_mark_name(enum range_mark m);

struct range_pair {
	enum range_mark mark;
	size_t from, to; /* numbers of the patch in both, from 1; 0: it is not there */
	char from_id[OID_HEX], to_id[OID_HEX]; /* commits, "" when it is not there */
	bool moved;	 /* others that stayed overtook it, or it overtook them */
	struct str body; /* diff of the two patches, each line indented by four blanks */
	struct buf own;	 /* that the body is a view of, when the pair was joined */
};

struct rangediff {
	struct range_pair *v; /* in the order that git prints them */
	size_t n;
	struct buf text; /* that the other bodies are views of */
};

/*
 * Compare from_base..from_tip with to_base..to_tip. creation: 0 for git's own
 * --creation-factor, else 1 to 100. Free with rangediff_release(); E_FAIL has git's
 * words.
 */
int git_range_diff(struct repo *r, const char *from_base, const char *from_tip,
		   const char *to_base, const char *to_tip, int creation,
		   struct rangediff *ret, struct err *err);
/*
 * Make one pair of v[dropped] and v[added], which git found too unlike: it stands where
 * the added one stood, with the difference of the two as body; v[dropped] goes.
 */
int rangediff_join(struct repo *r, struct rangediff *d, size_t dropped, size_t added,
		   struct err *err);
void rangediff_release(struct rangediff *d);
#define _cleanup_rangediff_ __attribute__((cleanup(rangediff_release)))
/* What differs beside the code, each once: "Metadata" (the author), "Commit message",
 * "Notes". */
void range_pair_words(const struct range_pair *p, struct strvec *ret);

#endif
