// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build_columns.c - see build_columns.h.
 */
#include <string.h>

#include "build_columns.h"
#include "series/arch.h"
#include "series/build.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/xdg.h"

static bool every_arch(const struct build_opts *o)
{
	return strvec_has(&o->arch, "all");
}

static void arch_names(const struct build_opts *o, struct strvec *ret)
{
	const struct arch *a;

	if (!every_arch(o))
		strvec_extend(ret, &o->arch);
	for (size_t i = 0; every_arch(o) && (a = arch_at(i)); i++)
		strvec_push(ret, a->name);
}

/* Of all, an arch that the small configuration knows nothing of gets the kernel's own. */
static const char *config_for(struct ctx *c, const struct build_opts *o, const char *arch)
{
	char *own _cleanup_free_ = xasprintf("kconfig/vm-%s.config", arch);
	char *path _cleanup_free_ = xdg_template(own);
	char *key _cleanup_free_ = xasprintf("series.arch.%s.config", arch);

	return every_arch(o) && !path && !config_get(c->config, key) &&
			       !config_get(c->config, "series.config")
		       ? "tinyconfig"
		       : NULL;
}

/*
 * "--config matrix": how a patch to mm breaks where its author did not look. A row with
 * architectures is built for the first of them that there is a compiler for, whatever
 * --arch says; each row can be asked for by its name. i386 comes before arm, for on most
 * machines the compiler is there (-m32); both have more memory than they map and physical
 * addresses wider than a long. Without an MMU the kernel's own small configuration of
 * riscv serves: Debian's compiler builds it, and nothing of 32 bits comes into it.
 */
static const struct row {
	const char *name;
	const char *config; /* NULL: the name */
	const char *archs[2];
} matrix[] = {
	{ .name = "vm" },
	{ .name = "vm+no-thp" },
	{ .name = "vm+no-swap" },
	{ .name = "vm+debug" },
	{ .name = "32-bit", .config = "vm", .archs = { "i386", "arm" } },
	{ .name = "nommu", .config = "nommu_virt_defconfig", .archs = { "riscv" } },
};

static const struct row *own_row(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(matrix); i++)
		if (matrix[i].archs[0] && !strcmp(matrix[i].name, name))
			return &matrix[i];
	return NULL;
}

static void config_names(const struct build_opts *o, struct strvec *ret)
{
	for (size_t i = 0; i < o->config.n; i++) {
		if (strcmp(o->config.v[i], "matrix")) {
			strvec_push(ret, o->config.v[i]);
			continue;
		}
		for (size_t k = 0; k < ARRAY_SIZE(matrix); k++)
			strvec_push(ret, matrix[k].name);
	}
}

/* A column unless it is there: the 32-bit row may be what was asked for anyway. */
static void add_column(struct build_work *w, struct column col)
{
	for (size_t i = 0; i < w->n_cols; i++) {
		const struct column *c = &w->cols[i];

		if (c->arch && c->config && col.arch && col.config &&
		    !strcmp(c->arch, col.arch) && !strcmp(c->config, col.config))
			return;
	}
	w->cols[w->n_cols++] = col;
}

/* A row of the matrix that has its own architecture. */
static void add_own_row(struct ctx *c, struct build_work *w, const struct row *r)
{
	const char *arch = r->archs[0];

	for (size_t i = 0; i < ARRAY_SIZE(r->archs) && r->archs[i]; i++)
		if (build_has_compiler(c->config, r->archs[i])) {
			arch = r->archs[i];
			break;
		}
	add_column(w,
		   (struct column){ .arch = arch, .config = r->config, .what = r->name });
}

void build_columns_make(struct ctx *c, const struct build_opts *o, struct build_work *w)
{
	size_t archs, configs;

	config_names(o, &w->configs);
	configs = MAX(w->configs.n, 1);
	arch_names(o, &w->archs);
	archs = MAX(w->archs.n, 1);
	w->cols = xcalloc(archs * configs, sizeof(*w->cols));
	for (size_t a = 0; a < archs; a++)
		for (size_t k = 0; k < configs; k++) {
			const char *arch = w->archs.n ? w->archs.v[a] : NULL;
			const char *config = w->configs.n ? w->configs.v[k]
					     : arch	  ? config_for(c, o, arch)
							  : NULL;

			if (!config || !own_row(config))
				add_column(w, (struct column){ .arch = arch,
							       .config = config });
		}
	for (size_t k = 0; k < w->configs.n; k++)
		if (own_row(w->configs.v[k]))
			add_own_row(c, w, own_row(w->configs.v[k]));
}

/* What was not built is no column. */
static void drop_empty(struct build_work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n_cols; i++)
		if (w->cols[i].report.n)
			w->cols[n++] = w->cols[i];
	w->n_cols = n;
}

int build_column_missing(const struct build_opts *o, const struct column *col, int rc,
			 struct err *err)
{
	if (rc != E_NOTFOUND || (!every_arch(o) && !col->what))
		return rc;
	progress_note("%s", err_msg(err));
	err_release(err);
	return 0;
}

int build_columns_run(struct ctx *c, const struct build_opts *o, struct build_work *w,
		      struct err *err)
{
	size_t n = w->n_cols, built = 0;
	struct build_request *q _cleanup_free_ = xcalloc(n + 1, sizeof(*q));
	struct build_report *reports _cleanup_free_ = xcalloc(n + 1, sizeof(*reports));
	struct err *errs _cleanup_free_ = xcalloc(n + 1, sizeof(*errs));
	int *rcs _cleanup_free_ = xcalloc(n + 1, sizeof(*rcs));
	int worst = 0;

	for (size_t i = 0; i < n; i++)
		q[i] = (struct build_request){
			.repo = c->repo,
			.config = c->config,
			.arch = w->cols[i].arch,
			.kconfig = w->cols[i].config,
			.jobs = o->jobs,
			.w1 = o->w1,
			.sparse = o->sparse,
			.commits = w->commits,
			.labels = w->labels,
			.subjects = w->subjects,
			.n = w->n,
		};
	build_run_all(q, n, reports, rcs, errs);
	for (size_t i = 0; i < n; i++) {
		int rc = build_column_missing(o, &w->cols[i], rcs[i], &errs[i]);

		w->cols[i].report = reports[i];
		built += !rcs[i] || rcs[i] == E_FINDINGS;
		/* The first message stands, but findings: then it is the first error. */
		if (rc < 0 && (!worst || (worst == E_FINDINGS && rc != E_FINDINGS)))
			worst = err_set(err, rc, "build: %s", err_msg(&errs[i]));
		else if (rc < 0 && rc != E_FINDINGS && rc != E_INTR && rc != E_LOCKED)
			progress_note("%s", err_msg(&errs[i]));
		err_release(&errs[i]);
	}
	drop_empty(w);
	if (!built && !worst)
		worst = err_set(
			err, E_NOTFOUND,
			"build: there is no compiler for any architecture; see above");
	return worst;
}
