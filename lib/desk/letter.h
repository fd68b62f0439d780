/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * letter.h - the text of a cover letter mail, or of the notes that a single patch carries.
 */
#ifndef SERIES_LETTER_H
#define SERIES_LETTER_H

#include "patchset.h"
#include "series/changes.h"
#include "series/cover.h"
#include "series/patchnotes.h"

struct letter {
	struct series *series;
	const struct config *config;
	const struct cover *cover;	/* rendered; NULL when there is none */
	const struct patchset *patches;
	int version;
	const struct addr *from;	/* who sends */
	const struct changes *changes;	/* NULL when there are none */
	const struct patchnotes *notes; /* matched; NULL when there are none */
	bool restart;		/* it begins again at v1: all that was posted comes before */
};

/*
 * Body of the cover letter: text, "---", notes, base line, changelog newest first, links
 * to earlier versions, shortlog, diffstat, base-commit:, change-id:, signature.
 */
int letter_cover(const struct letter *l, struct buf *out, struct err *err);
/* Body of patch i; the only one of a series carries the letter below its "---". */
int letter_patch(const struct letter *l, size_t i, struct buf *out, struct err *err);
/*
 * notes.txt of a series, matched with the patches of its branch. judge: headings that fit
 * no patch and lines that git am would take for a diff go to *f. No notes are none.
 */
int notes_make(const struct series *s, bool judge, struct patchnotes *ret,
	       struct findings *f, struct err *err);
/* The message of patch i, with an in-body From: where another than the author sends. */
void letter_message(const struct letter *l, size_t i, struct buf *out);
/* "mm-unstable": the base ref as others know it, in fresh memory; NULL when there is none. */
char *letter_base_name(const struct series *s, const struct config *c);

#endif
