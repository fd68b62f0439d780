/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_letter.h - the cover letter of a series that was posted.
 */
#ifndef DESK_IMPORT_LETTER_H
#define DESK_IMPORT_LETTER_H

#include "series/posted.h"
#include "series/series.h"
#include "series/store.h"

/* The versions that are taken over, and the mails that they were posted in. */
struct import_words {
	const struct thread *thread;
	const struct posted_version *letter;	    /* has the newest cover letter */
	const struct posted_version *const *posted; /* of each version */
	const struct version *versions;		    /* oldest first */
	size_t n;				    /* at least 1 */
};

/*
 * Store what a person wrote: cover.txt, changes/vN.txt (those of patches from the mails
 * of that version), notes.txt. What series and b4 write by themselves goes: shortlog,
 * diffstat, ids, the line of the base, links to versions that are here.
 */
void import_letter(const struct import_words *of, struct store *store);

#endif
