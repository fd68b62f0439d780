// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two cover letters of one series: cover.txt and what a merge put beside it. They are
 * shown as one text with git's marks, and are one again when a text without marks is
 * stored.
 */
#include <stdlib.h>
#include "series/covertext.h"
#include "series/mem.h"
#include "series/merge.h"
#include "series/store.h"

#define SIDES_MAX 16 /* more are no covers that people wrote */

/* "cover.txt.theirs", "cover.txt.theirs-2", ... as merge.c names them; caller frees. */
static char *aside(int i)
{
	return i ? xasprintf(COVERTEXT_FILE MERGE_ASIDE "-%d", i + 1)
		 : xstrdup(COVERTEXT_FILE MERGE_ASIDE);
}

bool series_cover_torn(struct repo *r, const char *name)
{
	char *path _cleanup_free_ = aside(0);
	struct buf b _cleanup_buf_ = BUF_INIT;

	return !store_read(r, name, path, &b, NULL);
}

/* *text becomes the joined one. */
static int join_two(struct repo *r, struct buf *text, struct str theirs, struct err *err)
{
	struct buf both _cleanup_buf_ = BUF_INIT;
	struct merge_texts m = { .ours = buf_str(text),
				 .theirs = theirs,
				 .our_name = COVERTEXT_FILE,
				 .their_name = COVERTEXT_FILE MERGE_ASIDE };
	int rc = git_merge_texts(r, &m, &both, err);

	if (rc)
		return rc;
	buf_reset(text);
	buf_addstr(text, buf_str(&both));
	return 0;
}

int series_cover_join(struct repo *r, const char *name, struct buf *ret, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = store_read(r, name, COVERTEXT_FILE, &text, err);

	if (rc == E_NOTFOUND && err)
		err_release(err);
	if (rc && rc != E_NOTFOUND)
		return rc;
	for (int i = 0;; i++) {
		char *path _cleanup_free_ = aside(i);
		struct buf theirs _cleanup_buf_ = BUF_INIT;

		rc = store_read(r, name, path, &theirs, err);
		if (rc == E_NOTFOUND && i && err)
			err_release(err);
		if (rc == E_NOTFOUND && i)
			break;
		if (!rc && i >= SIDES_MAX)
			rc = err_set(err, E_CORRUPT,
				     "the series has more than %d other cover letters "
				     "beside its own (%s); series cover -F FILE puts one "
				     "in the place of them all",
				     SIDES_MAX, path);
		if (!rc)
			rc = join_two(r, &text, buf_str(&theirs), err);
		if (rc)
			return rc;
	}
	buf_addstr(ret, buf_str(&text));
	return 0;
}

int covertext_no_marks(struct str text, struct err *err)
{
	struct str rest = text, line;

	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (str_starts(line, "<<<<<<< " COVERTEXT_FILE) ||
		    str_starts(line, ">>>>>>> " COVERTEXT_FILE))
			return err_set(
				err, E_FAIL,
				"the cover letter has the line \"" STR_FMT
				"\" of a merge; decide what stays between the marks "
				"and remove them",
				STR_ARG(line));
	}
	return 0;
}

bool series_cover_settle(struct store *t)
{
	for (int i = 0;; i++) {
		char *path _cleanup_free_ = aside(i);
		struct buf b _cleanup_buf_ = BUF_INIT;

		if (store_get(t, path, &b, NULL))
			return i > 0;
		store_del(t, path);
	}
}
