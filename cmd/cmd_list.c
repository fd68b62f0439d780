// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series list: all series of this repository.
 */
#include "series/mem.h"
#include "series/reviewdoc.h"
#include "series/store.h"
#include "series/table.h"
#include "series/time.h"
#include "cmd.h"

struct row {
	const char *name;
	struct series *s; /* NULL: unreadable */
	int64_t changed;  /* time of the newest state */
	bool current;
	bool tagged; /* the tags can be read */
	struct tag_counts tags;
};

static const char *last_state(const struct series *s)
{
	const struct version *v = series_last(s);

	return v ? version_state(v) ? version_state(v) : "sending" : "preparing";
}

static void tags_cell(struct table *t, const struct row *r)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	tag_counts_show(&r->tags, &b);
	table_cell(t, !r->tagged ? "unreadable" : b.len ? buf_cstr(&b) : "-");
	table_color(t, r->tags.naks	  ? "31"
		       : r->tags.doubtful ? "33"
		       : b.len		  ? "32"
					  : NULL);
}

/* One that cannot be read must not hide the others. */
static void unreadable_row(struct table *t, const struct row *r)
{
	table_cell(t, r->current ? "*" : "");
	table_cell(t, r->name);
	for (int i = 0; i < 5; i++)
		table_cell(t, i == 2 ? "unreadable" : "-");
}

static void print_rows(struct ctx *c, const struct row *rows, size_t n)
{
	static const enum table_align aligns[] = { TABLE_LEFT, TABLE_LEFT, TABLE_FLEX,
						   TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
						   TABLE_LEFT };
	static const char *const heads[] = { "", "NAME", "BRANCH", "LAST", "STATE", "TAGS",
					     "CHANGED" };
	struct table *t _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);

	for (size_t i = 0; n && i < ARRAY_SIZE(heads); i++)
		table_cell(t, heads[i]);
	for (size_t i = 0; i < n; i++) {
		const struct series *s = rows[i].s;
		const struct version *v = s ? series_last(s) : NULL;
		struct buf age _cleanup_buf_ = BUF_INIT;
		char *label _cleanup_free_ = v ? version_label(v) : NULL;

		if (!s) {
			unreadable_row(t, &rows[i]);
			continue;
		}
		time_ago(rows[i].changed, &age);
		table_cell(t, rows[i].current ? "*" : "");
		table_cell(t, s->name);
		table_cellf(t, "%s%s", s->branch ? s->branch : "-",
			    *s->head ? "" : " (gone)");
		table_cell(t, label ? label : "-");
		table_cell(t, last_state(s));
		tags_cell(t, &rows[i]);
		table_cell(t, buf_cstr(&age));
	}
	table_render(t, 0, c->out.width, c->out.color, &c->out.text);
	if (!n)
		out_puts(&c->out, "no series here; series init makes one\n");
}

static struct json *tags_json(const struct tag_counts *n)
{
	struct json *j = json_obj();

	json_set_int(j, "reviewed", (int64_t)n->reviewed);
	json_set_int(j, "acked", (int64_t)n->acked);
	json_set_int(j, "tested", (int64_t)n->tested);
	json_set_int(j, "doubtful", (int64_t)n->doubtful);
	json_set_int(j, "naks", (int64_t)n->naks);
	return j;
}

static struct json *as_json(const struct row *rows, size_t n)
{
	struct json *j = json_obj(), *arr = json_arr();

	for (size_t i = 0; i < n; i++) {
		const struct series *s = rows[i].s;
		const struct version *v = s ? series_last(s) : NULL;
		struct buf changed _cleanup_buf_ = BUF_INIT;
		struct json *o = json_obj();

		json_set_str(o, "name", rows[i].name);
		json_set_bool(o, "current", rows[i].current);
		json_set_bool(o, "readable", s);
		json_push(arr, o);
		if (!s)
			continue;
		time_iso(rows[i].changed, &changed);
		json_set_str(o, "change_id", s->change_id);
		json_set_str(o, "branch", *s->head ? s->branch : NULL);
		json_set_int(o, "draft", series_draft(s));
		json_set_int(o, "version", v ? v->n : 0);
		json_set_str(o, "state", last_state(s));
		if (rows[i].tagged)
			json_set(o, "tags", tags_json(&rows[i].tags));
		else
			json_set_str(o, "tags", NULL);
		json_set_str(o, "changed", buf_cstr(&changed));
	}
	json_set_int(j, "schema", 1);
	json_set(j, "series", arr);
	return j;
}

static int fill_row(struct ctx *c, const char *name, const char *current, struct row *row,
		    struct err *err)
{
	struct review r _cleanup_review_ = { .n_tags = 0 };
	struct commit k;
	int rc;

	row->name = name;
	row->current = current && !strcmp(name, current);
	rc = series_open(c->repo, c->config, name, &row->s, err);
	if (rc)
		return rc;
	rc = repo_commit(c->repo, row->s->state, &k, err);
	if (rc)
		return rc;
	row->changed = k.commit_time;
	commit_release(&k);
	rc = review_load_tags(row->s, &r, err);
	row->tagged = !rc;
	if (!rc)
		review_count_tags(&r, &row->tags);
	return rc;
}

static int run_list(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct buf bad _cleanup_buf_ = BUF_INIT;
	char *current _cleanup_free_ = NULL;
	struct row *rows;
	int rc = series_names(c->repo, &names, err);

	if (rc)
		return rc;
	if (series_of_branch(c->repo, c->config, NULL, &current, NULL))
		current = NULL;
	rows = xcalloc(names.n + 1, sizeof(*rows));
	for (size_t i = 0; i < names.n; i++) {
		struct err why _cleanup_err_ = ERR_INIT;

		if (!fill_row(c, names.v[i], current, &rows[i], &why))
			continue;
		buf_printf(&bad, "%s%s: %s", bad.len ? "\n" : "", names.v[i],
			   err_msg(&why));
	}
	if (c->json)
		c->out.json = as_json(rows, names.n);
	else
		print_rows(c, rows, names.n);
	for (size_t i = 0; i < names.n; i++)
		series_free(rows[i].s);
	free(rows);
	return bad.len ? err_set(err, E_FINDINGS, "%s", buf_cstr(&bad)) : 0;
}

const struct cmd cmd_list = {
	.name = "list",
	.group = "prepare",
	.summary = "show all series of the repository",
	.about = "One line for each series: its name (the current branch's has a "
		 "star), its branch, the newest version and what became of it, how "
		 "many people tagged any of its versions (R: Reviewed-by, A: Acked-by, "
		 "T: Tested-by, ?: yours to decide, N: against it; whether a tag still "
		 "holds is for series tags), and when anything of it last changed. One "
		 "that cannot be read does not "
		 "hide the others; its error comes last.",
	.findings = "A series cannot be read; the others are shown.",
	.flags = CMD_REPO | CMD_JSON,
	.run = run_list,
};
