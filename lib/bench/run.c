// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A session from beginning to end: prepared, begun or gone on with, measured, and stored
 * by one state commit.
 */
#include <string.h>

#include "bench_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/store.h"
#include "series/time.h"
#include "series/xdg.h"

/* --- sessions that began --- */

static void unfinished_release(struct bench_unfinished *u)
{
	free(u->id);
	free(u->bench);
	free(u->series);
	free(u->arch);
	free(u->host);
	free(u->dir);
	free(u->broken);
}

void bench_unfinished_free(struct bench_unfinished *u, size_t n)
{
	for (size_t i = 0; i < n; i++)
		unfinished_release(&u[i]);
	free(u);
}

/* What session.json says; without the lock, for a session that somebody works on. */
static int read_facts(const char *dir, struct bench_session **ret, char **ret_series,
		      struct err *err)
{
	char *path _cleanup_free_ = path_join(dir, "session.json");
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	const char *series;
	int rc = fs_read(path, 64 << 20, &text, err);

	if (!rc)
		rc = json_parse_schema(buf_str(&text), path, 1, &j, err);
	if (!rc)
		rc = bench_summary_parse(j, path, ret, err);
	if (rc)
		return rc;
	series = json_get_str(j, "series");
	*ret_series = xstrdup(series ? series : "");
	return 0;
}

static int read_running(const char *dir, struct bench_unfinished *u, struct err *err)
{
	struct bench_session *s _cleanup_bench_session_ = NULL;
	char *series = NULL;
	int rc = read_facts(dir, &s, &series, err);

	if (rc)
		return rc;
	*u = (struct bench_unfinished){
		.bench = xstrdup(s->bench),
		.series = series,
		.arch = xstrdup(s->arch),
		.host = xstrdup(s->host_alias),
		.boots_all = s->n_kernels * (size_t)s->blocks,
		.running = true,
	};
	return 0;
}

static int read_unfinished(const char *dir, struct bench_unfinished *u, struct err *err)
{
	struct bench_live *l = NULL;
	int rc = bench_live_open(dir, &l, err);

	if (rc == E_LOCKED) {
		err_release(err);
		rc = read_running(dir, u, err);
	} else if (!rc) {
		*u = (struct bench_unfinished){ .bench = xstrdup(l->s->bench),
						.series = xstrdup(l->series),
						.arch = xstrdup(l->s->arch),
						.host = xstrdup(l->s->host_alias),
						.boots_done = bench_live_done(l),
						.boots_all = l->n_tasks };
	}
	bench_live_free(l);
	if (rc == E_NOTFOUND || rc == E_INTR)
		return rc;
	if (rc) {
		u->broken = xstrdup(err_msg(err));
		err_release(err);
	}
	u->id = xstrdup(path_base(dir));
	u->dir = xstrdup(dir);
	return 0;
}

int bench_unfinished_list(struct repo *r, struct bench_unfinished **ret, size_t *ret_n,
			  struct err *err)
{
	char *root _cleanup_free_ = bench_root(r);
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct bench_unfinished *list;
	size_t n = 0;
	int rc = fs_list(root, &names, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		rc = 0;
	}
	list = xcalloc(names.n + 1, sizeof(*list));
	/* IDs begin with the time: backwards is newest first. */
	for (size_t i = names.n; i-- > 0 && !rc;) {
		char *dir _cleanup_free_ = path_join(root, names.v[i]);

		rc = read_unfinished(dir, &list[n], err);
		/* Gone meanwhile, or killed while it was made. */
		if (rc == E_NOTFOUND) {
			err_release(err);
			rc = 0;
			continue;
		}
		n += !rc;
	}
	if (rc) {
		bench_unfinished_free(list, n);
		return rc;
	}
	*ret = list;
	*ret_n = n;
	return 0;
}

/* --- does it fit? --- */

static bool same_list(const struct strvec *a, const struct strvec *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; i < a->n && same; i++)
		same = !strcmp(a->v[i], b->v[i]);
	return same;
}

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool same_key(const struct evidence_key *a, const struct evidence_key *b)
{
	return !strcmp(a->base_tree, b->base_tree) && !strcmp(a->tip_tree, b->tip_tree) &&
	       same_list(&a->patch_ids, &b->patch_ids) && !strcmp(a->config, b->config) &&
	       same_text(a->compiler, b->compiler) &&
	       !strcmp(a->bench_hash, b->bench_hash) &&
	       same_text(a->host_class, b->host_class);
}

