// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What "series bench" and "series report" print beside the tables, which are lib/bench's,
 * and which benchmarks are meant when none is named.
 */
#include <string.h>

#include "series/benchrun.h"
#include "series/covertext.h"
#include "series/mem.h"
#include "series/time.h"
#include "bench_print.h"

/* "fresh", "other base", "stale" */
static const char *bench_fresh_name(enum freshness f)
{
	return f == FRESH_SAME ? "fresh" : f == FRESH_OTHER_BASE ? "other base" : "stale";
}

struct json *bench_print_session(const struct bench_session *s,
				 const struct bench_report *r,
				 const struct series *series)
{
	struct json *summary = NULL, *samples = NULL, *j = json_obj();
	struct buf why _cleanup_buf_ = BUF_INIT;
	enum freshness f = bench_freshness(s, series, NULL, &why);

	if (!bench_session_store(s, &summary, &samples, NULL)) {
		json_set(j, "session", summary);
		json_set(j, "samples", samples);
	}
	json_set(j, "results", bench_report_json(r));
	json_set_str(j, "state", bench_fresh_name(f));
	json_set_bool(j, "fresh", f == FRESH_SAME);
	json_set_str(j, "why", f == FRESH_SAME ? NULL : buf_cstr(&why));
	return j;
}

void bench_print_fresh(struct out *o, const struct bench_session *s,
		       const struct series *series)
{
	struct buf when _cleanup_buf_ = BUF_INIT, why _cleanup_buf_ = BUF_INIT;
	enum freshness f = bench_freshness(s, series, NULL, &why);

	/* No "3 minutes ago": the same session gives the same bytes. */
	time_iso(s->date, &when);
	out_foreign(o, str_c(s->bench));
	out_printf(o, ", measured %s for v%d, host ", buf_cstr(&when), s->version);
	out_foreign(o, str_c(s->host_alias));
	out_puts(o, ": ");
	out_color(o, f == FRESH_SAME ? "32" : "33", "%s", bench_fresh_name(f));
	if (f != FRESH_SAME)
		out_printf(o, ", %s", buf_cstr(&why));
	out_puts(o, "\n");
}

/* --- definitions --- */

void bench_print_def(struct out *o, const struct bench_def *d)
{
	out_printf(o, "%s: %s\n", d->name, d->summary ? d->summary : "");
	out_printf(o, "  defined in   %s\n", d->dir);
	out_printf(o, "  program      %s, sha256 with its definition %.16s\n", d->source,
		   d->hash);
	out_printf(o, "  measures     %s in %s, %s is better\n", d->metrics[0].name,
		   d->metrics[0].unit, d->metrics[0].higher_better ? "higher" : "lower");
	out_printf(o, "  protocol     %d boots of each kernel, %d runs in a boot%s\n",
		   d->blocks ? d->blocks : 6, d->runs,
		   d->warmup ? " after one that is thrown away" : "");
	for (size_t i = 0; i < d->setup.n; i++)
		out_printf(o, "  per boot     %s\n", d->setup.v[i]);
	for (size_t i = 0; i < d->n_cases; i++) {
		const struct bench_case *c = &d->cases[i];

		out_printf(o, "\n  case %s%s: %s\n", c->name,
			   strvec_has(&d->default_cases, c->name) ? "" : " (with --case)",
			   c->summary ? c->summary : "");
		for (size_t k = 0; k < c->setup.n; k++)
			out_printf(o, "    before     %s\n", c->setup.v[k]);
		out_printf(o, "    runs       %s %s\n", d->name, c->args);
		for (size_t k = 0; k < c->n_proofs; k++)
			out_printf(o, "    proof      %s\n", c->proofs[k].text);
	}
}

struct json *bench_def_json(const struct bench_def *d)
{
	struct json *j = json_obj(), *cases = json_arr();

	json_set_str(j, "name", d->name);
	json_set_str(j, "summary", d->summary);
	json_set_str(j, "hash", d->hash);
	json_set_str(j, "metric", d->metrics[0].name);
	json_set_str(j, "unit", d->metrics[0].unit);
	json_set_str(j, "better", d->metrics[0].higher_better ? "higher" : "lower");
	json_set_int(j, "blocks", d->blocks ? d->blocks : 6);
	json_set_int(j, "runs", d->runs);
	json_set_strvec(j, "setup", &d->setup);
	for (size_t i = 0; i < d->n_cases; i++) {
		const struct bench_case *c = &d->cases[i];
		struct json *o = json_obj(), *proofs = json_arr();

		json_set_str(o, "name", c->name);
		json_set_str(o, "summary", c->summary);
		json_set_str(o, "args", c->args);
		json_set_bool(o, "default", strvec_has(&d->default_cases, c->name));
		json_set_strvec(o, "setup", &c->setup);
		for (size_t k = 0; k < c->n_proofs; k++)
			json_push_str(proofs, c->proofs[k].text);
		json_set(o, "proof", proofs);
		json_push(cases, o);
	}
	json_set(j, "cases", cases);
	return j;
}

