/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * update_priv.h - the steps of an update: mails are gathered (update_mails.c), what they
 * say becomes documents (update_docs.c, update_remarks.c).
 */
#ifndef DESK_UPDATE_PRIV_H
#define DESK_UPDATE_PRIV_H

#include "ours.h"
#include "series/reviewdoc.h"
#include "series/store.h"
#include "series/update.h"

/* All mails of the series and about it. Errors are those that end everything. */
int update_mails(struct series *s, const struct config *c, const struct update_opts *o,
		 struct thread *t, struct updated *u, struct err *err);

struct sieve;
/*
 * The epochs of a mirror through the sieve, which is closed by sieve_end(): what came
 * since the last time, and what was of the series then. ours is what the sieve knows.
 */
int update_mirror(const struct series *s, const struct strvec *ours,
		  const struct strvec *epochs, struct sieve *sieve, struct err *err);

/* What the steps below have to work with. */
struct update {
	const struct series *s;
	const struct thread *t;
	const struct posted *p;	    /* version i is s->versions[i] */
	const struct review *known; /* what is in the state */
	struct store *store;
	struct updated *to;
};

/* New documents of tags and reports into the transaction, and counted. */
void update_tags(struct update *u);
void update_reports(struct update *u);
/* The same of remarks; answers that came for known ones. */
void update_remarks(struct update *u);

#endif
