/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes_print.h - a changelog for people, as JSON, and as the form that is edited.
 */
#ifndef SERIES_CMD_CHANGES_PRINT_H
#define SERIES_CMD_CHANGES_PRINT_H

#include "changes_target.h"
#include "series/changes.h"

/* As the mails will have it, and findings. */
void changes_print(struct ctx *c, const struct target *t, const struct changelog *log,
		   const struct changes *r, const struct findings *f);
/* The document of "series changes --json". */
struct json *changes_json(const struct series *s, int version, struct str stored,
			  const struct changelog *log, const struct suggestions *sug,
			  const struct changes *r, const struct findings *f);
/*
 * The text to edit: the entries, or where there are none the suggestions in their place;
 * suggestions that the entries do not cover, and how it works, as comments. draft:
 * version is the draft's.
 */
void changes_put_form(const struct series *s, const struct changelog *log,
		      const struct suggestions *sug, int version, bool draft,
		      struct buf *out);

#endif
