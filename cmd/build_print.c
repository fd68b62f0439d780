// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What series build says: a table of patches and architectures, then for each of these
 * the kernels, their new warnings and first errors. And the same as JSON.
 */
#include <string.h>

#include "series/mem.h"
#include "series/sanitize.h"
#include "series/table.h"
#include "series/time.h"
#include "build_print.h"

static const char *sgr(enum build_outcome o)
{
	return o == BUILD_PASS	 ? "32"
	       : o == BUILD_WARN ? "33"
	       : o == BUILD_FAIL ? "31"
				 : NULL;
}

/* Patch x arch: the outcomes. */
static void print_matrix(struct ctx *c, const struct build_work *w)
{
	enum table_align aligns[64] = { TABLE_LEFT };
	size_t cols = MIN(w->n_cols, ARRAY_SIZE(aligns) - 2);

	aligns[cols + 1] = TABLE_FLEX;
	_cleanup_table_ struct table *t = table_new(cols + 2, aligns);

	table_cell(t, "");
	for (size_t i = 0; i < cols; i++) {
		const struct build_report *r = &w->cols[i].report;

		if (!r->n)
			table_cell(t, w->cols[i].arch ? w->cols[i].arch : "");
		else if (strcmp(r->results[0].config_name, "vm"))
			table_cellf(t, "%s %s", r->results[0].arch,
				    r->results[0].config_name);
		else
			table_cell(t, r->results[0].arch);
	}
	table_cell(t, "");
	for (size_t k = 0; k < w->n; k++) {
		table_cell(t, w->labels[k]);
		for (size_t i = 0; i < cols; i++) {
			const struct build_report *r = &w->cols[i].report;
			enum build_outcome o =
				r->n ? r->results[k].outcome : BUILD_UNKNOWN;

			table_cell(t, build_outcome_name(o));
			table_color(t, sgr(o));
		}
		table_cell(t, w->subjects[k]);
	}
	table_render(t, 0, c->out.width, c->out.color, &c->out.text);
}

static void print_lines(struct ctx *c, const char *text)
{
	struct str rest = str_c(text), line;

	while (str_line(&rest, &line)) {
		out_puts(&c->out, "    ");
		out_foreign(&c->out, line);
		out_puts(&c->out, "\n");
	}
}

/* The kernel's release is what its makefile made of it. */
static void print_built(struct ctx *c, const struct build_result *r, const char *took)
{
	_cleanup_free_ char *release = sanitize_line_dup(r->release ? r->release : "?");

	out_printf(&c->out, " %.12s  %s  %s%s", r->build_id, release,
		   r->cached ? "built before" : took,
		   r->same_as_parent ? "  the same kernel as " : "");
}

static void print_result(struct ctx *c, const struct build_result *r,
			 const struct build_result *parent)
{
	_cleanup_buf_ struct buf took = BUF_INIT;

	time_duration_ms(r->wall_ms, &took);
	out_printf(&c->out, "  %-5s", r->label);
	if (r->build_id)
		print_built(c, r, buf_cstr(&took));
	else if (r->base_broken)
		out_printf(&c->out, " %s",
			   r->outcome == BUILD_UNKNOWN ? "cannot be judged: on the base "
							 "nothing it touches compiles"
						       : "the base does not build: "
							 "judged by the objects that the "
							 "series touches");
	if (r->same_as_parent)
		out_printf(&c->out, "%s (no code changed)", parent->label);
	if (r->outcome == BUILD_FAIL)
		out_color(&c->out, "31", "%s does not build%s", r->base_broken ? ":" : "",
			  parent ? "" : "; no patch is blamed for that");
	out_puts(&c->out, "\n");
	if (r->warnings.n)
		out_printf(&c->out, "  new warnings in %s:\n", r->label);
	for (size_t i = 0; i < r->warnings.n; i++)
		print_lines(c, r->warnings.v[i]);
	if (r->first_error)
		print_lines(c, r->first_error);
	if (r->outcome == BUILD_FAIL && r->log)
		out_printf(&c->out, "    log: %s\n", r->log);
}

void build_print_text(struct ctx *c, const struct build_work *w)
{
	print_matrix(c, w);
	for (size_t i = 0; i < w->n_cols; i++) {
		const struct build_report *r = &w->cols[i].report;

		if (!r->n)
			continue;
		out_printf(&c->out, "\n%s, config %s, ", r->results[0].arch,
			   r->results[0].config_name);
		if (w->cols[i].what)
			out_printf(&c->out, "the matrix's %s, ", w->cols[i].what);
		out_foreign(&c->out, str_c(r->results[0].compiler));
		out_puts(&c->out, "\n");
		for (size_t k = 0; k < r->n; k++)
			print_result(c, &r->results[k], k ? &r->results[k - 1] : NULL);
		if (r->ccache_hits + r->ccache_misses)
			out_printf(&c->out, "  ccache: %zu of %zu compilations served\n",
				   r->ccache_hits, r->ccache_hits + r->ccache_misses);
	}
}

struct json *build_print_json(const struct ctx *c, const struct build_work *w)
{
	struct json *j = json_obj(), *arr = json_arr();

	json_set_int(j, "schema", 1);
	json_set_str(j, "name", c->series->name);
	for (size_t i = 0; i < w->n_cols; i++)
		for (size_t k = 0; k < w->cols[i].report.n; k++) {
			const struct build_result *r = &w->cols[i].report.results[k];
			struct json *o = build_result_json(r);

			json_set_bool(o, "cached", r->cached);
			if (w->cols[i].what)
				json_set_str(o, "matrix", w->cols[i].what);
			json_set_str(o, "log", r->log);
			json_set_str(o, "image", r->image);
			json_set_str(o, "vmlinux", r->vmlinux);
			json_push(arr, o);
		}
	json_set(j, "results", arr);
	return j;
}
