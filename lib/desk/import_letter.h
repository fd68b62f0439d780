/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_letter.h - the cover letter of a series that was posted.
 */
#ifndef DESK_IMPORT_LETTER_H
#define DESK_IMPORT_LETTER_H

#include "series/posted.h"
#include "series/store.h"

/*
 * Store what a person wrote of the cover of a version: cover.txt, and the changelogs of
 * versions up to n as changes/vN.txt. Shortlog, diffstat and trailers of tools go.
 */
void import_letter(const struct thread *t, const struct posted_version *v, int n,
		   struct store *store);

#endif
