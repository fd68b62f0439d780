/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui.h - the full-screen view of series triage.
 */
#ifndef CMD_TUI_H
#define CMD_TUI_H

#include "../triage_opts.h"

/* Until the user leaves. E_FAIL when the terminal cannot do it. */
int tui_triage(struct ctx *c, struct triage_view *v, struct err *err);

#endif
