/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * send_print.h - what series send says before and after, and the question between.
 */
#ifndef CMD_SEND_PRINT_H
#define CMD_SEND_PRINT_H

#include "cmd.h"
#include "series/post.h"

/* The subjects, who gets them, and by which way. */
void send_summary(const struct ctx *c, const struct post *p, struct buf *out);
/* The mails themselves. */
void send_show_mails(const struct post *p, struct buf *out);
/* Ask whether to send it: 0 is yes. Without a terminal to ask on nothing is sent. */
int send_confirm(const struct ctx *c, const struct post *p, struct err *err);
/* What went out, and which copies were refused. */
void send_report(struct ctx *c, const struct outbox *o, const struct delivery *d);
/* E_CONFLICT: a posting is on its way, and another was asked for. */
int send_busy(const struct outbox *o, struct err *err);

#endif
