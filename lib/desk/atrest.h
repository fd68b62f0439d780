/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atrest.h - may a branch be moved under the user's feet?
 */
#ifndef DESK_ATREST_H
#define DESK_ATREST_H

#include "series/git.h"

/*
 * E_FAIL names what goes on with the branch in any work tree (a rebase, git am, a merge,
 * a cherry-pick, a revert), for its end would be based on what the branch was, and how to
 * end it.
 */
int branch_at_rest(struct repo *r, const char *branch, struct err *err);
/* The same of HEAD in this work tree, detached or not. */
int head_at_rest(struct repo *r, struct err *err);

#endif
