/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - what the files of lib/series share.
 */
#ifndef SERIES_INTERNAL_H
#define SERIES_INTERNAL_H

#include "series/json.h"
#include "series/series.h"
#include "series/store.h"

/* Newest schema of the documents that this program knows. */
#define STATE_SCHEMA 1

/* "refs/series/NAME/state"; caller frees. */
char *state_ref(const char *name);
/* An object name out of a document; "" when it is missing or none. */
void oid_copy(const char *from, char to[OID_HEX]);
/* The number of a version out of a document; 0 when it can be none. */
int version_number(int64_t n);
/* Document of one state commit; a newer schema is refused. */
int state_json(struct repo *r, const char *name, const char *state, const char *path,
	       struct json **ret, struct err *err);
/* Files below dir of one state commit; none is no error. */
int state_list(struct repo *r, const char *state, const char *dir, struct strvec *ret,
	       struct err *err);

/*
 * Branch of a series: the one whose branch.BRANCH.series names it; of several the one
 * that the document knows (the others are copies). NULL when there is none. Caller frees.
 */
char *branch_of_series(struct repo *r, const struct config *c, const char *name,
		       const char *documented);
bool branch_exists(struct repo *r, const char *branch);

/* Where the patches of head start; what is known of it goes in. */
struct base_query {
	struct repo *repo;
	const struct config *config;
	const char *name; /* for the cache and the message */
	const char *head;
	const char *recorded; /* "" if none */
	const char *ref;      /* base ref, may be NULL */
};

/* Base by the rules of range.c; E_NOTFOUND asks for "series base --set". */
int base_find(const struct base_query *q, char ret[OID_HEX], struct err *err);
/* First commit back from head whose committer is none of the user's addresses. */
int base_by_committer(struct repo *r, const struct config *c, const char *head,
		      char ret[OID_HEX], struct err *err);
/* By the reflog of ref: 0 and the commit, E_NOTFOUND when the reflog does not say. */
int fork_point(struct repo *r, const char *ref, const char *head, char ret[OID_HEX],
	       struct err *err);
/* For a new series: base and the ref it was taken from (*ret_ref may be NULL). */
int base_guess(struct repo *r, const struct config *c, const char *branch,
	       const char *head, char ret[OID_HEX], char **ret_ref, struct err *err);
/* From a ref or revision that the user named; *ret_ref NULL when it is no ref. */
int base_given(struct repo *r, const struct config *c, const char *given,
	       const char *head, char ret[OID_HEX], char **ret_ref, struct err *err);

/* The document series.json of a snapshot. */
struct json *series_json(const struct series *s);

#endif
