// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * proc_run.c - run a program to its end, or start one that runs while we go on.
 */
#include <string.h>
#include "proc_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/time.h"

/* Longest piece of a program's own words in a message. */
#define LAST_LINE_MAX ((size_t)500)

static int check_opts(const struct proc_opts *o, struct err *err)
{
	if (o->out == PROC_MERGE || o->err == PROC_LINES ||
	    (o->out == PROC_LINES && !o->on_line) ||
	    (o->out == PROC_FILE && !o->out_path) ||
	    (o->err == PROC_FILE && !o->err_path))
		return err_set(err, E_FAIL, "%s: its streams make no sense (proc_opts)",
			       o->argv && o->argv[0] ? o->argv[0] : "(no program)");
	return 0;
}

int proc_start(const struct proc_opts *o, struct proc **ret, struct err *err)
{
	int r = check_opts(o, err);

	if (r < 0)
		return r;
	if (o->out == PROC_CAPTURE || o->out == PROC_LINES || o->err == PROC_CAPTURE)
		return err_set(err, E_FAIL,
			       "%s: nobody would read its output (proc_opts)",
			       o->argv && o->argv[0] ? o->argv[0] : "(no program)");
	return proc_launch(o, ret, err);
}

int proc_begin(const struct proc_opts *o, struct proc **ret, struct err *err)
{
	int r = check_opts(o, err);

	return r ? r : proc_launch(o, ret, err);
}

int proc_finish(struct proc *p, const char *name, struct proc_result *ret,
		struct err *err)
{
	int64_t timeout_ms = p->timeout_ms;
	struct buf after _cleanup_buf_ = BUF_INIT;

	proc_step(p, -1);
	proc_poll(p, 0, ret);
	proc_free(p);
	if (ret->interrupted)
		return err_set(err, E_INTR, "%s: interrupted", path_base(name));
	if (!ret->timed_out)
		return 0;
	time_duration_ms(timeout_ms, &after);
	return err_set(err, E_TIMEOUT, "%s: not done after %s, so it was ended",
		       path_base(name), buf_cstr(&after));
}

int proc_run(const struct proc_opts *o, struct proc_result *ret, struct err *err)
{
	struct proc_result local _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc *p = NULL;
	int r = proc_begin(o, &p, err);

	return r ? r : proc_finish(p, o->argv[0], ret ? ret : &local, err);
}

/* Last line of text that is not blank, fit for a terminal. */
static void last_line(const struct buf *text, struct buf *out)
{
	struct str rest = str_trim(buf_str(text));
	const char *lf = rest.len ? memrchr(rest.p, '\n', rest.len) : NULL;

	if (lf)
		rest = str_trim(str_n(lf + 1, (size_t)(rest.p + rest.len - lf - 1)));
	rest.len = MIN(rest.len, LAST_LINE_MAX);
	sanitize_line(rest, out);
}

int proc_check(const struct proc_opts *o, struct proc_result *ret, struct err *err)
{
	struct proc_result local _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf why _cleanup_buf_ = BUF_INIT;
	const char *name;
	int r;

	if (!ret)
		ret = &local;
	r = proc_run(o, ret, err);
	if (r < 0 || !ret->status)
		return r;
	name = path_base(o->argv[0]);
	last_line(o->err == PROC_MERGE ? &ret->out : &ret->err, &why);
	if (ret->signal)
		err_set(err, E_FAIL, "%s: ended by signal %d (%s)", name, ret->signal,
			strsignal(ret->signal));
	else
		err_set(err, E_FAIL, "%s: exit status %d", name, ret->status);
	if (why.len && err)
		err_set(err, E_FAIL, "%s: %s", err_msg(err), buf_cstr(&why));
	return E_FAIL;
}
