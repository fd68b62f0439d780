/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remarks_reply.h - a reply to remarks: written in the editor, then sent.
 */
#ifndef CMD_REMARKS_REPLY_H
#define CMD_REMARKS_REPLY_H

#include "cmd.h"
#include "series/reply.h"

struct reply_opts {
	bool dry_run, yes, resume, give_up;
	const char *unsure;
};

/*
 * Open the editor with what was said, send what is written there. What is not sent, for
 * whatever reason, is kept and in the next edit. E_CONFLICT: another reply is on its way.
 */
int remarks_reply(struct ctx *c, struct remark_list *l, const struct reply_opts *o,
		  struct err *err);
/* Go on with a reply that is on its way; E_NOTFOUND: there is none. */
int remarks_resume(struct ctx *c, const struct reply_opts *o, struct err *err);

#endif
