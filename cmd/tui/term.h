/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term.h - the screen: started, written to, read from, and given back whatever happens.
 */
#ifndef CMD_TUI_TERM_H
#define CMD_TUI_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include "series/err.h"
#include "series/str.h"

enum style {
	STYLE_PLAIN,
	STYLE_BOLD,
	STYLE_GREEN,
	STYLE_RED,
	STYLE_YELLOW,
	STYLE_CYAN,
	STYLE_DIM,
	STYLE_BAR,   /* titles and the status line */
	STYLE_CURSOR /* the line that keys are about */
};

/* color: may colours be used? E_FAIL when there is no screen to speak of. */
int term_start(bool color, struct err *err);
void term_stop(void);
/* For an editor or pager: the terminal is as it was, and then ours again. */
void term_leave(void);
void term_return(void);
/* Is ^C a signal (series/intr.h), for what is long and reads no keys, or a key? */
void term_interrupts(bool on);
int term_rows(void);
int term_columns(void);

/* ---- writing ---- */

void term_clear(void);
/*
 * Text at a place, at most width columns; what is no text for a terminal is taken out.
 * The rest of the width is filled with blanks. Returns the columns that text took.
 */
size_t term_put(int row, int column, size_t width, enum style style, struct str text);
/* Where the cursor blinks; row -1: nowhere. */
void term_cursor(int row, int column);
void term_flush(void);
/* A text for the clipboard (OSC 52), to terminals and tmux that take it. */
void term_copy(const char *text);

/* ---- reading ---- */

/*
 * A key: a character (Unicode), a control character, or one of these. KEY_NOTHING: the
 * time was over (wait_ms, -1: never), the screen has another size, or a signal came.
 */
enum {
	KEYS_BASE = 0x200000,
	TK_NOTHING = KEYS_BASE,
	TK_UP,
	TK_DOWN,
	TK_LEFT,
	TK_RIGHT,
	TK_HOME,
	TK_END,
	TK_PAGE_UP,
	TK_PAGE_DOWN,
	TK_BACKSPACE,
	TK_DELETE,
	TK_ENTER,
	TK_F1, /* to F12 */
	TK_F12 = TK_F1 + 11,
	TK_OTHER,
};
#define TK_CTRL(c) ((c)&0x1f)
#define TK_ESCAPE  0x1b

int32_t term_key(int wait_ms);

#endif
