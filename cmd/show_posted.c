// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show_posted.c - the series of a thread. See show_posted.h.
 */
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/table.h"
#include "series/time.h"
#include "show_posted.h"

#define YELLOW "33"
#define BOLD   "1"

/* Does patch k belong to a list: those of version from, or (NO_MAIL) the missing ones? */
static bool belongs(const struct posted_version *v, size_t k, size_t from)
{
	return v->patch[k].mail == NO_MAIL ? from == NO_MAIL : v->patch[k].from == from;
}

/* "1, 3-5": the patches that belong to a list. How many. */
static size_t put_numbers(const struct posted_version *v, size_t from, struct buf *out)
{
	size_t n = 0;

	for (size_t k = 0; k < v->total; k++) {
		size_t first = k;

		if (!belongs(v, k, from))
			continue;
		while (k + 1 < v->total && belongs(v, k + 1, from))
			k++;
		buf_printf(out, n ? ", %zu" : "%zu", first + 1);
		if (k > first)
			buf_printf(out, k == first + 1 ? ", %zu" : "-%zu", k + 1);
		n += k - first + 1;
	}
	return n;
}

/* Of a partial reroll: "patch 3; 1,2 of v1". */
static void put_sources(const struct posted *p, size_t index, struct buf *out)
{
	const struct posted_version *v = &p->v[index];
	struct buf own _cleanup_buf_ = BUF_INIT;
	size_t n = put_numbers(v, index, &own);

	buf_printf(out, "%s %s", n == 1 ? "patch" : "patches", buf_cstr(&own));
	/* Versions stand in the order of their numbers here: what is older is before. */
	for (size_t i = index; i-- > 0 && p->v[i].series == v->series;) {
		struct buf numbers _cleanup_buf_ = BUF_INIT;

		if (put_numbers(v, i, &numbers))
			buf_printf(out, "; %s of %s", buf_cstr(&numbers), p->v[i].label);
	}
}

static void put_what(const struct posted *p, size_t index, struct buf *out)
{
	const struct posted_version *v = &p->v[index];
	struct buf missing _cleanup_buf_ = BUF_INIT;

	put_numbers(v, NO_MAIL, &missing);
	if (v->missing && v->missing == v->total)
		buf_printf(out, "no patch of %zu is here", v->total);
	else if (v->partial)
		put_sources(p, index, out);
	else if (v->missing)
		buf_printf(out, "%zu of %zu patches", v->total - v->missing, v->total);
	else
		buf_printf(out, v->total == 1 ? "%zu patch" : "%zu patches", v->total);
	if (v->missing && v->missing < v->total)
		buf_printf(out, ", without %s", buf_cstr(&missing));
	if (v->n_repeated)
		buf_printf(out,
			   v->n_repeated == 1 ? ", %zu mail again" : ", %zu mails again",
			   v->n_repeated);
}

static void put_row(const struct posted *p, size_t index, struct table *rows)
{
	const struct posted_version *v = &p->v[index];
	struct buf date _cleanup_buf_ = BUF_INIT, what _cleanup_buf_ = BUF_INIT;

	if (v->date)
		time_iso(v->date, &date);
	put_what(p, index, &what);
	table_cell(rows, v->label);
	table_cellf(rows, "%.10s", buf_cstr(&date));
	table_cell(rows, buf_cstr(&what));
	if (v->uncertain) {
		table_cell(rows, "uncertain");
		table_color(rows, YELLOW);
	} else {
		table_cell(rows, "");
	}
}

static void put_series(struct out *o, const struct posted *p, size_t series)
{
	static const enum table_align aligns[] = { TABLE_LEFT, TABLE_LEFT, TABLE_FLEX,
						   TABLE_LEFT };
	struct table *rows _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);
	const struct posted_series *s = &p->series[series];
	const struct posted_version *last = &p->v[s->v[s->n - 1]];
	static const enum table_align head_aligns[] = { TABLE_FLEX, TABLE_LEFT };
	struct table *head _cleanup_table_ =
		table_new(ARRAY_SIZE(head_aligns), head_aligns);

	while (last->partial)
		last = &p->v[last->follows];
	table_cell(head, last->title);
	table_color(head, BOLD);
	table_cell(head, last->name);
	table_render(head, 0, o->width, o->color, &o->text);
	for (size_t i = 0; i < s->n; i++)
		put_row(p, s->v[i], rows);
	table_render(rows, 2, o->width, o->color, &o->text);
}

