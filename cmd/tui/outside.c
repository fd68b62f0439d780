// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outside.c - see outside.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../complete.h"
#include "../show_print.h"
#include "series/changes.h"
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

/* ---- mails as a file ---- */

/* All mails of a row: for programs as an mbox, else decoded, as series show has them. */
static int write_mails(struct ui *u, size_t row, bool mbox, const char *path,
		       struct err *err)
{
	struct triage_mails m _cleanup_triage_mails_ = { 0 };
	struct out o _cleanup_(out_release) = { .tty = true, .width = 80 };
	int rc = triage_mails(u->v->t, &u->v->t->row[row], &m, err);

	if (rc)
		return rc;
	if (!mbox)
		show_thread(&o, m.t);
	for (size_t i = 0; mbox && i < m.t->n; i++)
		mail_mboxrd(&m.t->v[m.t->order[i]].mail, mail_sink_buf, &o.text);
	return fs_write_atomic(path, buf_cstr(&o.text), o.text.len, 0600, err);
}

/* A folder with mails.mbox or mails.txt in it; NULL: a message was said. */
static char *write_dir(struct ui *u, size_t row, bool mbox, char **ret_path)
{
	struct err err _cleanup_err_ = ERR_INIT;
	char *dir _cleanup_free_ = NULL, *path _cleanup_free_ = NULL, *done;
	int rc;

	ui_busy(u, "reading");
	rc = fs_tmpdir("series-triage", &dir, &err);
	if (!rc) {
		path = path_join(dir, mbox ? "mails.mbox" : "mails.txt");
		rc = write_mails(u, row, mbox, path, &err);
	}
	if (rc) {
		ui_fail(u, &err);
		if (dir)
			fs_rmtree(dir, NULL);
		return NULL;
	}
	*ret_path = path;
	path = NULL;
	done = dir;
	dir = NULL;
	return done;
}

static char *mails_dir(struct ui *u, size_t row, char **ret_path)
{
	return write_dir(u, row, true, ret_path);
}

/* ---- actions ---- */

static void pager(struct ui *u, size_t row)
{
	const char *command = config_pager(u->c->config);
	char *path _cleanup_free_ = NULL;
	char *dir _cleanup_free_ = write_dir(u, row, false, &path);
	char *shell _cleanup_free_ = NULL;
	char *argv[] = { "sh", "-c", NULL, "pager", path, NULL };

	if (!dir)
		return;
	if (!command)
		command = getenv("PAGER");
	shell = xasprintf("%s \"$@\"", command && *command ? command : "less");
	argv[2] = shell;
	outside_run(u, argv, "the pager");
	fs_rmtree(dir, NULL);
}

static void mutt(struct ui *u, size_t row)
{
	char *program _cleanup_free_ = fs_find_program("mutt");
	char *path _cleanup_free_ = NULL, *dir _cleanup_free_ = NULL;

	if (!program)
		program = fs_find_program("neomutt");
	if (!program) {
		ui_say(u, "neither mutt nor neomutt is installed");
		return;
	}
	dir = mails_dir(u, row, &path);
	if (!dir)
		return;
	outside_run(u, (char *[]){ program, "-R", "-f", path, NULL }, "mutt");
	fs_rmtree(dir, NULL);
}

static void browser(struct ui *u, const char *id)
{
	const char *command =
		u->c->config ? config_get(u->c->config, "series.triage.browser") : NULL;
	struct buf link _cleanup_buf_ = BUF_INIT;
	char *shell _cleanup_free_ = NULL;

	changes_link(u->c->config, id, &link);
	if (command) {
		shell = xasprintf("%s \"$@\"", command);
		outside_run(u, (char *[]){ "sh", "-c", shell, "browser", link.p, NULL },
			    "the browser");
	} else {
		outside_run(u, (char *[]){ "xdg-open", link.p, NULL }, "xdg-open");
	}
	if (!u->message || !*u->message)
		ui_say(u, "%s", buf_cstr(&link));
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
	job_start(u, "trying", title, &args, dir, row);
}

/* As the user works in the shell: git's own words are seen, and what is to be done. */
static void apply(struct ui *u, size_t row)
{
	/* The shell's own /proc/self would be the shell. */
	char *self _cleanup_free_ = realpath("/proc/self/exe", NULL);
	char *path _cleanup_free_ = NULL, *dir _cleanup_free_ = NULL;
	char *label _cleanup_free_ =
		xasprintf("apply %s '%s' to the branch here? [y/n] ",
			  u->v->t->row[row].l->label, u->v->t->row[row].l->title);

	if (!self || !cmd_find("am")) {
		ui_say(u, "this series has no command am");
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
				"am", self, "am", path, NULL },
		    "series am");
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
		pager(u, rows[0]);
		return true;
	case ACT_MUTT:
		mutt(u, rows[0]);
		return true;
	case ACT_BROWSER:
		browser(u, id);
		return true;
	case ACT_COPY:
		copy(u, id);
		return true;
	case ACT_DIFF:
		diff(u, rows[0]);
		return true;
	case ACT_APPLY:
		apply(u, rows[0]);
		return true;
	case ACT_CHECK:
		check(u, rows[0]);
		return true;
	default:
		ui_say(u, "that cannot be done here");
		return false;
	}
}