/* --- the list --- */

static int list_defs(struct out *o, struct json *arr, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = bench_def_names(&names, err);

	out_puts(o, "Benchmarks:\n");
	for (size_t i = 0; i < names.n && !rc; i++) {
		struct bench_def *d _cleanup_bench_def_ = NULL;
		char *cases _cleanup_free_ = NULL;

		rc = bench_def_load(names.v[i], &d, err);
		if (rc)
			break;
		cases = strvec_join(&d->default_cases, " ");
		out_printf(o, "  %-10s %s\n  %-10s cases: %s\n", d->name,
			   d->summary ? d->summary : "", "", cases);
		json_push(arr, bench_def_json(d));
	}
	return rc;
}

static int list_stored(struct ctx *c, struct json *arr, struct err *err)
{
	struct bench_session **list = NULL;
	size_t n = 0;
	int rc = bench_sessions(c->series, NULL, &list, &n, err);

	if (!rc && n)
		out_puts(&c->out, "\nMeasured:\n");
	for (size_t i = 0; i < n && !rc; i++) {
		struct bench_report *r _cleanup_bench_report_ = NULL;

		out_puts(&c->out, "  ");
		bench_print_fresh(&c->out, list[i], c->series);
		if (c->json) {
			rc = bench_report_of(list[i], c->config, &r, err);
			if (!rc)
				json_push(arr,
					  bench_print_session(list[i], r, c->series));
		}
	}
	bench_sessions_free(list, n);
	return rc;
}

static int list_unfinished(struct ctx *c, struct json *arr, struct err *err)
{
	struct bench_unfinished *u = NULL;
	size_t n = 0;
	int rc = bench_unfinished_list(c->repo, &u, &n, err);

	if (!rc && n)
		out_puts(&c->out, "\nBegun:\n");
	for (size_t i = 0; i < n && !rc; i++) {
		struct json *j = json_obj();

		if (u[i].broken)
			out_printf(&c->out, "  %s cannot be read: %s; remove %s\n",
				   u[i].id, u[i].broken, u[i].dir);
		else if (u[i].running)
			out_printf(&c->out, "  %s %s of %s, %s: running\n", u[i].id,
				   u[i].bench, u[i].series, u[i].arch);
		else
			out_printf(&c->out, "  %s %s of %s, %s: %zu of %zu boots\n",
				   u[i].id, u[i].bench, u[i].series, u[i].arch,
				   u[i].boots_done, u[i].boots_all);
		json_set_str(j, "id", u[i].id);
		json_set_str(j, "broken", u[i].broken);
		json_set_str(j, "bench", u[i].bench);
		json_set_str(j, "series", u[i].series);
		json_set_str(j, "arch", u[i].arch);
		json_set_str(j, "host", u[i].host);
		json_set_int(j, "boots_done", (int64_t)u[i].boots_done);
		json_set_int(j, "boots_all", (int64_t)u[i].boots_all);
		json_set_bool(j, "running", u[i].running);
		json_push(arr, j);
	}
	bench_unfinished_free(u, n);
	return rc;
}

int bench_print_list(struct ctx *c, struct err *err)
{
	struct json *j = json_obj(), *defs = json_arr(), *stored = json_arr(),
		    *begun = json_arr();
	int rc;

	json_set_int(j, "schema", 1);
	json_set(j, "benchmarks", defs);
	json_set(j, "measured", stored);
	json_set(j, "begun", begun);
	rc = list_defs(&c->out, defs, err);
	if (!rc && c->series)
		rc = list_stored(c, stored, err);
	if (!rc && c->repo)
		rc = list_unfinished(c, begun, err);
	if (c->json && !rc)
		c->out.json = j;
	else
		json_free(j);
	return rc;
}

/* --- what to measure --- */

/* Benchmarks that the cover letter asks for. */
static void from_cover(struct ctx *c, struct strvec *ret)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct str rest, line, word;

	if (series_cover_read(c->repo, c->series->name, &text, NULL))
		return;
	rest = buf_str(&text);
	while (str_line(&rest, &line))
		if (str_skip(&line, "@bench ") && str_word(&line, &word)) {
			char *name _cleanup_free_ = str_dup(word);

			if (!strvec_has(ret, name))
				strvec_push(ret, name);
		}
}

int bench_which(struct ctx *c, const struct strvec *args, struct strvec *ret,
		struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	char *list _cleanup_free_ = NULL;
	int rc;

	strvec_extend(ret, args);
	if (!ret->n)
		config_get_all(c->config, "series.bench", ret);
	if (!ret->n)
		from_cover(c, ret);
	if (ret->n)
		return 0;
	rc = bench_def_names(&names, err);
	if (rc)
		return rc;
	list = strvec_join(&names, ", ");
	return err_set(
		err, E_USAGE,
		"bench: name a benchmark (%s), or write a line '@bench NAME' in the "
		"cover letter",
		list);
}
