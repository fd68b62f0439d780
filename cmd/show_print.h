/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_print.h - a thread of mails on the terminal, as JSON and as raw mails.
 */
#ifndef SERIES_SHOW_PRINT_H
#define SERIES_SHOW_PRINT_H

#include "series/out.h"
#include "series/thread.h"

/* Who replies to whom, a line a mail, numbered in the order of reading. */
void show_tree(struct out *o, const struct thread *t);
/* That, where there are several mails, and then each of them. */
void show_thread(struct out *o, const struct thread *t);
/* As they were sent; several as an mboxrd. A terminal gets no control bytes. */
void show_raw(struct out *o, const struct thread *t);
struct json *show_json(const struct thread *t);

#endif
