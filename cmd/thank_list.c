// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * thank_list.c - see thank_list.h.
 */
#include "series/mem.h"
#include "series/table.h"
#include "series/time.h"
#include "thank_list.h"

static struct json *taken_json(const struct taken *t)
{
	struct json *j = json_obj(), *arr = json_arr(), *from = json_obj();
	struct buf date _cleanup_buf_ = BUF_INIT, thanked _cleanup_buf_ = BUF_INIT;

	time_iso(t->date, &date);
	if (t->thanked)
		time_iso(t->thanked, &thanked);
	json_set_str(from, "name", t->name);
	json_set_str(from, "email", t->email);
	json_set_str(j, "id", t->id);
	json_set_str(j, "date", buf_cstr(&date));
	json_set_str(j, "branch", t->branch);
	json_set_str(j, "version", t->label);
	json_set_str(j, "title", t->title);
	json_set_str(j, "message_id", t->message_id);
	json_set(j, "from", from);
	json_set_str(j, "thanked", t->thanked ? buf_cstr(&thanked) : NULL);
	json_set_int(j, "found", (int64_t)t->found);
	for (size_t i = 0; i < t->n; i++) {
		struct json *p = json_obj();

		json_set_int(p, "n", (int64_t)t->patch[i].n);
		json_set_str(p, "title", t->patch[i].title);
		json_set_str(p, "message_id", t->patch[i].message_id);
		json_set_str(p, "commit", *t->patch[i].now ? t->patch[i].now : NULL);
		json_push(arr, p);
	}
	json_set(j, "patches", arr);
	return j;
}

static void put_row(struct table *rows, const struct taken *t)
{
	struct buf date _cleanup_buf_ = BUF_INIT, what _cleanup_buf_ = BUF_INIT;

	time_iso(t->date, &date);
	table_cellf(rows, "%.*s", THANK_DIGITS, t->id);
	table_cellf(rows, "%.10s", buf_cstr(&date));
	table_cell(rows, t->branch ? t->branch : "HEAD");
	table_cellf(rows, "%zu/%zu", t->found, t->n);
	table_cell(rows, t->thanked ? "thanked" : t->found < t->n ? "not all there" : "");
	buf_printf(&what, "%s: %s (%s)", t->label, t->title,
		   *t->name ? t->name : t->email);
	table_cell(rows, buf_cstr(&what));
}

int thank_list(struct ctx *c, struct takens *all, const char *branch, bool thanked,
	       struct err *err)
{
	static const enum table_align aligns[] = { TABLE_LEFT,	TABLE_LEFT, TABLE_LEFT,
						   TABLE_RIGHT, TABLE_LEFT, TABLE_FLEX };
	struct table *rows _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);
	struct json *arr = c->json ? json_arr() : NULL;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		int rc;

		if (all->v[i].thanked && !thanked)
			continue;
		rc = taken_look(c->repo, &all->v[i], branch, err);
		if (rc) {
			json_free(arr);
			return rc;
		}
		n++;
		if (arr)
			json_push(arr, taken_json(&all->v[i]));
		else
			put_row(rows, &all->v[i]);
	}
	if (arr) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		json_set(c->out.json, "taken", arr);
	} else if (!n) {
		out_puts(&c->out, "nothing was applied here that waits for thanks\n");
	}
	table_render(rows, 0, c->out.width, c->out.color, &c->out.text);
	return 0;
}

static bool is_named(const struct taken *t, struct str word)
{
	if (word.len >= 4 && str_starts(str_c(t->id), word.p))
		return true;
	if (str_eqc(word, t->message_id))
		return true;
	for (size_t i = 0; i < t->n; i++)
		if (str_eqc(word, t->patch[i].message_id))
			return true;
	return false;
}

int thank_find(const struct takens *all, const char *word, size_t *ret, struct err *err)
{
	struct str plain = str_c(word);
	char *bare _cleanup_free_ = NULL;
	size_t n = 0;

	if (str_skip(&plain, "<") && str_ends(plain, ">"))
		plain.len--;
	bare = str_dup(plain);
	for (size_t i = 0; i < all->n; i++)
		if (is_named(&all->v[i], str_c(bare))) {
			*ret = i;
			n++;
		}
	if (n == 1)
		return 0;
	return n ? err_set(err, E_USAGE, "'%s' names %zu of them; give more digits", word,
			   n)
		 : err_set(err, E_NOTFOUND,
			   "'%s' is nothing that was applied here; series thank lists it",
			   word);
}
