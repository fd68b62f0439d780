// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The folder of a running session: what was measured is on disk before anything else is
 * begun, and a session that died at any moment is read back as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench_priv.h"
#include "series/fs.h"
#include "series/mem.h"

#define MAX_JSONL ((size_t)512 << 20)
#define MAX_VOID  2 /* repetitions of a boot before its block is dropped */
#define MAX_FAILS 2 /* a kernel that does not boot twice does not boot */

char *bench_root(struct repo *r)
{
	return path_join(repo_common_dir(r), "series/bench");
}

static void make_tasks(struct bench_live *l)
{
	size_t k = l->s->n_kernels, *order _cleanup_free_ = xcalloc(k, sizeof(*order));

	l->tasks = xcalloc(k * (size_t)l->s->blocks, sizeof(*l->tasks));
	for (int block = 1; block <= l->s->blocks; block++) {
		bench_order(l->s->seed, block, k, order);
		for (size_t i = 0; i < k; i++)
			l->tasks[l->n_tasks++] = (struct bench_task){
				.kernel = (int)order[i],
				.block = block,
				.order = (int)i + 1,
			};
	}
}

static struct bench_live *live_alloc(const char *dir)
{
	struct bench_live *l = xcalloc(1, sizeof(*l));

	l->lock = (struct lock)LOCK_INIT;
	l->dir = xstrdup(dir);
	l->runs_path = path_join(dir, "runs.jsonl");
	return l;
}

void bench_live_free(struct bench_live *l)
{
	if (!l)
		return;
	bench_session_free(l->s);
	lock_release(&l->lock);
	free(l->dir);
	free(l->runs_path);
	free(l->series);
	free(l->tasks);
	free(l);
}

static int take_lock(struct bench_live *l, struct err *err)
{
	char *path _cleanup_free_ = path_join(l->dir, "lock");

	return lock_take(&l->lock, path, "bench", 0, err);
}

int bench_live_save(const struct bench_live *l, struct err *err)
{
	struct json *j _cleanup_json_ = bench_summary_json(l->s);
	char *path _cleanup_free_ = path_join(l->dir, "session.json");
	struct buf b _cleanup_buf_ = BUF_INIT;

	/* Boots are in runs.jsonl. */
	json_set(j, "boots", json_arr());
	json_set_str(j, "series", l->series);
	json_dump(j, &b);
	return fs_write_atomic(path, b.p, b.len, 0644, err);
}

int bench_live_new(struct repo *r, const char *series, struct bench_session *s_take,
		   struct bench_live **ret, struct err *err)
{
	char *root _cleanup_free_ = bench_root(r);
	char *dir _cleanup_free_ = path_join(root, s_take->id);
	struct bench_live *l = live_alloc(dir);
	int rc = fs_mkdirs(dir, err);

	l->s = s_take;
	l->series = xstrdup(series);
	make_tasks(l);
	if (!rc)
		rc = take_lock(l, err);
	if (!rc)
		rc = bench_live_save(l, err);
	if (!rc)
		rc = fs_fsync_dir(root, err);
	if (rc) {
		bench_live_free(l);
		return rc;
	}
	*ret = l;
	return 0;
}

/* --- what a boot means for its task --- */

static void drop_block(struct bench_live *l, int block)
{
	for (size_t i = 0; i < l->n_tasks; i++)
		if (l->tasks[i].block == block && l->tasks[i].state != TASK_DONE)
			l->tasks[i].state = TASK_DROPPED;
}

