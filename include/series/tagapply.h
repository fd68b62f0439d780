/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tagapply.h - tags written into the commits of a series, and taken out again.
 *
 * Only messages change: trees, authors, dates stay, so that no work tree, index or build
 * notices. The branch moves in one transaction with refs/series/NAME/tags-before and
 * tags-after, which --undo goes back by; the reflog has it, too.
 */
#ifndef SERIES_TAGAPPLY_H
#define SERIES_TAGAPPLY_H

#include "series/series.h"
#include "series/strvec.h"

struct tags_applied {
	size_t added;	    /* tags that came into commits */
	size_t commits;	    /* messages that they came into */
	size_t removed;	    /* tags that went out of commits */
	size_t cleaned;	    /* messages that they went out of */
	size_t left;	    /* tags to take out that stand where no trailers are */
	size_t moved;	    /* commits that have another name now */
	size_t signed_lost; /* of them were signed, and are no longer */
	char old_head[OID_HEX], head[OID_HEX];
};

/* Trailers ("Reviewed-by: A B <a@example.org>", with the lines of a note below it). */
struct tag_lines {
	struct strvec add, remove;
};

/*
 * lines: for each patch of the draft what comes into its message and what goes. What is
 * there already stays once; what goes is told by type and address.
 * Nothing to do: 0 with ret->added and removed 0, and nothing moves. E_FAIL: a rebase, merge, am,
 * cherry-pick or revert goes on; a merge among the patches; a message that would lose
 * bytes. E_CONFLICT: the branch has moved meanwhile. Settings: series.tags.trailer-order,
 * else b4.trailer-order.
 */
int tags_apply(struct series *s, const struct config *c, const struct tag_lines *lines,
	       struct tags_applied *ret, struct err *err);
/*
 * Back to the branch before the last tags_apply(). E_NOTFOUND when there was none; E_FAIL
 * when the branch has moved since.
 */
int tags_undo(struct series *s, struct tags_applied *ret, struct err *err);

#endif
