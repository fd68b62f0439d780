/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_priv.h - a running child, shared by proc_start.c (how it begins), proc.c (how it
 * is watched and ends) and proc_run.c (run to the end).
 */
#ifndef SERIES_PROC_PRIV_H
#define SERIES_PROC_PRIV_H

#include <signal.h>
#include "series/proc.h"

#define PROC_MAX_OUTPUT ((size_t)64 << 20)
/* From SIGTERM to SIGKILL. */
#define PROC_GRACE_NS ((int64_t)2000000000)

enum proc_stage { PROC_RUNNING, PROC_TERM_SENT, PROC_KILL_SENT, PROC_REAPED };

/* Our end of a stream of the child. */
struct proc_stream {
	int fd;	      /* -1: none, or at its end */
	bool lines;   /* PROC_LINES */
	bool cut;     /* lines: the rest of this line is dropped */
	struct buf b; /* what was captured; lines: the line so far */
};

struct proc {
	pid_t pid;
	int pidfd; /* -1 on kernels before 5.3 */
	bool foreground;
	enum proc_stage stage;
	int64_t deadline_ns, kill_at_ns; /* monotonic; 0: none */
	int64_t timeout_ms;		 /* as it was asked for */
	int64_t grace_ns;		 /* from SIGTERM to SIGKILL */
	struct proc_stream out, err;
	void (*on_line)(struct str line, void *arg);
	void *arg;
	struct sigaction old_int, old_quit; /* foreground: ours, meanwhile ignored */
	struct proc_result res;		    /* all but out and err */
};

/* Start it; streams that are captured are read by proc_step(). */
int proc_launch(const struct proc_opts *o, struct proc **ret, struct err *err);
/*
 * Watch, read what comes, and keep the deadline, until the child ended (true) or the
 * monotonic clock shows until_ns (false; < 0: no limit).
 */
bool proc_step(struct proc *p, int64_t until_ns);
/* SIGINT and SIGQUIT reach us again after a foreground child. */
void proc_restore_keys(const struct proc *p);

#endif
