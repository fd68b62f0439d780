/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sender.h - who sent a mail. Lists that rewrite From ("Name via list <list@...>") hide
 * the address; it may stand in X-Original-From or Reply-To.
 */
#ifndef SERIES_REVIEW_SENDER_H
#define SERIES_REVIEW_SENDER_H

#include "series/mail.h"

struct sender {
	char *name, *email; /* name without " via LIST", address behind it where told */
	bool hidden;	    /* the address is the list's */
};

void sender_read(const struct mail *m, struct sender *ret);
void sender_release(struct sender *s);
#define _cleanup_sender_ __attribute__((cleanup(sender_release)))
/* By address or by name. */
bool same_sender(const struct sender *a, const struct sender *b);
/*
 * May these be one person's: "Ada Lovelace", "Lovelace King, Ada"? All words, at least
 * two, of one are in the other.
 */
bool name_like(const char *a, const char *b);

#endif
