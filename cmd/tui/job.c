// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * job.c - series itself in the background, its output in a pager when it ends. Keys work
 * meanwhile; q or ^C ends it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/time.h"
#include "pager.h"

struct job {
	struct proc *proc;
	char *what, *title, *dir;
	char *out, *err;
	size_t row;
	int64_t began;
};

static void job_free(struct job *j)
{
	proc_free(j->proc);
	fs_rmtree(j->dir, NULL);
	free(j->what);
	free(j->title);
	free(j->dir);
	free(j->out);
	free(j->err);
	free(j);
}

void job_start(struct ui *u, const char *what, const char *title, struct strvec *args,
	       char *take_dir, size_t row)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct job *j = xcalloc(1, sizeof(*j));
	struct proc_opts o = { .out = PROC_FILE, .err = PROC_FILE };

	job_end(u);
	strvec_pushl(&argv, "/proc/self/exe", "--color=always", "--no-pager", NULL);
	strvec_extend(&argv, args);
	j->what = xstrdup(what);
	j->title = xstrdup(title);
	j->dir = take_dir;
	j->row = row;
	j->began = time_mono_ns();
	j->out = path_join(take_dir, "out");
	j->err = path_join(take_dir, "err");
	o.argv = strvec_argv(&argv);
	o.out_path = j->out;
	o.err_path = j->err;
	if (proc_start(&o, &j->proc, &err)) {
		ui_fail(u, &err);
		job_free(j);
		return;
	}
	u->job = j;
	ui_say(u, "%s... (q stops it)", what);
}

static void show(struct ui *u, struct job *j, const struct proc_result *res)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct pager *p;

	fs_read(j->out, 0, &text, NULL);
	fs_read(j->err, 0, &text, NULL);
	if (res->status && res->status != 2 && !text.len) {
		ui_say(u, "%s failed with status %d", j->what, res->status);
		u->bad = true;
		return;
	}
	p = pager_new(j->title);
	p->triage_row = j->row;
	pager_add_output(p, buf_str(&text));
	pager_ready(p);
	pager_push(u, p);
	ui_say(u, "%s", "");
}

void job_poll(struct ui *u)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct job *j = u->job;

	if (!proc_poll(j->proc, 0, &res)) {
		ui_say(u, "%s... %llds (q stops it)", j->what,
		       (long long)((time_mono_ns() - j->began) / 1000000000));
		return;
	}
	u->job = NULL;
	show(u, j, &res);
	job_free(j);
}

void job_end(struct ui *u)
{
	if (u->job)
		job_free(u->job);
	u->job = NULL;
}
