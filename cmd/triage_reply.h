/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * triage_reply.h - replies to posted series, and tags for them: the editor, the question,
 * what became of it.
 */
#ifndef CMD_TRIAGE_REPLY_H
#define CMD_TRIAGE_REPLY_H

#include "cmd.h"
#include "series/triage.h"

struct triage_reply_opts {
	bool dry_run, yes;
	const char *unsure;
};

/* To the mail with this Message-ID, in the editor. */
int triage_reply(struct ctx *c, const struct triage *t, const char *id,
		 const struct triage_reply_opts *o, struct err *err);
/*
 * A tag for a patch, or for all with the id of the cover; of one series. More than one
 * id: a mail for each.
 */
int triage_give_tag(struct ctx *c, const struct triage *t, const struct strvec *ids,
		    const char *type, const struct triage_reply_opts *o, struct err *err);
/* Go on with what is on its way, or leave it. */
int triage_resume(struct ctx *c, bool give_up, const struct triage_reply_opts *o,
		  struct err *err);

#endif