/* Would going on with x measure what was asked for? */
static bool fits(const struct bench_request *q, const struct bench_session *want,
		 const struct bench_session *x)
{
	bool same = !strcmp(want->bench, x->bench) && !strcmp(want->arch, x->arch) &&
		    !strcmp(want->host_alias, x->host_alias) &&
		    same_key(&want->key, &x->key) && want->n_kernels == x->n_kernels &&
		    x->cases.n;

	for (size_t i = 0; same && i < x->cases.n; i++)
		same = bench_def_case(q->def, x->cases.v[i]) != NULL;
	for (size_t i = 0; same && i < x->n_kernels; i++)
		same = !strcmp(want->kernels[i].tree, x->kernels[i].tree) &&
		       same_text(want->kernels[i].build_id, x->kernels[i].build_id);
	return same && (!q->blocks || q->blocks == x->blocks) &&
	       (!q->runs || q->runs == x->runs) &&
	       (!q->cases || !q->cases->n || same_list(&want->cases, &x->cases));
}

static void say_text(bench_say_fn *say, void *arg, char *text_take)
{
	if (say)
		say(text_take, arg);
	free(text_take);
}

/* Somebody else is measuring in dir: E_LOCKED when it is what we would go on with. */
static int at_work(const struct bench_request *q, const struct bench_session *want,
		   const char *dir, struct err *err)
{
	struct bench_session *x _cleanup_bench_session_ = NULL;
	char *series _cleanup_free_ = NULL;

	if (read_facts(dir, &x, &series, NULL) || strcmp(series, q->series->name) ||
	    !fits(q, want, x))
		return 0;
	return err_set(err, E_LOCKED,
		       "session %s is being measured by another process; wait for it, or "
		       "leave --resume away for a session of your own",
		       x->id);
}

/* The newest unfinished session of this series that fits, its lock taken, or NULL. */
static int find_unfinished(const struct bench_request *q,
			   const struct bench_session *want, bench_say_fn *say, void *arg,
			   struct bench_live **ret, struct err *err)
{
	char *root _cleanup_free_ = bench_root(q->repo);
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	if (fs_list(root, &names, NULL))
		return 0;
	for (size_t i = names.n; i-- > 0;) {
		char *dir _cleanup_free_ = path_join(root, names.v[i]);
		struct bench_live *l = NULL;
		struct err own _cleanup_err_ = ERR_INIT;
		int rc = bench_live_open(dir, &l, &own);

		if (rc == E_INTR)
			return err_set(err, rc, "interrupted");
		if (rc == E_LOCKED) {
			rc = q->resume ? at_work(q, want, dir, err) : 0;
			bench_live_free(l);
			if (rc)
				return rc;
			continue;
		}
		/* One that cannot be read must not keep anybody from measuring. */
		if (rc && rc != E_NOTFOUND)
			say_text(say, arg, xasprintf("passed over: %s", err_msg(&own)));
		if (!rc && !strcmp(l->series, q->series->name) && fits(q, want, l->s)) {
			*ret = l;
			return 0;
		}
		bench_live_free(l);
	}
	return 0;
}

/* --- begin and end --- */

static char *resume_command(const struct bench_request *q)
{
	struct buf b = BUF_INIT;

	/* One's own is named by its folder. */
	char *sub _cleanup_free_ = xasprintf("bench/%s", q->def->name);
	char *shipped _cleanup_free_ = xdg_template(sub);
	const char *name =
		shipped && !strcmp(shipped, q->def->dir) ? q->def->name : q->def->dir;
	const char *quote = strpbrk(name, " \t$&;()*?<>|`\"\\!#~") ? "'" : "";

	buf_printf(&b, "series bench %s%s%s", quote, name, quote);
	if (q->arch)
		buf_printf(&b, " --arch %s", q->arch);
	if (q->host)
		buf_printf(&b, " --host %s", q->host);
	if (q->kconfig)
		buf_printf(&b, " --config %s", q->kconfig);
	buf_printf(&b, "%s%s --resume", q->each ? " --each" : "", q->aa ? " --aa" : "");
	return buf_take(&b);
}

