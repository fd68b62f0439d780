/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pager.h - text to read: wrapped, with styles by line, quotes that fold, search.
 *
 * Pure but for drawing: what is added is cleaned of control bytes, tabs become blanks.
 */
#ifndef CMD_TUI_PAGER_H
#define CMD_TUI_PAGER_H

#include "series/buf.h"
#include "ui.h"

enum { LINE_QUOTE = 1, LINE_MAIL = 2 /* a mail begins here */ };

struct pager_line {
	size_t at, len; /* in pager.text */
	enum style style;
	unsigned flags;
	size_t mail; /* what the caller says */
	size_t run;  /* of the first line of a quote: how many lines; else 0 */
	bool open;   /* and is it unfolded? */
};

/* A line of the screen. */
struct pager_row {
	size_t line, at, len; /* at in the text */
	bool fold;	      /* stands for a folded quote */
};

struct pager {
	struct view view;
	char *title;
	struct buf text;
	struct pager_line *line;
	size_t n, cap;
	struct pager_row *row;
	size_t n_rows, cap_rows;
	size_t width; /* that the rows were made for */
	size_t top;
	size_t began;	   /* top where a search began */
	size_t hit;	   /* line that was found, or (size_t)-1 */
	size_t triage_row; /* or (size_t)-1 */
	struct strvec ids; /* Message-IDs of the mails */
};

struct pager *pager_new(const char *title);
void pager_add(struct pager *p, enum style style, unsigned flags, size_t mail,
	       struct str line);
/*
 * Output of a program of ours, with colours (SGR): a line has the style of its first
 * colour.
 */
void pager_add_output(struct pager *p, struct str text);
/* All lines are there: quotes of more than FOLD lines are folded. */
#define FOLD 6
void pager_ready(struct pager *p);
/* Show this mail at the top. */
void pager_go_mail(struct pager *p, size_t mail);
/* Make rows for a width; called when it is drawn. */
void pager_layout(struct pager *p, size_t width);
void pager_push(struct ui *u, struct pager *take);
void pager_free(struct pager *p);

#endif
