// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * view_list.c - the list of series, in groups.
 */
#include <stdlib.h>
#include <string.h>

#include "../triage_row.h"
#include "series/mem.h"
#include "series/time.h"
#include "prompt.h"
#include "ui.h"

/* A line: the title of a group, or a row. */
struct item {
	bool head;
	size_t at;    /* the group, or index of the row */
	size_t count; /* rows of the group */
};

struct list {
	struct view view;
	struct item *item;
	size_t n;
	struct scroll s;
	size_t began; /* where a search began */
	char *limit;  /* the query as it was typed, or NULL */
	char *order;
	bool folded[N_GROUPS];
	size_t width[N_CELLS];
};

#define LIST(v) ((struct list *)(v))

static void fill(struct ui *u, struct list *l)
{
	const struct triage_view *v = u->v;

	free(l->item);
	l->item = xcalloc(v->n + N_GROUPS + 1, sizeof(*l->item));
	l->n = 0;
	for (size_t i = 0; i < v->n; i++) {
		enum triage_group g = v->t->row[v->v[i]].group;

		if (!i || v->t->row[v->v[i - 1]].group != g) {
			size_t end = i;

			while (end < v->n && v->t->row[v->v[end]].group == g)
				end++;
			l->item[l->n++] = (struct item){ true, g, end - i };
		}
		if (!l->folded[g])
			l->item[l->n++] = (struct item){ false, v->v[i], 0 };
	}
}

/* The same series as before, wherever it stands now; else a row near by. */
static void stay(struct list *l, size_t row)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->item[i].head && l->item[i].at == row) {
			l->s.cursor = i;
			return;
		}
	if (l->s.cursor >= l->n)
		l->s.cursor = l->n ? l->n - 1 : 0;
	if (l->n > 1 && l->item[l->s.cursor].head)
		l->s.cursor++;
}

static size_t row_at(const struct list *l)
{
	return l->s.cursor < l->n && !l->item[l->s.cursor].head ? l->item[l->s.cursor].at
								: (size_t)-1;
}

/* The group that an item stands in. */
static size_t group_at(const struct list *l, size_t i)
{
	while (i > 0 && !l->item[i].head)
		i--;
	return l->item[i].at;
}

/* The row below, or above, in the group; row itself when it is alone. */
static size_t neighbour(const struct list *l, size_t row)
{
	size_t i = l->s.cursor;

	if (i + 1 < l->n && !l->item[i + 1].head)
		return l->item[i + 1].at;
	return i > 0 && !l->item[i - 1].head ? l->item[i - 1].at : row;
}

/* What was put aside goes elsewhere; who works through a group stays in it. */
static void refill(struct ui *u, struct list *l)
{
	size_t row = row_at(l), was = 0, next = row;
	size_t head = l->s.cursor < l->n && row == (size_t)-1 ? l->item[l->s.cursor].at
							       : (size_t)-1;

	if (row != (size_t)-1) {
		was = group_at(l, l->s.cursor);
		next = neighbour(l, row);
	}
	triage_view_fill(u->v);
	fill(u, l);
	if (row != (size_t)-1 && (size_t)u->v->t->row[row].group != was)
		row = next;
	stay(l, row);
	/* On the title of a group it stays there: rows may come while keys are typed. */
	for (size_t i = 0; i < l->n && head != (size_t)-1; i++)
		if (l->item[i].head && l->item[i].at == head)
			l->s.cursor = i;
}

static bool has_lists(const struct triage *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].list)
			return true;
	return false;
}

static enum style cell_style(const struct triage_row *r, enum triage_cell c)
{
	switch (c) {
	case CELL_AGAINST:
		return r->l->naks || r->l->reports ? STYLE_RED : STYLE_YELLOW;
	case CELL_PATCHES:
		return r->l->total && r->l->covered == r->l->total ? STYLE_GREEN
								   : STYLE_PLAIN;
	case CELL_AUTHOR:
		return STYLE_CYAN;
	case CELL_LAST:
		return r->l->last_word == WORD_AUTHOR ? STYLE_PLAIN : STYLE_YELLOW;
	default:
		return r->mark->flagged ? STYLE_BOLD : STYLE_PLAIN;
	}
}

