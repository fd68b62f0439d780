// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One request: its rows base, p1 ... pN, built one after the other in one O= directory,
 * or taken from what is stored. side.c says when which is built.
 */
#include <string.h>

#include "series/fs.h"
#include "internal.h"

int run_init(struct run *w, const struct build_request *q, struct err *err)
{
	memset(w, 0, sizeof(*w));
	int rc = plan_init(&w->p, q, err);

	w->rows = xcalloc(q->n + 1, sizeof(*w->rows));
	w->trees = xcalloc(q->n + 1, sizeof(*w->trees));
	for (size_t i = 0; i < q->n && !rc; i++) {
		struct commit c;

		rc = repo_commit(q->repo, q->commits[i], &c, err);
		if (rc < 0)
			break;
		memcpy(w->trees[i], c.tree, OID_HEX);
		commit_release(&c);
	}
	return rc;
}

void run_release(struct run *w)
{
	for (size_t i = 0; w->p.q && i < w->p.q->n; i++)
		stored_release(&w->rows[i]);
	free(w->rows);
	free(w->trees);
	strvec_release(&w->objects);
	strvec_release(&w->base_ok);
	plan_release(&w->p);
}

/* A row without its result: what the request and the plan say of it. */
static void describe(struct run *w, size_t i)
{
	const struct build_request *q = w->p.q;
	struct build_result *r = &w->rows[i].r;

	free(r->label);
	free(r->subject);
	r->label = xstrdup(q->labels && q->labels[i] ? q->labels[i] : "");
	r->subject = xstrdup(q->subjects && q->subjects[i] ? q->subjects[i] : "");
	memcpy(r->commit, q->commits[i], OID_HEX);
	memcpy(r->tree, w->trees[i], OID_HEX);
	r->arch = w->p.arch->name;
	memcpy(r->config_hash, w->p.config_hash, SHA256_HEX);
	if (!r->config_name)
		r->config_name = xstrdup(w->p.config_name);
	if (!r->compiler)
		r->compiler = xstrdup_null(w->p.compiler);
	if (w->p.compiler)
		plan_key(r->tree, r->config_hash, w->p.compiler, r->key);
}

static bool has_modules(const struct run *w, const char *key)
{
	_cleanup_free_ char *config = xasprintf("%s/%s/config", w->p.kernels, key);

	return modules_wanted(&w->p, config);
}

/* Take the stored result of row i; false when there is none. */
static bool load(struct run *w, size_t i)
{
	struct stored s;

	describe(w, i);
	if (!w->p.compiler || result_load(&w->p, w->rows[i].r.key, &s, NULL) < 0)
		return false;
	/* built before anybody wanted its modules: made again, which is little work */
	if (s.r.image && !s.r.modules && has_modules(w, s.r.key)) {
		stored_release(&s);
		return false;
	}
	stored_release(&w->rows[i]);
	w->rows[i] = s;
	describe(w, i);
	return true;
}

/*
 * May a stored result be believed? A failed base is tried again, for the machine may have
 * been at fault (a missing header of the host); a patch judged by objects is bound to it.
 */
static bool trusted(const struct run *w, size_t i)
{
	const struct build_result *r = &w->rows[i].r;

	if (r->outcome == BUILD_PASS && !r->base_broken)
		return true;
	return r->outcome == BUILD_FAIL && i > 0 && !w->base_failed && !r->base_broken;
}

bool run_known(struct run *w, size_t i)
{
	w->rows[i].r.cached = load(w, i) && trusted(w, i);
	return w->rows[i].r.cached;
}

int run_prepare(struct run *w, struct err *err)
{
	int rc = 0;

	if (w->prepared)
		return 0;
	rc = fs_mkdirs(w->p.meta, err);
	if (!rc)
		rc = fs_mkdirs(w->p.kernels, err);
	if (!rc)
		rc = recover(&w->p, err);
	w->prepared = !rc;
	return rc;
}

static char *row_label(const struct run *w, size_t i)
{
	return xasprintf("building %s %s: %s (%zu/%zu)", w->p.arch->name,
			 w->p.config_name, w->rows[i].r.label, i + 1, w->p.q->n);
}

