/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claim_priv.h - numbers with their units, shared by claim.c (pairs of numbers) and
 * claim_said.c (what is said in words).
 */
#ifndef REVIEW_CLAIM_PRIV_H
#define REVIEW_CLAIM_PRIV_H

#include "series/claim.h"

/* Units of one dimension can be compared; 0: none, a plain number. */
enum dimension {
	DIM_NONE,
	DIM_PERCENT,
	DIM_FACTOR,
	DIM_TIME,
	DIM_RATE,
	DIM_BYTES,
	DIM_OTHER
};

struct unit {
	const char *name; /* as it is shown */
	enum dimension dim;
	double scale; /* of seconds, bytes, bytes a second */
};

struct number {
	double value;
	const struct unit *unit; /* never NULL */
	size_t from, to;	 /* its place in the line, with the unit */
};

/*
 * The next number at or behind offset `at` of a line that may be a measurement: not one
 * of "v6.12", "64-bit", "2026/11/30", "4K", "mm/x.c:12". False: none.
 */
bool number_next(struct str line, size_t at, struct number *ret);
/* Can one be expressed in the unit of the other? To that of a. */
bool number_as(const struct number *a, struct number *b);

/* Append one; its text is taken over. */
void claim_add(struct claims *c, const struct claim *take);
/* A pair from two numbers in a line of text. */
void claim_add_pair(struct claims *c, struct number before, struct number after,
		    struct str text, size_t line);
/* What a paragraph of prose says, all on one line; line is where it begins. */
void claims_said(struct str paragraph, size_t line, struct claims *ret);

#endif