static void draw_row(struct ui *u, const struct list *l, const struct item *it, int line,
		     bool here)
{
	const struct triage_row *r = &u->v->t->row[it->at];
	size_t column = 0;

	if (here)
		term_put(line, 0, (size_t)term_columns(), STYLE_CURSOR, STR_LIT(""));
	for (size_t i = 0; i < N_CELLS; i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;
		size_t pad, width = l->width[i];

		if (!width)
			continue;
		triage_cell(u->v->t, r, i, width, &b);
		if (i == CELL_MARK && u->tagged[it->at]) {
			buf_reset(&b);
			buf_puts(&b, "*");
		}
		pad = utf8_width(buf_str(&b));
		pad = triage_cell_right(i) && pad < width ? width - pad : 0;
		term_put(line, (int)(column + pad), width - pad,
			 here ? STYLE_CURSOR : cell_style(r, i), buf_str(&b));
		column += width + 1;
	}
}

static void draw_heading(const struct list *l)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	triage_line(NULL, NULL, l->width, &b);
	term_put(1, 0, (size_t)term_columns(), STYLE_DIM, buf_str(&b));
}

/* Lines of the list: there is a line of headings above it. */
static size_t page(void)
{
	return ui_page() > 1 ? ui_page() - 1 : 1;
}

static void draw_title(struct ui *u, const struct list *l)
{
	static const char keys[] = "    ?: help  q: leave";
	size_t width = (size_t)term_columns();
	struct buf b _cleanup_buf_ = BUF_INIT;

	buf_printf(&b, "series triage: %zu series", u->v->n);
	if (l->limit && *l->limit)
		buf_printf(&b, ", limited to %s", l->limit);
	if (u->n_tagged)
		buf_printf(&b, ", %zu tagged", u->n_tagged);
	/* What tells a newcomer how to get out is seen, however long the query is. */
	if (width > 2 * strlen(keys)) {
		buf_truncate(&b, utf8_fit(buf_str(&b), width - strlen(keys)).len);
		buf_puts(&b, keys);
	}
	ui_title(u, buf_cstr(&b));
}

static void draw_list(struct ui *u, struct view *v)
{
	struct list *l = LIST(v);
	struct buf bar _cleanup_buf_ = BUF_INIT;

	if (v->stale)
		refill(u, l);
	v->stale = false;
	triage_widths(u->v->t, (size_t)term_columns(), has_lists(u->v->t), l->width);
	scroll_fit(&l->s, l->n, page());
	/* With its first row the title of a group is seen, too. */
	if (l->s.top && l->s.top < l->n && l->item[l->s.top - 1].head && page() > 1)
		l->s.top--;
	scroll_fit(&l->s, l->n, page());
	draw_title(u, l);
	draw_heading(l);
	for (size_t i = l->s.top; i < l->n && i < l->s.top + page(); i++) {
		const struct item *it = &l->item[i];
		int line = 2 + (int)(i - l->s.top);
		struct buf b _cleanup_buf_ = BUF_INIT;

		if (!it->head) {
			draw_row(u, l, it, line, i == l->s.cursor);
			continue;
		}
		buf_printf(&b, "%s (%zu)%s",
			   triage_group_title((enum triage_group)it->at), it->count,
			   l->folded[it->at] ? " +" : "");
		term_put(line, 0, (size_t)term_columns(),
			 i == l->s.cursor ? STYLE_CURSOR : STYLE_BOLD, buf_str(&b));
	}
	if (!l->n)
		term_put(3, 2, (size_t)term_columns() - 2, STYLE_PLAIN,
			 str_c(u->v->since
				       ? "no series in this time; l limits to another "
					 "query, --all shows older ones"
				       : "no series; l limits to another query"));
	if (row_at(l) != (size_t)-1)
		triage_details(u->v->t, &u->v->t->row[row_at(l)], &bar);
	ui_bar(u, buf_cstr(&bar));
}

