/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.h - the states of all series brought to another clone and back, by a git remote.
 *
 * The remote's refs/series/ are fetched to refs/series-remote/REMOTE/, which belong to
 * git as refs/remotes/ do: a plain "git fetch" may move them, and never moves a state.
 * From there each series is taken in (merge.h), and what is newer here is pushed by one
 * "git push --atomic", each ref only if it is still where the fetch saw it.
 */
#ifndef SERIES_SYNC_H
#define SERIES_SYNC_H

#include <stdbool.h>
#include "series/merge.h"

enum sync_state {
	SYNC_SAME,     /* the same on both sides */
	SYNC_NEW,      /* was not here */
	SYNC_UPDATED,  /* theirs was newer */
	SYNC_MERGED,   /* both had moved */
	SYNC_BEHIND,   /* --push alone: theirs has what ours has not */
	SYNC_CONFLICT, /* a person has to decide; nothing was changed */
	SYNC_LEFT_OUT, /* no state of a series, or of a newer program */
};

struct sync_item {
	char *name; /* of the series, or the odd ref */
	enum sync_state state;
	bool pushed;
	struct strvec notes;  /* what to look at; may hold foreign text */
	struct strvec remedy; /* commands, each whole; "" parts never */
};

struct sync {
	char *remote;
	struct sync_item *v;
	size_t n, cap;
};

struct sync_opts {
	const char *remote;
	bool push, fetch;
	/* The series whose conflict is settled so; NULL: none. */
	const char *ours, *theirs;
};

/*
 * The remote to use: given, else the one with remote.X.series, else the only one there
 * is. *ret_known: remote.X.series is set. E_USAGE lists the remotes to choose from;
 * caller frees.
 */
int sync_remote(const struct config *c, const char *given, char **ret, bool *ret_known,
		struct err *err);
/* What is fetched, and to where, as a refspec of git; caller frees. */
char *sync_refspec(const char *remote);
/* Add the refspec to the remote's settings, and remote.X.series = true. */
int sync_remember(struct repo *r, const struct config *c, const char *remote,
		  struct err *err);
/*
 * Fetch, take in, push, as o says. What could not be synced is an item and no error; an
 * error is a remote that cannot be reached or that refuses. Free with sync_release().
 */
int sync_run(struct repo *r, const struct config *c, const struct sync_opts *o,
	     struct sync *ret, struct err *err);
void sync_release(struct sync *s);
#define _cleanup_sync_ __attribute__((cleanup(sync_release)))

#endif
