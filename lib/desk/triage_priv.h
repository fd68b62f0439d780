/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * triage_priv.h - the table of what a row has: for queries, for sorting.
 */
#ifndef SERIES_TRIAGE_PRIV_H
#define SERIES_TRIAGE_PRIV_H

#include "series/triage.h"

/* Where rows come from. */
struct triage_source {
	struct thread thread;
	struct posted posted;
	struct listed_all rows;
};

struct triage_field {
	const char *name;
	/* The i-th text of it, NULL behind the last. Borrowed. */
	const char *(*text)(const struct triage_row *row, size_t i);
	int64_t (*number)(struct triage *t, const struct triage_row *row);
	bool time; /* the number is seconds: "30d" */
	const char *example, *help;
};

extern const struct triage_field triage_fields[];
extern const size_t n_triage_fields;
const struct triage_field *triage_field_find(struct str name);

/* "30d", "12h", "2w", "6m", "1y", "90" (days) in seconds; false: it is none. */
bool triage_duration(struct str s, int64_t *ret);
void triage_index_free(struct triage_index *x);

#endif
