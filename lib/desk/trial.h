/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial.h - commits merged onto trees in a room apart, of which nothing stays but what is
 * kept by name. It takes git 2.38 or later.
 */
#ifndef SERIES_TRIAL_H
#define SERIES_TRIAL_H

#include "series/addr.h"
#include "series/git.h"

struct trial_room;
int trial_open(struct repo *r, struct trial_room **ret, struct err *err);
/* What is in it goes. */
void trial_close(struct trial_room **t);
#define _cleanup_trial_ __attribute__((cleanup(trial_close)))

/* Stand on a tree. */
int trial_stand(struct trial_room *t, const char *tree, struct err *err);
/*
 * What commit changes from its parent on, put on what we stand on as git cherry-pick
 * does: we stand on that then, *ret_empty when it is the same. Or *files names what
 * conflicts, and we stand where we stood. parent and commit may be of the room.
 */
int trial_next(struct trial_room *t, const char *parent, const char *commit,
	       bool *ret_empty, struct strvec *files, struct err *err);
/* The same on one tree, which becomes the new one. */
int trial_pick(struct trial_room *t, const char *parent, const char *commit,
	       char tree[OID_HEX], struct strvec *files, struct err *err);

/* A commit of the room. */
struct trial_commit {
	const char *parent, *tree;
	const struct addr *author, *committer; /* NULL: nobody that matters */
	const char *message;
};
int trial_commit(struct trial_room *t, const struct trial_commit *c, char ret[OID_HEX],
		 struct err *err);
/* git in the room, with the standard output appended to *out. args: see git_run(). */
int trial_git(struct trial_room *t, char *const *args, struct str input, struct buf *out,
	      struct err *err);
/* Bring a commit, and those before it down to one of the repository, into the repository.
 */
int trial_keep(struct trial_room *t, const char *commit, const char *down_to,
	       struct err *err);

#endif
