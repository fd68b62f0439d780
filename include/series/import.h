/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - take over a branch that b4 prepared, and give it back.
 *
 * What b4 0.12 keeps with a branch (b4/ez.py) becomes a series: the revision is the
 * draft, the change-id stays, the cover letter becomes cover.txt, its "Changes in vN:"
 * sections changes/vN.txt, its To: and Cc: the series' own, and the tags sent/BRANCH-vN
 * with the Message-IDs of the history the versions. The tags and b4's settings are left
 * alone.
 *
 * Where the cover letter is an empty commit, the branch goes on without it: the commits
 * above it are copied, byte for byte but for the parent, onto the one below. The tip has
 * the same tree as before, so no work tree is touched. The tip as b4 made it is kept as
 * refs/series/NAME/b4.
 */
#ifndef SERIES_IMPORT_H
#define SERIES_IMPORT_H

#include "series/git.h"
#include "series/series.h"

struct import_opts {
	const char *branch; /* NULL: the current one */
	const char *name;   /* of the series; NULL: the branch's, without "b4/" */
	const char
		*base; /* branch that the patches were started from; NULL: as b4 says */
};

/* What would be done; free with import_free(). */
struct import {
	char *branch, *name, *base_ref;
	char *strategy; /* b4's word for where the cover letter is */
	char old_head[OID_HEX], head[OID_HEX]; /* the branch before and after */
	char cover_commit[OID_HEX];	       /* the commit that goes, or "" */
	size_t n_moved;			       /* commits that get another name */
	bool was_signed;		       /* a signature of one of them is lost */
	struct strvec notes;		       /* what is not taken over, and why */
	struct import_plan *plan;
};

/*
 * Look at the branch and change nothing but for new objects. E_EXISTS: it has a series
 * already. E_NOTFOUND: b4 did not prepare it. E_CORRUPT: damaged tracking JSON. E_FAIL: a
 * merge among the patches, an unknown strategy, a rebase that goes on.
 */
int import_look(struct repo *r, const struct config *c, const struct import_opts *o,
		struct import **ret, struct err *err);
/*
 * Make the series and move the branch in one transaction; E_CONFLICT when the branch has
 * moved since import_look(). More notes may be added to im.
 */
int import_do(struct repo *r, const struct config *c, struct import *im, struct err *err);
void import_free(struct import *im);
void import_freep(struct import **im);
#define _cleanup_import_ __attribute__((cleanup(import_freep)))

/* Did b4 prepare the branch of s: is a cover letter among its commits, or in config? */
bool import_needed(const struct series *s, const struct config *c);

struct import_undone {
	char *branch, *name;
	char old_head[OID_HEX], head[OID_HEX];
	char kept[OID_HEX]; /* last state of the series, in refs/series-undone/NAME; or ""
			     */
	bool posted;	    /* it came from mails: the branch stays what it is */
	bool moved;	    /* the branch had other commits than those imported */
};

/*
 * Give the branch of s back to b4: as it was, or, when it has other commits by now, those
 * with b4's cover commit among them again. The series goes; what was written since
 * the import stays in refs/series-undone/NAME. E_FAIL when versions were posted since. A
 * series that was imported from mails goes in the same way, and its branch stays.
 */
int import_undo(struct series *s, const struct config *c, struct import_undone *ret,
		struct err *err);
void import_undone_release(struct import_undone *u);

#endif
