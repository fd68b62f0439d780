/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cover_notes.h - "series cover --patch": what stands below the "---" of single patches.
 */
#ifndef SERIES_CMD_COVER_NOTES_H
#define SERIES_CMD_COVER_NOTES_H

#include "cmd.h"

/*
 * which: number of a patch, or "all" for the whole text with its headings. Edit it, store
 * what is in file ("-": standard input), or print it when both are not given.
 */
int cover_notes(struct ctx *c, const char *which, bool edit, const char *file,
		struct err *err);

#endif
