/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixup.h - a patch that corrects one patch of the last posted version, for a tree that
 * has taken that version already: what -mm calls "-fix".
 *
 * What is in it: the change to the code of that patch since it was posted, be it amended
 * in its place or corrected by fixup! commits, set on top of everything that was posted.
 * Nothing of the branch or the work tree is touched.
 */
#ifndef SERIES_FIXUP_H
#define SERIES_FIXUP_H

#include "series/addr.h"
#include "series/finding.h"
#include "series/series.h"

struct trial_room;

struct fix {
	const struct version *v; /* borrowed from the series */
	int patch;		 /* its number in v, from 1 */
	size_t nth;		 /* so many fixes of that patch with this one */
	char *title;		 /* "mm/rmap: batch unmap fix", or "... fix 2" */
	char tip[OID_HEX];	 /* the posted patches and the fixes so far */
	char tree[OID_HEX];	 /* what the fix makes of it; in the room */
	struct strvec parts;	 /* patch-ids of the fixup! commits in it */
	struct buf text;	 /* what those commits say, their trailers at the end */
	struct addr author;	 /* of the first of them; NULLs when there are none */
	struct findings findings; /* what it leaves out */
	struct trial_room *room;
};

/*
 * Find out what the fix for patch k of the last version is; s has its patches
 * (series_find_patches()). E_USAGE when there is no such patch, E_FAIL when nothing of it
 * changed or the change does not apply on what was posted, E_CONFLICT when a posting is
 * under way elsewhere; each with what to do instead.
 */
int fix_find(struct series *s, int k, struct fix *ret, struct err *err);
void fix_release(struct fix *f);
#define _cleanup_fix_ __attribute__((cleanup(fix_release)))
/* The fix as a diff, for a person to describe. */
int fix_diff(struct fix *f, struct buf *out, struct err *err);
/*
 * A text that describes a fix as git cleans messages up, appended to *text: its trailers
 * go to *trailers, each once.
 */
void fix_text(struct str given, struct buf *text, struct strvec *trailers);
/* The trailers below the text, behind an empty line; fix_text() takes it apart again. */
void fix_text_end(struct buf *text, const struct strvec *trailers);
/* Does it say what was wrong: is there more than trailers? */
bool fix_text_ok(struct str text);
/* Make it a commit of the repository, with this whole message. */
int fix_commit(struct fix *f, const struct addr *sender, const char *message,
	       char ret[OID_HEX], struct err *err);

#endif
