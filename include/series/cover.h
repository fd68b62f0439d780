/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cover.h - the cover letter: cover.txt as the user wrote it, and rendered.
 *
 * cover.txt is a title line, a blank line, the text, and optionally a line "---" with
 * notes below it. A line "@bench NAME [host=H] [case=C] [style=S]" stands for a table of
 * stored results. Rendering never changes the stored text, and the same text and results
 * give the same bytes. A line that begins with "@" and a small letter is a directive; with
 * a blank in front it is text.
 */
#ifndef SERIES_COVER_H
#define SERIES_COVER_H

#include "series/finding.h"
#include "series/git.h"
#include "series/series.h"

struct cover {
	char *title;
	struct buf body, notes;	/* rendered, LF at the end, "" when there is none */
	bool emulated;		/* a table holds results of an emulated machine */
};

void cover_release(struct cover *c);
#define _cleanup_cover_ __attribute__((cleanup(cover_release)))

/*
 * Render text (cover.txt of series s). What is wrong or stale goes to *f: unknown
 * directives and missing results are errors with their line, other results than those of
 * the draft are warnings. Other errors only when results cannot be read.
 */
int cover_render(struct series *s, const struct config *config, struct str text,
		 struct cover *ret, struct findings *f, struct err *err);
/* Is this still the text that "series init" or "cover --edit" starts with? */
bool cover_is_template(struct str text);
/* The first line that has a word of the templates to be filled in; 0 when none has. */
size_t cover_template_line(struct str text);
/* The error "cover-conflict" when a merge left two letters. */
void cover_conflict(const struct series *s, struct findings *f);
/* All of it on one page: title, blank line, body, "---" and notes. */
void cover_show(const struct cover *c, struct buf *out);

#endif
