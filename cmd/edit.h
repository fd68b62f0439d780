/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit.h - a text of the series in the user's editor and back, without losing any of it:
 * when the editor fails or what it wrote is refused, the file stays, is named, and is
 * taken up by the next edit of the same text, together with what was stored meanwhile.
 */
#ifndef SERIES_CMD_EDIT_H
#define SERIES_CMD_EDIT_H

#include "cmd.h"

/* What the editor is opened with. */
struct edit_start {
	struct buf text;
	/*
	 * Nothing is stored: the text is a template or a proposal of ours. Lines of it that
	 * begin with "#" are taken out again.
	 */
	bool form;
};

struct edit_job {
	const char *title; /* "the cover letter", for messages */
	const char *file;  /* "cover": it lies in <common dir>/series/NAME.cover.txt; of
			      no series in series/FILE.txt */
	size_t max;	   /* bytes */
	/*
	 * What git's marks call the two sides where a kept text and what was stored
	 * meanwhile differ in the same lines. NULL: the lines of both stay, without marks.
	 */
	const char *our_name, *their_name;
	/* Fill in *ret, and look at what store() needs. */
	int (*start)(struct ctx *c, void *data, struct edit_start *ret, struct err *err);
	/*
	 * saved false: the editor wrote nothing. The text is without the lines of a form; it
	 * may be what start() gave, saved or not.
	 */
	int (*store)(struct ctx *c, void *data, struct str text, bool saved,
		     struct err *err);
	void *data;
	bool keep; /* the file stays, to be taken up again, when all goes well too */
};

/*
 * The whole round. One editor at a time for each text: E_LOCKED names the other. Errors of
 * the editor, of start() and of store() come through.
 */
int edit_text(struct ctx *c, const struct edit_job *job, struct err *err);
/* A text that was kept has been used after all: it goes. file as above. */
void edit_forget(struct ctx *c, const char *file);

#endif
