/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reply.h - a reply of ours to remarks: what the editor begins with, and the mail.
 *
 * The mail goes the way of every mail of ours (post.h), in an outbox of its own: it waits
 * for no posting. When the server has taken it, one state commit stores it below sent/ and
 * says that the remarks are answered.
 */
#ifndef SERIES_REPLY_H
#define SERIES_REPLY_H

#include "series/post.h"
#include "series/reviewdoc.h"

/* Remarks of one mail, borrowed. */
struct remark_list {
	const struct review_remark **v;
	size_t n, cap;
};

/* In the order of their lines; E_USAGE when they are not all of one mail. */
int reply_to_one(struct remark_list *l, struct err *err);
/* Lines with "#" that say who gets it, the attribution, and what was said, quoted. */
void reply_form(const struct remark_list *l, struct buf *out);
/* Is there a line that is neither quoted nor the attribution? */
bool reply_has_text(struct str text);
/*
 * The mail: To the reviewer, Cc whom their mail went to, less the user. post_start() and
 * post_deliver() send it.
 */
int reply_prepare(struct series *s, const struct config *c, const struct remark_list *l,
		  struct str text, struct post **ret, struct err *err);
/* The server has it: the mail is stored, the remarks are answered. For claim.c. */
int reply_record(struct series *s, const struct outbox *o, struct err *err);

#endif
