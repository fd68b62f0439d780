/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - questions to a person at a terminal.
 */
#ifndef SERIES_ASK_H
#define SERIES_ASK_H

#include <stdbool.h>
#include "series/buf.h"

/* Is there a person to ask: standard input and standard error are a terminal. */
bool ask_possible(void);
/*
 * Show text (sanitised) and "QUESTION [y/N] " on the terminal; true only for an answer
 * that begins with y. False at once when nobody can be asked.
 */
bool ask_yes(const struct buf *text, const char *question);

/*
 * The same with "QUESTION [LETTERS] ": the first letter of the answer in lower case; 0
 * for an empty line, ^C, ^D, and when nobody can be asked.
 */
char ask_letter(const struct buf *text, const char *question, const char *letters);

/*
 * "QUESTION [DEFAULT] ": the line that was typed, without blanks around it, in fresh
 * memory; the default (may be NULL) for an empty one, and when nobody can be asked. NULL
 * for ^C and ^D.
 */
char *ask_line(const char *question, const char *dflt);

#endif
