/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thank.h - the mail that says that patches were applied: its text, and its way.
 *
 * It goes as replies to remarks do (reply.h): by an outbox of its own, OUTBOX_THANKS. When
 * the server has it, the record of what was applied (taken.h) says so.
 */
#ifndef SERIES_THANK_H
#define SERIES_THANK_H

#include "series/post.h"
#include "series/taken.h"

/*
 * The head of the mail that is answered, quoted; "Applied to TREE, thanks!"; the patches
 * with their commits. taken_look() was called. branch: where they are, when not on the
 * branch of the record. TREE is series.thanks.tree, else b4.thanks-treename, else the
 * branch; with series.thanks.url, else b4.thanks-commit-url-mask, commits are links (%s:
 * the commit, %.12s: its first digits).
 */
void thank_text(const struct config *c, const struct taken *t, const char *branch,
		struct buf *out);
/*
 * The mail: to the author, and to whom that mail went, less the user. s: repo and name
 * alone are looked at.
 */
int thank_prepare(struct series *s, const struct config *c, const struct taken *t,
		  struct str text, struct post **ret, struct err *err);
/* The server has it: the records say so. For claim.c. */
int thank_record(struct repo *r, const struct outbox *o, struct err *err);

#endif
