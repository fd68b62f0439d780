// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edit.c - see edit.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "edit.h"
#include "intake.h"
#include "series/fs.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/progress.h"

/*
 * git's editor is a command for the shell, and the user's own. A ^C that the editor takes
 * for itself, as ed does, must not make the shell say 130 in the end: with a trap of its
 * own it says what the editor said.
 */
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
		xasprintf("trap : INT QUIT; " STR_FMT " \"$@\"",
			  STR_ARG(str_trim(buf_str(&editor))));
	rc = proc_run(&o, &res, err);
	if (!rc && res.status == 128 + SIGINT)
		rc = err_set(err, E_INTR, "the editor was interrupted");
	else if (!rc && res.status)
		rc = err_set(err, E_FAIL, "the editor ended with status %d", res.status);
	return rc;
}

/* One edit: the file that the editor has, and beside it what it began with. */
struct round {
	const struct edit_job *job;
	char *path, *start_path;
	struct edit_start start;
	bool kept; /* of an edit before this one */
	struct stat before;
};

static void round_release(struct round *r)
{
	free(r->path);
	free(r->start_path);
	buf_release(&r->start.text);
}

/* The file of what an edit began with: this line, then the text. */
static const char *first_line(bool form)
{
	return form ? "form\n" : "text\n";
}

static bool read_start(const struct round *r, struct edit_start *ret)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str text;

	if (fs_read(r->start_path, 0, &b, NULL))
		return false;
	text = buf_str(&b);
	ret->form = str_skip(&text, first_line(true));
	if (!ret->form && !str_skip(&text, first_line(false)))
		return false;
	buf_addstr(&ret->text, text);
	return true;
}

static int write_file(const char *path, struct str text, struct err *err)
{
	return fs_write_atomic(path, text.p ? text.p : "", text.len, 0600, err);
}

static int write_start(const struct round *r, struct err *err)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	buf_puts(&b, first_line(r->start.form));
	buf_addstr(&b, buf_str(&r->start.text));
	return write_file(r->start_path, buf_str(&b), err);
}

/* An hour old, so that even an editor of some microseconds makes it newer. */
static int write_fresh(struct round *r, struct err *err)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, { 0 } };
	int rc = write_start(r, err);

	if (!rc)
		rc = write_file(r->path, buf_str(&r->start.text), err);
	if (rc)
		return rc;
	if (stat(r->path, &r->before))
		return err_errno(err, errno, "cannot look at %s", r->path);
	times[1] = r->before.st_mtim;
	times[1].tv_sec -= 3600;
	if (utimensat(AT_FDCWD, r->path, times, 0) || stat(r->path, &r->before))
		return err_errno(err, errno, "cannot look at %s", r->path);
	return 0;
}

