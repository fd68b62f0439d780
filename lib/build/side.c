// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests side by side. All walk the same commits in one work tree, so that each commit
 * is checked out once and then built for every request that lacks it, in threads. Their
 * makes share one jobserver, as GNU make's manual describes it for programs that call
 * make: a pipe with a byte for each job that may run beside those that every make has by
 * itself. A request whose make has ended gives its own job to the others.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "series/fs.h"
#include "series/lock.h"
#include "series/proc.h"
#include "series/workers.h"
#include "internal.h"

struct lane {
	struct run run;
	int rc;
	struct err err;
	bool todo; /* the row that is being built */
};

struct side {
	struct lane *lanes;
	size_t n, row, todo;
	struct lock lock;
	bool locked;
	int server[2];
	atomic_size_t begun; /* of the row's */
};

/* Since 4.2 make calls the option so; an older one would not start. */
static bool make_can_share(void)
{
	char *argv[] = { "make", "--version", NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = 20000 };
	_cleanup_proc_ struct proc_result res = PROC_RESULT_INIT;
	struct str s, major, minor;
	int64_t a, b;

	if (proc_run(&o, &res, NULL) < 0 || res.status)
		return false;
	s = buf_str(&res.out);
	if (!str_skip(&s, "GNU Make ") || !str_cut(&s, '.', &major))
		return false;
	minor = s;
	for (minor.len = 0;
	     minor.len < s.len && s.p[minor.len] >= '0' && s.p[minor.len] <= '9';)
		minor.len++;
	return str_to_i64(major, 0, 1000, &a) && str_to_i64(minor, 0, 1000, &b) &&
	       (a > 4 || (a == 4 && b >= 2));
}

/* The lock of the cache, and what killed runs were about to publish goes. */
static int take_lock(struct side *s, const struct plan *p, struct err *err)
{
	_cleanup_free_ char *path = path_join(p->root, "lock");
	_cleanup_strvec_ struct strvec names = STRVEC_INIT;
	int rc;

	if (s->locked)
		return 0;
	rc = lock_take(&s->lock, path, "build", 2000, err);
	if (rc < 0)
		return rc;
	s->locked = true;
	if (fs_list(p->kernels, &names, NULL) == 0)
		for (size_t i = 0; i < names.n && !rc; i++) {
			_cleanup_free_ char *dir = path_join(p->kernels, names.v[i]);

			if (names.v[i][0] == '.')
				rc = fs_rmtree(dir, err);
		}
	return rc;
}

/* Must this lane build the row? */
static bool lacks(struct side *s, struct lane *l)
{
	if (l->rc || run_known(&l->run, s->row))
		return false;
	l->rc = take_lock(s, &l->run.p, &l->err);
	/* Whoever held the lock before may have built it. */
	if (l->rc || run_known(&l->run, s->row))
		return false;
	l->rc = run_prepare(&l->run, &l->err);
	return !l->rc;
}

static void build_lane(void *job, size_t thread, void *arg)
{
	struct side *s = arg;
	struct lane *l = job;

	(void)thread;
	atomic_fetch_add(&s->begun, 1);
	l->rc = run_row(&l->run, s->row, &l->err);
	/* Nothing is left for this thread, so its own job is another's. */
	if (atomic_load(&s->begun) >= s->todo)
		fs_write_fd(s->server[1], "+", 1, "jobserver", NULL);
}

static int open_server(struct side *s, size_t tokens, struct err *err)
{
	if (pipe2(s->server, O_CLOEXEC) < 0)
		return err_set(err, E_FAIL, "cannot make a pipe for make's jobs");
	/* What does not fit into a pipe is more than any machine has. */
	for (size_t i = 0; i < MIN(tokens, 4000); i++)
		if (fs_write_fd(s->server[1], "+", 1, "jobserver", err) < 0)
			return E_FAIL;
	return 0;
}

