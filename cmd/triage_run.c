// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_run.c - pager, mutt and browser, and builds of what somebody posted. See
 * triage_run.h.
 */
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "series/changes.h"
#include "series/fetch.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"
#include "show_print.h"
#include "triage_run.h"

static int write_mails(const struct triage *t, size_t row, bool mbox, const char *path,
		       struct err *err)
{
	struct triage_mails m _cleanup_triage_mails_ = { 0 };
	struct out o _cleanup_(out_release) = { .tty = true, .width = 80 };
	int rc = triage_mails(t, &t->row[row], &m, err);

	if (rc)
		return rc;
	if (!mbox)
		show_thread(&o, m.t);
	for (size_t i = 0; mbox && i < m.t->n; i++)
		mail_mboxrd(&m.t->v[m.t->order[i]].mail, mail_sink_buf, &o.text);
	return fs_write_atomic(path, buf_cstr(&o.text), o.text.len, 0600, err);
}

int triage_write(const struct triage *t, size_t row, bool mbox, char **ret_dir,
		 char **ret_path, struct err *err)
{
	char *dir = NULL, *path;
	int rc = fs_tmpdir("series-triage", &dir, err);

	if (rc)
		return rc;
	path = path_join(dir, mbox ? "mails.mbox" : "mails.txt");
	rc = write_mails(t, row, mbox, path, err);
	if (rc) {
		fs_rmtree(dir, NULL);
		free(dir);
		free(path);
		return rc;
	}
	*ret_dir = dir;
	*ret_path = path;
	return 0;
}

/* A command line of the user's, with one word behind it that no shell reads. */
static void shell_command(const char *command, const char *name, const char *arg,
			  struct strvec *argv)
{
	strvec_pushl(argv, "sh", "-c", NULL);
	strvec_pushf(argv, "%s \"$@\"", command);
	strvec_pushl(argv, name, arg, NULL);
}

static int pager(struct ctx *c, const char *path, struct strvec *argv)
{
	const char *command = config_pager(c->config);

	if (!command)
		command = getenv("PAGER");
	shell_command(command && *command ? command : "less", "pager", path, argv);
	return 0;
}

static int mutt(const char *path, struct strvec *argv, struct err *err)
{
	char *program = fs_find_program("mutt");

	if (!program)
		program = fs_find_program("neomutt");
	if (!program)
		return err_set(err, E_NOTFOUND, "neither mutt nor neomutt is installed");
	strvec_take(argv, program);
	strvec_pushl(argv, "-R", "-f", path, NULL);
	return 0;
}

static void browser(struct ctx *c, const char *id, struct strvec *argv)
{
	const char *command =
		c->config ? config_get(c->config, "series.triage.browser") : NULL;
	struct buf link _cleanup_buf_ = BUF_INIT;

	changes_link(c->config, id, &link);
	if (command)
		shell_command(command, "browser", buf_cstr(&link), argv);
	else
		strvec_pushl(argv, "xdg-open", buf_cstr(&link), NULL);
}

int triage_program(struct ctx *c, const struct triage *t, size_t row, const char *id,
		   enum triage_program which, struct strvec *ret_argv, char **ret_dir,
		   struct err *err)
{
	char *path _cleanup_free_ = NULL;
	int rc;

	*ret_dir = NULL;
	if (which == RUN_BROWSER) {
		browser(c, id, ret_argv);
		return 0;
	}
	rc = triage_write(t, row, which == RUN_MUTT, ret_dir, &path, err);
	if (rc)
		return rc;
	rc = which == RUN_MUTT ? mutt(path, ret_argv, err) : pager(c, path, ret_argv);
	if (rc) {
		fs_rmtree(*ret_dir, NULL);
		free(*ret_dir);
		*ret_dir = NULL;
	}
	return rc;
}

/* In the foreground, with the terminal; *ret_status is its exit status. */
static int run(struct strvec *argv, int *ret_status, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = strvec_argv(argv),
			       .inherit_stdin = true,
			       .foreground = true,
			       .out = PROC_INHERIT,
			       .err = PROC_INHERIT };
	int rc = proc_run(&o, &res, err);

	*ret_status = res.status;
	return rc;
}

/* series itself, below the folder of the repository. */
static int run_series(struct ctx *c, int *ret_status, struct err *err, ...)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	const char *word;
	va_list ap;

	strvec_pushl(&argv, "/proc/self/exe", "-C", repo_work_tree(c->repo), NULL);
	va_start(ap, err);
	while ((word = va_arg(ap, const char *)))
		strvec_push(&argv, word);
	va_end(ap);
	return run(&argv, ret_status, err);
}