static int begin(const struct bench_request *q, struct bench_prep *p, bench_say_fn *say,
		 void *arg, struct bench_live **ret, struct err *err)
{
	char *command _cleanup_free_ = resume_command(q);
	struct buf id = BUF_INIT, letters _cleanup_buf_ = BUF_INIT;
	struct bench_live *l = NULL;
	struct bench_session *s;
	int rc = find_unfinished(q, p->s, say, arg, &l, err);

	if (rc)
		return rc;
	if (l && q->resume) {
		say_text(say, arg,
			 xasprintf("going on with session %s: %zu of %zu boots are done",
				   l->s->id, bench_live_done(l), l->n_tasks));
		*ret = l;
		return 0;
	}
	if (l)
		say_text(
			say, arg,
			xasprintf("session %s of these kernels is unfinished (%zu of %zu "
				  "boots done); '%s' goes on with it. This is a new one.",
				  l->s->id, bench_live_done(l), l->n_tasks, command));
	else if (q->resume)
		say_text(say, arg,
			 xstrdup("no unfinished session of these kernels: a new one"));
	bench_live_free(l);
	s = p->s;
	p->s = NULL;
	s->date = time_now();
	s->seed = rand_u64() & INT64_MAX;
	time_compact(s->date, &id);
	rand_letters(&letters, 6);
	s->id = xasprintf("%.8sT%s-%s", buf_cstr(&id), buf_cstr(&id) + 8,
			  buf_cstr(&letters));
	buf_release(&id);
	return bench_live_new(q->repo, q->series->name, s, ret, err);
}

/* One commit; the folder goes when it is there. A commit that was there before is fine.
 */
static int store(const struct bench_request *q, struct bench_live *l, struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct json *summary _cleanup_json_ = NULL, *samples _cleanup_json_ = NULL;
	char hash[17], *message _cleanup_free_ = xasprintf("bench: %s", l->s->bench);
	struct buf old _cleanup_buf_ = BUF_INIT;
	int rc;

	l->s->complete = true;
	bench_session_hash(l->s->id, hash);
	char *a _cleanup_free_ = xasprintf("bench/%s/summary.json", hash);
	char *b _cleanup_free_ = xasprintf("bench/%s/samples.json", hash);

	rc = bench_session_store(l->s, &summary, &samples, err);
	if (!rc)
		rc = store_begin(q->repo, q->series->name, false, &t, err);
	if (rc)
		return rc;
	if (store_get(t, a, &old, NULL)) {
		store_put_json(t, a, summary);
		store_put_json(t, b, samples);
		rc = store_commit(t, message, err);
	}
	if (!rc)
		return bench_live_remove(l, err);
	char *why _cleanup_free_ = xstrdup(err_msg(err));
	char *command _cleanup_free_ = resume_command(q);

	return err_set(err, rc, "%s; nothing that was measured is lost: '%s' stores it",
		       why, command);
}

/* A host that measures time has one user. */
static int lock_host(const struct host *h, struct lock *lock, struct err *err)
{
	char *sub _cleanup_free_ = xasprintf("lab/host-%s.lock", h->name);
	char *path _cleanup_free_ = xdg_cache(sub);
	int rc;

	if (!strcmp(h->accel, "icount"))
		return 0;
	rc = lock_take(lock, path, "bench", 0, err);
	return rc ? err_context(err, "host %s", h->name) : 0;
}

static int measure(const struct bench_request *q, struct bench_prep *p, bench_say_fn *say,
		   void *arg, struct bench_live **ret, struct err *err)
{
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	char *command _cleanup_free_ = resume_command(q);
	int rc = lock_host(p->host, &lock, err);

	if (!rc)
		rc = begin(q, p, say, arg, ret, err);
	if (!rc)
		rc = bench_loop(*ret, q, p, say, arg, err);
	/* A session in which nothing worked is nothing to go on with. */
	if (rc && rc != E_INTR && *ret &&
	    ((*ret)->worthless || !bench_any_ok((*ret)->s, -1))) {
		bench_live_remove(*ret, NULL);
		return rc;
	}
	if (rc && *ret && bench_live_done(*ret) < (*ret)->n_tasks) {
		char *why _cleanup_free_ = xstrdup(err_msg(err));

		return err_set(err, rc, "%s; %zu of %zu boots are done, '%s' goes on",
			       why, bench_live_done(*ret), (*ret)->n_tasks, command);
	}
	return rc;
}

int bench_build(const struct bench_request *q, struct err *err)
{
	struct bench_prep p = { .s = NULL };
	int rc = bench_prepare(q, &p, err);

	if (!rc)
		bench_prep_release(&p);
	return rc;
}

int bench_run(const struct bench_request *q, bench_say_fn *say, void *arg,
	      struct bench_session **ret, struct err *err)
{
	struct bench_prep p = { .s = NULL };
	struct bench_live *l = NULL;
	int rc = bench_prepare(q, &p, err);

	if (rc)
		return rc;
	rc = measure(q, &p, say, arg, &l, err);
	if (!rc)
		rc = store(q, l, err);
	if (!rc) {
		*ret = l->s;
		l->s = NULL;
	}
	bench_live_free(l);
	bench_prep_release(&p);
	return rc;
}
