// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.c - counters, and programs that run between two looks at them.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>
#include "guest.h"

#define MAX_COUNTER 64
#define MIN(a, b)   ((a) < (b) ? (a) : (b))

static struct counter {
	char *name, *path, *key;
} counters[MAX_COUNTER];
static int n_counters;

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static bool read_counter(const struct counter *c, long long *ret)
{
	return number(c->key ? value_of(c->path, c->key) : text_of(c->path), ret);
}

bool do_counter(int n, char **w)
{
	if (n < 3 || n > 4)
		return fail("counter NAME PATH [KEY]");
	if (n_counters == MAX_COUNTER)
		return fail("more than %d counters", MAX_COUNTER);
	counters[n_counters].name = strdup(w[1]);
	counters[n_counters].path = strdup(real_path(w[2]));
	counters[n_counters++].key = n == 4 ? strdup(w[3]) : NULL;
	return true;
}

bool do_forget(int n, char **w)
{
	n_counters = 0;
	return true;
}

struct run {
	pid_t pid;
	int fd; /* reading end of its output */
	size_t len, lost;
	int status;
	bool ended, timed_out;
	char out[MAX_OUT];
};

/* Take what the pipe holds. */
static void drain(struct run *r)
{
	char skip[4096];
	ssize_t n;

	for (;;) {
		bool room = r->len < sizeof(r->out);

		n = room ? read(r->fd, r->out + r->len, sizeof(r->out) - r->len)
			 : read(r->fd, skip, sizeof(skip));
		if (n <= 0)
			return;
		if (room)
			r->len += n;
		else
			r->lost += n;
	}
}

/* Reap whoever ended: pid 1 inherits orphans. */
static void reap(struct run *r)
{
	int st;
	pid_t p;

	while ((p = waitpid(-1, &st, WNOHANG)) > 0)
		if (p == r->pid) {
			r->status = st;
			r->ended = true;
		}
}

static void child(char **argv, int out)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	dup2(open("/dev/null", O_RDONLY), 0);
	dup2(out, 1);
	dup2(out, 2);
	execv(argv[0], argv);
	dprintf(2, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static bool spawn(struct run *r, char **argv)
{
	int p[2];

	memset(r, 0, offsetof(struct run, out));
	if (pipe2(p, O_CLOEXEC) < 0)
		return fail("pipe: %s", strerror(errno));
	r->fd = p[0];
	fcntl(p[0], F_SETFL, O_NONBLOCK);
	r->pid = fork();
	if (r->pid == 0)
		child(argv, p[1]);
	close(p[1]);
	if (r->pid < 0) {
		close(p[0]);
		return fail("fork: %s", strerror(errno));
	}
	return true;
}

/*
 * Until it ends or limit_ms have passed; then everything that is left is
 * killed. We wake seldom, not to disturb what is measured; SIGCHLD wakes us at once.
 */
static void watch(struct run *r, sigset_t *chld, long long limit_ms)
{
	long long until = now_ms() + limit_ms;

	while (!r->ended) {
		struct timespec t = { 0, 250 * 1000000 };

		drain(r);
		sigtimedwait(chld, NULL, &t);
		reap(r);
		if (!r->ended && now_ms() >= until && !r->timed_out) {
			r->timed_out = true;
			kill_rest(r->pid);
		}
		if (!r->ended && told_to_stop())
			until = MIN(until, now_ms());
		if (r->timed_out && now_ms() >= until + 5000)
			break; /* it cannot be killed: say so and go on */
	}
	kill_rest(r->pid);
	drain(r);
	close(r->fd);
	/* what it left behind is gone before the counters are read */
	for (int i = 0; i < 100 && waitpid(-1, NULL, WNOHANG) == 0; i++)
		usleep(10000);
}

static void put_run(const struct run *r, char **w, const long long *before,
		    const bool *had, long long ms)
{
	const char *taint;
	long long v;

	begin("run");
	put_member("case", w[1]);
	put(",\"run\":%d,\"ms\":%lld,\"rc\":", atoi(w[2]), ms);
	if (!r->ended)
		put("null");
	else
		put("%d", WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status)
						 : WEXITSTATUS(r->status));
	put(",\"signal\":%d,\"timed_out\":%s,\"lost\":%zu,\"out\":",
	    r->ended && WIFSIGNALED(r->status) ? WTERMSIG(r->status) : 0,
	    r->timed_out ? "true" : "false", r->lost);
	put_text(r->out, r->len);
	put(",\"counters\":{");
	for (int i = 0; i < n_counters; i++) {
		put(i ? "," : "");
		put_text(counters[i].name, strlen(counters[i].name));
		if (had[i] && read_counter(&counters[i], &v))
			put(":%lld", v - before[i]);
		else
			put(":null");
	}
	put("}");
	taint = text_of("/proc/sys/kernel/tainted");
	put(",\"taint\":%lld", number(taint, &v) ? v : -1);
	put_dmesg();
	end();
}

bool do_run(int n, char **w)
{
	static struct run r;
	long long before[MAX_COUNTER], limit, start;
	bool had[MAX_COUNTER];
	sigset_t chld;

	if (n < 5 || !number(w[3], &limit) || limit < 1)
		return fail("run CASE RUN TIMEOUT PROGRAM [ARGUMENT]...");
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	for (int i = 0; i < n_counters; i++)
		had[i] = read_counter(&counters[i], &before[i]);
	start = now_ms();
	w[4] = (char *)file_path(w[4]);
	if (!spawn(&r, w + 4))
		return false;
	watch(&r, &chld, limit * 1000);
	put_run(&r, w, before, had, now_ms() - start);
	return true;
}
