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
	const char *name;     /* for the cache and the message; NULL: a new series */
	const char *head;
	const char *recorded; /* "" if none */
	const char *ref;      /* base ref, may be NULL */
	const char *branch;   /* of the series, may be NULL */
	const struct version *last; /* posted last, may be NULL */
	const char *remedy;   /* command that names a commit, for the message */
	bool mixed;	      /* recorded knew commits of others among the patches */
	bool named;	      /* the user names ref right now */
};

struct base_found {
	char base[OID_HEX];
	char *ref; /* what the base is called by now: ref, another one on it, or NULL */
};

/* Base by the rules of range.c; E_NOTFOUND asks for it. The caller frees ret->ref. */
int base_find(const struct base_query *q, struct base_found *ret, struct err *err);
/*
 * For a new series: base and the ref it was taken from (may be NULL; the caller frees it).
 * *ret_why (may be NULL) says why when a committer told it, else stays; the caller frees.
 */
int base_guess(struct repo *r, const struct config *c, const char *branch,
	       const char *head, struct base_found *ret, char **ret_why, struct err *err);
#define ASK_INIT "series init --base"
#define ASK_SET	 "series base --set"
/* From a ref or revision that the user named; *ret_ref NULL when it is no ref. */
int base_given(struct repo *r, const struct config *c, const char *given,
	       const char *head, const char *remedy, char ret[OID_HEX], char **ret_ref,
	       struct err *err);
/* Did somebody else commit one of the patches from base to head? */
bool base_is_mixed(struct repo *r, const struct config *c, const char *base,
		   const char *head);


#endif
