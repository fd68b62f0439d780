/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claim.h - what the text of a series says that it gains or costs: "33% faster", "2x
 * speedup", "from 10.7 s to 9.8 s", numbers before and after one below the other or in
 * two columns.
 *
 * Nothing is measured here: a claim is what somebody wrote, with what can be computed
 * from it. Percentages and factors are kept as they were said.
 */
#ifndef SERIES_CLAIM_H
#define SERIES_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include "series/buf.h"
#include "series/str.h"

enum claim_kind {
	CLAIM_SAID, /* in words: value is 33 with unit "%", or 2 with unit "x" */
	CLAIM_PAIR, /* before and after */
};

struct claim {
	enum claim_kind kind;
	char *text; /* the sentence, or what stands before the numbers; may be "" */
	const char
		*unit; /* of value, or of before and after: "%", "x", "ms", ""; static */
	double value;
	double before, after;	  /* means where there are several runs, both in unit */
	double change;		  /* (after - before) / before; NAN: before is 0 */
	size_t n_before, n_after; /* runs, 0: not said */
	/*
	 * Welch's test of the means, from the runs or from what is said of n and standard
	 * deviation; p is two-sided, NAN: it cannot be computed.
	 */
	double p;
	size_t line; /* of the text, from 1: where it, or its number after, stands */
};

struct claims {
	struct claim *v;
	size_t n, cap;
};

/*
 * Append what the text (of a cover letter or the message of a patch, UTF-8) claims, in
 * its order, CLAIMS_MAX at most in all. Quoted lines and diffs are passed over.
 */
#define CLAIMS_MAX 64
void claims_find(struct str text, struct claims *ret);
/*
 * A claim in words: "T1: 7.9 -> 2.1 s (-73.4 %)", with n and p where they are known; the
 * sentence where it was said in one.
 */
void claim_words(const struct claim *c, struct buf *out);
/* The largest computed change, "-73 %", else what was said first, "33%"; nothing if none. */
void claims_brief(const struct claims *c, struct buf *out);
void claims_release(struct claims *c);
#define _cleanup_claims_ __attribute__((cleanup(claims_release)))

#endif