static void note_state(struct bench_live *l, struct bench_task *t, enum boot_state state)
{
	bool dropped = t->state == TASK_DROPPED;

	t->attempts++;
	switch (state) {
	case BOOT_OK:
	case BOOT_CRASHED:
	case BOOT_HUNG:
		t->state = TASK_DONE;
		break;
	case BOOT_FAIL:
		t->state = ++t->fails >= MAX_FAILS ? TASK_DONE : TASK_TODO;
		break;
	case BOOT_WRONG_KERNEL: /* an error of the session: asked again when resumed */
		t->state = TASK_TODO;
		break;
	default:
		t->state = TASK_TODO;
		if (++t->voids > MAX_VOID)
			drop_block(l, t->block);
	}
	/* Its block went while it ran. */
	if (dropped)
		t->state = TASK_DROPPED;
}

size_t bench_live_done(const struct bench_live *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n_tasks; i++)
		n += l->tasks[i].state == TASK_DONE || l->tasks[i].state == TASK_DROPPED;
	return n;
}

size_t bench_live_dropped(const struct bench_live *l)
{
	size_t n = 0;
	int last = 0;

	/* The tasks of a block stand together, done ones among those that were dropped.
	 */
	for (size_t i = 0; i < l->n_tasks; i++)
		if (l->tasks[i].state == TASK_DROPPED && l->tasks[i].block != last) {
			last = l->tasks[i].block;
			n++;
		}
	return n;
}

int bench_live_remove(const struct bench_live *l, struct err *err)
{
	char *path _cleanup_free_ = path_join(l->dir, "session.json");

	/* Without it the folder is no session; with it and without runs it would begin
	 * anew. */
	if (unlink(path) && errno != ENOENT)
		return err_errno(err, errno, "%s", path);
	return fs_rmtree(l->dir, err);
}

/* --- runs.jsonl --- */

static void put_line(struct buf *out, struct json *j_take, const char *t)
{
	json_set_str(j_take, "t", t);
	json_dump_line(j_take, out);
	buf_putc(out, '\n');
	json_free(j_take);
}

static struct json *run_json(const struct sample *m)
{
	struct json *j = json_obj();

	json_set_int(j, "case", m->case_i);
	json_set_int(j, "run", m->run);
	json_set_int(j, "value", m->value == SAMPLE_NONE ? 0 : m->value);
	json_set_bool(j, "proven", m->proven);
	json_set_strvec(j, "counters", &m->counters);
	return j;
}

static int append(const char *path, const struct buf *b, struct err *err)
{
	int fd _cleanup_close_ =
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	int rc;

	if (fd < 0)
		return err_errno(err, errno, "%s", path);
	rc = fs_write_fd(fd, b->p, b->len, path, err);
	if (!rc && fsync(fd))
		rc = err_errno(err, errno, "%s: fsync", path);
	return rc;
}

/* Into the session; the samples get the boot's index. */
static void adopt(struct bench_live *l, struct bench_task *t, const struct bench_boot *b,
		  struct sample *m, size_t n)
{
	size_t at = bench_add_boot(l->s, b);

	for (size_t i = 0; i < n; i++) {
		m[i].boot = (int)at;
		bench_add_sample(l->s, &m[i]);
	}
	note_state(l, t, b->state);
}

int bench_live_add(struct bench_live *l, struct bench_task *t, struct bench_boot *b,
		   struct sample *m, size_t n, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc;

	for (size_t i = 0; i < n; i++)
		put_line(&text, run_json(&m[i]), "run");
	put_line(&text, bench_boot_json(b), "boot");
	rc = append(l->runs_path, &text, err);
	if (rc) {
		bench_boot_release(b);
		for (size_t i = 0; i < n; i++)
			bench_sample_release(&m[i]);
		return rc;
	}
	adopt(l, t, b, m, n);
	return 0;
}

/* --- reading back --- */

struct replay {
	struct bench_live *l;
	struct sample *pending; /* runs whose boot has not come yet */
	size_t n, cap;
};

static void forget_pending(struct replay *p)
{
	for (size_t i = 0; i < p->n; i++)
		bench_sample_release(&p->pending[i]);
	p->n = 0;
}

