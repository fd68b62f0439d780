/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * triage_row.h - a row of the triage view as cells: for text and for the full screen.
 */
#ifndef CMD_TRIAGE_ROW_H
#define CMD_TRIAGE_ROW_H

#include "series/triage.h"

enum triage_cell {
	CELL_MARK,    /* "!" flagged, "@" assigned; "n" a note, "z" it sleeps */
	CELL_AGE,     /* of the last word */
	CELL_VERSION, /* "v3+2": and two older ones */
	CELL_PATCHES, /* "3/5": of five patches three have an R or A; "-1": one is missing
		       */
	CELL_TAGS,    /* people: R/A/T */
	CELL_AGAINST, /* "N1" NAKs, "o2" open remarks, "b1" findings of robots */
	CELL_APPLIES, /* "+", "-", "?": to the configured base */
	CELL_SIGNED,  /* "D" by the developer, "S" by a server; small: not all mails */
	CELL_CLAIM,   /* "-73%", "2x": the most that the cover says */
	CELL_LAST, /* who had the last word: A(uthor), R(eviewer), B(ot); wide: and name
		    */
	CELL_AUTHOR,
	CELL_SUBJECT,
	CELL_LIST,
	N_CELLS
};

/* Columns of each cell, 0: it is not shown; a blank stands between two. */
void triage_widths(const struct triage *t, size_t width, bool lists, size_t ret[N_CELLS]);
/* What stands above a column, and is it flushed right? */
const char *triage_heading(enum triage_cell c);
bool triage_cell_right(enum triage_cell c);
/* One cell of a row, on one line, fit for a terminal, at most width columns. */
void triage_cell(const struct triage *t, const struct triage_row *r, enum triage_cell c,
		 size_t width, struct buf *out);
/* A whole line, without blanks at its end; the headings when r is NULL. */
void triage_line(const struct triage *t, const struct triage_row *r,
		 const size_t widths[N_CELLS], struct buf *out);
/* Who had the last word when, what it overlaps with, the note: one line. */
void triage_details(struct triage *t, const struct triage_row *r, struct buf *out);

#endif
