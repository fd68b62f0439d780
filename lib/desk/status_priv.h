/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_priv.h - the parts a status is put together from.
 */
#ifndef DESK_STATUS_PRIV_H
#define DESK_STATUS_PRIV_H

#include "series/status.h"

/* archs, base.builds and patches[].builds, from build/HASH.json. */
int status_builds(struct status *st, struct err *err);
/* bench, from the stored sessions. */
int status_benches(struct status *st, const struct config *c, struct err *err);
/* review, tags and the counts of remarks. */
int status_review(struct status *st, struct series *s, const struct config *c,
		  struct err *err);
/* Findings about them. */
void status_review_findings(struct status *st);
/* Remarks that nobody answered. */
size_t status_remarks_open(const struct status *st);
/* findings and next; everything else is filled. */
int status_advise(struct status *st, const struct config *c, struct err *err);

#endif
