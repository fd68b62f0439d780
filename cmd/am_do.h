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
	bool signoff, no_tags, nak_ok, link, msgid, check, here;
	struct source_opts source;
};

/* Check it, or decide on tags and NAKs and apply it. */
int am_do(struct ctx *c, struct am *a, const struct am_cmd *q, struct err *err);

#endif
