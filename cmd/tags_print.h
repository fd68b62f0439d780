/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tags_print.h - tags as text.
 */
#ifndef CMD_TAGS_PRINT_H
#define CMD_TAGS_PRINT_H

#include "cmd.h"
#include "series/tagapply.h"
#include "series/tagjudge.h"

/* All of them, by patch. */
void tags_print(struct ctx *c, const struct review *r, const struct judged *j);
/* "2/5 Reviewed-by from Rita Reader (v1)", appended. */
void tags_describe(const struct series *s, const struct judged_tag *e, struct buf *out);
/* What --apply did, and what it left out. */
void tags_print_applied(struct ctx *c, const struct review *r, const struct judged *j,
			const struct tags_applied *a);

#endif
