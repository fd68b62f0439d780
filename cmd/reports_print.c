// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reports_print.c - see reports_print.h.
 */
#include "reports_print.h"
#include "series/mem.h"
#include "series/table.h"
#include "series/time.h"

static bool wanted(const struct review *r, const struct review_report *p, bool all)
{
	return !report_repeated(r, p) && (all || report_is_open(r, p));
}

/* The other versions of which the same was said, oldest first. */
static void others(const struct review *r, const struct review_report *p,
		   struct strvec *ret)
{
	for (size_t i = 0; i < r->n_reports; i++) {
		const struct review_report *q = &r->reports[i];

		if (report_same(p, q) && strcmp(p->label, q->label) != 0 &&
		    !strvec_has(ret, q->label))
			strvec_push(ret, q->label);
	}
}

/* "v2 1/3", "v2" for the whole. */
static char *place_of(const struct ctx *c, const struct review_report *p)
{
	const struct version *v = series_version_named(c->series, p->label);

	return p->patch && v ? xasprintf("%s %zu/%zu", p->label, p->patch, v->n_patches)
			     : xstrdup(p->label);
}

static void put_row(struct ctx *c, struct table *t, const struct review *r,
		    const struct review_report *p)
{
	struct strvec also _cleanup_strvec_ = STRVEC_INIT;
	struct buf state _cleanup_buf_ = BUF_INIT, where _cleanup_buf_ = BUF_INIT;
	char *place _cleanup_free_ = place_of(c, p);

	others(r, p, &also);
	report_state(r, p, &state);
	buf_puts(&where, place);
	for (size_t i = 0; i < also.n; i++)
		buf_printf(&where, "%s%s", i ? ", " : ", also ", also.v[i]);
	table_cellf(t, "%.*s", review_digits(r), p->id);
	table_cell(t, buf_cstr(&state));
	table_color(t, report_is_open(r, p) ? "33" : "32");
	table_cell(t, p->robot);
	table_cell(t, buf_cstr(&where));
	table_cell(t, p->summary);
}

void reports_list(struct ctx *c, const struct review *r, bool all)
{
	static const enum table_align aligns[] = { TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
						   TABLE_LEFT, TABLE_FLEX };
	struct table *t _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);
	size_t shown = 0, n = 0, open = reports_open(r);

	for (size_t i = r->n_reports; i-- > 0;) {
		n += !report_repeated(r, &r->reports[i]);
		if (!wanted(r, &r->reports[i], all))
			continue;
		put_row(c, t, r, &r->reports[i]);
		shown++;
	}
	if (!n)
		return;
	if (shown) {
		out_color(&c->out, "1", "reports of robots\n");
		table_render(t, 2, c->out.width, c->out.color, &c->out.text);
	}
	out_printf(&c->out, "%zu report%s open of %zu%s\n", open, open == 1 ? "" : "s", n,
		   !all && open < n ? "; --all shows the others" : "");
}

void report_show(struct ctx *c, const struct review *r, const struct review_report *p)
{
	struct strvec also _cleanup_strvec_ = STRVEC_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT, date _cleanup_buf_ = BUF_INIT;
	char *place _cleanup_free_ = place_of(c, p);

	others(r, p, &also);
	time_rfc5322(p->date, &date);
	buf_printf(&b, "Report: %.*s (", review_digits(r), p->id);
	report_state(r, p, &b);
	buf_printf(&b, ")\nFrom: %s\nDate: %s\nMessage-ID: <%s>\nAbout: %s", p->robot,
		   buf_cstr(&date), p->message_id, place);
	for (size_t i = 0; i < also.n; i++)
		buf_printf(&b, "%s%s", i ? ", " : "; the same came for ", also.v[i]);
	buf_printf(&b, "\n\n%s\n\nthe whole mail: series show --single %s\n", p->summary,
		   p->message_id);
	out_foreign(&c->out, buf_str(&b));
}

static struct json *report_json(const struct review *r, const struct review_report *p)
{
	struct strvec also _cleanup_strvec_ = STRVEC_INIT;
	struct buf state _cleanup_buf_ = BUF_INIT;
	struct json *o =
		review_row_json(p->id, p->message_id, p->date, p->version, p->label);

	others(r, p, &also);
	report_state(r, p, &state);
	json_set_str(o, "state",
		     str_starts(buf_str(&state), "done") ? "done" : buf_cstr(&state));
	json_set_str(o, "robot", p->robot);
	json_set_int(o, "patch", (int64_t)p->patch);
	json_set_strvec(o, "also", &also);
	json_set_str(o, "summary", p->summary);
	json_set_int(o, "done_in", p->done_in);
	return o;
}

struct json *reports_json(const struct review *r, bool all)
{
	struct json *arr = json_arr();

	for (size_t i = r->n_reports; i-- > 0;)
		if (wanted(r, &r->reports[i], all))
			json_push(arr, report_json(r, &r->reports[i]));
	return arr;
}
