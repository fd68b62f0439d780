// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tags_print.c - see tags_print.h.
 */
#include <string.h>

#include "series/mem.h"
#include "series/table.h"
#include "tags_print.h"

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

static size_t waiting(const struct judged *j, enum tag_state state, bool applied)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		n += j->v[i].state == state && j->v[i].applied == applied;
	return n;
}

static void print_advice(struct ctx *c, const struct judged *j)
{
	size_t ready = waiting(j, TAG_HOLDS, false);
	size_t open = waiting(j, TAG_CHANGED, false) +
		      waiting(j, TAG_CONDITIONAL, false) +
		      waiting(j, TAG_DOUBTFUL, false);

	if (ready || open)
		out_puts(&c->out, "\n");
	if (ready)
		out_printf(&c->out, "%zu to put into the commits: series tags --apply\n",
			   ready);
	if (open)
		out_printf(&c->out,
			   "%zu to decide: series tags --keep ID, or --drop ID\n", open);
}

void tags_print(struct ctx *c, const struct review *r, const struct judged *j)
{
	static const enum table_align aligns[] = { TABLE_LEFT, TABLE_LEFT, TABLE_FLEX,
						   TABLE_LEFT, TABLE_LEFT, TABLE_LEFT };
	struct table *t _cleanup_table_ = table_new(ARRAY_SIZE(aligns), aligns);
	struct buf rows _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	if (!j->n) {
		out_puts(&c->out, "no tags yet; series update fetches them\n");
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

static bool left_out(const struct judged_tag *e)
{
	return !e->applied && (e->state == TAG_CHANGED || e->state == TAG_CONDITIONAL ||
			       e->state == TAG_DOUBTFUL);
}

void tags_print_applied(struct ctx *c, const struct review *r, const struct judged *j,
			const struct tags_applied *a)
{
	int digits = review_digits(r);
	bool any = false;

	if (!a->added)
		out_puts(&c->out, "no tag to put into the commits\n");
	else
		out_printf(&c->out,
			   "%zu tag%s put into %zu commit%s, branch %s is at %.12s (it "
			   "was at %.12s); series tags --undo takes them out\n",
			   a->added, a->added == 1 ? "" : "s", a->commits,
			   a->commits == 1 ? "" : "s", c->series->branch, a->head,
			   a->old_head);
	if (a->signed_lost)
		out_printf(
			&c->out,
			"%zu commit%s had a signature, which is gone: git rebase --exec "
			"'git commit --amend --no-edit -S' %.12s\n",
			a->signed_lost, a->signed_lost == 1 ? "" : "s", c->series->base);
	for (size_t i = 0; i < j->n; i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		if (!left_out(&j->v[i]))
			continue;
		if (!any)
			out_puts(&c->out, "left out:\n");
		any = true;
		buf_printf(&b, "  %.*s ", digits, j->v[i].tag->id);
		tags_describe(c->series, &j->v[i], &b);
		buf_printf(&b, ": %s\n", j->v[i].why);
		out_foreign(&c->out, buf_str(&b));
	}
	if (any)
		out_puts(&c->out, "take one in: series tags --apply --keep ID; drop it: "
				  "series tags --drop ID\n");
}
