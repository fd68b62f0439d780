/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes_target.h - the changelog that "series changes" is about, read and stored.
 */
#ifndef SERIES_CMD_CHANGES_TARGET_H
#define SERIES_CMD_CHANGES_TARGET_H

#include "cmd.h"
#include "series/changelog.h"

/* In messages. */
#define CHANGELOG_TITLE "the changelog"

struct target {
	int n;
	bool restart; /* v1 to come, of a series whose versions until now were RFCs */
	bool draft;
	const struct patch *patches;
	size_t n_patches;
	struct buf stored; /* as it was when it was read */
};

void target_release(struct target *t);
/*
 * Version n (0: the draft) of the command's series; E_NOTFOUND beyond the draft. 1 is the
 * draft too where "send -v 1" may begin again after RFCs.
 */
int target_find(struct ctx *c, int n, struct target *ret, struct err *err);
/* Its changelog, matched with its patches; nothing stored is none. */
int target_read(struct ctx *c, struct target *t, struct changelog *ret, struct err *err);
/* The same for a text as people type it. */
int target_put_text(struct ctx *c, struct target *t, struct str text, struct err *err);
/* Append an entry for patch k (0: the series), thanks to somebody (may be NULL). */
int target_add(struct ctx *c, struct target *t, int k, const char *text,
	       const char *thanks, struct err *err);

#endif
