/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claim.h - what the state says of a posting that is on its way.
 */
#ifndef SERIES_CLAIM_H
#define SERIES_CLAIM_H

#include "series/post.h"
#include "series/store.h"

/*
 * One state commit that gives the posting this state; with "sending" only the first time,
 * for it claims the version. With "sent" and at a give-up the mails are stored.
 */
int claim_set_state(struct series *s, struct outbox *o, const char *state,
		    bool with_mails, struct err *err);
/*
 * v1 begins again: what was posted so far, RFCs all of them, gets the ids rfc1, rfc2 ...:
 * documents, mails, changelogs and heads. Into the transaction.
 */
int set_aside(struct store *t, const struct series *s, struct err *err);
/* The draft's changelog gets the number that the draft is posted with, if it is another. */
int claim_changelog(struct store *t, const struct series *s, const struct outbox *o,
		    struct err *err);
/* And back, for a draft of which nothing left. After a restart it is v1's as before. */
int free_changelog(struct store *t, const struct series *s, const struct outbox *o,
		   struct err *err);
/* Nothing has left this machine: the version is free again. */
int claim_undo(struct series *s, struct outbox *o, struct err *err);
/* Everything is accepted or skipped: the state says so, then the outbox goes. */
int claim_finish(struct series *s, struct outbox *o, const char *state, struct err *err);

#endif
