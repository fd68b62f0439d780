/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc.h - children: one way to start a program.
 *
 * No shell, ever. A child gets its own process group and dies with us (PR_SET_PDEATHSIG),
 * its standard input is /dev/null unless given, everything above fd 2 is closed. When we
 * are interrupted (intr.h) or a deadline passes, the whole group gets SIGTERM, then
 * SIGKILL two seconds later, and is reaped.
 */
#ifndef SERIES_PROC_H
#define SERIES_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/strvec.h"

enum proc_io {
	PROC_CAPTURE = 0, /* into proc_result.out / .err */
	PROC_NULL,	  /* /dev/null */
	PROC_INHERIT,	  /* ours: editors, pagers */
	PROC_FILE,	  /* appended to out_path / err_path */
	PROC_MERGE,	  /* stderr only: where stdout goes */
	PROC_LINES,	  /* stdout only: each line to on_line, without its LF */
};

struct proc_opts {
	char *const *argv;	    /* argv[0] is looked up on PATH */
	const char *cwd;	    /* NULL: ours */
	char *const *env;	    /* "K=V" set, "K" unset, on top of ours; may be NULL */
	struct str input;	    /* bytes for standard input */
	bool inherit_stdin;	    /* standard input is ours (editors) */
	bool foreground;	    /* stays in our process group and session (editors) */
	enum proc_io out, err;
	const char *out_path, *err_path;
	void (*on_line)(struct str line, void *arg);
	void *arg;
	int64_t timeout_ms;	    /* 0: none */
	size_t max_output;	    /* ceiling of a captured stream, 0: 64 MiB */
};

struct proc_result {
	int status;		    /* exit status, or 128 + signal */
	int signal;		    /* 0 or the signal that ended it */
	bool timed_out;
	bool interrupted;
	struct buf out, err;
};

#define PROC_RESULT_INIT { 0, 0, false, false, BUF_INIT, BUF_INIT }
void proc_result_release(struct proc_result *r);
#define _cleanup_proc_ __attribute__((cleanup(proc_result_release)))

/*
 * Run to the end. 0 when the program ran, whatever its status; E_FAIL when it could not
 * be started ("git: not found; install it"); E_TIMEOUT; E_INTR.
 */
int proc_run(const struct proc_opts *o, struct proc_result *ret, struct err *err);
/*
 * Run, capture, and demand status 0: otherwise E_FAIL with the program's name, status and
 * the last line of its stderr. ret may be NULL.
 */
int proc_check(const struct proc_opts *o, struct proc_result *ret, struct err *err);

/* A child that runs while we go on (out and err must not be CAPTURE or LINES). */
struct proc;
int proc_start(const struct proc_opts *o, struct proc **ret, struct err *err);
pid_t proc_pid(const struct proc *p);
/*
 * Wait up to wait_ms (0: only look). True when it ended, *ret filled. The deadline of
 * proc_opts is kept here.
 */
bool proc_poll(struct proc *p, int wait_ms, struct proc_result *ret);
/* End the group (TERM, then KILL) and reap it; the result says how. */
void proc_kill(struct proc *p, struct proc_result *ret);
/* Kill if still running, and free. NULL is allowed. */
void proc_free(struct proc *p);

#endif
