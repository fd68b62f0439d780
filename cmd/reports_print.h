/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reports_print.h - reports of robots as text and as JSON.
 */
#ifndef CMD_REPORTS_PRINT_H
#define CMD_REPORTS_PRINT_H

#include "cmd.h"
#include "series/reviewdoc.h"

/* Newest version first; without all only those that are open, and how many others. */
void reports_list(struct ctx *c, const struct review *r, bool all);
/* One, with the versions that it came for. */
void report_show(struct ctx *c, const struct review *r, const struct review_report *p);
/* An array of those that the list has. */
struct json *reports_json(const struct review *r, bool all);

#endif
