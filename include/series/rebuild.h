/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rebuild.h - posted versions as commits, made from their mails alone, in a repository
 * that is removed: to compare them with each other or with commits that are here.
 *
 * No file has to be here: a tree holds what the hunks of a patch show, so that the diff
 * of each commit is the diff of its mail. Between two patches stands a merge with the
 * tree that the next one was made for; git range-diff passes merges over.
 */
#ifndef SERIES_REBUILD_H
#define SERIES_REBUILD_H

#include "series/compare.h"
#include "series/posted.h"

struct rebuild {
	char *dir;
	struct repo *repo; /* its own commits and all of the repository's */
	size_t versions;
};

/* r: the repository whose commits are to be seen, too; NULL: none. */
int rebuild_open(struct repo *r, struct rebuild *ret, struct err *err);
/* The folder goes, and the commits with it. */
void rebuild_release(struct rebuild *b);
#define _cleanup_rebuild_ __attribute__((cleanup(rebuild_release)))

/* A version as a side of a comparison. */
struct rebuilt {
	struct side side; /* named by the version's label */
	size_t *number;	  /* of each commit, the patch that it is, from 1 */
	size_t n;
	struct strvec commits; /* of rebuild_range(): those it was made from */
	struct strvec notes;   /* "v1: patch 2/3 is not among the mails" */
};

/*
 * The commits of a version. Patches that are not here, or hold nothing that can be read,
 * are told in notes. E_NOTFOUND when none is here.
 */
int rebuild_version(struct rebuild *b, const struct thread *t, const struct posted *p,
		    size_t version, struct rebuilt *ret, struct err *err);
/*
 * Commits of r, posted to nobody: through the same hunks, for the lines that git diff
 * takes as changed may be others in whole files. The side keeps its name.
 */
int rebuild_range(struct rebuild *b, struct repo *r, const struct side *from,
		  struct rebuilt *ret, struct err *err);
void rebuilt_release(struct rebuilt *r);
#define _cleanup_rebuilt_ __attribute__((cleanup(rebuilt_release)))

#endif
