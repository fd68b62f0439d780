/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * send_new.h - a posting that begins: the draft, a version again, or a fix.
 */
#ifndef CMD_SEND_NEW_H
#define CMD_SEND_NEW_H

#include "cmd.h"
#include "series/post.h"

struct send_opts {
	bool dry_run, yes, allow_emulated, rfc, resume, give_up;
	bool reflect, no_prefix, no_signature, no_verify;
	struct strvec to, cc, prefixes, preview, skip_rcpt;
	int version, fixup;
	const char *in_reply_to, *unsure, *resend, *message;
};

/* Make the mails, show what speaks against them, ask, and send. */
int send_new(struct ctx *c, const struct send_opts *q, struct err *err);
/* Hand the mails of an outbox over, and say what went out. */
int send_deliver(struct ctx *c, struct outbox *o, const struct send_opts *q,
		 struct err *err);

#endif
