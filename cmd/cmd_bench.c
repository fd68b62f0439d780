// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series bench: the kernels of the series built, booted in random order, measured and
 * judged; the result is stored with the series.
 */
#include <string.h>

#include "series/benchrun.h"
#include "series/mem.h"
#include "series/progress.h"
#include "bench_hosts.h"
#include "bench_print.h"

static void say(const char *text, void *arg)
{
	progress_note("%s", text);
}

/* Its table and what speaks against the series. */
static int print_session(struct ctx *c, const struct bench_session *s, struct json *arr,
			 struct strvec *findings, struct err *err)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;
	int rc = bench_report_of(s, c->config, &r, err);
	size_t n = findings->n;

	if (rc)
		return rc;
	bench_findings(r, findings);
	if (c->json) {
		json_push(arr, bench_print_session(s, r, c->series));
		return 0;
	}
	rc = bench_render(s, c->config, NULL, NULL, &c->out.text, err);
	if (!rc && r->table.kernels > 2) {
		out_puts(&c->out, "\n");
		rc = bench_render(s, c->config, "steps", NULL, &c->out.text, err);
	}
	for (; n < findings->n; n++) {
		out_color(&c->out, "31", "%s", findings->v[n]);
		out_puts(&c->out, "\n");
	}
	return rc;
}

static int measure(struct ctx *c, const struct bench_opts *o, const char *name,
		   const char *kconfig, struct json *arr, struct strvec *findings,
		   struct err *err)
{
	struct bench_def *d _cleanup_bench_def_ = NULL;
	struct bench_session *s _cleanup_bench_session_ = NULL;
	int rc = bench_def_load(name, &d, err);

	if (rc)
		return rc;
	struct bench_request q =
		bench_request_of(c, o, d, o->hosts.n ? o->hosts.v[0] : NULL, kconfig);

	rc = bench_run(&q, say, NULL, &s, err);
	if (rc)
		return err_context(err, "bench %s", d->name);
	return print_session(c, s, arr, findings, err);
}

static int show(struct ctx *c, const char *name, struct err *err)
{
	struct bench_def *d _cleanup_bench_def_ = NULL;
	int rc = bench_def_load(name, &d, err);

	if (rc)
		return rc;
	if (c->json) {
		c->out.json = bench_def_json(d);
		json_set_int(c->out.json, "schema", 1);
	} else {
		bench_print_def(&c->out, d);
	}
	return 0;
}

static int run_bench(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct bench_opts *o = opts;
	struct strvec names _cleanup_strvec_ = STRVEC_INIT,
			    findings _cleanup_strvec_ = STRVEC_INIT;
	struct json *arr = json_arr();
	size_t configs = MAX(o->config.n, 1);
	int rc = 0;

	if (o->list || o->show) {
		json_free(arr);
		return o->show ? show(c, o->show, err) : bench_print_list(c, err);
	}
	rc = bench_which(c, args, &names, err);
	if (!rc && o->hosts.n > 1)
		rc = bench_on_hosts(c, o, &names, arr, &findings, err);
	for (size_t i = 0; i < names.n * configs && !rc && o->hosts.n < 2; i++) {
		if (i && !c->json)
			out_puts(&c->out, "\n");
		rc = measure(c, o, names.v[i / configs],
			     o->config.n ? o->config.v[i % configs] : NULL, arr,
			     &findings, err);
	}
	if (c->json && json_len(arr)) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set(c->out.json, "sessions", arr);
		json_set_strvec(c->out.json, "findings", &findings);
	} else {
		json_free(arr);
	}
	if (!rc && findings.n)
		rc = err_set(err, E_FINDINGS, "bench: %zu finding%s: %s", findings.n,
			     findings.n == 1 ? "" : "s", findings.v[0]);
	return rc;
}

