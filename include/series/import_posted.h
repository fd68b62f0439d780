/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_posted.h - a series that was posted by other means becomes one of ours: its
 * versions with their mails, a branch with the newest one's patches, its cover letter.
 */
#ifndef SERIES_IMPORT_POSTED_H
#define SERIES_IMPORT_POSTED_H

#include "series/posted.h"
#include "series/series.h"

struct import_posted_opts {
	const struct thread *thread;
	const struct posted *posted;
	size_t series;	    /* of posted->series */
	const char *branch; /* to be made; NULL: named after the series */
	const char *name;   /* of the series; NULL: the branch's */
	const char *base;   /* the patches apply on; NULL: see below */
};

struct imported {
	char *branch, *name;
	char base[OID_HEX], head[OID_HEX];
	bool was_there;	     /* the current branch had the patches: it was taken */
	struct strvec notes; /* what is not taken over, and why */
};

/*
 * Each version is applied on its base (its base-commit; else the newest commit of the time
 * that has the files its index lines name; else the upstream, the main branches, HEAD:
 * the first that it applies on), and stored with its mails, Message-IDs and
 * recipients; one that does not apply is left out, and said. The newest is the branch:
 * the current one when that has its patches on top, else a new one that nothing checks
 * out. E_FAIL: the newest is not complete or does not apply; E_EXISTS: the branch or
 * series is there; E_NOTFOUND: no base. import_undo() (import.h) forgets the series by
 * refs/series/NAME/posted.
 */
int import_posted(struct repo *r, const struct config *c,
		  const struct import_posted_opts *o, struct imported *ret,
		  struct err *err);
void imported_release(struct imported *i);

#endif
