/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * am_priv.h - the parts of am.h.
 */
#ifndef DESK_AM_PRIV_H
#define DESK_AM_PRIV_H

#include "series/am.h"

/* Judge the tags of the thread for the patches, into a->tag. */
int am_judge_tags(struct am *a, struct err *err);
/*
 * The mail that git am gets for a patch: author, date and title as git mailinfo reads
 * them of the one that was posted, the message with its new trailers, the patch.
 */
int am_compose(const struct am *a, const struct am_patch *p, struct buf *out,
	       struct err *err);
/* The commit message of a patch as git am would make it, without new trailers. */
void am_message(const struct am *a, size_t mail, struct buf *out);
/*
 * As am_try(), but what it says of patches is forgotten. *ret: all apply, and something is
 * left to apply. keep: the objects stay in the repository.
 */
int am_try_elsewhere(struct am *a, const char *on, bool keep, bool *ret,
		     struct err *err);
/* Every path that the patches touch, and those that they make; each once. */
void am_touched(const struct am *a, struct strvec *ret, struct strvec *ret_new);
static inline const struct posted_version *am_version(const struct am *a)
{
	return &a->posted->v[a->version];
}

#endif
