/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc.h - children: one way to start a program.
 *
 * No shell, ever. A child gets its own process group and SIGTERM when we die
 * (PR_SET_PDEATHSIG), its standard input is /dev/null unless given, everything above fd 2
 * is closed unless it is to be kept, signals are as after login: none ignored, none blocked. When we are
 * interrupted (intr.h) or a deadline passes, the whole group gets SIGTERM, then SIGKILL as
 * soon as its leader ended, two seconds (grace_ms) later at the latest, and the leader is
 * reaped.
 *
 * A run ends when the program ends: a daemon it left behind, which may hold its streams
 * open, is neither waited for nor ended.
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
	char *const *argv;	    /* argv[0] is looked up on PATH (of env, if there) */
	/*
	 * Instead of a program (argv[0] is its name in messages): a function of ours in a
	 * copy of this process (fork), whose value is the exit status. It has our memory
	 * as it was, none of our descriptors above 2, and no threads.
	 */
	int (*run)(void *run_arg);
	void *run_arg;
	const char *cwd;	    /* NULL: ours; an argv[0] with a slash starts here */
	char *const *env;	    /* "K=V" set, "K" unset, on top of ours; may be NULL */
	struct str input;	    /* bytes for standard input (a file in memory) */
	bool inherit_stdin;	    /* standard input is ours (editors) */
	/*
	 * Stays in our process group, so that it may use the terminal (editors, programs
	 * that ask for a password); SIGINT and SIGQUIT do not reach us meanwhile, and only
	 * the program itself is ended at a deadline.
	 */
	bool foreground;
	enum proc_io out, err;
	const char *out_path, *err_path;
	void (*on_line)(struct str line, void *arg);
	void *arg;
	int64_t timeout_ms;	    /* 0: none */
	/* Descriptors of ours, above 2, that stay open in it under their numbers. */
	const int *keep;
	size_t n_keep;
	int64_t grace_ms;	    /* from SIGTERM to SIGKILL; 0: two seconds */
	/*
	 * Ceiling of a captured stream, and of a line of PROC_LINES; 0: 64 MiB. What goes
	 * beyond is read and dropped, buf.full of the stream tells.
	 */
	size_t max_output;
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
 * be started ("git: not found; install it"), *ret as before; E_TIMEOUT and E_INTR, with
 * *ret filled with what there was. *ret must be initialised; NULL is allowed.
 */
int proc_run(const struct proc_opts *o, struct proc_result *ret, struct err *err);
/*
 * Run, capture, and demand status 0: otherwise E_FAIL with the program's name, status and
 * the last line of its stderr (sanitised), *ret filled. ret may be NULL.
 */
int proc_check(const struct proc_opts *o, struct proc_result *ret, struct err *err);

struct proc;
/*
 * proc_run() in two steps, for what is worth starting early: its output waits in the pipe
 * meanwhile. proc_finish() frees p; name is for messages, ret must be initialised. Who
 * does not want it any more calls proc_free().
 */
int proc_begin(const struct proc_opts *o, struct proc **ret, struct err *err);
int proc_finish(struct proc *p, const char *name, struct proc_result *ret,
		struct err *err);

/* A child that runs while we go on (out and err must not be CAPTURE or LINES). */
int proc_start(const struct proc_opts *o, struct proc **ret, struct err *err);
pid_t proc_pid(const struct proc *p);
/*
 * Wait up to wait_ms (0: only look). True when it ended, *ret filled (NULL is allowed).
 * The deadline of proc_opts and the look at intr_pending() are kept here.
 */
bool proc_poll(struct proc *p, int wait_ms, struct proc_result *ret);
/* End the group (TERM, then KILL) and reap it; the result says how. NULL is allowed. */
void proc_kill(struct proc *p, struct proc_result *ret);
/* Kill if still running, and free. NULL is allowed. */
void proc_free(struct proc *p);

#endif
