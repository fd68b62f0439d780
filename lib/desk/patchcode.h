/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patchcode.h - the code of patches, line by line and with the place of each line: what
 * git range-diff does not tell, which shows context as well, and of a hunk the function
 * that stands above it.
 */
#ifndef SERIES_PATCHCODE_H
#define SERIES_PATCHCODE_H

#include "series/git.h"

struct codeline {
	/* "+TEXT", "-TEXT", or " " and what else git says of a file: " new mode 100755",
	 * " binary OLD..NEW". */
	char *text;
	char *place; /* "mm/rmap.c: f()", outside of functions and in prose the file */
	size_t hunk;
	bool odd; /* the other patch has it not: patchcode_diff() */
};

struct patchcode {
	struct codeline *v; /* in the order of git diff -U0 */
	size_t n, cap;
};

/* The code of each commit; *ret has ids->n, for patchcodes_free(). */
int patchcodes_read(struct repo *r, const struct strvec *ids, struct patchcode **ret,
		    struct err *err);
void patchcodes_free(struct patchcode *v, size_t n);
/*
 * Do two patches differ in code? The places where they do to *places, each once: file by
 * file, in a file those of b first; of lines that replace others those of the new ones.
 * Context does not count, but where a line stands does.
 */
bool patchcode_diff(struct patchcode *a, struct patchcode *b, struct strvec *places);
/*
 * How many lines only one of the two has; 1 when they have the same ones in another
 * order.
 */
size_t patchcode_distance(struct patchcode *a, struct patchcode *b);
/* The file of a place. */
struct str patchcode_file(const char *place);
/* "f()" from the first line of a function, "struct foo" of a type; NULL for anything
 * else. */
char *patchcode_function(struct str line);

#endif
