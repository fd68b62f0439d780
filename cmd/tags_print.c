// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tags_print.c - see tags_print.h.
 */
#include <string.h>

#include "remarks_print.h"
#include "series/mem.h"
#include "series/table.h"
#include "tags_print.h"

#define COLUMNS 80

/* Who; of "Fixes:" and its like, what. */
static const char *person_of(const struct review_tag *t)
{
	const char *what = strchr(t->line, ':');

	if (*t->name || *t->email)
		return *t->name ? t->name : t->email;
	return what && what[1] ? what + 2 : "?";
}

static const char *color_of(enum tag_state s)
{
	switch (s) {
	case TAG_HOLDS:
		return "32";
	case TAG_CHANGED:
	case TAG_CONDITIONAL:
	case TAG_DOUBTFUL:
		return "33";
	case TAG_NAKED:
		return "31";
	default:
		return NULL;
	}
}

/* One row for each, without the reasons. */
static void fill_table(struct table *t, const struct judged *j, int digits)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct judged_tag *e = &j->v[i];
		const struct review_tag *g = e->tag;

		table_cellf(t, "%.*s", digits, g->id);
		table_cell(t, g->kind == TAG_RETRACTION ? "retraction"
			      : *g->type		? g->type
							: "NAK");
		table_cell(t, person_of(g));
		table_cellf(t, "%s%s", g->label, g->patch ? "" : " cover");
		table_cell(t, tag_state_name(e->state));
		table_color(t, color_of(e->state));
		table_cell(t, e->applied ? "in the commit" : "");
	}
}

static void print_head(struct ctx *c, size_t patch)
{
	const struct series *s = c->series;

	if (!patch) {
		out_puts(&c->out, "of no patch of the branch\n");
		return;
	}
	out_printf(&c->out, "%zu/%zu  ", patch, s->n_patches);
	out_foreign(&c->out, str_c(s->patches[patch - 1].subject));
	out_puts(&c->out, "\n");
}

static bool is_open_there(const struct judged_tag *e)
{
	return e->applied && judged_is_open(e);
}

static bool is_open_here(const struct judged_tag *e)
{
	return !e->applied && judged_is_open(e);
}

static void print_advice(struct ctx *c, const struct judged *j)
{
	size_t ready = judged_count(j, judged_is_ready);
	size_t stale = judged_count(j, judged_is_stale);
	size_t open = judged_count(j, judged_is_open);
	size_t there = judged_count(j, is_open_there);

	if (ready || stale || open)
		out_puts(&c->out, "\n");
	if (ready)
		out_printf(&c->out, "%zu to put into the commits: series tags --apply\n",
			   ready);
	if (stale)
		out_printf(&c->out,
			   "%zu to take out of the commits: series tags --apply\n",
			   stale);
	if (open)
		out_printf(&c->out,
			   "%zu to decide: series tags --keep ID, or --drop ID\n", open);
	if (there)
		out_printf(&c->out,
			   "%zu of them in the commits already: series tags --apply "
			   "--drop ID takes one out\n",
			   there);
}

void tags_print(struct ctx *c, const struct review *r, const struct judged *j)
{
	static const enum table_align aligns[] = { TABLE_LEFT, TABLE_LEFT, TABLE_FLEX,
						   TABLE_LEFT, TABLE_LEFT, TABLE_LEFT };
	struct table *t _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);
	struct buf rows _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	if (!j->n) {
		print_none_yet(c, "tags");
		return;
	}
	fill_table(t, j, review_digits(r));
	table_render(t, 2, c->out.width, c->out.color, &rows);
	rest = buf_str(&rows);
	for (size_t i = 0; i < j->n && str_line(&rest, &line); i++) {
		const struct judged_tag *e = &j->v[i];

		if (!i || e->patch != j->v[i - 1].patch)
			print_head(c, e->patch);
		/* The table has been through sanitize.h, its colours are our own. */
		out_printf(&c->out, STR_FMT "\n", STR_ARG(line));
		if (*e->why) {
			out_puts(&c->out, "      ");
			out_foreign(&c->out, str_c(e->why));
			out_puts(&c->out, "\n");
		}
	}
	print_advice(c, j);
}

void tags_describe(const struct series *s, const struct judged_tag *e, struct buf *out)
{
	if (e->patch)
		buf_printf(out, "%zu/%zu ", e->patch, s->n_patches);
	buf_printf(out, "%s from %s (%s%s)", e->tag->type, person_of(e->tag),
		   e->tag->label, e->tag->patch ? "" : " cover");
}

/* Those of one kind, each with its id; the reason below where it does not fit beside. */
static bool print_open(struct ctx *c, const struct judged *j, int digits,
		       bool (*is)(const struct judged_tag *e), const char *head)
{
	bool any = false;

	for (size_t i = 0; i < j->n; i++) {
		const struct judged_tag *e = &j->v[i];
		struct buf b _cleanup_buf_ = BUF_INIT;
		char *name _cleanup_free_ = NULL;

		if (!is(e))
			continue;
		if (!any)
			out_puts(&c->out, head);
		any = true;
		name = judged_name(e, digits);
		buf_printf(&b, "  %s ", name);
		tags_describe(c->series, e, &b);
		buf_printf(&b, "%s%s\n",
			   b.len + strlen(e->why) + 2 > COLUMNS ? ":\n      " : ": ",
			   e->why);
		out_foreign(&c->out, buf_str(&b));
	}
	return any;
}

static void print_number(struct ctx *c, size_t n, const char *what, size_t commits)
{
	if (n)
		out_printf(&c->out, "%zu tag%s %s %zu commit%s\n", n, n == 1 ? "" : "s",
			   what, commits, commits == 1 ? "" : "s");
}

static void print_moved(struct ctx *c, const struct tags_applied *a)
{
	if (!a->added && !a->removed) {
		out_puts(&c->out, "no tag to put into the commits, none to take out\n");
		return;
	}
	print_number(c, a->added, "put into", a->commits);
	print_number(c, a->removed, "taken out of", a->cleaned);
	out_printf(&c->out, "branch %s is at %.12s (it was at %.12s)\n",
		   c->series->branch, a->head, a->old_head);
	out_puts(&c->out, "series tags --undo brings it back\n");
}

void tags_print_applied(struct ctx *c, const struct review *r, const struct judged *j,
			const struct tags_applied *a)
{
	int digits = review_digits(r);

	print_moved(c, a);
	if (a->left)
		out_printf(&c->out,
			   "%zu to take out of text that is no trailer:\n"
			   "  git rebase -i %.12s\n",
			   a->left, c->series->base);
	if (a->signed_lost)
		out_printf(&c->out,
			   "%zu commit%s had a signature, which is gone; sign anew:\n"
			   "  git rebase --exec 'git commit --amend --no-edit -S' "
			   "%.12s\n",
			   a->signed_lost, a->signed_lost == 1 ? "" : "s",
			   c->series->base);
	if (print_open(c, j, digits, is_open_here, "left out:\n"))
		out_puts(&c->out, "take one in: series tags --apply --keep ID; drop it: "
				  "series tags --drop ID\n");
	if (print_open(c, j, digits, is_open_there,
		       "in the commits, and changed since:\n"))
		out_puts(&c->out, "keep one: series tags --keep ID; take it out: "
				  "series tags --apply --drop ID\n");
}
