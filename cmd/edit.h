/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit.h - a text of the series in the user's editor and back, without losing any of it:
 * when the editor fails or what it wrote is refused, the file stays, is named, and is
 * taken up by the next edit of the same text.
 */
#ifndef SERIES_CMD_EDIT_H
#define SERIES_CMD_EDIT_H

#include "cmd.h"

struct edit_job {
	const char *title; /* "the cover letter", for messages */
	const char *file;  /* "cover": it lies in <common dir>/series/NAME.cover.txt */
	size_t max;	   /* bytes */
	/*
	 * The text to start with appended to *out. kept: one of an earlier edit is there
	 * and is used instead, only what store() needs is to be looked at.
	 */
	int (*start)(struct ctx *c, void *data, bool kept, struct buf *out,
		     struct err *err);
	/* saved false: the editor wrote nothing, the text is the one to start with. */
	int (*store)(struct ctx *c, void *data, struct str text, bool saved,
		     struct err *err);
	void *data;
};

/*
 * The whole round. One editor at a time for each text: E_LOCKED names the other. Errors of
 * the editor, of start() and of store() come through.
 */
int edit_text(struct ctx *c, const struct edit_job *job, struct err *err);

#endif