/* Replies that may be patches, by their numbers in the tree below. */
static void put_possible(struct out *o, const struct thread *t, const struct posted *p)
{
	bool *is = xcalloc(t->n + 1, sizeof(*is));
	size_t n = 0;

	for (size_t i = 0; i < p->n_possible; i++)
		is[p->possible[i]] = p->place[p->possible[i]].kind == PLACE_OTHER;
	for (size_t i = 0; i < t->n; i++)
		if (is[t->order[i]])
			out_printf(o, n++ ? ", %zu" : "replies with a patch: mail %zu",
				   i + 1);
	out_puts(o, n ? "\n" : "");
	free(is);
}

void show_posted(struct out *o, const struct show_review *r)
{
	size_t before = o->text.len;

	for (size_t i = 0; i < r->p->n_series; i++) {
		put_series(o, r->p, i);
		show_review(o, r, i);
	}
	put_possible(o, r->t, r->p);
	if (o->text.len > before)
		out_puts(o, "\n");
}

/* ---- JSON ---- */

static const char *id_of(const struct thread *t, size_t mail)
{
	return mail == NO_MAIL ? NULL : t->v[mail].id;
}

static struct json *ids_json(const struct thread *t, const size_t *mails, size_t n)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < n; i++)
		json_push_str(arr, id_of(t, mails[i]));
	return arr;
}

static struct json *patches_json(const struct thread *t, const struct posted *p,
				 const struct posted_version *v)
{
	struct json *arr = json_arr();

	for (size_t k = 0; k < v->total; k++) {
		const struct posted_patch *patch = &v->patch[k];
		struct json *j = json_obj();

		json_set_int(j, "n", (int64_t)k + 1);
		json_set_str(j, "message_id", id_of(t, patch->mail));
		json_set_str(j, "title", patch->mail == NO_MAIL ? NULL : patch->title);
		json_set_str(j, "posted_in",
			     patch->mail == NO_MAIL ? NULL : p->v[patch->from].label);
		json_set_str(j, "patch_id", *patch->patch_id ? patch->patch_id : NULL);
		json_push(arr, j);
	}
	return arr;
}

static struct json *version_json(const struct thread *t, const struct posted *p,
				 size_t index)
{
	static const char *const links[] = { NULL, "change-id", "named", "title" };
	const struct posted_version *v = &p->v[index];
	struct buf date _cleanup_buf_ = BUF_INIT;
	struct json *j = json_obj(), *from = json_obj();

	if (v->date)
		time_iso(v->date, &date);
	json_set_str(j, "label", v->label);
	json_set_int(j, "version", v->version);
	json_set_bool(j, "rfc", v->rfc);
	json_set_bool(j, "resend", v->resend);
	json_set_str(j, "title", v->title);
	json_set_str(from, "name", v->name);
	json_set_str(from, "email", v->email);
	json_set(j, "from", from);
	json_set_str(j, "date", v->date ? buf_cstr(&date) : NULL);
	json_set_str(j, "change_id", v->change_id);
	json_set_str(j, "cover", id_of(t, v->cover));
	json_set(j, "patches", patches_json(t, p, v));
	json_set_int(j, "missing", (int64_t)v->missing);
	json_set_bool(j, "partial", v->partial);
	json_set_str(j, "follows", v->follows == NO_MAIL ? NULL : p->v[v->follows].label);
	json_set_str(j, "linked_by", links[v->link]);
	json_set_bool(j, "uncertain", v->uncertain);
	json_set(j, "repeated", ids_json(t, v->repeated, v->n_repeated));
	return j;
}

struct json *posted_json(const struct show_review *r)
{
	const struct posted *p = r->p;
	struct json *arr = json_arr();

	for (size_t i = 0; i < p->n_series; i++) {
		const struct posted_series *s = &p->series[i];
		struct json *j = json_obj(), *versions = json_arr();

		for (size_t k = 0; k < s->n; k++)
			json_push(versions, version_json(r->t, p, s->v[k]));
		json_set_str(j, "newest", p->v[posted_newest(p, i)].label);
		json_set(j, "versions", versions);
		json_set(j, "review", show_review_json(r, i));
		json_push(arr, j);
	}
	return arr;
}

struct json *possible_json(const struct thread *t, const struct posted *p)
{
	return ids_json(t, p->possible, p->n_possible);
}
