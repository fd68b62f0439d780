// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * proc_start.c - how a child begins: descriptors, environment, vfork, exec.
 *
 * All that allocates is done before vfork(): the child calls only what is safe there,
 * whatever threads a library has, and writes to nothing of the parent, which sleeps until
 * exec(). fork() would copy the page tables of a dozen libraries, and the parent would
 * copy each page that it writes to. A pipe that closes at exec tells what went wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "proc_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/time.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

enum stage { AT_DIR, AT_EXEC };

struct failure {
	enum stage stage;
	int errnum;
};

/* What the child needs, made ready before vfork(). */
struct launch {
	const struct proc_opts *o;
	char *path;	   /* of the program */
	struct strvec env; /* whole environment */
	int fd[3];	   /* its standard descriptors, -1: ours */
	int report;	   /* struct failure goes here */
	pid_t parent;
};

static void launch_release(struct launch *l)
{
	free(l->path);
	strvec_release(&l->env);
	for (int i = 0; i < 3; i++)
		fd_closep(&l->fd[i]);
	fd_closep(&l->report);
}

/* Index of the variable that item ("K=V" or "K") names, or env->n. */
static size_t find_var(const struct strvec *env, const char *item)
{
	size_t n = strcspn(item, "="), i;

	for (i = 0; i < env->n; i++)
		if (!strncmp(env->v[i], item, n) && env->v[i][n] == '=')
			break;
	return i;
}

static void make_env(char *const *changes, struct strvec *env)
{
	for (char **e = environ; e && *e; e++)
		strvec_push(env, *e);
	for (; changes && *changes; changes++) {
		size_t i;

		while ((i = find_var(env, *changes)) < env->n)
			strvec_remove(env, i);
		if (strchr(*changes, '='))
			strvec_push(env, *changes);
	}
	strvec_argv(env);
}

static int find_program(struct launch *l, struct err *err)
{
	const char *name = l->o->argv ? l->o->argv[0] : NULL;
	size_t i = find_var(&l->env, "PATH");

	if (!name || !*name)
		return err_set(err, E_FAIL, "no program to run was named");
	if (l->o->run)
		return 0;
	if (strchr(name, '/')) {
		l->path = xstrdup(name);
		return 0;
	}
	if (i < l->env.n)
		l->path = fs_find_program_in(l->env.v[i] + strlen("PATH="), name);
	else
		l->path = fs_find_program(name);
	if (!l->path)
		return err_set(err, E_FAIL,
			       "%s: not found; install it, or add its directory to PATH",
			       name);
	return 0;
}

static int open_null(int flags, int *ret, struct err *err)
{
	*ret = open("/dev/null", flags | O_CLOEXEC);
	return *ret < 0 ? err_errno(err, errno, "cannot open /dev/null") : 0;
}