static bool was_written(const struct round *r)
{
	const struct stat *before = &r->before;
	struct stat now;

	return r->kept || stat(r->path, &now) || now.st_ino != before->st_ino ||
	       now.st_size != before->st_size ||
	       now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

/* The kept text began with old, and something else is stored by now: both in one text. */
static int join(struct ctx *c, struct round *r, const struct edit_start *old,
		struct str kept, struct err *err)
{
	struct buf base _cleanup_buf_ = BUF_INIT;
	struct buf mine _cleanup_buf_ = BUF_INIT;
	struct buf both _cleanup_buf_ = BUF_INIT;
	struct str form = old->form ? buf_str(&old->text) : STR_LIT("");
	struct merge_texts m = { .ours = buf_str(&r->start.text),
				 .our_name = r->job->our_name,
				 .their_name = r->job->their_name };
	int rc;

	intake_strip(buf_str(&old->text), form, &base);
	intake_strip(kept, form, &mine);
	m.base = buf_str(&base);
	m.theirs = buf_str(&mine);
	rc = git_merge_texts(c->repo, &m, &both, err);
	if (!rc)
		rc = write_file(r->path, buf_str(&both), err);
	if (rc)
		return err_context(err,
				   "%s has changed since the text in %s was kept; take "
				   "from that file what you need and remove it",
				   r->job->title, r->path);
	progress_note("%s has changed since: both are in the text%s", r->job->title,
		      r->job->our_name ? ", between marks where they meet" : "");
	return write_start(r, err);
}

/* The text of an earlier edit, unless nobody had written in it. */
static int take_up(struct ctx *c, struct round *r, struct err *err)
{
	struct edit_start old = { .text = BUF_INIT };
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = fs_read(r->path, 0, &text, err);
	bool known = !rc && read_start(r, &old);

	r->kept = !rc && !(known && str_eq(buf_str(&text), buf_str(&old.text)));
	if (r->kept)
		progress_note("taking up the text that was kept in %s", r->path);
	if (!r->kept || !known) {
		buf_release(&old.text);
	} else if (old.form && r->start.form) {
		buf_release(&r->start.text);
		r->start = old;
	} else {
		if (!str_eq(buf_str(&old.text), buf_str(&r->start.text)))
			rc = join(c, r, &old, buf_str(&text), err);
		buf_release(&old.text);
	}
	return rc;
}

/* Nothing is lost: the files stay unless they hold nothing of the user's. */
static void keep(const struct round *r)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	bool there = fs_exists(r->path);

	if (there && (r->kept || fs_read(r->path, 0, &text, NULL) ||
		      !str_eq(buf_str(&text), buf_str(&r->start.text)))) {
		progress_note("the text is kept in %s", r->path);
		return;
	}
	fs_unlink(r->path, NULL);
	fs_unlink(r->start_path, NULL);
}

static int store(struct ctx *c, const struct round *r, struct err *err)
{
	struct str form = r->start.form ? buf_str(&r->start.text) : STR_LIT("");
	struct buf text _cleanup_buf_ = BUF_INIT, own _cleanup_buf_ = BUF_INIT;
	int rc = fs_read(r->path, r->job->max, &text, err);

	if (!rc)
		rc = intake_check(r->job->title, buf_str(&text), buf_str(&r->start.text),
				  err);
	if (rc)
		return rc;
	intake_strip(buf_str(&text), form, &own);
	return r->job->store(c, r->job->data, buf_str(&own), was_written(r), err);
}

static int edit_locked(struct ctx *c, struct round *r, struct err *err)
{
	int rc = r->job->start(c, r->job->data, &r->start, err);

	if (!rc && fs_exists(r->path))
		rc = take_up(c, r, err);
	if (!rc && !r->kept)
		rc = write_fresh(r, err);
	if (rc)
		return rc;
	rc = run_editor(c, r->path, err);
	if (!rc)
		rc = store(c, r, err);
	if (rc || r->job->keep) {
		keep(r);
		return rc;
	}
	rc = fs_unlink(r->path, err);
	return rc ? rc : fs_unlink(r->start_path, err);
}

static char *text_path(const struct ctx *c, const char *file)
{
	if (!c->series)
		return xasprintf("%s/series/%s.txt", repo_common_dir(c->repo), file);
	return xasprintf("%s/series/%s.%s.txt", repo_common_dir(c->repo), c->series->name,
			 file);
}

void edit_forget(struct ctx *c, const char *file)
{
	char *path _cleanup_free_ = text_path(c, file);
	char *start _cleanup_free_ = xasprintf("%s+start", path);

	fs_unlink(path, NULL);
	fs_unlink(start, NULL);
}

int edit_text(struct ctx *c, const struct edit_job *job, struct err *err)
{
	struct round r _cleanup_(round_release) = {
		.job = job,
		.path = text_path(c, job->file),
		.start = { .text = BUF_INIT },
	};
	/* No series can have a name with '+' in it, so these are not its lock, or state.
	 */
	char *lock_path _cleanup_free_ = xasprintf("%s+lock", r.path);
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	int rc = lock_take(&lock, lock_path, "editor", 0, err);

	if (rc == E_LOCKED)
		return err_context(err, "%s is open in another editor", job->title);
	r.start_path = xasprintf("%s+start", r.path);
	if (!rc)
		rc = edit_locked(c, &r, err);
	lock_remove(&lock);
	return rc;
}
