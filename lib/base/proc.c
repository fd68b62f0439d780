// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * proc.c - a running child: watch it, read its streams, end it with its group, reap it.
 *
 * The leader of a group is reaped last: as long as it is a zombie its number, which is
 * the group's, is not given to anybody else.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "proc_priv.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/time.h"

#define CHUNK ((size_t)64 * 1024)

void proc_result_release(struct proc_result *r)
{
	buf_release(&r->out);
	buf_release(&r->err);
	*r = (struct proc_result)PROC_RESULT_INIT;
}

static void send_signal(const struct proc *p, int sig)
{
	kill(p->foreground ? p->pid : -p->pid, sig);
}

/* SIGTERM to the group, SIGKILL when its grace is over. */
static void proc_stop(struct proc *p)
{
	if (p->stage != PROC_RUNNING)
		return;
	send_signal(p, SIGTERM);
	/* What is stopped (Ctrl-Z, the terminal) would never see it. */
	send_signal(p, SIGCONT);
	p->stage = PROC_TERM_SENT;
	p->kill_at_ns = time_mono_ns() + p->grace_ns;
}

/* Complete lines go to the caller, the begun one stays in s->b. */
static void take_lines(struct proc *p, struct proc_stream *s, struct str text)
{
	ptrdiff_t at;

	while ((at = str_chr(text, '\n')) >= 0) {
		struct str line = str_n(text.p, (size_t)at);

		if (s->b.len || s->b.full) {
			buf_addstr(&s->b, line);
			line = buf_str(&s->b);
		} else if (line.len > s->b.max) {
			line.len = s->b.max;
		}
		p->on_line(line, p->arg);
		buf_reset(&s->b);
		text.p += at + 1;
		text.len -= (size_t)at + 1;
	}
	buf_addstr(&s->b, text);
}

/* Read what is there, at most a few chunks so that the deadline is looked at. */
static void read_stream(struct proc *p, struct proc_stream *s, char *chunk, int rounds)
{
	while (s->fd >= 0 && (rounds < 0 || rounds-- > 0)) {
		ssize_t n = read(s->fd, chunk, CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0)
			fd_closep(&s->fd);
		else if (s->lines)
			take_lines(p, s, str_n(chunk, (size_t)n));
		else
			buf_add(&s->b, chunk, (size_t)n);
	}
}

static void read_streams(struct proc *p, int rounds)
{
	char *chunk _cleanup_free_ = NULL;

	if (p->out.fd < 0 && p->err.fd < 0)
		return;
	chunk = xmalloc(CHUNK);
	read_stream(p, &p->out, chunk, rounds);
	read_stream(p, &p->err, chunk, rounds);
}

/* True when the leader ended; it stays a zombie. */
static bool has_ended(const struct proc *p)
{
	siginfo_t si = { 0 };

	if (waitid(P_PID, (id_t)p->pid, &si, WEXITED | WNOHANG | WNOWAIT) < 0)
		return errno == ECHILD;
	return si.si_pid == p->pid;
}

static void note_status(struct proc *p, int status)
{
	if (WIFSIGNALED(status)) {
		p->res.signal = WTERMSIG(status);
		p->res.status = 128 + p->res.signal;
	} else {
		p->res.status = WEXITSTATUS(status);
	}
}

void proc_restore_keys(const struct proc *p)
{
	sigaction(SIGINT, &p->old_int, NULL);
	sigaction(SIGQUIT, &p->old_quit, NULL);
}

/* It ended: what it left is read, its group is gone if we asked for that. */
static void reap(struct proc *p)
{
	int status = 0;
	pid_t pid;

	if (p->stage != PROC_RUNNING && !p->foreground)
		send_signal(p, SIGKILL);
	/*
	 * All that the program itself wrote is in the pipes by now. Who holds them open
	 * behind it (a daemon it started) is not waited for: 64 rounds hold more than a
	 * pipe can.
	 */
	read_streams(p, 64);
	if (p->out.lines && (p->out.b.len || p->out.b.full))
		p->on_line(buf_str(&p->out.b), p->arg);
	fd_closep(&p->out.fd);
	fd_closep(&p->err.fd);
	do
		pid = waitpid(p->pid, &status, 0);
	while (pid < 0 && errno == EINTR);
	if (pid == p->pid)
		note_status(p, status);
	else
		p->res.status = 255; /* somebody else reaped it: nobody knows */
	fd_closep(&p->pidfd);
	if (p->foreground)
		proc_restore_keys(p);
	p->stage = PROC_REAPED;
}

