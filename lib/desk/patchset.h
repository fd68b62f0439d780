/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patchset.h - what git makes of the draft: its patches as mail text, shortlog, diffstat.
 */
#ifndef SERIES_PATCHSET_H
#define SERIES_PATCHSET_H

#include "series/compose.h"
#include "series/finding.h"
#include "series/series.h"

struct patchset {
	struct buf *texts;	   /* one mail of git format-patch each */
	struct patch_mail *mails;  /* views into them */
	struct commit *commits;
	size_t n;
	struct buf shortlog, stat;
	struct str signature;	   /* view into the last text, may be empty */
};

void patchset_release(struct patchset *p);
#define _cleanup_patchset_ __attribute__((cleanup(patchset_release)))
/* Run git format-patch, shortlog and diff. Patches of others get an in-body From:. */
struct patch_range {
	struct repo *repo;
	const char *base, *head; /* the commits behind base up to head */
	bool signature;		 /* as format.signature and format.signatureFile say; else none */
};
int patchset_read(const struct patch_range *r, const struct addr *from,
		  struct patchset *ret, struct err *err);
/*
 * What of patch i git am would not bring into a tree, by looking at the commit: findings,
 * each with its remedy. Errors are those of reading the commit.
 */
int patchset_check(const struct series *s, const struct patchset *p, size_t i,
		   struct findings *f, struct err *err);
/*
 * Does git apply find its way in the diffs? Some file names, of changes without lines, it
 * cannot read back. Findings; one run of git when there are none.
 */
int patchset_parse(const struct series *s, const struct patchset *p, struct findings *f,
		   struct err *err);
/*
 * Ask git mailinfo what it makes of the finished mail of patch i, whose text is body, and
 * compare author, message and patch byte for byte; a difference is a finding.
 */
int patchset_verify(const struct series *s, const struct patchset *p, size_t i,
		    struct str body, struct str mail, struct findings *f,
		    struct err *err);

#endif
