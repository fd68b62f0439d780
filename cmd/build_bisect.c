// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build_bisect.c - series build --bisect: the first patch that does not build, by halves,
 * for each architecture and configuration.
 */
#include "build_columns.h"
#include "series/mem.h"
#include "series/progress.h"

struct hunt {
	struct ctx *c;
	const struct build_opts *o;
	const struct build_work *w;
	const struct column *col;
	size_t builds; /* that were not there before */
};

/* Build the base and one row; *ret has both. E_FINDINGS is no error here. */
static int try_row(struct hunt *h, size_t row, struct build_report *ret, struct err *err)
{
	const char *commits[] = { h->w->commits[0], h->w->commits[row] };
	const char *labels[] = { h->w->labels[0], h->w->labels[row] };
	const char *subjects[] = { h->w->subjects[0], h->w->subjects[row] };
	struct build_request q = {
		.repo = h->c->repo,
		.config = h->c->config,
		.arch = h->col->arch,
		.kconfig = h->col->config,
		.jobs = h->o->jobs,
		.w1 = h->o->w1,
		.sparse = h->o->sparse,
		.commits = commits,
		.labels = labels,
		.subjects = subjects,
		.n = 2,
	};
	int rc = build_run(&q, ret, err);

	if (rc == E_FINDINGS) {
		err_release(err);
		rc = 0;
	}
	for (size_t i = 0; !rc && i < ret->n; i++)
		h->builds += !ret->results[i].cached;
	return rc ? rc : build_store(h->c->repo, h->c->series->name, ret, err);
}

static bool fails(const struct build_report *r)
{
	return r->n == 2 && r->results[1].outcome == BUILD_FAIL;
}

/* The last row builds or not: *ret_bad is the first that does not, 0: all do. */
static int search(struct hunt *h, size_t *ret_bad, struct build_report *ret,
		  struct err *err)
{
	size_t good = 0, bad = h->w->n - 1;
	int rc = try_row(h, bad, ret, err);

	*ret_bad = 0;
	if (rc || !fails(ret))
		return rc;
	while (bad - good > 1) {
		struct build_report r = { .n = 0 };
		size_t mid = good + (bad - good) / 2;

		progress_note("%s: patches %zu to %zu are left", ret->results[1].arch,
			      good + 1, bad);
		rc = try_row(h, mid, &r, err);
		if (!rc && fails(&r)) {
			build_report_release(ret);
			*ret = r;
			bad = mid;
			continue;
		}
		good = mid;
		build_report_release(&r);
		if (rc)
			return rc;
	}
	*ret_bad = bad;
	return 0;
}

static void print_found(struct ctx *c, const struct hunt *h, size_t bad,
			const struct build_report *r)
{
	const struct build_result *b = &r->results[1];
	struct str rest = str_c(b->first_error ? b->first_error : ""), line;

	out_printf(&c->out, "%s, config %s: ", b->arch, b->config_name);
	if (!bad) {
		out_printf(&c->out, "all patches up to %s build\n", b->label);
		return;
	}
	out_printf(&c->out, "patch %zu of %zu is the first that does not build: ", bad,
		   h->w->n - 1);
	out_foreign(&c->out, str_c(b->subject ? b->subject : ""));
	out_printf(&c->out, "\n  %.12s; %zu new build%s%s\n", b->commit, h->builds,
		   h->builds == 1 ? "" : "s",
		   b->base_broken
			   ? "; the base does not build either: judged by the objects "
			     "that the series touches"
			   : "");
	while (str_line(&rest, &line)) {
		out_puts(&c->out, "    ");
		out_foreign(&c->out, line);
		out_puts(&c->out, "\n");
	}
	if (b->log)
		out_printf(&c->out, "    log: %s\n", b->log);
}

static struct json *found_json(const struct hunt *h, size_t bad,
			       const struct build_report *r)
{
	const struct build_result *b = &r->results[1];
	struct json *j = json_obj();

	json_set_str(j, "arch", b->arch);
	json_set_str(j, "config", b->config_name);
	json_set_int(j, "builds", (int64_t)h->builds);
	json_set_int(j, "patch", (int64_t)bad);
	json_set_str(j, "commit", bad ? b->commit : NULL);
	json_set_str(j, "subject", bad ? b->subject : NULL);
	json_set_str(j, "first_error", bad ? b->first_error : NULL);
	return j;
}

int build_bisect(struct ctx *c, const struct build_opts *o, const struct build_work *w,
		 struct err *err)
{
	struct json *all = json_arr();
	size_t broken = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < w->n_cols; i++) {
		struct hunt h = { c, o, w, &w->cols[i], 0 };
		struct build_report r = { .n = 0 };
		size_t bad;

		rc = search(&h, &bad, &r, err);
		if (rc == E_NOTFOUND) {
			rc = build_column_missing(o, h.col, rc, err);
			continue;
		}
		broken += !rc && bad;
		if (!rc && c->json)
			json_push(all, found_json(&h, bad, &r));
		else if (!rc)
			print_found(c, &h, bad, &r);
		build_report_release(&r);
	}
	if (c->json && !rc) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set(c->out.json, "bisect", all);
	} else {
		json_free(all);
	}
	return rc	? rc
	       : broken ? err_set(err, E_FINDINGS, "build: the series breaks %zu build%s",
				  broken, broken == 1 ? "" : "s")
			: 0;
}
