// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series report: stored results again, in any style, as text, JSON or CSV.
 */
#include <string.h>

#include "series/mem.h"
#include "bench_print.h"

struct report_opts {
	const char *style, *format, *case_name;
	bool raw, all;
};

/* Every run, one a line: what a session consists of. */
static void print_raw(struct out *o, const struct bench_session *s)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	buf_printf(&text, "%-10s %-5s %-5s %-12s %-4s %-16s %-7s %s\n", "kernel", "block",
		   "order", "case", "run", s->unit, "proven", "state");
	for (size_t i = 0; i < s->n_samples; i++) {
		const struct sample *m = &s->samples[i];
		const struct bench_boot *b = &s->boots[m->boot];
		char *value _cleanup_free_ =
			m->value == SAMPLE_NONE ? xstrdup("-")
						: xasprintf("%lld", (long long)m->value);

		buf_printf(&text, "%-10s %-5d %-5d %-12s %-4d %-16s %-7s %s\n",
			   s->kernels[b->kernel].label, b->block, b->order,
			   s->cases.v[m->case_i], m->run, value, m->proven ? "yes" : "no",
			   boot_state_name(b->state));
	}
	out_foreign(o, buf_str(&text));
}

static int print_one(struct ctx *c, const struct report_opts *o,
		     const struct bench_session *s, bool first, struct err *err)
{
	bool csv = !strcmp(o->format, "csv");
	struct buf table _cleanup_buf_ = BUF_INIT;
	int rc;

	if (!csv) {
		out_puts(&c->out, first ? "" : "\n");
		bench_print_fresh(&c->out, s, c->series);
		out_puts(&c->out, "\n");
	}
	if (o->raw && !csv) {
		print_raw(&c->out, s);
		return 0;
	}
	rc = bench_render(s, c->config, csv ? "csv" : o->style, o->case_name, &table,
			  err);
	if (!rc)
		out_foreign(&c->out, buf_str(&table));
	return rc;
}

static int print_json(struct ctx *c, const struct bench_session *s, struct json *arr,
		      struct err *err)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;
	int rc = bench_report_of(s, c->config, &r, err);

	if (!rc)
		json_push(arr, bench_print_session(s, r, c->series));
	return rc;
}

/* The newest of each benchmark, host and arch: older ones are history. */
static bool newest(struct bench_session *const *list, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(list[k]->bench, list[i]->bench) &&
		    !strcmp(list[k]->host_alias, list[i]->host_alias) &&
		    !strcmp(list[k]->arch, list[i]->arch))
			return false;
	return true;
}

static int none(const char *name, struct err *err)
{
	return err_set(err, E_NOTFOUND,
		       "report: %s%snothing was measured; 'series bench%s%s' does it",
		       name ? name : "", name ? ": " : "", name ? " " : "",
		       name ? name : "");
}

static int run_report(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct report_opts *o = opts;
	const char *name = args->n ? args->v[0] : NULL;
	struct bench_session **list = NULL;
	struct json *arr = json_arr();
	size_t n = 0, shown = 0;
	int rc;

	if (!o->format)
		o->format = "text";
	c->json = c->json || !strcmp(o->format, "json");
	rc = bench_sessions(c->series, name, &list, &n, err);
	for (size_t i = 0; i < n && !rc; i++) {
		if (!o->all && !newest(list, i))
			continue;
		rc = c->json ? print_json(c, list[i], arr, err)
			     : print_one(c, o, list[i], !shown, err);
		shown++;
	}
	bench_sessions_free(list, n);
	if (!rc && !n)
		rc = none(name, err);
	if (c->json && !rc) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set(c->out.json, "sessions", arr);
	} else {
		json_free(arr);
	}
	return rc;
}

static const char *const styles[] = { "table", "mean", "before-after", "runs",
				      "steps", "time", "csv",	       NULL };
static const char *const formats[] = { "text", "json", "csv", NULL };

#define ROW(field) offsetof(struct report_opts, field)
static const struct opt options[] = {
	{ .name = "style",
	  .kind = OPT_CHOICE,
	  .offset = ROW(style),
	  .arg = "STYLE",
	  .help = "table, mean, before-after, runs, steps, time or csv (default: table)",
	  .choices = styles },
	{ .name = "format",
	  .kind = OPT_CHOICE,
	  .offset = ROW(format),
	  .arg = "FORMAT",
	  .help = "text, json or csv (default: text)",
	  .choices = formats },
	{ .name = "case",
	  .kind = OPT_STRING,
	  .offset = ROW(case_name),
	  .arg = "CASE",
	  .help = "show this case only" },
	{ .name = "raw",
	  .kind = OPT_FLAG,
	  .offset = ROW(raw),
	  .help = "every run as it was measured, warm-ups (run 0) included" },
	{ .name = "all",
	  .kind = OPT_FLAG,
	  .offset = ROW(all),
	  .help = "older sessions too" },
	OPT_END
};

const struct cmd cmd_report = {
	.name = "report",
	.group = "measure",
	.summary = "show stored results again, in any style",
	.synopsis = "[BENCH]",
	.about = "Shows what series bench stored: the newest session of each benchmark, "
		 "host "
		 "and architecture, or with --all every one. The first line says whether "
		 "the "
		 "session is still true of the branch: fresh, measured on another base, "
		 "or "
		 "stale and why.\n\n"
		 "The styles are those that people use on kernel lists; --raw prints "
		 "every run "
		 "and --format json the whole session with its samples, counters and "
		 "verdicts. "
		 "The same session gives the same bytes.",
	.examples =
		"series report\n\tThe newest results as tables\n"
		"series report swapout --style mean\n\tMean and deviation, before and "
		"after\n"
		"series report swapout --format csv\n\tFor a spreadsheet\n",
	.opts = options,
	.opts_size = sizeof(struct report_opts),
	.flags = CMD_REPO | CMD_SERIES | CMD_JSON,
	.min_args = 0,
	.max_args = 1,
	.complete = "bench",
	.run = run_report,
};