/* ---- what keys do ---- */

static void limit(struct ui *u, struct list *l)
{
	struct query *q = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	char *text = prompt_ask("limit to: ", l->limit, NULL, NULL);

	if (!text)
		return;
	if (query_parse(text, &q, &err)) {
		ui_fail(u, &err);
		free(text);
		return;
	}
	ui_whole_rows(u);
	query_free(u->v->query);
	u->v->query = q;
	free(l->limit);
	l->limit = text;
	refill(u, l);
}

static void sort_by(struct ui *u, struct list *l)
{
	struct triage_order *o = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	char *text = prompt_ask("sort by: ", l->order, NULL, NULL);

	if (!text)
		return;
	if (triage_order_parse(text, &o, &err)) {
		ui_fail(u, &err);
		free(text);
		return;
	}
	ui_whole_rows(u);
	triage_order_free(u->v->order);
	u->v->order = o;
	free(l->order);
	l->order = text;
	refill(u, l);
}

static void tag(struct ui *u, size_t row, bool on)
{
	u->n_tagged += on && !u->tagged[row];
	u->n_tagged -= !on && u->tagged[row];
	u->tagged[row] = on;
}

static void tag_here(struct ui *u, struct list *l)
{
	size_t row = row_at(l);

	if (row == (size_t)-1)
		return;
	tag(u, row, !u->tagged[row]);
	scroll_act(&l->s, ACT_DOWN, l->n, page());
}

static void tag_pattern(struct ui *u)
{
	struct query *q _cleanup_query_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	char *text _cleanup_free_ = prompt_ask("tag what is: ", NULL, NULL, NULL);

	if (!text)
		return;
	if (query_parse(text, &q, &err)) {
		ui_fail(u, &err);
		return;
	}
	ui_whole_rows(u);
	for (size_t i = 0; i < u->v->n; i++)
		if (query_match(q, u->v->t, &u->v->t->row[u->v->v[i]]))
			tag(u, u->v->v[i], true);
	ui_say(u, "%zu tagged", u->n_tagged);
}

static void next_group(struct list *l)
{
	for (size_t i = 1; i <= l->n; i++) {
		size_t at = (l->s.cursor + i) % l->n;

		if (l->item[at].head) {
			l->s.cursor = at + 1 < l->n ? at + 1 : at;
			l->s.top = at;
			return;
		}
	}
}

/* Rows come and go: what was tagged is tagged no more. */
static void refresh_list(struct ui *u, struct list *l)
{
	struct triage *t = u->v->t;
	struct err err _cleanup_err_ = ERR_INIT;

	ui_busy(u, "reading");
	ui_stop_try(u);
	if (triage_tried(t, u->c->config, &err) || triage_reread(t, &err) || (t->marks && marks_reload(t->marks, NULL, &err)))
		ui_fail(u, &err);
	t->now = time_now();
	triage_settle(t);
	free(u->tagged);
	u->tagged = xcalloc(t->n + 1, sizeof(*u->tagged));
	u->n_tagged = 0;
	triage_view_fill(u->v);
	fill(u, l);
	stay(l, (size_t)-1);
}

/* The title of a group folds it. */
static void open_item(struct ui *u, struct list *l)
{
	if (l->s.cursor >= l->n)
		return;
	if (!l->item[l->s.cursor].head) {
		series_push(u, row_at(l));
		return;
	}
	l->folded[l->item[l->s.cursor].at] = !l->folded[l->item[l->s.cursor].at];
	fill(u, l);
}

/* Of the rows in sight the first that was not tried yet. */
static size_t untried_in(struct ui *u, struct view *v)
{
	const struct list *l = LIST(v);

	for (size_t i = l->s.top; i < l->n && i < l->s.top + page(); i++)
		if (!l->item[i].head &&
		    u->v->t->row[l->item[i].at].applies == APPLIES_UNKNOWN)
			return l->item[i].at;
	return (size_t)-1;
}