/* Every warning that a build from nothing of this tree would have given. */
static void all_warnings(const struct plan *p, struct strvec *ret)
{
	_cleanup_free_ char *path = path_join(p->meta, "warnings");
	_cleanup_buf_ struct buf text = BUF_INIT;
	struct warndb db = WARNDB_INIT;
	struct str rest, line;

	if (fs_read(path, 0, &text, NULL) == 0) {
		rest = buf_str(&text);
		while (str_line(&rest, &line))
			warndb_line(&db, line);
	}
	strvec_release(ret);
	memset(ret, 0, sizeof(*ret));
	warndb_all(&db, ret);
	warndb_release(&db);
}

static void set_first_error(const struct plan *p, struct build_result *r)
{
	_cleanup_free_ char *path = make_log_path(p);
	_cleanup_buf_ struct buf log = BUF_INIT;

	free(r->first_error);
	r->first_error = NULL;
	if (fs_read_tail(path, 64 << 20, &log, NULL) == 0)
		r->first_error = first_error(buf_str(&log));
	if (!r->first_error)
		r->first_error =
			xstrdup("make failed without an error message; see the log");
}

/* The whole kernel of the tree that is checked out and configured. */
static int make_kernel(struct run *w, size_t i, struct make_result *res, struct err *err)
{
	struct plan *p = &w->p;
	_cleanup_strvec_ struct strvec args = STRVEC_INIT;
	_cleanup_free_ char *label = row_label(w, i);
	_cleanup_free_ char *config = path_join(p->obj, ".config");
	_cleanup_buf_ struct buf text = BUF_INIT;
	int rc = fs_read(config, 16 << 20, &text, err);

	strvec_pushl(&args, "vmlinux", NULL);
	if (strcmp(p->arch->image, "vmlinux"))
		strvec_push(&args, p->arch->image);
	if (config_value(buf_str(&text), STR_LIT("MODULES")).len)
		strvec_push(&args, "modules");
	return rc < 0 ? rc : make_run(p, &args, NULL, label, res, err);
}

static int read_identity(const struct plan *p, struct build_result *r, struct err *err)
{
	_cleanup_free_ char *vmlinux = path_join(p->obj, "vmlinux");
	_cleanup_free_ char *image = path_join(p->obj, p->arch->image_path);
	_cleanup_free_ char *release = path_join(p->obj, "include/config/kernel.release");
	_cleanup_buf_ struct buf text = BUF_INIT;
	int rc = elf_build_id(vmlinux, &r->build_id, err);

	if (!rc && !fs_exists(image))
		rc = err_set(err, E_FAIL, "make %s left no %s", p->arch->image, image);
	if (!rc)
		rc = fs_read(release, 4096, &text, err);
	if (!rc)
		r->release = str_dup(str_trim(buf_str(&text)));
	return rc;
}

/* What compiles of the base's own; the base is checked out and its build has failed. */
static int judge_base(struct run *w, struct err *err)
{
	int rc = judge_objects(&w->p, &w->objects, err);

	w->judged = true;
	return rc < 0 ? rc
		      : judge_make(&w->p, &w->objects,
				   "compiling what the series touches", &w->base_ok, err);
}

/* The base is broken and so is row i: is anything worse than on the base? */
static int judge_row(struct run *w, size_t i, struct err *err)
{
	struct build_result *r = &w->rows[i].r;
	_cleanup_strvec_ struct strvec ok = STRVEC_INIT;
	_cleanup_free_ char *label = row_label(w, i);
	_cleanup_free_ char *log = make_log_path(&w->p);
	size_t asked = 0;
	int rc = fs_unlink(log, err);

	if (!rc)
		rc = judge_make(&w->p, &w->objects, label, &ok, err);
	if (rc < 0)
		return rc;
	r->base_broken = true;
	r->outcome = w->base_ok.n || !w->objects.n ? BUILD_PASS : BUILD_UNKNOWN;
	for (size_t k = 0; k < w->base_ok.n; k++) {
		_cleanup_free_ char *source = path_join(w->p.src, w->base_ok.v[k]);

		/* A source that the series removes is not missed. */
		source[strlen(source) - 1] = 'c';
		if (!fs_exists(source))
			source[strlen(source) - 1] = 'S';
		if (!fs_exists(source))
			continue;
		asked++;
		if (!strvec_has(&ok, w->base_ok.v[k]))
			r->outcome = BUILD_FAIL;
	}
	free(r->first_error);
	r->first_error = NULL;
	if (r->outcome == BUILD_FAIL)
		set_first_error(&w->p, r);
	return 0;
}

