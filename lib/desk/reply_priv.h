/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reply_priv.h - what every reply has, to our series (reply.c) or another's (answer.c).
 */
#ifndef SERIES_REPLY_PRIV_H
#define SERIES_REPLY_PRIV_H

#include "prep.h"

/* To Cc those of shown that are neither the user nor the other nor there already. */
int reply_add_others(struct prep *q, const struct strvec *shown, const char *other,
		     struct err *err);
/* "Re: TITLE", with one Re:. Fresh memory. */
char *reply_subject(const char *subject);
/* The text with a line end at its end and no empty lines there. */
void reply_body(struct str text, struct buf *out);

#endif
