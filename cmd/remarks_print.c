// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remarks_print.c - see remarks_print.h.
 */
#include <stdlib.h>
#include "remarks_print.h"
#include "reports_print.h"
#include "series/mem.h"
#include "series/table.h"
#include "series/time.h"

/* Newest version first, then by patch, then as they came. */
static int by_place(const void *a, const void *b)
{
	const struct review_remark *x = *(const struct review_remark *const *)a;
	const struct review_remark *y = *(const struct review_remark *const *)b;
	bool rfc_x = x->label[0] == 'r', rfc_y = y->label[0] == 'r';

	if (rfc_x != rfc_y)
		return rfc_x ? 1 : -1;
	if (x->version != y->version)
		return x->version > y->version ? -1 : 1;
	if (x->patch != y->patch)
		return x->patch < y->patch ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Pointers to those that are wanted, in order; the caller frees. */
static const struct review_remark **sorted(const struct review *r, bool all,
					   size_t *ret_n)
{
	const struct review_remark **v = xcalloc(r->n_remarks + 1, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < r->n_remarks; i++)
		if (all || remark_is_open(&r->remarks[i]))
			v[n++] = &r->remarks[i];
	qsort(v, n, sizeof(*v), by_place);
	*ret_n = n;
	return v;
}

static bool same_place(const struct review_remark *a, const struct review_remark *b)
{
	return a->patch == b->patch && !strcmp(a->label, b->label);
}

static const char *subject_of(const struct ctx *c, const struct review_remark *m)
{
	const struct version *v = series_version_named(c->series, m->label);

	if (!v || !m->patch)
		return "the cover letter";
	return m->patch <= v->n_patches ? v->patches[m->patch - 1].subject : "";
}

static void put_heading(struct ctx *c, const struct review_remark *m)
{
	const struct version *v = series_version_named(c->series, m->label);

	if (m->patch && v)
		out_color(&c->out, "1", "%s %zu/%zu %s\n", m->label, m->patch,
			  v->n_patches, subject_of(c, m));
	else
		out_color(&c->out, "1", "%s %s\n", m->label, subject_of(c, m));
}

static void put_row(struct table *t, const struct review_remark *m, int digits)
{
	struct buf state _cleanup_buf_ = BUF_INIT;
	struct str text = str_trim(str_c(m->text)), line = STR_NULL;
	char *first _cleanup_free_ = NULL;

	str_line(&text, &line);
	first = str_dup(line);
	remark_state(m, &state);
	table_cellf(t, "%.*s", digits, m->id);
	table_cell(t, buf_cstr(&state));
	table_color(t, remark_is_open(m) ? "33" : "32");
	table_cell(t, *m->name ? m->name : m->email);
	if (m->file && m->file_line)
		table_cellf(t, "%s:%lld", m->file, (long long)m->file_line);
	else
		table_cell(t, m->file ? m->file : "");
	table_cell(t, first);
}

void print_none_yet(struct ctx *c, const char *what)
{
	out_printf(&c->out, "no %s yet: %s\n", what,
		   c->series->n_versions
			   ? "series update, or series update --from MBOX, looks for them"
			   : "nothing was posted; series send posts it");
}

void remarks_list(struct ctx *c, const struct review *r, bool all)
{
	static const enum table_align aligns[] = { TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
						   TABLE_LEFT, TABLE_FLEX };
	size_t n, open = 0;
	const struct review_remark **v = sorted(r, all, &n);
	int digits = review_digits(r);

	for (size_t i = 0; i < n;) {
		struct table *t _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);
		size_t first = i;

		put_heading(c, v[i]);
		for (; i < n && same_place(v[i], v[first]); i++)
			put_row(t, v[i], digits);
		table_render(t, 2, c->out.width, c->out.color, &c->out.text);
	}
	for (size_t i = 0; i < r->n_remarks; i++)
		open += remark_is_open(&r->remarks[i]);
	if (!r->n_remarks && !r->n_reports)
		print_none_yet(c, "remarks");
	else if (r->n_remarks)
		out_printf(&c->out, "%zu open of %zu%s\n", open, r->n_remarks,
			   !all && open < r->n_remarks ? "; --all shows the others" : "");
	free(v);
	reports_list(c, r, all);
}

static void put_field(struct buf *out, const char *field, const char *value)
{
	if (value && *value)
		buf_printf(out, "%s: %s\n", field, value);
}

void remark_show(struct ctx *c, const struct review *r, const struct review_remark *m)
{
	struct buf b _cleanup_buf_ = BUF_INIT, date _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	time_rfc5322(m->date, &date);
	buf_printf(&b, "Remark: %.*s (", review_digits(r), m->id);
	remark_state(m, &b);
	buf_printf(&b, ")\nFrom: %s <%s>\n", m->name, m->email);
	put_field(&b, "Date", buf_cstr(&date));
	put_field(&b, "Subject", m->subject);
	buf_printf(&b, "Message-ID: <%s>\n", m->message_id);
	if (m->answer)
		buf_printf(&b, "Answer: <%s>\n", m->answer);
	if (m->patch)
		buf_printf(&b, "Patch: %zu of %s, %s\n", m->patch, m->label,
			   subject_of(c, m));
	else
		buf_printf(&b, "Patch: cover letter of %s\n", m->label);
	if (m->file && m->file_line)
		buf_printf(&b, "Line: %s:%lld\n", m->file, (long long)m->file_line);
	else
		put_field(&b, "File", m->file);
	buf_putc(&b, '\n');
	rest = str_c(m->quoted);
	while (str_line(&rest, &line))
		buf_printf(&b, "> " STR_FMT "\n", STR_ARG(line));
	buf_printf(&b, "%s%s\n", *m->quoted ? "\n" : "", m->text);
	out_foreign(&c->out, buf_str(&b));
}

static struct json *remark_json(const struct review_remark *m)
{
	struct json *o =
		review_row_json(m->id, m->message_id, m->date, m->version, m->label);

	json_set_str(o, "state",
		     m->done_in			? "done"
		     : m->answer || m->answered ? "answered"
						: "open");
	json_set_str(o, "name", m->name);
	json_set_str(o, "email", m->email);
	json_set_int(o, "patch", (int64_t)m->patch);
	json_set_str(o, "file", m->file);
	json_set_int(o, "line", m->file_line);
	json_set_str(o, "code", m->code);
	json_set_str(o, "quoted", m->quoted);
	json_set_str(o, "text", m->text);
	json_set_bool(o, "question", m->question);
	json_set_str(o, "answer", m->answer);
	json_set_int(o, "done_in", m->done_in);
	return o;
}

struct json *remarks_json(const struct ctx *c, const struct review *r, bool all)
{
	struct json *j = json_obj(), *arr = json_arr();
	size_t n;
	const struct review_remark **v = sorted(r, all, &n);

	json_set_int(j, "schema", 1);
	json_set_str(j, "name", c->series->name);
	for (size_t i = 0; i < n; i++)
		json_push(arr, remark_json(v[i]));
	json_set(j, "remarks", arr);
	json_set(j, "reports", reports_json(r, all));
	free(v);
	return j;
}
