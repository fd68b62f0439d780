/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixup_priv.h - what the branch has for each patch of the version that is corrected.
 */
#ifndef SERIES_FIXUP_PRIV_H
#define SERIES_FIXUP_PRIV_H

#include "series/compare.h"
#include "series/fixup.h"
#include "trial.h"

struct look {
	struct series *s;
	const struct version *v; /* the one that was posted last */
	struct fix *f;
	char tip_tree[OID_HEX];
	struct comparison cmp; /* v and the branch */
	ptrdiff_t *now;	       /* for each patch of v: its index in the branch, or -1 */
	int *target; /* for each commit of the branch: -1, or of a fixup! commit the patch
			that it is for, 0 when there is none */
};

void look_release(struct look *q);
int look_at_branch(struct look *q, struct err *err);
/* The commit of the branch that patch k (from 1) became; NULL. */
const char *look_commit(const struct look *q, int k);
/* Are there fixup! commits for patch k? */
bool look_has_fixups(const struct look *q, int k);
/* Is there a change to patch k that no fix has yet? */
int look_changed(struct look *q, int k, bool *ret, struct err *err);
/* The fixup! commits that are in the fix: f->parts, f->text, f->author. */
int look_at_parts(struct look *q, int k, struct err *err);
/* Changes of the branch that are not for patch k: f->findings. */
int look_at_others(struct look *q, int k, struct err *err);
/* Nothing of patch k changed: say why, and what to do. */
int look_nothing(struct look *q, int k, struct err *err);

#endif
