// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changes_print.c - see changes_print.h.
 */
#include "changes_print.h"
#include "series/mem.h"
#include "series/utf8.h"

static void put_entries(struct out *o, struct str block)
{
	out_puts(o, "---\n");
	out_foreign(o, block);
}

/* There are none: are they needed, and where do they come from? */
static void say_no_entries(struct ctx *c, const struct target *t)
{
	const char *what = "";

	if (t->draft && series_last(c->series))
		what = t->restart ? "; series changes -v 1 --edit begins with what the "
				    "range-diff says"
				  : "; series changes --edit begins with what the "
				    "range-diff says";
	else if (t->draft && t->n > 1)
		what = "; no earlier version was posted from here, so there is nothing "
		       "to compare with: write them with series changes --edit";
	else if (t->n == 1)
		what = ", and needs none";
	out_printf(&c->out, "v%d has no entries%s\n", t->n, what);
}

void changes_print(struct ctx *c, const struct target *t, const struct changelog *log,
		   const struct changes *r, const struct findings *f)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct out *o = &c->out;

	if (r->cover.len) {
		out_printf(o, r->n == 1 ? "Patch of v%d\n" : "Cover letter of v%d\n",
			   t->n);
		put_entries(o, buf_str(&r->cover));
	}
	for (size_t i = 0; i < r->n; i++) {
		if (!r->patches[i].len)
			continue;
		out_printf(o, "Patch %zu/%zu: ", i + 1, r->n);
		out_foreign(o, str_c(t->patches[i].subject));
		out_puts(o, "\n");
		put_entries(o, buf_str(&r->patches[i]));
	}
	if (changelog_empty(log))
		say_no_entries(c, t);
	findings_show(f, &text);
	out_foreign(o, buf_str(&text));
}

static void set_patch(struct json *o, int k)
{
	if (k)
		json_set_int(o, "patch", k);
	else
		json_set_str(o, "patch", NULL);
}

static struct json *entries_json(const struct changelog *log)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < log->n; i++)
		for (size_t k = 0; k < log->v[i].n; k++) {
			struct json *o = json_obj();

			set_patch(o, log->v[i].k);
			json_set_str(o, "subject",
				     *log->v[i].subject ? log->v[i].subject : NULL);
			json_set_str(o, "text", log->v[i].v[k].text);
			json_push(arr, o);
		}
	return arr;
}

static struct json *suggestions_json(const struct suggestions *s)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < s->n; i++) {
		struct json *o = json_obj();

		set_patch(o, s->v[i].patch);
		json_set_str(o, "text", s->v[i].text);
		json_set_bool(o, "covered", s->v[i].covered);
		json_push(arr, o);
	}
	return arr;
}

struct json *changes_json(const struct series *s, int version, struct str stored,
			  const struct changelog *log, const struct suggestions *sug,
			  const struct changes *r, const struct findings *f)
{
	struct json *j = json_obj(), *arr = json_arr();

	json_set_int(j, "schema", 1);
	json_set_str(j, "name", s->name);
	json_set_int(j, "version", version);
	json_set_strn(j, "text", stored);
	json_set(j, "entries", entries_json(log));
	json_set(j, "suggestions", suggestions_json(sug));
	json_set_strn(j, "cover", buf_str(&r->cover));
	for (size_t i = 0; i < r->n; i++)
		json_push(arr, json_str(buf_str(&r->patches[i])));
	json_set(j, "patches", arr);
	json_set(j, "findings", findings_json(f));
	return j;
}

/* The entry that it would be, each line behind a "# ". */
static void put_comment(const struct suggestion *e, struct buf *out)
{
	char *text _cleanup_free_ = e->patch
					    ? xasprintf("patch %d: %s", e->patch, e->text)
					    : xstrdup(e->text);
	struct buf entry _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	buf_puts(&entry, "- ");
	utf8_wrap(str_c(text), 2, SUGGESTION_COLUMNS, &entry);
	rest = buf_str(&entry);
	while (str_line(&rest, &line))
		buf_printf(out, "# " STR_FMT "\n", STR_ARG(line));
}

static void put_comments(const struct suggestions *sug, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < sug->n; i++) {
		const struct suggestion *e = &sug->v[i];

		if (e->covered)
			continue;
		if (!any)
			buf_printf(out,
				   "%s# Not mentioned yet (without the # they are):\n",
				   out->len ? "\n" : "");
		any = true;
		put_comment(e, out);
	}
}

void changes_put_form(const struct series *s, const struct changelog *log,
		      const struct suggestions *sug, int version, bool draft,
		      struct buf *out)
{
	struct changelog whole = { log->v, 1, 0 }, parts = { log->v + 1, log->n - 1, 0 };
	struct changelog all _cleanup_changelog_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;

	changelog_format(log, &text);
	if (!text.len) {
		suggestions_changelog(sug, s, &all);
		changelog_format(&all, out);
	} else {
		changelog_format(&whole, out);
		/* Above the headings: what is taken over there belongs to the series. */
		put_comments(sug, out);
		if (out->len && parts.n)
			buf_putc(out, '\n');
		changelog_format(&parts, out);
	}
	if (draft && version > 1 && !series_last(s))
		buf_puts(out, "\n# No earlier version was posted from here, so there is "
			      "nothing to compare with.");
	buf_printf(out,
		   "\n# The changelog of v%d: \"- text\" for the series, below a line "
		   "\"patch K:\" for\n"
		   "# patch K, \"(thanks NAME)\" behind it for whom it is owed to. Lines "
		   "that begin\n"
		   "# with # are dropped.\n",
		   version);
	for (size_t i = 0; i < s->n_patches; i++)
		buf_printf(out, "#   patch %zu: %s\n", i + 1, s->patches[i].subject);
}
