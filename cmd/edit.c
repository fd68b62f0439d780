// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edit.c - see edit.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include "edit.h"
#include "series/fs.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/progress.h"

/* git's editor is a command for the shell, and the user's own. */
static int run_editor(struct ctx *c, const char *path, struct err *err)
{
	char *var[] = { "var", "GIT_EDITOR", NULL };
	struct buf editor _cleanup_buf_ = BUF_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	char *command _cleanup_free_ = NULL;
	char *argv[] = { "sh", "-c", NULL, "editor", (char *)path, NULL };
	struct proc_opts o = { .argv = argv,
			       .inherit_stdin = true,
			       .foreground = true,
			       .out = PROC_INHERIT,
			       .err = PROC_INHERIT };
	int rc = git_check(c->repo, var, STR_NULL, &editor, err);

	if (rc)
		return err_context(err, "no editor; set core.editor or $EDITOR");
	argv[2] = command =
		xasprintf(STR_FMT " \"$@\"", STR_ARG(str_trim(buf_str(&editor))));
	rc = proc_run(&o, &res, err);
	if (!rc && res.status)
		rc = err_set(err, E_FAIL, "the editor ended with status %d", res.status);
	return rc;
}

/* An hour old, so that even an editor of some microseconds makes it newer. */
static int write_start(const char *path, struct str text, struct stat *ret,
		       struct err *err)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, { 0 } };
	int rc = fs_write_atomic(path, text.p ? text.p : "", text.len, 0600, err);

	if (rc)
		return rc;
	if (stat(path, ret))
		return err_errno(err, errno, "cannot look at %s", path);
	times[1] = ret->st_mtim;
	times[1].tv_sec -= 3600;
	if (utimensat(AT_FDCWD, path, times, 0) || stat(path, ret))
		return err_errno(err, errno, "cannot look at %s", path);
	return 0;
}

static bool was_written(const char *path, const struct stat *before)
{
	struct stat now;

	return stat(path, &now) || now.st_ino != before->st_ino ||
	       now.st_size != before->st_size ||
	       now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

/* Nothing is lost: the file stays unless it holds nothing of the user's. */
static void keep(const struct edit_job *job, const char *path, bool kept,
		 struct str start)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (!kept && !fs_read(path, job->max, &text, NULL) &&
	    str_eq(buf_str(&text), start))
		fs_unlink(path, NULL);
	else
		progress_note("the text is kept in %s", path);
}

static int edit_locked(struct ctx *c, const struct edit_job *job, const char *path,
		       struct err *err)
{
	struct buf start _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT;
	bool kept = fs_exists(path);
	struct stat before = { 0 };
	int rc = job->start(c, job->data, kept, &start, err);

	if (rc)
		return rc;
	if (kept)
		progress_note("taking up the text that was kept in %s", path);
	else
		rc = write_start(path, buf_str(&start), &before, err);
	if (rc)
		return rc;
	rc = run_editor(c, path, err);
	if (!rc)
		rc = fs_read(path, job->max, &text, err);
	if (!rc)
		rc = job->store(c, job->data, buf_str(&text),
				kept || was_written(path, &before), err);
	if (!rc)
		return fs_unlink(path, err);
	keep(job, path, kept, buf_str(&start));
	return rc;
}

int edit_text(struct ctx *c, const struct edit_job *job, struct err *err)
{
	char *path _cleanup_free_ =
		xasprintf("%s/series/%s.%s.txt", repo_common_dir(c->repo),
			  c->series->name, job->file);
	/* No series can have a name with '+' in it, so this is not its lock. */
	char *lock_path _cleanup_free_ = xasprintf("%s+lock", path);
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	int rc = lock_take(&lock, lock_path, "editor", 0, err);

	if (rc == E_LOCKED)
		return err_context(err, "%s is open in another editor", job->title);
	return rc ? rc : edit_locked(c, job, path, err);
}
