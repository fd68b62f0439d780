/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes.h - what changed since the last version: proposed from the range-diff, and as
 * it stands in the mails.
 */
#ifndef SERIES_CHANGES_H
#define SERIES_CHANGES_H

#include "series/changelog.h"
#include "series/finding.h"

/* An entry that the range-diff of the last version and the branch calls for. */
struct suggestion {
	int patch; /* of the draft, 0: the series */
	char *text;
	bool covered; /* the changelog speaks of it already, or the patch's note */
	/* They do when there is one of these words (see suggestions_judge()). */
	struct strvec words;
	bool noted; /* the note does, whatever the changelog will say */
	bool own; /* any entry of that patch will do */
};

struct suggestions {
	struct suggestion *v; /* those of the series first, then by patch */
	size_t n, cap;
};

void suggestions_release(struct suggestions *s);
#define _cleanup_suggestions_ __attribute__((cleanup(suggestions_release)))
/*
 * From the last version to the branch (series_find_patches() was called): patches that
 * are new, dropped, moved, retitled, folded, split, whose code or message changed, with
 * the fixes posted for it; tags lost and gained; another base; remarks that the draft
 * does (--done). Nothing posted yet: none. restart: the draft will be v1
 * after RFCs.
 */
int suggestions_make(const struct series *s, const struct config *c, bool restart,
		     struct suggestions *ret, struct err *err);
/* Set covered of each by the entries of a changelog after changelog_match(). */
void suggestions_judge(struct suggestions *s, const struct changelog *c);
/* Columns that an entry takes at most, its "- " included. */
#define SUGGESTION_COLUMNS 72
/* Those not covered as a changelog, long ones broken. */
void suggestions_changelog(const struct suggestions *s, const struct series *series,
			   struct changelog *ret);

/* The changelogs of all versions, as the mails of one posting carry them. */
struct changes {
	/* For the cover letter, a single patch carries it too: blocks, newest first, each
	 * with a blank line behind it. */
	struct buf cover;
	struct buf *patches; /* for below the "---" of each patch of the draft */
	size_t n;
	bool links; /* cover names the earlier versions, no list of them is needed */
};

void changes_release(struct changes *c);
#define _cleanup_changes_ __attribute__((cleanup(changes_release)))
/*
 * Render them for posting the draft as version (restart: all that was posted comes
 * before, as RFCs). Headings that fit no patch and lines that git am would take for a
 * diff go to *f. Settings: series.changelog = changes|arrow, series.changelog.patches =
 * patches|cover|both; another value is E_USAGE.
 */
int changes_make(const struct series *s, const struct config *c, int version,
		 bool restart, struct changes *ret, struct findings *f, struct err *err);
/* The address where a mail can be read: series.linkmask or b4.linkmask filled in. */
void changes_link(const struct config *c, const char *message_id, struct buf *out);

#endif
