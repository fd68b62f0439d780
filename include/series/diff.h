/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - unified diffs as text: files, hunks, patch-id.
 *
 * Formats: git-diff-format(5) "Generating patch text with -p", and the plain diffs that
 * diff -u writes. Whatever text comes is read as far as it is a diff; views point into
 * it.
 */
#ifndef SERIES_DIFF_H
#define SERIES_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "series/sha1.h"

enum diff_kind { DIFF_CHANGED, DIFF_ADDED, DIFF_DELETED, DIFF_RENAMED, DIFF_COPIED };

struct diff_file {
	char *old_path, *new_path; /* without a/ and b/; NULL: /dev/null */
	enum diff_kind kind;
	bool binary;	 /* "GIT binary patch", or only "Binary files differ" */
	bool no_content; /* the latter: nobody can apply it */
	bool mode_changed;
	size_t added, removed; /* lines */
	size_t hunk, n_hunks;  /* its hunks, in struct diff */
};

struct diff_hunk {
	size_t file;
	int64_t old_start, old_lines, new_start, new_lines;
	struct str func;  /* what stands behind the second "@@" */
	struct str lines; /* each with its mark and line end */
	size_t line;	  /* number of its "@@" line in the text, from 1 */
	bool cut;	  /* fewer lines than it says */
};

struct diff {
	struct diff_file *file;
	size_t n_files, cap_files;
	struct diff_hunk *hunk;
	size_t n_hunks, cap_hunks;
};

/*
 * Read all diffs in a text; what stands before, between and behind them ("-- ", prose) is
 * passed over. Never fails.
 */
void diff_read(struct str text, struct diff *ret);
void diff_release(struct diff *d);
#define _cleanup_diff_ __attribute__((cleanup(diff_release)))
/* The path that people know a file by: the new one, or the old one of a deleted file. */
const char *diff_path(const struct diff_file *f);

/*
 * What "git patch-id --stable" (2.39) makes of the first diff in the text: 40 digits and
 * NUL. False when there is no diff in it.
 */
bool diff_patch_id(struct str text, char ret[PATCH_ID_HEX]);

#endif