/* Is it here, and as new as the row? What is older is forgotten. */
static int look_for(struct ctx *c, const char *name, const char *branch,
		    const struct listed *l, bool *ret_here, struct err *err)
{
	char *ref _cleanup_free_ = xasprintf("refs/series/%s/state", name);
	struct series *s _cleanup_series_ = NULL;
	const struct version *last;
	char id[OID_HEX];
	int status, rc;

	*ret_here = !repo_ref(c->repo, ref, id, NULL);
	if (!*ret_here)
		return 0;
	rc = series_open(c->repo, c->config, name, &s, err);
	if (rc)
		return rc;
	last = series_last(s);
	if (last && last->n >= l->version)
		return 0;
	*ret_here = false;
	rc = run_series(c, &status, err, "import", "--undo", branch, NULL);
	if (!rc && !status) {
		struct strvec argv _cleanup_strvec_ = STRVEC_INIT;

		strvec_pushl(&argv, "git", "-C", repo_work_tree(c->repo), "branch", "-q",
			     "-D", branch, NULL);
		rc = run(&argv, &status, err);
	}
	return rc	? rc
	       : status ? err_set(err, E_FAIL, "the older series %s is in the way", name)
			: 0;
}

static int take_in(struct ctx *c, const struct triage *t, size_t row, const char *name,
		   const char *branch, struct err *err)
{
	char *dir _cleanup_free_ = NULL, *path _cleanup_free_ = NULL;
	const char *base = t->row[row].applies != APPLIES_NO ? triage_base(t) : NULL;
	int status = 0, rc = triage_write(t, row, true, &dir, &path, err);

	if (rc)
		return rc;
	if (base)
		rc = run_series(c, &status, err, "import", "--branch", branch, "--base",
				base, path, name, NULL);
	else
		rc = run_series(c, &status, err, "import", "--branch", branch, path, name,
				NULL);
	fs_rmtree(dir, NULL);
	if (!rc && status)
		rc = err_set(err, E_FAIL, "no series could be made of it: see above");
	return rc;
}

int triage_build(struct ctx *c, const struct triage *t, size_t row, bool bench,
		 struct err *err)
{
	const struct listed *l = t->row[row].l;
	char *short_name _cleanup_free_ = series_name_from(l->title);
	char *name _cleanup_free_ = xasprintf("triage-%.50s", short_name);
	char *branch _cleanup_free_ = xasprintf("triage/%.50s", short_name);
	const char *what = bench ? "bench" : "build";
	bool here;
	int status, rc;

	if (!c->repo || !repo_work_tree(c->repo))
		return err_set(err, E_USAGE,
			       "--%s is to be run in the repository of the kernel", what);
	rc = look_for(c, name, branch, l, &here, err);
	if (!rc && !here)
		rc = take_in(c, t, row, name, branch, err);
	if (!rc)
		rc = run_series(c, &status, err, what, "-s", name, NULL);
	if (rc || !status)
		return rc;
	return err_set(err, status == 2 ? E_FINDINGS : E_FAIL,
		       "series %s -s %s ended with status %d; series import --undo %s "
		       "forgets that series",
		       what, name, status, branch);
}

bool triage_runs(const struct triage_cmd_opts *o)
{
	return o->pager || o->mutt || o->browser || o->build || o->bench;
}

static int run_program(struct ctx *c, const struct triage *t, size_t row, const char *id,
		       enum triage_program which, struct err *err)
{
	static const char *const names[] = { [RUN_PAGER] = "pager",
					     [RUN_MUTT] = "program mutt",
					     [RUN_BROWSER] = "browser" };
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	char *dir _cleanup_free_ = NULL;
	int status = 0, rc = triage_program(c, t, row, id, which, &argv, &dir, err);

	if (!rc)
		rc = run(&argv, &status, err);
	if (dir)
		fs_rmtree(dir, NULL);
	if (!rc && status)
		rc = err_set(err, E_FAIL, "the %s ended with status %d", names[which],
			     status);
	return rc;
}

int triage_run(struct ctx *c, const struct triage_cmd_opts *o, const struct triage *t,
	       struct err *err)
{
	const char *const words[] = { [RUN_PAGER] = o->pager,
				      [RUN_MUTT] = o->mutt,
				      [RUN_BROWSER] = o->browser,
				      o->build,
				      o->bench };
	const char *word = NULL;
	char *id _cleanup_free_ = NULL;
	const struct triage_row *row;
	size_t which = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!words[i])
			continue;
		if (word)
			return err_set(err, E_USAGE,
				       "--pager, --mutt, --browser, --build and --bench: "
				       "one at a time");
		word = words[i];
		which = i;
	}
	id = fetch_message_id(word);
	row = triage_find(t, id ? id : word);
	if (!row)
		return triage_no_such(word, err);
	if (which > RUN_BROWSER)
		return triage_build(c, t, (size_t)(row - t->row), o->bench, err);
	return run_program(c, t, (size_t)(row - t->row), id ? id : row->l->message_id,
			   (enum triage_program)which, err);
}
