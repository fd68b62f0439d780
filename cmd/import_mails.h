/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_mails.h - series import of what was posted: the mails, the choice of the series,
 * and what is said of it.
 */
#ifndef CMD_IMPORT_MAILS_H
#define CMD_IMPORT_MAILS_H

#include "cmd.h"

struct import_mails_opts {
	const char *arg;		  /* MESSAGE-ID, LINK, MBOX, MAILDIR or "-" */
	const char *name, *branch, *base; /* NULL: not given */
	bool offline;
};

/* Load the series that was made, with the settings that it wrote. */
int import_load(struct ctx *c, const char *name, struct err *err);
int import_mails(struct ctx *c, const struct import_mails_opts *o, struct err *err);

#endif
