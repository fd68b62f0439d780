/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intr.h - SIGINT, SIGTERM and SIGHUP as a flag that loops look at.
 */
#ifndef SERIES_INTR_H
#define SERIES_INTR_H

#include <stdbool.h>
#include "series/err.h"

/*
 * Install the handlers (main does, once). SIGPIPE is ignored, SIGHUP stays ignored if it
 * was (nohup). System calls that wait return EINTR. The third signal ends the program.
 */
void intr_install(void);
/* True after the first signal. */
bool intr_pending(void);
/*
 * A ^C ended what it was meant for, and the program goes on: as if it had not come. A
 * SIGTERM or SIGHUP is not forgotten.
 */
void intr_forget(void);
/* 0, or E_INTR with "interrupted" as message. */
int intr_check(struct err *err);
/*
 * Between them a signal that came, or comes, does not count: children are not ended, and
 * what became of the work so far can be recorded. The third one ends the program all the
 * same. They nest; keep it short.
 */
void intr_hold(void);
void intr_unhold(void);

#endif