/* Begin or go on ending it when it is time to. */
static void keep_limits(struct proc *p, int64_t now)
{
	if (p->stage == PROC_RUNNING && intr_pending()) {
		p->res.interrupted = true;
		proc_stop(p);
	} else if (p->stage == PROC_RUNNING && p->deadline_ns && now >= p->deadline_ns) {
		p->res.timed_out = true;
		proc_stop(p);
	} else if (p->stage == PROC_TERM_SENT && now >= p->kill_at_ns) {
		send_signal(p, SIGKILL);
		p->stage = PROC_KILL_SENT;
	}
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* When to wake up although nothing happens. */
static int64_t wake_at(const struct proc *p, int64_t now, int64_t until_ns)
{
	/* Without a pidfd the end of the child wakes nobody. */
	int64_t at = now + (p->pidfd >= 0 ? 1000000000 : 20000000);

	if (until_ns >= 0)
		at = earlier(at, until_ns);
	if (p->stage == PROC_RUNNING && p->deadline_ns)
		at = earlier(at, p->deadline_ns);
	if (p->stage == PROC_TERM_SENT)
		at = earlier(at, p->kill_at_ns);
	return MAX(at, now);
}

/* Sleep until the child ends or writes, a signal comes, or it is at_ns. */
static void wait_event(struct proc *p, int64_t now, int64_t at_ns)
{
	struct pollfd fds[3] = { { .fd = p->out.fd, .events = POLLIN },
				 { .fd = p->err.fd, .events = POLLIN },
				 { .fd = p->pidfd, .events = POLLIN } };
	int64_t ns = at_ns - now;
	struct timespec ts = { .tv_sec = (time_t)(ns / 1000000000),
			       .tv_nsec = (long)(ns % 1000000000) };
	sigset_t ours, old;

	/* Between the look at the flag and the sleep no signal may slip through. */
	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGHUP);
	sigprocmask(SIG_BLOCK, &ours, &old);
	if (p->stage != PROC_RUNNING || !intr_pending())
		ppoll(fds, 3, &ts, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

bool proc_step(struct proc *p, int64_t until_ns)
{
	while (p->stage != PROC_REAPED) {
		int64_t now = time_mono_ns();

		keep_limits(p, now);
		if (has_ended(p)) {
			reap(p);
			break;
		}
		if (until_ns >= 0 && now >= until_ns)
			return false;
		wait_event(p, now, wake_at(p, now, until_ns));
		read_streams(p, 4);
		/* The terminal is the program's that runs in the foreground. */
		if (!p->foreground)
			progress_tick();
	}
	return true;
}

/* How it ended; what was captured moves to *ret. */
static void fill_result(struct proc *p, struct proc_result *ret)
{
	if (!ret)
		return;
	proc_result_release(ret);
	*ret = p->res;
	if (!p->out.lines)
		ret->out = p->out.b;
	ret->err = p->err.b;
	if (!p->out.lines)
		p->out.b = (struct buf)BUF_INIT;
	p->err.b = (struct buf)BUF_INIT;
}

pid_t proc_pid(const struct proc *p)
{
	return p->pid;
}

bool proc_poll(struct proc *p, int wait_ms, struct proc_result *ret)
{
	int64_t until = time_mono_ns() + (int64_t)wait_ms * 1000000;

	if (!proc_step(p, until))
		return false;
	fill_result(p, ret);
	return true;
}

void proc_kill(struct proc *p, struct proc_result *ret)
{
	proc_stop(p);
	proc_step(p, -1);
	fill_result(p, ret);
}

void proc_free(struct proc *p)
{
	if (!p)
		return;
	proc_kill(p, NULL);
	fd_closep(&p->out.fd);
	fd_closep(&p->err.fd);
	buf_release(&p->out.b);
	buf_release(&p->err.b);
	free(p);
}
