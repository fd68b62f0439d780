/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * b4move.h - commits of a branch with and without b4's cover commit; trees stay as they
 * are, so that nobody's work tree notices.
 */
#ifndef DESK_B4MOVE_H
#define DESK_B4MOVE_H

#include "series/git.h"

/* The branch without the cover commit. E_FAIL names a merge above it. */
int branch_without(struct repo *r, const struct commit *cover, const char *head,
		   char ret[OID_HEX], size_t *ret_n, bool *ret_signed, struct err *err);
/* The patches base..head with the cover commit below them, or above (at_tip). */
int branch_with(struct repo *r, const struct commit *cover, bool at_tip, const char *base,
		const char *head, char ret[OID_HEX], struct err *err);
/*
 * git notes follow the commits as in a rebase (notes.rewriteRef); the k-th of
 * old_base..old became the k-th of new_base..new.
 */
void carry_notes(struct repo *r, const char *old_base, const char *old,
		 const char *new_base, const char *new);

#endif
