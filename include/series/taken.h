/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taken.h - what series am applied, kept so that its author can be thanked.
 *
 * <common dir>/series/taken/ID.json, one for each version and branch, written whole or not
 * at all. It has what a reply needs, for the thread may be gone by then. Commits are
 * looked for anew each time: a branch may have been rebased, and of a conflict that was
 * left the commits came later.
 */
#ifndef SERIES_TAKEN_H
#define SERIES_TAKEN_H

#include "series/am.h"

#define TAKEN_ID 17 /* 16 digits and NUL */

struct taken_patch {
	size_t n; /* of the version, from 1 */
	char *title, *message_id, *author_email;
	int64_t author_time;
	char patch_id[OID_HEX]; /* of the commit, else of the mail; "" */
	char commit[OID_HEX];	/* as it was made, "" when git am had stopped */
	char now[OID_HEX];	/* taken_look(): where it is on the branch, "" gone */
};

struct taken {
	char id[TAKEN_ID];
	int64_t date;	    /* when it was applied */
	char *branch;	    /* NULL: HEAD was detached */
	char base[OID_HEX]; /* HEAD before */
	char *label, *title;
	size_t total; /* patches of the version */
	struct taken_patch *patch;
	size_t n;
	/* The mail that is answered, the cover's or the first patch's. */
	char *name, *email, *subject, *message_id, *text;
	int64_t sent;
	struct strvec to, cc, references;
	int64_t thanked; /* 0: not yet */
	size_t found;	 /* taken_look(): patches that are on the branch */
};

struct takens {
	struct taken *v; /* oldest first */
	size_t n, cap;
};

/* Write down what am_apply() did, or began: of what it stopped at it knows no commits. */
int taken_record(const struct am *a, const struct am_result *r, struct err *err);
int taken_write(struct repo *r, const struct taken *t, struct err *err);
/* All that is written down. One that cannot be read is E_CORRUPT, and named. */
int takens_read(struct repo *r, struct takens *ret, struct err *err);
int taken_forget(struct repo *r, const struct taken *t, struct err *err);
/*
 * Where its commits are on a branch (NULL: its own): the very ones, else those of the same
 * author, time and title, or of the same patch-id.
 */
int taken_look(struct repo *r, struct taken *t, const char *branch, struct err *err);
void takens_release(struct takens *t);
#define _cleanup_takens_ __attribute__((cleanup(takens_release)))

#endif
