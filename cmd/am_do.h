/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * am_do.h - series am once the mails are read: what is asked, checked, applied and said.
 */
#ifndef CMD_AM_DO_H
#define CMD_AM_DO_H

#include "cmd.h"
#include "series/am.h"
#include "source.h"

struct am_cmd {
	const char *version, *patches, *branch, *base;
	struct strvec take;
	bool signoff, no_tags, nak_ok, link, msgid, check, here, resolve, go_on, abort;
	struct source_opts source;
};

/* --continue and --abort of what --resolve began. */
int am_go_on(struct ctx *c, const struct am_cmd *q, struct err *err);
/* In a work tree apart; where it stops at the conflict that is said (E_FAIL). */
int am_resolve(struct ctx *c, struct am *a, const struct am_cmd *q, struct err *err);
/* For series thank; what was applied stays applied without it. */
void am_note_taken(const struct am *a, const struct am_result *r);
/* Check it, or decide on tags and NAKs and apply it. */
int am_do(struct ctx *c, struct am *a, const struct am_cmd *q, struct err *err);

#endif