#define ROW(field) offsetof(struct bench_opts, field)
static const struct opt options[] = {
	{ .name = "arch",
	  .letter = 'a',
	  .kind = OPT_STRING,
	  .offset = ROW(arch),
	  .arg = "ARCH",
	  .help = "measure on this architecture (default: the host's, else this "
		  "machine's)",
	  .complete = "arch" },
	{ .name = "host",
	  .kind = OPT_LIST,
	  .offset = ROW(hosts),
	  .arg = "HOST",
	  .help = "boot on this host (again for more at once; default: qemu)",
	  .complete = "host" },
	{ .name = "each",
	  .kind = OPT_FLAG,
	  .offset = ROW(each),
	  .help = "measure every patch, not only base and tip" },
	{ .name = "case",
	  .kind = OPT_LIST,
	  .offset = ROW(cases),
	  .arg = "CASE",
	  .help = "measure this case (again for more; default: the benchmark's list)" },
	{ .name = "blocks",
	  .letter = 'b',
	  .kind = OPT_INT,
	  .offset = ROW(blocks),
	  .arg = "N",
	  .help = "boot every kernel N times (default: the benchmark's, 6)",
	  .lo = 1,
	  .hi = 1000 },
	{ .name = "runs",
	  .letter = 'r',
	  .kind = OPT_INT,
	  .offset = ROW(runs),
	  .arg = "N",
	  .help = "measure each case N times in a boot (default: 5; 2 with icount)",
	  .lo = 1,
	  .hi = 10000 },
	{ .name = "config",
	  .letter = 'c',
	  .kind = OPT_LIST,
	  .offset = ROW(config),
	  .arg = "CONFIG",
	  .help = "kernel configuration as in series build (again for more)",
	  .complete = "file" },
	{ .name = "aa",
	  .kind = OPT_FLAG,
	  .offset = ROW(aa),
	  .help = "boot base twice per block; void if it differs from itself" },
	{ .name = "resume",
	  .kind = OPT_FLAG,
	  .offset = ROW(resume),
	  .help = "go on with the newest unfinished session of these kernels" },
	{ .name = "list",
	  .letter = 'l',
	  .kind = OPT_FLAG,
	  .offset = ROW(list),
	  .help = "measure nothing; list benchmarks, results and unfinished sessions" },
	{ .name = "show",
	  .kind = OPT_STRING,
	  .offset = ROW(show),
	  .arg = "BENCH",
	  .help = "measure nothing; show what a benchmark does and how it proves it",
	  .complete = "bench" },
	OPT_END
};

/* Looking at benchmarks wants no series; --list tells of its results where there is one.
 */
static unsigned needs(const void *opts, const struct strvec *args)
{
	const struct bench_opts *o = opts;

	if (o->show)
		return CMD_MAYBE_REPO;
	return o->list ? CMD_MAYBE_REPO | CMD_MAYBE_SERIES : 0;
}

const struct cmd cmd_bench = {
	.name = "bench",
	.group = "measure",
	.summary = "measure base and patched kernels and judge the difference",
	.synopsis = "[BENCH]...",
	.about =
		"Builds what is missing, boots base and tip (or with --each every patch) "
		"on a "
		"host, runs the benchmark in each boot, and says what may be said about "
		"the "
		"difference. BENCH is a shipped benchmark (--list) or a folder with a "
		"bench.conf of your own; without it, series.bench or the @bench lines of "
		"the "
		"cover letter say what is measured.\n\n"
		"The boot is the unit. A block boots every kernel once, in random order; "
		"in a "
		"boot every case runs once to warm up, which is thrown away, and then "
		"--runs "
		"times, the cases in random order. A verdict compares boots, block by "
		"block. "
		"A boot that was lost for reasons of the host is repeated, twice at "
		"most, or "
		"its block is dropped. A crash, a hang, a warning, a run that failed or "
		"that "
		"its counters do not prove is an outcome of that kernel: it is counted "
		"and "
		"printed. Nothing is dropped for its value.\n\n"
		"Where QEMU counts instructions (icount), as many boots run side by side "
		"as "
		"there are processors, for their values do not depend on load. Boots "
		"nearly "
		"repeat each other there, so 2 runs in a boot are the default. Such "
		"results "
		"speak of instructions on an emulated machine and are labelled so. "
		"Elsewhere one boot has the host for itself. Several hosts measure at "
		"the same time, each in a process of its own; one that fails does not "
		"stop the others.\n\n"
		"What was measured is on disk after every boot; interrupted or killed, "
		"the same "
		"command with --resume goes on. The complete session goes into the state "
		"of "
		"the series with one commit; a line '@bench BENCH' in the cover letter "
		"shows "
		"its table. The exit status is 2 when a case is slower (needs more) with "
		"the "
		"patches, when a patched kernel has an outcome that base has not, when a "
		"session is void, or when a kernel does not build.\n\n"
		"series.instrument.NAME.delta, .floor and .q (NAME is real or icount; "
		"fractions) say what counts as the same; they are fixed when a session "
		"begins. series.benchDeadline is the longest time of one boot in "
		"seconds.",
	.findings = "Measured and stored, with findings: slower than base, a boot that "
		    "fails only with the patches, or a base that differs from itself; "
		    "or a kernel does not build.",
	.examples =
		"series bench swapout --arch arm64\n\tMeasure base and tip with the "
		"shipped benchmark swapout\n"
		"series bench swapout --each --blocks 10 --case 64K\n\tTell what each "
		"patch does to one case\n"
		"series bench swapout --resume\n\tGo on after an interruption\n"
		"series bench --show swapout\n\tSee what is run and what proves it\n",
	.opts = options,
	.opts_size = sizeof(struct bench_opts),
	.flags = CMD_REPO | CMD_SERIES | CMD_JSON,
	.needs = needs,
	.min_args = 0,
	.max_args = -1,
	.complete = "bench",
	.run = run_bench,
};
