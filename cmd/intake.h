/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intake.h - text that the user hands in for a letter, changelog or note: by the editor, a
 * file or an option.
 */
#ifndef SERIES_CMD_INTAKE_H
#define SERIES_CMD_INTAKE_H

#include "series/buf.h"
#include "series/err.h"

/*
 * Can a mail carry it: UTF-8, and no control characters but tabs and the ends of lines?
 * E_FAIL names the line; title is "the cover letter". Lines that stand in known are not the
 * user's (titles of patches), and not judged.
 */
int intake_check(const char *title, struct str text, struct str known, struct err *err);
/* The file at path ("-": standard input), checked, appended to *ret; max in bytes. */
int intake_file(const char *title, const char *path, size_t max, struct buf *ret,
		struct err *err);
/* text without the lines that begin with "#" and stand in form, appended to *ret. */
void intake_strip(struct str text, struct str form, struct buf *ret);

#endif
