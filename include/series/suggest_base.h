/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest_base.h - on which branches the patches of the draft apply, and which of them
 * have the version before already.
 *
 * Nothing is moved and no work tree is touched: each patch is put there as git cherry-pick
 * does, where texts are to be merged by git merge-tree (git 2.38 and later), in a folder
 * of objects that is removed.
 */
#ifndef SERIES_SUGGEST_BASE_H
#define SERIES_SUGGEST_BASE_H

#include "series/series.h"

/* So many commits of a branch are looked at for patches that it has already. */
#define SUGGEST_LOOK 20000

/* What came of applying the patches on a commit, one after the other. */
struct base_trial {
	size_t applied; /* from the first on, until one did not */
	size_t empty;	/* of these, what changes nothing there any more */
	struct strvec
		files; /* that patch applied + 1 conflicts in; empty when all apply */
};

/* A patch that a branch has already. */
struct base_queued {
	int patch; /* its number in the version */
	char commit[OID_HEX];
	char *subject;
	bool same; /* by its patch-id; else title and author are the same */
};

struct base_candidate {
	char *ref; /* short, as "series base --set" takes it */
	char tip[OID_HEX];
	struct base_trial on_tip;
	struct base_queued *queued; /* by patch */
	size_t n_queued;
	bool cut; /* there were more than SUGGEST_LOOK commits to look at */
	/* The commit before the first of those, "" when none; what applies on it. */
	char before[OID_HEX];
	struct base_trial on_before;
	size_t order; /* as the branches were found: the base ref is the first */
};

struct base_suggestions {
	struct base_candidate *v; /* the best first */
	size_t n, cap;
	char *version;	     /* whose patches were looked for: "v2"; NULL: the draft's */
	size_t n_looked_for; /* how many it has */
	struct strvec missing; /* names in series.baseCandidate that are no branch here */
};

/*
 * Try the branches: the base ref, and those that series.baseCandidate names (branches, or
 * patterns with * and ?), or without that setting those called main, master, mm-* or
 * *-next of the base ref's remote (of all remotes when it has none). s must have its
 * patches (series_find_patches()). E_NOTFOUND when there is no branch or no patch to try.
 */
int suggest_base(struct series *s, const struct config *c, struct base_suggestions *ret,
		 struct err *err);
void base_candidate_release(struct base_candidate *c);
void base_suggestions_release(struct base_suggestions *b);
#define _cleanup_base_suggestions_ __attribute__((cleanup(base_suggestions_release)))
/*
 * Shell commands that move the branch: onto a commit (set: what is recorded as base
 * then), and that begin a branch for a fix on top of the candidate. Caller frees.
 */
char *suggest_base_move(const struct series *s, const char *commit, const char *set);
char *suggest_base_fix(const struct series *s, const struct base_candidate *c);

#endif
