// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series build: kernels of the base and the tip, or of every patch, per arch and config;
 * the outcome of each and what is new in it.
 */
#include <string.h>

#include "series/mem.h"
#include "build_columns.h"

static void work_release(struct build_work *w)
{
	for (size_t i = 0; i < w->n_cols; i++)
		build_report_release(&w->cols[i].report);
	free(w->cols);
	free(w->commits);
	free(w->labels);
	free(w->subjects);
	strvec_release(&w->names);
	strvec_release(&w->archs);
	strvec_release(&w->configs);
	free(w->base_subject);
}

static void add_row(struct build_work *w, const char *commit, const char *subject, int n)
{
	if (n)
		strvec_pushf(&w->names, "p%d", n);
	else
		strvec_push(&w->names, "base");
	w->commits[w->n] = commit;
	w->subjects[w->n] = subject;
	w->labels[w->n++] = w->names.v[w->names.n - 1];
}

/* The base and the patches that were asked for; one column for each arch and config. */
static int prepare(struct ctx *c, const struct build_opts *o, struct build_work *w,
		   struct err *err)
{
	const struct series *s = c->series;
	size_t n = s->n_patches + 1;
	struct commit base;
	int rc = repo_commit(c->repo, s->base, &base, err);

	if (rc < 0)
		return rc;
	w->base_subject = xstrdup_null(base.subject);
	commit_release(&base);
	w->commits = xcalloc(n, sizeof(*w->commits));
	w->labels = xcalloc(n, sizeof(*w->labels));
	w->subjects = xcalloc(n, sizeof(*w->subjects));
	add_row(w, s->base, w->base_subject, 0);
	for (size_t i = 0; i < s->n_patches; i++)
		if (o->each || o->bisect || i + 1 == s->n_patches)
			add_row(w, s->patches[i].commit, s->patches[i].subject,
				s->patches[i].n);
	build_columns_make(c, o, w);
	return 0;
}

/* The columns that came to their end are results, whatever stopped the others. */
static int store_results(struct ctx *c, const struct build_work *w, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < w->n_cols && !rc; i++)
		if (w->cols[i].report.n)
			rc = build_store(c->repo, c->series->name, &w->cols[i].report,
					 err);
	return rc;
}

static int run_gc(struct ctx *c, struct err *err)
{
	int64_t freed;
	int rc = build_gc(c->repo, c->config, -1, &freed, err);

	if (rc < 0)
		return rc;
	if (c->json) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set_int(c->out.json, "freed", freed);
	} else {
		out_printf(&c->out, "%lld MiB freed\n", (long long)(freed >> 20));
	}
	return 0;
}

static int run_build(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct build_opts *o = opts;
	struct build_work w = { 0 };
	struct err store_err = ERR_INIT;
	int rc, store_rc;

	if (o->gc)
		return run_gc(c, err);
	if (o->bisect && o->each)
		return err_set(err, E_USAGE, "--bisect builds what it needs, --each everything: "
					     "one of them");
	rc = prepare(c, o, &w, err);
	if (rc < 0)
		goto out;
	if (o->bisect) {
		rc = build_bisect(c, o, &w, err);
		goto out;
	}
	rc = build_columns_run(c, o, &w, err);
	store_rc = store_results(c, &w, &store_err);
	if (store_rc < 0 && (!rc || rc == E_FINDINGS))
		rc = err_set(err, store_rc, "build: %s", err_msg(&store_err));
	err_release(&store_err);
	if (!w.n_cols)
		goto out;
	if (c->json)
		c->out.json = build_print_json(c, &w);
	else
		build_print_text(c, &w);
out:
	work_release(&w);
	return rc;
}

