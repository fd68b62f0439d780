/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tags_ask.h - the questions of tags --apply.
 */
#ifndef CMD_TAGS_ASK_H
#define CMD_TAGS_ASK_H

#include "cmd.h"
#include "series/tagjudge.h"

/*
 * Ask about each tag whose code changed, whether the commit has it or not; answers are
 * stored at once. *ret_decided becomes true when there was one.
 */
int tags_ask(struct ctx *c, const struct judged *j, bool *ret_decided, struct err *err);

#endif
