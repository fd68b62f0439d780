// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_print.c - see triage_print.h.
 */
#include "series/mem.h"
#include "triage_print.h"
#include "triage_row.h"

#define BOLD "1"

void triage_print(struct out *o, struct triage *t, const size_t *v, size_t n)
{
	size_t widths[N_CELLS];
	bool lists = false;

	for (size_t i = 0; i < n; i++)
		lists = lists || t->row[v[i]].list;
	triage_widths(t, o->width ? o->width : 80, lists, widths);
	if (!n)
		out_puts(o, "no series\n");
	for (size_t i = 0; i < n; i++) {
		enum triage_group g = t->row[v[i]].group;

		if (!i || t->row[v[i - 1]].group != g) {
			size_t end = i;

			while (end < n && t->row[v[end]].group == g)
				end++;
			out_color(o, BOLD, "%s%s (%zu)", i ? "\n" : "",
				  triage_group_title(g), end - i);
			buf_putc(&o->text, '\n');
			triage_line(t, NULL, widths, &o->text);
			buf_putc(&o->text, '\n');
		}
		triage_line(t, &t->row[v[i]], widths, &o->text);
		buf_putc(&o->text, '\n');
		out_drain(o);
	}
}

void triage_print_ids(struct out *o, const struct triage *t, const size_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		out_foreign(o, str_c(t->row[v[i]].l->message_id));
		out_puts(o, "\n");
	}
}

struct json *triage_json(struct triage *t, const size_t *v, size_t n)
{
	struct json *j = json_obj(), *rows = json_arr(), *groups = json_obj();
	int64_t counts[N_GROUPS] = { 0 };

	for (size_t i = 0; i < n; i++) {
		json_push(rows, triage_row_json(t, &t->row[v[i]]));
		counts[t->row[v[i]].group]++;
	}
	for (size_t i = 0; i < N_GROUPS; i++)
		json_set_int(groups, triage_group_name(i), counts[i]);
	json_set_int(j, "schema", 1);
	json_set(j, "groups", groups);
	json_set(j, "series", rows);
	return j;
}
