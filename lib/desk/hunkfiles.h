/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hunkfiles.h - the files that a diff was made from, as far as its hunks show them.
 */
#ifndef SERIES_HUNKFILES_H
#define SERIES_HUNKFILES_H

#include <stdbool.h>
#include "series/buf.h"
#include "series/strvec.h"

struct hunk_file {
	char *old_path, *new_path; /* NULL: there is none */
	char old_mode[7], new_mode[7];
	bool binary;
	/* Of a binary file: digits of its object's number, "" when they are not told. */
	char old_blob[41], new_blob[41];
	struct buf old_text, new_text;
};

struct hunk_files {
	struct hunk_file *v;
	size_t n, cap;
};

/*
 * Both sides of each file. git diff makes the hunks of them again, with the names of
 * functions: lines between hunks are made up. The text of a binary file is made up, too:
 * it is the same for the same object. What cannot be shown is told in *notes
 * ("the diff of a.c is cut short").
 */
void hunk_files_read(struct str patch, struct hunk_files *ret, struct strvec *notes);
void hunk_files_release(struct hunk_files *f);
#define _cleanup_hunk_files_ __attribute__((cleanup(hunk_files_release)))

#endif
