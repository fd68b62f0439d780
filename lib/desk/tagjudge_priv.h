/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tagjudge_priv.h - tags judged one by one.
 */
#ifndef DESK_TAGJUDGE_PRIV_H
#define DESK_TAGJUDGE_PRIV_H

#include "series/tagjudge.h"

/* As tags_judge(), but each tag for each of its patches, in no order of patches. */
int tags_judge_each(const struct series *s, const struct config *c,
		    const struct review *r, struct judged *ret, struct err *err);

#endif
