/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wantblobs.h - the files that patches were made for, by the index lines of their diffs.
 */
#ifndef DESK_WANTBLOBS_H
#define DESK_WANTBLOBS_H

#include "series/strvec.h"

struct want_blobs {
	/* In parallel: a file, and the digits that its object begins with; all 0: no
	 * file. */
	struct strvec paths, oids;
};

/* Those of one patch more; of a file that is there already the first counts. */
void want_blobs_add(struct str patch, struct want_blobs *w);
void want_blobs_release(struct want_blobs *w);
#define _cleanup_want_blobs_ __attribute__((cleanup(want_blobs_release)))

#endif
