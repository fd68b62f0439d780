/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * robot.h - mails that programs wrote: build and boot robots, syzbot, AI review,
 * patchwork and stable queues. They give no tags; what they write are findings.
 */
#ifndef SERIES_ROBOT_H
#define SERIES_ROBOT_H

#include "series/mail.h"

struct robot_report {
	const char *robot; /* "kernel test robot", "syzbot", "AI review": a static text */
	char *summary;	   /* one line: the first error or warning, else the title */
	bool good;	   /* it says that all is well */
};

/* Did a program write it? The name of which, else NULL. */
const char *robot_name(const struct mail *m);
/* What it reports. False when no program wrote it or it reports nothing. */
bool robot_read(const struct mail *m, struct robot_report *ret);
void robot_report_release(struct robot_report *r);

#endif
