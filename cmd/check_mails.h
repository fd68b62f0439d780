/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_mails.h - series check of what others posted.
 */
#ifndef CMD_CHECK_MAILS_H
#define CMD_CHECK_MAILS_H

#include "source.h"

/*
 * The newest version of each series that the argument holds; of a Message-ID the version
 * that the mail is of or speaks of. E_FINDINGS when an error was found.
 */
int check_mails(struct ctx *c, const char *arg, const struct strvec *only, bool offline,
		struct err *err);

#endif
