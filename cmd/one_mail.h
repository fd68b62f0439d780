/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * one_mail.h - a mail of ours that is no posting on its way: a reply, thanks. One at a
 * time under each name of an outbox.
 */
#ifndef CMD_ONE_MAIL_H
#define CMD_ONE_MAIL_H

#include "cmd.h"
#include "series/lock.h"
#include "series/post.h"

/* E_LOCKED: "another WHAT is being sent". */
int one_mail_lock(struct ctx *c, const char *outbox, const char *what, struct lock *l,
		  struct err *err);
/*
 * Is nothing on its way there? What a killed process left before anything went out is
 * taken back; else E_CONFLICT names the command that goes on.
 */
int one_mail_free(struct ctx *c, const char *outbox, struct err *err);
/* Send what is in the outbox, and say so. unsure: as of delivery_opts. */
int one_mail_deliver(struct ctx *c, struct series *s, struct outbox *o,
		     const char *unsure, struct err *err);
/* Show it (dry_run); else ask, unless yes, then send it. */
int one_mail_send(struct ctx *c, struct series *s, struct post *p, bool dry_run, bool yes,
		  struct err *err);

#endif
