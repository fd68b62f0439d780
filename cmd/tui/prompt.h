/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prompt.h - a line that the user types at the bottom of the screen.
 */
#ifndef CMD_TUI_PROMPT_H
#define CMD_TUI_PROMPT_H

#include <stdbool.h>
#include <stdint.h>
#include "series/buf.h"

/* The text and where in it the cursor stands, in bytes. */
struct line_edit {
	struct buf text;
	size_t at;
};

enum edit_result { EDIT_GOES_ON, EDIT_DONE, EDIT_GIVEN_UP };

void line_edit_init(struct line_edit *e, const char *text);
void line_edit_release(struct line_edit *e);
/* What a key does to it; keys as in readline. Pure. */
enum edit_result line_edit_key(struct line_edit *e, int32_t key);

/* After each change of the text: search as you type. The screen may be drawn. */
typedef void prompt_changed(void *arg, const char *text);
/*
 * Ask in the last row; NULL when the user gave up, else fresh memory. Between keys
 * changed() is called, which may be NULL.
 */
char *prompt_ask(const char *label, const char *text, prompt_changed *changed, void *arg);
/* One key out of those in keys, shown in the label; 0: another. */
char prompt_key(const char *label, const char *keys);

#endif