static int build_threads(struct side *s, size_t jobs, struct err *err)
{
	size_t n = MIN(jobs, s->todo);
	struct workers *w;
	int rc = open_server(s, jobs - n, err);

	atomic_store(&s->begun, 0);
	w = rc ? NULL : workers_new(n, s->todo, build_lane, s);
	for (size_t i = 0; w && i < s->n; i++) {
		if (!s->lanes[i].todo)
			continue;
		s->lanes[i].run.p.server = s->server;
		workers_put(w, &s->lanes[i]);
	}
	while (w && workers_take(w))
		;
	if (w)
		workers_free(w);
	for (size_t i = 0; i < s->n; i++)
		s->lanes[i].run.p.server = NULL;
	fd_closep(&s->server[0]);
	fd_closep(&s->server[1]);
	return rc;
}

/* One row for all that lack it. */
static int build_row(struct side *s, bool share, struct err *err)
{
	struct lane *first = NULL;
	int rc;

	s->todo = 0;
	for (size_t i = 0; i < s->n; i++) {
		s->lanes[i].todo = lacks(s, &s->lanes[i]);
		s->todo += s->lanes[i].todo;
		if (s->lanes[i].todo && !first)
			first = &s->lanes[i];
		if (s->lanes[i].rc == E_LOCKED || s->lanes[i].rc == E_INTR)
			return err_set(err, s->lanes[i].rc, "%s",
				       err_msg(&s->lanes[i].err));
	}
	if (!first)
		return 0;
	rc = source_checkout(&first->run.p, first->run.trees[s->row], err);
	if (rc < 0)
		return rc;
	if (s->todo > 1 && share && first->run.p.jobs > 1)
		return build_threads(s, (size_t)first->run.p.jobs, err);
	for (size_t i = 0; i < s->n; i++)
		if (s->lanes[i].todo)
			s->lanes[i].rc =
				run_row(&s->lanes[i].run, s->row, &s->lanes[i].err);
	return 0;
}

/* What ends all of them ends each. */
static void end_all(struct side *s, int rc, const struct err *err)
{
	for (size_t i = 0; i < s->n; i++)
		if (!s->lanes[i].rc)
			s->lanes[i].rc =
				err_set(&s->lanes[i].err, rc, "%s", err_msg(err));
}

void build_run_all(const struct build_request *q, size_t n, struct build_report *ret,
		   int *ret_rc, struct err *ret_err)
{
	struct side s = { .n = n, .lock = LOCK_INIT, .server = { -1, -1 } };
	bool share = n > 1 && make_can_share();
	struct err err = ERR_INIT;
	int rc = 0;

	s.lanes = xcalloc(n + 1, sizeof(*s.lanes));
	for (size_t i = 0; i < n; i++) {
		struct lane *l = &s.lanes[i];

		l->err = (struct err)ERR_INIT;
		l->rc = run_init(&l->run, &q[i], &l->err);
		if (!l->rc)
			l->rc = plan_check_tools(&l->run.p, &l->err);
	}
	for (s.row = 0; n && s.row < q[0].n && !rc; s.row++) {
		rc = build_row(&s, share, &err);
		for (size_t i = 0; i < n && !rc; i++)
			if (s.lanes[i].rc == E_INTR)
				rc = err_set(&err, E_INTR, "%s",
					     err_msg(&s.lanes[i].err));
	}
	if (rc < 0)
		end_all(&s, rc, &err);
	for (size_t i = 0; i < n; i++) {
		struct lane *l = &s.lanes[i];

		ret_rc[i] = l->rc ? l->rc : run_report(&l->run, &ret[i], &l->err);
		ret_err[i] = l->err;
		run_release(&l->run);
	}
	lock_release(&s.lock);
	err_release(&err);
	free(s.lanes);
}

int build_run(const struct build_request *q, struct build_report *ret, struct err *err)
{
	struct err own = ERR_INIT;
	int rc;

	build_run_all(q, 1, ret, &rc, &own);
	if (rc)
		rc = err_set(err, rc, "%s", err_msg(&own));
	err_release(&own);
	return rc;
}
