/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_base.h - on which commit posted patches were made.
 */
#ifndef DESK_IMPORT_BASE_H
#define DESK_IMPORT_BASE_H

#include "series/git.h"
#include "series/posted.h"

/* Where patches may start: the upstream, the main branches of remotes and here, HEAD. */
struct import_bases {
	struct strvec refs, ids; /* in parallel */
};

void import_bases_find(struct repo *r, const struct config *c, struct import_bases *ret);
void import_bases_release(struct import_bases *b);
/* One that has the commit in its history, for people to follow; NULL. Borrowed. */
const char *import_base_ref(struct repo *r, const struct import_bases *b,
			    const char *commit);
/*
 * Append commits to try, the likeliest first: base-commit of the cover or a patch; the
 * newest commit before the posting whose files are those that the index lines of the
 * diffs name, unless one is in *ret already; the tips. *ret_said (may stay NULL, caller frees): a
 * base-commit that is not here.
 */
void import_base_list(struct repo *r, const struct import_bases *b,
		      const struct thread *t, const struct posted_version *v,
		      struct strvec *ret, char **ret_said);

#endif
