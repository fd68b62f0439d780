/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remarks_print.h - remarks as text and as JSON.
 */
#ifndef CMD_REMARKS_PRINT_H
#define CMD_REMARKS_PRINT_H

#include "cmd.h"
#include "series/reviewdoc.h"

/* By version and patch; without all only those that are open, and how many others. */
void remarks_list(struct ctx *c, const struct review *r, bool all);
/* There are none ("tags"): where they would come from. */
void print_none_yet(struct ctx *c, const char *what);
/* One with what it is about: who, where, the quote, the text. */
void remark_show(struct ctx *c, const struct review *r, const struct review_remark *m);
/* The document of remarks --json. */
struct json *remarks_json(const struct ctx *c, const struct review *r, bool all);

#endif