int run_row(struct run *w, size_t i, struct err *err)
{
	struct plan *p = &w->p;
	struct stored *s = &w->rows[i];
	struct make_result res = { 0 };
	_cleanup_free_ char *log = make_log_path(p);
	_cleanup_free_ char *name = xasprintf("%s %s", p->arch->name, s->r.label);
	_cleanup_free_ char *config = path_join(p->obj, ".config");
	_cleanup_free_ char *tar = path_join(p->meta, "modules.tar");
	int rc = fs_unlink(log, err);

	stored_release(s);
	describe(w, i);
	if (!rc)
		rc = configure(p, w->trees[i], name, err);
	if (!rc)
		rc = make_kernel(w, i, &res, err);
	if (rc < 0 && rc != E_FINDINGS)
		return rc;
	bool failed = rc == E_FINDINGS || res.rc;

	s->r.wall_ms = res.wall_ms;
	s->r.outcome = failed ? BUILD_FAIL : BUILD_PASS;
	all_warnings(p, &s->all);
	if (failed)
		set_first_error(p, &s->r);
	rc = failed ? 0 : read_identity(p, &s->r, err);
	if (!rc)
		rc = fs_unlink(tar, err);
	if (!rc && !failed && modules_wanted(p, config))
		rc = modules_pack(p, s->r.release, name, err);
	if (!rc && failed && i == 0)
		w->base_failed = true;
	if (!rc && failed && i > 0 && w->base_failed)
		rc = judge_row(w, i, err);
	if (!rc)
		rc = result_store(p, s, !failed, err);
	if (!rc && failed && i == 0 && p->q->n > 1)
		rc = judge_base(w, err);
	if (!rc && !load(w, i))
		rc = err_set(err, E_CORRUPT,
			     "%s/%s: what was just written cannot be read", p->kernels,
			     s->r.key);
	return rc;
}

/* New warnings and equal kernels: a row against the row before it. */
static void compare(struct run *w, struct build_report *ret)
{
	size_t n = w->p.q->n;

	ret->results = xcalloc(n + 1, sizeof(*ret->results));
	ret->n = n;
	ret->ccache_hits = w->p.hits;
	ret->ccache_misses = w->p.misses;
	for (size_t i = 0; i < n; i++) {
		struct stored *s = &w->rows[i];
		struct build_result *r = &ret->results[i], *parent = r - 1;

		*r = s->r;
		memset(&s->r, 0, sizeof(s->r));
		if (!i || parent->outcome == BUILD_UNKNOWN || r->outcome == BUILD_UNKNOWN)
			continue;
		warnings_new(&w->rows[i - 1].all, &s->all, &r->warnings);
		if (r->outcome == BUILD_PASS && r->warnings.n)
			r->outcome = BUILD_WARN;
		r->same_as_parent = r->build_id && parent->build_id &&
				    !strcmp(r->build_id, parent->build_id);
	}
}

static int verdict(const struct build_report *r, struct err *err)
{
	size_t failed = 0, first = 0;

	for (size_t i = r->n; i-- > 0;)
		if (r->results[i].outcome == BUILD_FAIL) {
			failed++;
			first = i;
		}
	if (!failed)
		return 0;
	return err_set(err, E_FINDINGS, "%zu of %zu commits do not build on %s, %s first",
		       failed, r->n, r->results[first].arch, r->results[first].label);
}

int run_report(struct run *w, struct build_report *ret, struct err *err)
{
	compare(w, ret);
	return verdict(ret, err);
}
