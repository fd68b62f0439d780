// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two cover letters of one series: cover.txt and what a merge put beside it. They are
 * shown as one text with git's marks, and are one again when a text without marks is
 * stored.
 */
#include <stdlib.h>
#include "series/covertext.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/merge.h"
#include "series/store.h"

#define COVER	    "cover.txt"
#define SIDES_MAX   16 /* more are no covers that people wrote */
#define MARK_OURS   "<<<<<<< cover.txt"
#define MARK_THEIRS ">>>>>>> cover.txt.theirs"

/* "cover.txt.theirs", "cover.txt.theirs-2", ... as merge.c names them; caller frees. */
static char *aside(int i)
{
	return i ? xasprintf(COVER MERGE_ASIDE "-%d", i + 1) : xstrdup(COVER MERGE_ASIDE);
}

bool series_cover_torn(struct repo *r, const char *name)
{
	char *path _cleanup_free_ = aside(0);
	struct buf b _cleanup_buf_ = BUF_INIT;

	return !store_read(r, name, path, &b, NULL);
}

static int write_part(const char *dir, const char *name, struct str text, char **ret,
		      struct err *err)
{
	*ret = path_join(dir, name);
	return fs_write_atomic(*ret, text.p ? text.p : "", text.len, 0600, err);
}

/* git merge-file ends with the number of conflicts; *text becomes the joined one. */
static int join_two(struct repo *r, struct buf *text, struct str theirs, struct err *err)
{
	char *dir _cleanup_free_ = NULL, *po _cleanup_free_ = NULL,
		  *pb _cleanup_free_ = NULL, *pt _cleanup_free_ = NULL;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc = fs_tmpdir("series-cover", &dir, err);

	if (rc)
		return rc;
	rc = write_part(dir, "ours", buf_str(text), &po, err);
	if (!rc)
		rc = write_part(dir, "base", STR_NULL, &pb, err);
	if (!rc)
		rc = write_part(dir, "theirs", theirs, &pt, err);
	if (!rc) {
		char *args[] = {
			"merge-file",	   "-q", "-p", "-L", COVER, "-L", "base", "-L",
			COVER MERGE_ASIDE, po,	 pb,   pt,   NULL
		};

		rc = git_run(r, args, STR_NULL, &res, err);
	}
	fs_rmtree(dir, NULL);
	if (!rc && (res.status > 127 || res.signal))
		rc = err_set(err, E_FAIL, "git merge-file: " STR_FMT,
			     STR_ARG(str_trim(buf_str(&res.err))));
	if (rc)
		return rc;
	buf_reset(text);
	buf_addstr(text, buf_str(&res.out));
	return 0;
}

int series_cover_join(struct repo *r, const char *name, struct buf *ret, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = store_read(r, name, COVER, &text, err);

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
		if (str_eqc(line, MARK_OURS) || str_eqc(line, MARK_THEIRS))
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