static void switch_try(struct ui *u)
{
	if (!triage_base(u->v->t)) {
		ui_say(u, "git config series.triage.base BRANCH says to what it shall apply");
		return;
	}
	u->try_off = !u->try_off;
	ui_stop_try(u);
	ui_say(u, u->try_off ? "nothing is tried any more" : "trying what applies to %s",
	       triage_base(u->v->t));
}

static bool act_list(struct ui *u, struct view *v, enum action a)
{
	struct list *l = LIST(v);

	if (scroll_act(&l->s, a, l->n, page()))
		return true;
	switch (a) {
	case ACT_OPEN:
		open_item(u, l);
		return true;
	case ACT_LIMIT:
		limit(u, l);
		return true;
	case ACT_SORT:
		sort_by(u, l);
		return true;
	case ACT_TAG:
		tag_here(u, l);
		return true;
	case ACT_TAG_PATTERN:
		tag_pattern(u);
		return true;
	case ACT_UNTAG_ALL:
		for (size_t i = 0; i < u->v->t->n; i++)
			tag(u, i, false);
		return true;
	case ACT_TRY:
		switch_try(u);
		return true;
	case ACT_NEXT_GROUP:
		next_group(l);
		return true;
	case ACT_REFRESH:
		refresh_list(u, l);
		return true;
	default:
		return false;
	}
}

static bool found(struct ui *u, const struct item *it, const struct query *q)
{
	return !it->head && query_match(q, u->v->t, &u->v->t->row[it->at]);
}

/* A query, else the words as they stand: "mm: count" is the beginning of a title. */
static bool search_query(const char *text, struct query **ret)
{
	struct buf words _cleanup_buf_ = BUF_INIT;

	if (!query_parse(text, ret, NULL))
		return true;
	buf_putc(&words, '"');
	for (; *text; text++)
		buf_putc(&words, *text == '"' ? ' ' : *text);
	buf_putc(&words, '"');
	return !query_parse(buf_cstr(&words), ret, NULL);
}

static bool search_list(struct ui *u, struct view *v, const char *text, int step)
{
	struct list *l = LIST(v);
	struct query *q _cleanup_query_ = NULL;
	size_t from = step ? l->s.cursor : l->began;

	if (!text) {
		l->s.cursor = l->began;
		scroll_fit(&l->s, l->n, page());
		return true;
	}
	if (!step && !*text)
		l->began = l->s.cursor;
	if (!*text || !l->n || !search_query(text, &q))
		return false;
	for (size_t i = step ? 1 : 0; i < l->n + (step ? 1 : 0); i++) {
		size_t at =
			step < 0 ? (from + l->n - i % l->n) % l->n : (from + i) % l->n;

		if (found(u, &l->item[at], q)) {
			l->s.cursor = at;
			scroll_fit(&l->s, l->n, page());
			return true;
		}
	}
	return false;
}

static size_t list_row(struct ui *u, struct view *v)
{
	return row_at(LIST(v));
}

static const char *list_mail(struct ui *u, struct view *v)
{
	size_t row = row_at(LIST(v));

	return row == (size_t)-1 ? NULL : u->v->t->row[row].l->message_id;
}

static void release_list(struct view *v)
{
	struct list *l = LIST(v);

	free(l->item);
	free(l->limit);
	free(l->order);
	free(l);
}

void list_push(struct ui *u)
{
	static const struct view_ops ops = { .in = IN_LIST,
					     .name = "list",
					     .draw = draw_list,
					     .act = act_list,
					     .search = search_list,
					     .row = list_row,
					     .mail = list_mail,
					     .release = release_list,
					     .untried = untried_in };
	struct list *l = xcalloc(1, sizeof(*l));

	l->view.ops = &ops;
	fill(u, l);
	stay(l, (size_t)-1);
	ui_push(u, &l->view);
}
