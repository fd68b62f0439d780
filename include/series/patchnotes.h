/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patchnotes.h - notes.txt: what stands below the "---" of single patches, as the user
 * writes it, besides the changelog.
 *
 *	patch 2: mm/rmap: add batched helper
 *	Not for stable: the bug needs the new allocator.
 *
 * Headings are those of a changelog (changelog.h) and find their patches in the same way;
 * everything up to the next one is text. A line of a text that looks like a heading has a
 * "\" in front of it.
 */
#ifndef SERIES_PATCHNOTES_H
#define SERIES_PATCHNOTES_H

#include "series/series.h"

#define PATCHNOTES_MAX	(1 << 20)
#define PATCHNOTES_FILE "notes.txt"

struct patchnote {
	int k;	       /* number of the patch; 0: text that no heading stands above */
	char *subject; /* "" when the heading has a number only */
	char *text;    /* LF at its end, no blank lines at both ends */
	bool found;    /* patchnotes_match() knows the patch */
};

struct patchnotes {
	struct patchnote *v;
	size_t n, cap;
};

/* Never fails; a heading with a number only and no text is left out. */
void patchnotes_parse(struct str text, struct patchnotes *ret);
void patchnotes_release(struct patchnotes *p);
#define _cleanup_patchnotes_ __attribute__((cleanup(patchnotes_release)))
/* The text again, in the form that is stored; "" when there is nothing. */
void patchnotes_format(const struct patchnotes *p, struct buf *out);
/*
 * Which patch is meant by each heading (changelog_find_patch()). Two notes of one patch
 * become one; those without a patch stand at the end, as they were. A heading with
 * nothing below it is left out when it is a patch's, its words are the text when they may
 * be (changelog_heading_is_text()), and else it stays.
 */
void patchnotes_match(struct patchnotes *p, const struct patch *patches, size_t n);
/* The note of patch k after patchnotes_match(), or NULL. */
const struct patchnote *patchnotes_get(const struct patchnotes *p, int k);
/* Replace the note of patch k; blank text removes it. */
void patchnotes_set(struct patchnotes *p, int k, const char *subject, struct str text);

/* notes.txt of a series appended to *ret; none is no error. */
int series_notes_read(struct repo *r, const char *name, struct buf *ret, struct err *err);
/*
 * Store text (from patchnotes_format(); "" removes it) in one state commit. *ret_changed
 * is false when it is what was there. When another text than expected is stored by now,
 * nothing is written: E_CONFLICT.
 */
int series_notes_write(struct repo *r, const char *name, struct str text,
		       struct str expected, bool *ret_changed, struct err *err);

#endif
