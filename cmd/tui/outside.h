/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outside.h - what is done by other programs: pager, mutt, browser, git.
 */
#ifndef CMD_TUI_OUTSIDE_H
#define CMD_TUI_OUTSIDE_H

#include "ui.h"

/* rows: the series that it is about, n of them. False: it is no such action. */
bool outside_do(struct ui *u, enum action a, const size_t *rows, size_t n);
/* A reply in the editor, a tag: by mail. False: it is no such action. */
bool mailout_do(struct ui *u, enum action a, const size_t *rows, size_t n);
/*
 * A program that has the terminal meanwhile; a command for the shell, of the user's own,
 * when arg is what it gets, else argv. True: it ended well; else a message was said.
 */
bool outside_run(struct ui *u, char *const *argv, const char *what);

#endif