/* Bytes for standard input lie in memory: nothing to feed, nothing to block. */
static int open_input(const struct proc_opts *o, int *ret, struct err *err)
{
	int r;

	if (o->inherit_stdin)
		return 0;
	if (!o->input.len)
		return open_null(O_RDONLY, ret, err);
	*ret = memfd_create("stdin", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
	if (*ret < 0 && errno == EINVAL) /* before Linux 6.3 */
		*ret = memfd_create("stdin", MFD_CLOEXEC);
	if (*ret < 0)
		return err_errno(err, errno, "cannot make a file in memory");
	r = fs_write_fd(*ret, o->input.p, o->input.len, "standard input", err);
	if (!r && lseek(*ret, 0, SEEK_SET) < 0)
		r = err_errno(err, errno, "cannot rewind standard input");
	return r;
}

static int open_output(enum proc_io io, const char *path, int *ret_child,
		       struct proc_stream *s, struct err *err)
{
	int pipefd[2];

	switch (io) {
	case PROC_NULL:
		return open_null(O_WRONLY, ret_child, err);
	case PROC_FILE:
		*ret_child = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (*ret_child < 0)
			return err_errno(err, errno, "cannot open %s", path);
		return 0;
	case PROC_CAPTURE:
	case PROC_LINES:
		if (pipe2(pipefd, O_CLOEXEC) < 0)
			return err_errno(err, errno, "cannot make a pipe");
		s->fd = pipefd[0];
		s->lines = io == PROC_LINES;
		*ret_child = pipefd[1];
		if (fcntl(s->fd, F_SETFL, O_NONBLOCK) < 0)
			return err_errno(err, errno, "cannot set up a pipe");
		return 0;
	case PROC_INHERIT:
	case PROC_MERGE:
		break;
	}
	return 0;
}

static int open_all(struct launch *l, struct proc *p, struct err *err)
{
	const struct proc_opts *o = l->o;
	int r = open_input(o, &l->fd[0], err);

	if (!r)
		r = open_output(o->out, o->out_path, &l->fd[1], &p->out, err);
	if (r || o->err != PROC_MERGE)
		return r ? r : open_output(o->err, o->err_path, &l->fd[2], &p->err, err);
	/* Standard output may be ours. */
	l->fd[2] = fcntl(l->fd[1] >= 0 ? l->fd[1] : 1, F_DUPFD_CLOEXEC, 3);
	return l->fd[2] < 0 ? err_errno(err, errno, "cannot copy standard output") : 0;
}

static _Noreturn void child_fail(const struct launch *l, enum stage stage)
{
	struct failure f = { stage, errno };
	ssize_t n = write(l->report, &f, sizeof(f));

	_exit(n == (ssize_t)sizeof(f) ? 127 : 126);
}

static void child_signals(void)
{
	struct sigaction act;
	sigset_t none;

	memset(&act, 0, sizeof(act));
	act.sa_handler = SIG_DFL;
	/* SIGKILL, SIGSTOP and those of the C library refuse; that is fine. */
	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &act, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void child_fds(struct launch *l)
{
	/* Without exec nothing is closed by itself. */
	unsigned how = l->o->run ? 0 : CLOSE_RANGE_CLOEXEC;

	/* Out of the way first: ours may have been closed, and one be 0, 1 or 2. */
	for (int i = 0; i < 3; i++)
		if (l->fd[i] >= 0 && l->fd[i] < 3)
			l->fd[i] = fcntl(l->fd[i], F_DUPFD_CLOEXEC, 3);
	if (l->report < 3)
		l->report = fcntl(l->report, F_DUPFD_CLOEXEC, 3);
	for (int i = 0; i < 3; i++)
		if (l->fd[i] >= 0)
			dup2(l->fd[i], i);
	if (close_range(3, ~0U, how) < 0) /* before Linux 5.11 */
		for (int fd = 3; fd < 65536; fd++)
			how ? fcntl(fd, F_SETFD, FD_CLOEXEC) : close(fd);
	for (size_t i = 0; i < l->o->n_keep; i++)
		fcntl(l->o->keep[i], F_SETFD, 0);
}

/* Works on a copy: until exec() the memory is the parent's too (but for "run"). */
static _Noreturn void child_main(const struct launch *parents)
{
	struct launch copy = *parents, *l = &copy;

	child_signals();
	if (!l->o->foreground)
		setpgid(0, 0);
	/* Let it end with us; and if we ended before this line, end at once. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != l->parent)
		_exit(126);
	if (l->o->run) {
		if (l->o->cwd && chdir(l->o->cwd) < 0)
			child_fail(l, AT_DIR);
		child_fds(l);
		_exit(l->o->run(l->o->run_arg));
	}
	child_fds(l);
	if (l->o->cwd && chdir(l->o->cwd) < 0)
		child_fail(l, AT_DIR);
	execve(l->path, l->o->argv, l->env.v);
	child_fail(l, AT_EXEC);
}

static int explain(const struct launch *l, const struct failure *f, struct err *err)
{
	const char *name = l->o->argv[0];

	if (f->stage == AT_DIR)
		return err_errno(err, f->errnum, "%s: cannot enter %s", name, l->o->cwd);
	if (f->errnum == ENOENT && !fs_exists(l->path))
		return err_set(err, E_FAIL, "%s: not found; check the path", name);
	if (f->errnum == ENOENT)
		return err_set(err, E_FAIL,
			       "%s: its interpreter was not found; see its "
			       "first line",
			       l->path);
	return err_errno(err, f->errnum, "cannot run %s", l->path);
}

/* While an editor has the terminal, Ctrl-C and Ctrl-\ are its business alone. */
static void ignore_keys(struct proc *p)
{
	struct sigaction ign;

	memset(&ign, 0, sizeof(ign));
	ign.sa_handler = SIG_IGN;
	sigaction(SIGINT, &ign, &p->old_int);
	sigaction(SIGQUIT, &ign, &p->old_quit);
}

/* Start it, and wait until the child is the program or says why not. */
static int spawn(struct launch *l, struct proc *p, struct err *err)
{
	int pipefd[2], started _cleanup_close_ = -1;
	sigset_t all, old;
	struct failure f;
	ssize_t n;
	pid_t pid;

	if (pipe2(pipefd, O_CLOEXEC) < 0)
		return err_errno(err, errno, "cannot make a pipe");
	started = pipefd[0];
	l->report = pipefd[1];
	l->parent = getpid();
	if (l->o->foreground)
		ignore_keys(p);
	/* No handler of ours may run in the child. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	pid = l->o->run ? fork() : vfork();
	if (!pid)
		child_main(l);
	n = errno;
	p->pid = pid;
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (p->pid < 0)
		return err_errno(err, (int)n, "cannot start %s", l->o->argv[0]);
	if (!l->o->foreground)
		setpgid(p->pid, p->pid);
	fd_closep(&l->report);
	do
		n = read(started, &f, sizeof(f));
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(f))
		return 0;
	waitpid(p->pid, NULL, 0);
	return explain(l, &f, err);
}

static void wait_for_children(void)
{
	struct sigaction old;

	/* Who ignores SIGCHLD when starting us would take the exit status away. */
	if (!sigaction(SIGCHLD, NULL, &old) && old.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
}

int proc_launch(const struct proc_opts *o, struct proc **ret, struct err *err)
{
	struct launch l _cleanup_(launch_release) = {
		.o = o, .env = STRVEC_INIT, .fd = { -1, -1, -1 }, .report = -1
	};
	struct proc *p = xcalloc(1, sizeof(*p));
	int r;

	p->pidfd = p->out.fd = p->err.fd = -1;
	p->foreground = o->foreground;
	p->on_line = o->on_line;
	p->arg = o->arg;
	p->out.b.max = p->err.b.max = o->max_output ? o->max_output : PROC_MAX_OUTPUT;
	p->stage = PROC_REAPED; /* nothing to end yet */
	wait_for_children();
	make_env(o->env, &l.env);
	r = find_program(&l, err);
	if (!r)
		r = open_all(&l, p, err);
	if (!r)
		r = spawn(&l, p, err);
	if (r < 0) {
		if (p->pid && p->foreground)
			proc_restore_keys(p);
		proc_free(p);
		return r;
	}
	p->stage = PROC_RUNNING;
	p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	p->timeout_ms = o->timeout_ms;
	p->grace_ns = o->grace_ms > 0 ? o->grace_ms * 1000000 : PROC_GRACE_NS;
	if (o->timeout_ms > 0)
		p->deadline_ns = time_mono_ns() + o->timeout_ms * 1000000;
	*ret = p;
	return 0;
}
