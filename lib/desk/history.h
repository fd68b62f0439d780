/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - the versions of a series, newest first, with their changelogs; and each
 * patch followed back through them.
 */
#ifndef SERIES_HISTORY_H
#define SERIES_HISTORY_H

#include "series/changelog.h"
#include "series/compare.h"

struct step {
	int n;
	bool rfc; /* an RFC before a series that began again at v1 */
	const struct version
		*v; /* NULL: the draft, or a number that was not posted here */
	const struct patch *patches; /* borrowed; none when it was not posted here */
	size_t n_patches;
	struct changelog log; /* matched with the patches */
	int newer;	      /* step that it is compared with; -1 for the newest */
	bool compared;
	struct comparison
		cmp; /* from this step to the newer one; empty when it cannot be */
};

struct history {
	const struct series *s; /* borrowed */
	struct step *v;		/* v[0] is what is being posted */
	size_t n;
};

/*
 * All steps down to the first. restart: the version being posted is v1 of a series whose
 * versions until now were RFCs. Free with history_release().
 */
int history_read(const struct series *s, int version, bool restart, struct history *ret,
		 struct err *err);
void history_release(struct history *h);
/* The next older step that was posted here, or NULL. */
struct step *history_older(struct history *h, const struct step *st);
/*
 * Which patch of step older (from history_older()) became patch k of the step that it is
 * compared with? 0: none, it was new. *ret_same: code, title and message, but for
 * trailers, are what they were. Commits that are gone: judged by the title, not same.
 */
int history_follow(struct history *h, struct step *older, int k, int *ret, bool *ret_same,
		   struct err *err);
/* Has any patch an entry of its own in this step? */
bool step_has_patches(const struct step *st);
/* The same in this step or an older one. */
bool history_has_patches(const struct history *h, const struct step *st);

#endif
