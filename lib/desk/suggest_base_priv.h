/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest_base_priv.h - parts of suggest_base.c: trying patches (suggest_trial.c), finding
 * them in a branch (suggest_queue.c) and the branches to try (suggest_branches.c).
 */
#ifndef SERIES_SUGGEST_BASE_PRIV_H
#define SERIES_SUGGEST_BASE_PRIV_H

#include "series/suggest_base.h"
#include "trial.h"

/* The patches of the draft on a commit. */
int trial_run(const struct series *s, struct trial_room *room, const char *commit,
	      struct base_trial *ret, struct err *err);

/* Which patches of a version (NULL: of the draft) the candidate has. */
int queue_find(const struct series *s, const struct version *v, struct base_candidate *c,
	       struct err *err);

void base_candidate_release(struct base_candidate *c);

/*
 * "origin/main"; in full where a branch of that very name would be taken instead. Caller
 * frees.
 */
char *branch_short_name(struct repo *r, const char *full);
/* Full names of the refs to try, and the names of the setting that there are none for. */
int branches_to_try(const struct series *s, const struct config *c, struct strvec *ret,
		    struct strvec *ret_missing, struct err *err);

#endif
