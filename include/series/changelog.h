/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changelog.h - changes/vN.txt: what changed in version N, as the user writes it.
 *
 *	- entry for the whole series (thanks Jane Doe)
 *	  its second line
 *
 *	patch 2: mm/rmap: add batched helper
 *	- entry for that patch
 *
 * A heading "patch K: SUBJECT" begins the entries of one patch; "- patch K: text" is the
 * same for a single entry. The subject says which patch is meant, so that entries follow
 * it when patches are reordered; the number counts when there is no subject. Lines that
 * begin with "#" are comments and never stored. Text without a "- " is kept as it is.
 */
#ifndef SERIES_CHANGELOG_H
#define SERIES_CHANGELOG_H

#include "series/series.h"

#define CHANGELOG_MAX (1 << 20)

struct changelog_entry {
	char *text; /* without "- "; further lines without their common indent */
	bool plain; /* there was no "- " */
};

struct changelog_part {
	int k;	       /* number of the patch; 0: the whole series */
	char *subject; /* "" for the series and where the user gave a number only */
	bool found;    /* changelog_match() knows the patch */
	struct changelog_entry *v;
	size_t n, cap;
};

/* v[0] is the part of the series, always there. */
struct changelog {
	struct changelog_part *v;
	size_t n, cap;
};

/* Never fails; what is no heading and no entry is text of the entry above it. */
void changelog_parse(struct str text, struct changelog *ret);
void changelog_release(struct changelog *c);
#define _cleanup_changelog_ __attribute__((cleanup(changelog_release)))
/* The text again, in the form that is stored; "" when there is nothing. */
void changelog_format(const struct changelog *c, struct buf *out);
/*
 * Which patch is meant by each heading: the one of that subject; number K, else the only
 * one, whose subject has the words in it; number K when no subject is given or at least
 * half of the words are those of patch K. Numbers and subjects become the patch's, parts
 * are sorted; those that are not found stand at the end as they were. A heading with
 * nothing below it may be an entry, see changelog_heading_is_text().
 */
void changelog_match(struct changelog *c, const struct patch *patches, size_t n);
/*
 * Is line a heading, "patch 2: rest" or "patch 2/5: rest" in any case of letters? What it
 * says; both untouched when it is none.
 */
bool changelog_heading(struct str line, int *ret_k, struct str *ret_rest);
/* The number of the patch that a heading means, by the rules above; 0 if it is none. */
int changelog_find_patch(int k, const char *subject, const struct patch *patches,
			 size_t n);
/*
 * A heading with nothing below it, "patch 2: return unsigned long": were its words meant
 * as text for patch k? Yes unless they are the subject of a patch, or there is no patch k.
 */
bool changelog_heading_is_text(int k, const char *words, const struct patch *patches,
			       size_t n);
/* The part of patch k (0: the series), or NULL. */
const struct changelog_part *changelog_part(const struct changelog *c, int k);
/* Append an entry (k 0: for the series); "- " in front of text is left out. */
void changelog_add(struct changelog *c, int k, const char *subject, struct str text);
/* Is there no entry at all? */
bool changelog_empty(const struct changelog *c);
/*
 * One entry as it stands in a mail, LF at the end: mark ("- ", " - ") in front of the
 * first line, as many blanks in front of the others; intro ("patch 2: ") behind the mark.
 */
void changelog_entry_show(const struct changelog_entry *e, const char *mark,
			  const char *intro, struct buf *out);

/*
 * The N of changes/vN.txt that holds the changelog of version n: the draft's is stored
 * under series_draft() until it is posted, whatever number it gets then (restart: v1 of a
 * series whose versions until now were RFCs).
 */
int series_changelog_number(const struct series *s, int n, bool restart);
/* changes/vN.txt of a series appended to *ret; E_NOTFOUND when there is none. */
int series_changelog_read(struct repo *r, const char *name, int n, struct buf *ret,
			  struct err *err);
/*
 * Store text (from changelog_format(); "" removes it) in one state commit. *ret_changed
 * is false when it is what was there. When expected is not NULL and another text is
 * stored by now ("" when there was none), nothing is written: E_CONFLICT.
 */
int series_changelog_write(struct repo *r, const char *name, int n, struct str text,
			   const struct str *expected, bool *ret_changed,
			   struct err *err);

#endif
