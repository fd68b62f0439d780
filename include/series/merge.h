/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - the state of a series that another machine moved: looked at, and taken in.
 *
 * Three trees are compared file by file: ours, theirs, and the newest state that both
 * come from. What only one side changed is taken; what both changed is merged by the
 * rules of the file (lib/series/merge.c), and what cannot be is kept beside it as
 * FILE.theirs. Two different postings of one version number are a conflict of the whole
 * series.
 */
#ifndef SERIES_MERGE_H
#define SERIES_MERGE_H

#include "series/err.h"
#include "series/git.h"
#include "series/strvec.h"

/* How ours stood to theirs, and what was done. */
enum merge_outcome {
	MERGE_SAME,    /* nothing to do */
	MERGE_AHEAD,   /* ours has theirs in it */
	MERGE_NEW,     /* there was no such series here */
	MERGE_FORWARD, /* theirs has ours in it: ours moved there */
	MERGE_JOINED,  /* both had moved: one commit with two parents */
};

/* What to do where two versions cannot both stay. */
enum merge_side { MERGE_ASK, MERGE_OURS, MERGE_THEIRS };

/* Ending of a file that holds the other side's text. */
#define MERGE_ASIDE ".theirs"

/*
 * Is that commit the state of a series that this program can read? E_CORRUPT says why
 * not: no state, odd or too many files, a newer schema.
 */
int state_check(struct repo *r, const char *name, const char *commit, struct err *err);

/*
 * Take the state theirs (checked) of a series in, under its lock; the sent heads follow
 * in the same transaction. from is the name of the other machine for the chain's message.
 * Lines about what a person should look at are appended to *notes. E_CONFLICT names what
 * cannot be merged; nothing is changed then. With a side, its version stays, and what the
 * other side posted is kept: its documents in the chain, its head below
 * refs/series/NAME/lost/.
 */
int state_take(struct repo *r, const char *name, const char *theirs, const char *from,
	       enum merge_side side, enum merge_outcome *ret, struct strvec *notes,
	       struct err *err);

/*
 * Give a series another name: its refs, its document and branch.BRANCH.series; the
 * change_id, which is what others know it by, stays. E_EXISTS.
 */
int series_rename(struct repo *r, const struct config *c, const char *from,
		  const char *to, struct err *err);

/*
 * Of a ref below refs/series/NAME/: "state", or the label of a sent head ("v3", "rfc1",
 * "v3.fix1"), or a kept head ("lost/v3-0123456789ab"). False for anything else.
 */
bool series_ref_ok(const char *part);
/*
 * The commits that a state's versions and their fixups name: labels and object names, in
 * parallel, in the order of the files.
 */
int state_heads(struct repo *r, const char *name, const char *commit,
		struct strvec *ret_labels, struct strvec *ret_ids, struct err *err);

#endif
