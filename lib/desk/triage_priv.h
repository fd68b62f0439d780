/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * triage_priv.h - the table of what a row has: for queries, for sorting.
 */
#ifndef SERIES_TRIAGE_PRIV_H
#define SERIES_TRIAGE_PRIV_H

#include "series/listindex.h"
#include "series/triage.h"

/* Where rows come from: mails that were read, or the index of a mirror. */
struct triage_source {
	struct thread thread;
	struct posted posted;
	struct listed_all rows;

	struct listindex *index; /* NULL: mails */
	char *name, *dir;
	int64_t since;
	struct listindex_rows found;
};

void triage_source_release(struct triage_source *s);
size_t triage_source_rows(const struct triage_source *s);
/* Row k of a source, and its key. */
const struct listed *triage_source_row(const struct triage_source *s, size_t k,
				       int64_t *ret_key);
/* The key of the series that a mail is of; false: none. */
bool triage_source_find(const struct triage_source *s, const char *id, int64_t *ret_key);
/* Is it in a branch that takes patches? After triage_landing_poll(). */
bool triage_has_landed(const struct triage *t, const struct listed *l);
/* Forget the rows: the sources have others. */
void triage_drop_rows(struct triage *t);

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
/* Set applies and applies_why of a row. */
void tried_set(const struct tried *d, struct triage_row *row);
void tried_free(struct tried *d);
/* What rows have in common, from strings that the rows own; rows is their number. */
struct triage_index *triage_index_new(size_t rows);
void triage_index_add(struct triage_index *x, const struct listed *l, size_t row);
void triage_index_sort(struct triage_index *x);
void rest_free(struct triage *t);
void triage_index_free(struct triage_index *x);

#endif
