/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thank_list.h - what was applied, as a list for people and as JSON.
 */
#ifndef CMD_THANK_LIST_H
#define CMD_THANK_LIST_H

#include "cmd.h"
#include "series/taken.h"

#define THANK_DIGITS 8 /* of an ID that are shown */

/* With where the commits are; branch as of taken_look(). thanked: those, too. */
int thank_list(struct ctx *c, struct takens *all, const char *branch, bool thanked,
	       struct err *err);
/*
 * The one that a word of the command line means: digits its ID begins with, four at least,
 * or the Message-ID of a mail of it. E_NOTFOUND; E_USAGE: it means several.
 */
int thank_find(const struct takens *all, const char *word, size_t *ret, struct err *err);

#endif
