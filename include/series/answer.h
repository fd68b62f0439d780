/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.h - replies and tags to what others posted. They go the way of every mail of
 * ours (post.h), in an outbox of their own that belongs to no series: nothing is recorded
 * but what is on its way.
 */
#ifndef SERIES_ANSWER_H
#define SERIES_ANSWER_H

#include "series/post.h"
#include "series/thread.h"

/* A reply to one mail. */
struct answer {
	const struct thread_mail *to;
	struct str text;
};

/*
 * What the editor begins with: lines with "#" that say who gets it, the attribution, and
 * the text of the mail, quoted.
 */
void answer_form(const struct thread *t, size_t mail, struct buf *out);
/* The text of a reply that gives a tag: the first words quoted, "Reviewed-by: me". */
int answer_tag_text(const struct config *c, const struct thread *t, size_t mail,
		    const char *type, struct buf *out, struct err *err);
/*
 * The mails: To who wrote the first one, Cc all whom these mails went to, less the user.
 * E_FAIL where a mail has no Message-ID or sender that can be answered.
 */
int answer_prepare(struct repo *r, const struct config *c, const struct answer *v,
		   size_t n, struct post **ret, struct err *err);
/* Into the outbox, and on their way. As post_start() and post_deliver(). */
int answer_send(struct repo *r, const struct config *c, struct outbox *o,
		struct delivery *ret, struct err *err);
/* Replies that are on their way; E_NOTFOUND: none are. */
int answer_find(struct repo *r, struct outbox **ret, struct err *err);
/* Go on with them, or (give_up) leave them. */
int answer_resume(struct repo *r, const struct config *c, struct outbox *o,
		  const struct delivery_opts *how, struct delivery *ret, struct err *err);
int answer_give_up(struct repo *r, struct outbox *o, struct err *err);

#endif
