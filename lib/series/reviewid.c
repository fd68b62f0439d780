// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reviewid.c - the ids of tags, remarks and reports, as short as they can be shown.
 */
#include <stdlib.h>
#include <string.h>
#include "series/mem.h"
#include "series/reviewdoc.h"

#define LEAST_DIGITS 8

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int review_digits(const struct review *r)
{
	const char **v = xcalloc(r->n_tags + r->n_remarks + r->n_reports + 1, sizeof(*v));
	size_t n = 0;
	int ret = LEAST_DIGITS;

	for (size_t i = 0; i < r->n_tags; i++)
		v[n++] = r->tags[i].id;
	for (size_t i = 0; i < r->n_remarks; i++)
		v[n++] = r->remarks[i].id;
	for (size_t i = 0; i < r->n_reports; i++)
		v[n++] = r->reports[i].id;
	qsort(v, n, sizeof(*v), by_text);
	/* Those that are most alike stand beside each other. */
	for (size_t i = 1; i < n; i++)
		while (ret < REVIEW_ID - 1 && !strncmp(v[i - 1], v[i], (size_t)ret))
			ret++;
	free(v);
	return ret;
}