static int replay_run(struct replay *p, const struct json *j, struct err *err)
{
	struct bench_session *s = p->l->s;
	int64_t c = json_get_int(j, "case", -1), run = json_get_int(j, "run", -1),
		value = json_get_int(j, "value", -1);
	struct sample m = { .case_i = (int)c, .run = (int)run, .value = value };

	if (c < 0 || (size_t)c >= s->cases.n || run < 0 || run > s->runs || value < 0 ||
	    value > BENCH_MAX_VALUE)
		return err_set(err, E_CORRUPT, "%s: a run that is not in the session",
			       p->l->runs_path);
	if (!value)
		m.value = SAMPLE_NONE;
	m.proven = json_get_bool(j, "proven", false);
	json_get_strvec(j, "counters", &m.counters);
	vec_grow(p->pending, p->n, p->cap);
	p->pending[p->n++] = m;
	return 0;
}

static int replay_boot(struct replay *p, const struct json *j, struct err *err)
{
	struct bench_live *l = p->l;
	struct bench_boot b;
	int rc = bench_boot_parse(j, l->s, l->runs_path, &b, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < l->n_tasks; i++) {
		struct bench_task *t = &l->tasks[i];

		if (t->kernel != b.kernel || t->block != b.block)
			continue;
		if (t->state == TASK_DONE) {
			bench_boot_release(&b);
			return err_set(err, E_CORRUPT, "%s: block %d has a boot twice",
				       l->runs_path, t->block);
		}
		adopt(l, t, &b, p->pending, p->n);
		p->n = 0; /* theirs now */
		return 0;
	}
	bench_boot_release(&b);
	return err_set(err, E_CORRUPT, "%s: a boot that is not in the plan",
		       l->runs_path);
}

static int replay_line(struct replay *p, struct str line, bool *ret_whole,
		       struct err *err)
{
	struct json *j _cleanup_json_ = NULL;
	int rc = json_parse(line, p->l->runs_path, &j, err);
	const char *t = rc ? NULL : json_get_str(j, "t");

	*ret_whole = false;
	if (rc)
		return rc;
	if (t && !strcmp(t, "run"))
		return replay_run(p, j, err);
	*ret_whole = true;
	return replay_boot(p, j, err);
}

/* Everything up to the last whole boot; what is behind it was never finished. */
static int replay(struct bench_live *l, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct replay p = { .l = l };
	size_t good = 0;
	int rc = fs_read(l->runs_path, MAX_JSONL, &text, err);
	struct str rest = buf_str(&text);
	ptrdiff_t lf;

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	while (!rc && (lf = str_chr(rest, '\n')) >= 0) {
		bool whole;

		rc = replay_line(&p, str_n(rest.p, (size_t)lf), &whole, err);
		rest = str_n(rest.p + lf + 1, rest.len - (size_t)lf - 1);
		if (!rc && whole)
			good = text.len - rest.len;
	}
	forget_pending(&p);
	free(p.pending);
	if (!rc && good < text.len && truncate(l->runs_path, (off_t)good))
		rc = err_errno(err, errno, "%s", l->runs_path);
	return rc;
}

int bench_live_open(const char *dir, struct bench_live **ret, struct err *err)
{
	struct bench_live *l = live_alloc(dir);
	char *path _cleanup_free_ = path_join(dir, "session.json");
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	int rc = fs_exists(path) ? take_lock(l, err)
				 : err_set(err, E_NOTFOUND, "%s: missing", path);

	if (!rc)
		rc = fs_read(path, MAX_JSONL, &text, err);
	if (!rc)
		rc = json_parse_schema(buf_str(&text), path, 1, &j, err);
	if (!rc)
		rc = bench_summary_parse(j, path, &l->s, err);
	if (!rc) {
		const char *series = json_get_str(j, "series");

		l->series = xstrdup(series ? series : "");
		make_tasks(l);
		rc = replay(l, err);
	}
	if (rc) {
		bench_live_free(l);
		return rc;
	}
	*ret = l;
	return 0;
}
