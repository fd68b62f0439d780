// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outside.c - see outside.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../triage_run.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/proc.h"
#include "outside.h"
#include "prompt.h"

bool outside_run(struct ui *u, char *const *argv, const char *what)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = argv,
			       .inherit_stdin = true,
			       .foreground = true,
			       .out = PROC_INHERIT,
			       .err = PROC_INHERIT };
	int rc;

	term_leave();
	rc = proc_run(&o, &res, &err);
	term_return();
	/* A ^C ended that program, not the view. */
	intr_forget();
	if (rc)
		ui_fail(u, &err);
	else if (res.status)
		ui_say(u, "%s ended with status %d", what, res.status);
	return !rc && !res.status;
}

/* A folder with mails.mbox in it; NULL: a message was said. */
static char *mails_dir(struct ui *u, size_t row, char **ret_path)
{
	struct err err _cleanup_err_ = ERR_INIT;
	char *dir;

	ui_busy(u, "reading");
	if (!triage_write(u->v->t, row, true, &dir, ret_path, &err))
		return dir;
	ui_fail(u, &err);
	return NULL;
}

/* ---- actions ---- */

static void program(struct ui *u, size_t row, const char *id, enum triage_program which,
		    const char *what)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	char *dir _cleanup_free_ = NULL;

	ui_busy(u, "reading");
	if (triage_program(u->c, u->v->t, row, id, which, &argv, &dir, &err)) {
		ui_fail(u, &err);
		return;
	}
	outside_run(u, strvec_argv(&argv), what);
	/* A browser elsewhere may not come up: the address is said. */
	if (which == RUN_BROWSER && (!u->message || !*u->message))
		ui_say(u, "%s", argv.v[argv.n - 1]);
	if (dir)
		fs_rmtree(dir, NULL);
}

static void diff(struct ui *u, size_t row)
{
	const struct listed *l = u->v->t->row[row].l;
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	char *path _cleanup_free_ = NULL, *dir, *title _cleanup_free_ = NULL;

	if (l->versions < 2) {
		ui_say(u, "there is no version before %s here", l->label);
		return;
	}
	dir = mails_dir(u, row, &path);
	if (!dir)
		return;
	title = xasprintf("%s %s: since the version before", l->label, l->title);
	strvec_pushl(&args, "diff", path, NULL);
	job_start(u, "comparing", title, &args, dir, row);
}

static void check(struct ui *u, size_t row)
{
	const struct listed *l = u->v->t->row[row].l;
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	char *path _cleanup_free_ = NULL, *dir, *title _cleanup_free_ = NULL;

	if (!u->c->repo) {
		ui_say(u, "there is no repository here that it could apply to");
		return;
	}
	dir = mails_dir(u, row, &path);
	if (!dir)
		return;
	title = xasprintf("%s %s: would it apply?", l->label, l->title);
	strvec_pushl(&args, "am", "--check", path, NULL);
	if (triage_base(u->v->t))
		strvec_pushl(&args, "--base", triage_base(u->v->t), NULL);
	job_start(u, "trying", title, &args, dir, row);
}

/* As the user works in the shell: git's own words are seen, and what is to be done. */
static void in_shell(struct ui *u, const char *ask, size_t row, const char *what,
		     const char *option)
{
	/* The shell's own /proc/self would be the shell. */
	char *self _cleanup_free_ = realpath("/proc/self/exe", NULL);
	char *path _cleanup_free_ = NULL, *dir _cleanup_free_ = NULL;
	const struct listed *l = u->v->t->row[row].l;
	char *label _cleanup_free_ = xasprintf(
		"%s %s '%s'%s? [y/n] ", ask, l->label, l->title,
		option ? ", as a branch triage/..." : " to the branch here");

	if (!self || !u->c->repo) {
		ui_say(u, "there is no repository here for it");
		return;
	}
	if (prompt_key(label, "yY") == '\0')
		return;
	dir = mails_dir(u, row, &path);
	if (!dir)
		return;
	outside_run(u,
		    (char *[]){ "sh", "-c",
				"\"$@\"; rc=$?; printf '\\nEnter goes back to the list'; "
				"read -r line; exit $rc",
				"series", self, (char *)what, path, (char *)option,
				option ? l->message_id : NULL, NULL },
		    what);
	fs_rmtree(dir, NULL);
}

static void copy(struct ui *u, const char *id)
{
	term_copy(id);
	ui_say(u, "copied: %s", id);
}

bool outside_do(struct ui *u, enum action a, const size_t *rows, size_t n)
{
	struct view *v = ui_top(u);
	const char *id = v->ops->mail ? v->ops->mail(u, v) : NULL;

	if (!id || !*id)
		id = u->v->t->row[rows[0]].l->message_id;
	switch (a) {
	case ACT_PAGER:
		program(u, rows[0], id, RUN_PAGER, "the pager");
		return true;
	case ACT_MUTT:
		program(u, rows[0], id, RUN_MUTT, "mutt");
		return true;
	case ACT_BROWSER:
		program(u, rows[0], id, RUN_BROWSER, "the browser");
		return true;
	case ACT_COPY:
		copy(u, id);
		return true;
	case ACT_DIFF:
		diff(u, rows[0]);
		return true;
	case ACT_APPLY:
		in_shell(u, "apply", rows[0], "am",
			 NULL);
		return true;
	case ACT_BUILD:
		in_shell(u, "build", rows[0],
			 "triage", "--build");
		return true;
	case ACT_BENCH:
		in_shell(u, "measure", rows[0],
			 "triage", "--bench");
		return true;
	case ACT_CHECK:
		check(u, rows[0]);
		return true;
	default:
		ui_say(u, "that cannot be done here");
		return false;
	}
}