#define ROW(field) offsetof(struct build_opts, field)
static const struct opt options[] = {
	{ .name = "arch",
	  .letter = 'a',
	  .kind = OPT_LIST,
	  .offset = ROW(arch),
	  .arg = "ARCH",
	  .help = "build for this architecture (again for more; default: this machine's), or "
		  "all that there are compilers for",
	  .complete = "arch" },
	{ .name = "each",
	  .kind = OPT_FLAG,
	  .offset = ROW(each),
	  .help = "build every patch, not only the base and the tip" },
	{ .name = "config",
	  .letter = 'c',
	  .kind = OPT_LIST,
	  .offset = ROW(config),
	  .arg = "CONFIG",
	  .help = "vm, a target such as defconfig, or a file; +FILE adds a fragment; matrix: "
		  "vm, and that without THP, without swap, with debugging, on 32 bits, and "
		  "a kernel without an MMU",
	  .complete = "file" },
	{ .name = "jobs",
	  .letter = 'j',
	  .kind = OPT_INT,
	  .offset = ROW(jobs),
	  .arg = "N",
	  .help = "run N jobs at once, of all architectures together (default: the number of "
		  "processors)",
	  .lo = 1,
	  .hi = 4096 },
	{ .name = "w1",
	  .kind = OPT_FLAG,
	  .offset = ROW(w1),
	  .help = "with the warnings of W=1, too" },
	{ .name = "sparse",
	  .kind = OPT_FLAG,
	  .offset = ROW(sparse),
	  .help = "with sparse (C=1), too" },
	{ .name = "bisect",
	  .kind = OPT_FLAG,
	  .offset = ROW(bisect),
	  .help = "find the first patch that does not build, by halves" },
	{ .name = "gc",
	  .kind = OPT_FLAG,
	  .offset = ROW(gc),
	  .help = "build nothing; remove old kernels until the cache is small enough" },
	OPT_END
};

const struct cmd cmd_build = {
	.name = "build",
	.group = "build",
	.summary = "build the kernels of the series",
	.about = "Builds the base and the tip of the series, or with --each every patch, "
		 "for each "
		 "--arch and --config. It happens in a work tree in the cache; yours is "
		 "not "
		 "touched. Commits are walked in order in one object directory, so each "
		 "step "
		 "compiles only what its patch touches, and a result is kept by tree, "
		 "configuration and compiler: what was built is not built again, also "
		 "after a "
		 "rebase.\n\n"
		 "A commit passes, warns or fails. It warns when it brings warnings that "
		 "its "
		 "parent does not have; it fails with its first error. When the base "
		 "itself does "
		 "not build, no patch is blamed for that: only the objects that the "
		 "series touches "
		 "are compiled, on the base and on each patch. A configuration option "
		 "that was "
		 "asked for and is not in the final .config is an error that names what "
		 "it depends "
		 "on.\n\n"
		 "--w1 and --sparse let the kernel's makefile say more (W=1, C=1); of that, "
		 "too, what a patch brings is listed, and what was there before is not. Such "
		 "results stand apart from the plain ones.\n\n"
		 "Several architectures and configurations are built side by side: each commit is "
		 "built for all of them before the next, and all their makes together run -j "
		 "jobs.\n\n"
		 "A compiler that is not installed is named with its package, and the other "
		 "architectures are built. --arch all takes every one that there is a compiler "
		 "for; where 'vm' knows nothing of one, and no setting says otherwise, it gets "
		 "the kernel's tinyconfig.\n\n"
		 "The configuration 'vm' is a small kernel for a virtual machine; vm+no-thp, "
		 "vm+no-swap and vm+debug (DEBUG_VM, lockdep, KASAN) are variants of it, which "
		 "--config matrix builds all. Two rows of the matrix have their own "
		 "architectures, whatever --arch says: 32-bit is vm for i386, or for arm "
		 "where no compiler makes i386, and nommu is the kernel's "
		 "nommu_virt_defconfig for riscv; --config 32-bit and --config nommu build "
		 "them alone. i386 is built by the compiler of x86_64 where it has none of "
		 "its own. allmodconfig, which takes hours, is a target like any other and "
		 "not in the matrix. "
		 "series.config and "
		 "series.arch.ARCH.config change the default; series.arch.ARCH.cross and "
		 "series.arch.ARCH.make (LLVM=1) choose the compiler. ccache is used "
		 "when it is "
		 "installed, unless series.ccache is false. Interrupted, the same "
		 "command goes on "
		 "where it was. --gc keeps the cache of this repository below "
		 "series.buildLimit "
		 "(default 20g).\n\n"
		 "The exit status is 2 when a commit does not build.",
	.findings = "A commit does not build; the results are stored.",
	.examples = "series build --config matrix\n\tThe configurations that are forgotten\n"
		    "series build --bisect --arch arm64\n\tWhich patch breaks it?\n"
		    "series build\n\tBuild base and tip for this machine's architecture\n"
		    "series build --arch arm64 --arch x86_64 --each\n\tBuild every patch "
		    "for two "
		    "architectures\n"
		    "series build --config defconfig+kasan.config\n\tBuild with a "
		    "fragment laid "
		    "over defconfig\n",
	.opts = options,
	.opts_size = sizeof(struct build_opts),
	.flags = CMD_REPO | CMD_SERIES | CMD_JSON,
	.run = run_build,
};
