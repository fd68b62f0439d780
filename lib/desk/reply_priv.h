/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reply_priv.h - what every reply has: to remarks on our series (reply.c), to what
 * others posted (answer.c), thanks (thank.c).
 */
#ifndef SERIES_REPLY_PRIV_H
#define SERIES_REPLY_PRIV_H

#include "prep.h"

/* The mail that is answered; borrowed. */
struct reply_to {
	const char *name, *email; /* who wrote it */
	const char *subject, *message_id;
	int64_t date;
	const struct strvec *to, *cc, *references;
};

/* "On DATE, NAME wrote:" */
void reply_intro(const struct reply_to *a, struct buf *out);
/* Each line of text behind a mark. */
void reply_quote(const char *text, const char *mark, struct buf *out);
/* An outbox under this name, the time and the random part of the Message-ID. */
void reply_begin(struct prep *q, const char *outbox);
/* To who wrote it, Cc to whom it went, less the user. prep_sender() was called. */
int reply_recipients(struct prep *q, const struct reply_to *a, struct err *err);
/* The mail into the outbox, whose posting has its Message-ID. */
int reply_mail(struct prep *q, const struct reply_to *a, struct str text,
	       struct err *err);

/* To Cc those of shown that are neither the user nor the other nor there already. */
int reply_add_others(struct prep *q, const struct strvec *shown, const char *other,
		     struct err *err);
/* "Re: TITLE", with one Re:. Fresh memory. */
char *reply_subject(const char *subject);
/* The text with a line end at its end and no empty lines there. */
void reply_body(struct str text, struct buf *out);

#endif
