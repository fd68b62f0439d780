// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * view_series.c - one series: its patches and versions, and beside them (below them on
 * narrow screens) the tags and remarks of the patch at hand.
 */
#include <stdlib.h>
#include <string.h>

#include "../show_review.h"
#include "series/mem.h"
#include "series/time.h"
#include "pager.h"

#define WIDE 120 /* columns from which on there is room beside the patches */

enum kind { ITEM_COVER, ITEM_PATCH, ITEM_VERSION };

struct item {
	enum kind kind;
	size_t at; /* the patch, or index of the version */
};

struct inside {
	struct view view;
	size_t row;
	struct triage_mails mails;
	struct show_review review;
	size_t version; /* that is shown */
	struct item *item;
	size_t n;
	struct scroll s;
	struct pager *side; /* of the item at hand */
	size_t side_of;
	size_t began;
};

#define INSIDE(v) ((struct inside *)(v))

static const struct posted_version *shown(const struct inside *s)
{
	return &s->mails.p->v[s->version];
}

static void fill(struct inside *s)
{
	const struct posted_version *v = shown(s);
	const struct posted_series *all = &s->mails.p->series[s->mails.series];

	free(s->item);
	s->item = xcalloc(v->total + all->n + 2, sizeof(*s->item));
	s->n = 0;
	if (v->cover != NO_MAIL)
		s->item[s->n++] = (struct item){ ITEM_COVER, 0 };
	for (size_t k = 1; k <= v->total; k++)
		s->item[s->n++] = (struct item){ ITEM_PATCH, k };
	for (size_t i = all->n; i-- > 0;)
		if (all->v[i] != s->version)
			s->item[s->n++] = (struct item){ ITEM_VERSION, all->v[i] };
	s->side_of = (size_t)-1;
}

/* A tag for the cover is one for each patch. */
static bool tag_counts(const struct inside *s, const struct show_spot *spot,
		       const struct tag *g)
{
	struct show_spot cover = { .version = spot->version };

	return g->retracted_by == NO_MAIL &&
	       (show_review_at(&s->review, spot, g->version, g->patch) ||
		show_review_at(&s->review, &cover, g->version, g->patch));
}

static bool is_open(const struct inside *s, const struct show_spot *spot,
		    const struct remark *m)
{
	return remark_stands(s->review.t, s->review.p, m, spot->version) &&
	       show_review_at(&s->review, spot, m->version, m->patch);
}

/* "R2 A1 o1": what came for a patch. */
static void put_counts(const struct inside *s, const struct show_spot *spot,
		       struct buf *b)
{
	static const char *const types[] = { "Reviewed-by", "Acked-by", "Tested-by" };
	size_t n[3] = { 0 }, naks = 0, open = 0;

	for (size_t i = 0; i < s->review.tags.n; i++) {
		const struct tag *g = &s->review.tags.v[i];

		if (!tag_counts(s, spot, g))
			continue;
		naks += g->kind == TAG_NAK;
		for (size_t k = 0; k < 3; k++)
			n[k] += g->kind == TAG_COLLECTED && !strcmp(g->type, types[k]);
	}
	for (size_t i = 0; i < s->review.remarks.n; i++)
		open += is_open(s, spot, &s->review.remarks.v[i]);
	for (size_t k = 0; k < 3; k++)
		if (n[k])
			buf_printf(b, "%c%zu ", "RAT"[k], n[k]);
	if (naks)
		buf_printf(b, "N%zu ", naks);
	if (open)
		buf_printf(b, "o%zu ", open);
}

static void put_item(const struct inside *s, const struct item *it, struct buf *b)
{
	const struct posted_version *v = shown(s);
	struct show_spot spot = { .version = s->version, .patch = it->at };
	struct buf counts _cleanup_buf_ = BUF_INIT, date _cleanup_buf_ = BUF_INIT;
	const char *title;

	if (it->kind == ITEM_VERSION) {
		v = &s->mails.p->v[it->at];
		time_iso(v->date, &date);
		buf_printf(b, "%s  %.10s  %zu patches  %s%s", v->label, buf_cstr(&date),
			   v->total, v->uncertain ? "(uncertain)  " : "", v->title);
		return;
	}
	title = show_spot_title(&s->review, &spot);
	put_counts(s, &spot, &counts);
	buf_printf(b, "%2zu/%zu %-9s %s", it->at, v->total, buf_cstr(&counts),
		   title ? title : "(not here)");
}

/* ---- tags and remarks of the item at hand ---- */

static void fill_side(struct ui *u, struct inside *s, size_t width)
{
	struct out o = { .color = true, .width = width };
	const struct item *it = &s->item[s->s.cursor];

	if (s->side_of == s->s.cursor && s->side && s->side->width == width)
		return;
	if (s->side)
		pager_free(s->side);
	s->side = pager_new("");
	s->side_of = s->s.cursor;
	if (it->kind == ITEM_VERSION)
		out_printf(&o, "Enter shows this version.\n");
	else
		show_review_spot(&o, &s->review,
				 &(struct show_spot){ s->version, it->at });
	if (!o.text.len)
		out_printf(&o, "nobody said anything about this patch\n");
	pager_add_output(s->side, buf_str(&o.text));
	pager_ready(s->side);
	pager_layout(s->side, width);
	out_release(&o);
}

/* Rows for the patches; what is left is the side's, if that is below. */
static size_t list_rows(const struct inside *s)
{
	size_t page = ui_page();

	if (term_columns() >= WIDE || page < 6)
		return page;
	return MIN(s->n, page / 2);
}

static void draw_side(struct ui *u, struct inside *s)
{
	bool beside = term_columns() >= WIDE;
	size_t rows = list_rows(s), left = (size_t)term_columns() / 2;
	size_t width =
		beside ? (size_t)term_columns() - left - 2 : (size_t)term_columns();
	int row = beside ? 1 : 2 + (int)rows;
	size_t room = beside		     ? ui_page()
		      : ui_page() > rows + 1 ? ui_page() - rows - 1
					     : 0;

	if (!s->n || !room)
		return;
	fill_side(u, s, width);
	if (!beside)
		term_put(row - 1, 0, width, STYLE_DIM, str_c("-- tags and remarks"));
	if (s->side->top + room > s->side->n_rows)
		s->side->top = s->side->n_rows > room ? s->side->n_rows - room : 0;
	for (size_t i = 0; i < room && s->side->top + i < s->side->n_rows; i++) {
		const struct pager_row *r = &s->side->row[s->side->top + i];

		term_put(row + (int)i, beside ? (int)left + 2 : 0, width,
			 s->side->line[r->line].style,
			 str_n(buf_cstr(&s->side->text) + r->at, r->len));
	}
}

static void draw(struct ui *u, struct view *view)
{
	struct inside *s = INSIDE(view);
	const struct posted_version *v = shown(s);
	struct buf title _cleanup_buf_ = BUF_INIT, bar _cleanup_buf_ = BUF_INIT;
	bool beside = term_columns() >= WIDE;
	size_t width = (size_t)term_columns() / (beside ? 2 : 1);

	view->stale = false;
	buf_printf(&title, "%s %s, %s", v->label, v->title,
		   *v->name ? v->name : v->email);
	ui_title(u, buf_cstr(&title));
	scroll_fit(&s->s, s->n, list_rows(s));
	for (size_t i = s->s.top; i < s->n && i < s->s.top + list_rows(s); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		put_item(s, &s->item[i], &b);
		term_put(1 + (int)(i - s->s.top), 0, width,
			 i == s->s.cursor		   ? STYLE_CURSOR
			 : s->item[i].kind == ITEM_VERSION ? STYLE_DIM
							   : STYLE_PLAIN,
			 buf_str(&b));
	}
	draw_side(u, s);
	buf_puts(&bar,
		 "Enter: read  v: all mails  d: diff to the version before  q: back");
	ui_bar(u, buf_cstr(&bar));
}

/* ---- keys ---- */

static size_t mail_of(const struct inside *s, const struct item *it)
{
	const struct posted_version *v =
		it->kind == ITEM_VERSION ? &s->mails.p->v[it->at] : shown(s);

	if (it->kind == ITEM_PATCH)
		return v->patch[it->at - 1].mail;
	for (size_t k = 0; v->cover == NO_MAIL && k < v->total; k++)
		if (v->patch[k].mail != NO_MAIL)
			return v->patch[k].mail;
	return v->cover;
}

static const char *id_here(const struct inside *s)
{
	size_t mail = s->s.cursor < s->n ? mail_of(s, &s->item[s->s.cursor]) : NO_MAIL;

	return mail == NO_MAIL ? NULL : s->mails.t->v[mail].id;
}

static void show_version(struct inside *s, size_t version)
{
	s->version = s->review.asked = version;
	s->s = (struct scroll){ 0 };
	fill(s);
}

/* The one before; behind the first the newest again. */
static void turn_version(struct inside *s)
{
	const struct posted_series *all = &s->mails.p->series[s->mails.series];

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i] == s->version) {
			show_version(s, all->v[(i + all->n - 1) % all->n]);
			return;
		}
}

static void open_item(struct ui *u, struct inside *s)
{
	if (s->s.cursor >= s->n)
		return;
	if (s->item[s->s.cursor].kind == ITEM_VERSION)
		show_version(s, s->item[s->s.cursor].at);
	else if (!id_here(s))
		ui_say(u, "the mail of this patch is not here");
	else
		mails_push(u, s->row, id_here(s));
}

static bool act(struct ui *u, struct view *v, enum action a)
{
	struct inside *s = INSIDE(v);

	if (scroll_act(&s->s, a, s->n, list_rows(s)))
		return true;
	switch (a) {
	case ACT_OPEN:
		open_item(u, s);
		return true;
	case ACT_THREAD:
		mails_push(u, s->row, NULL);
		return true;
	case ACT_VERSION:
		turn_version(s);
		return true;
	case ACT_SIDE_DOWN:
		if (s->side)
			s->side->top++;
		return true;
	case ACT_SIDE_UP:
		if (s->side)
			s->side->top -= s->side->top > 0;
		return true;
	default:
		return false;
	}
}

static bool search(struct ui *u, struct view *v, const char *text, int step)
{
	struct inside *s = INSIDE(v);
	size_t from = step ? s->s.cursor : s->began;

	if (!text) {
		s->s.cursor = s->began;
		return true;
	}
	if (!step && !*text)
		s->began = s->s.cursor;
	for (size_t i = step ? 1 : 0; *text && i < s->n + (step ? 1 : 0); i++) {
		size_t at =
			step < 0 ? (from + s->n - i % s->n) % s->n : (from + i) % s->n;
		struct buf b _cleanup_buf_ = BUF_INIT;

		put_item(s, &s->item[at], &b);
		if (strcasestr(buf_cstr(&b), text)) {
			s->s.cursor = at;
			return true;
		}
	}
	return false;
}

static size_t row_of(struct ui *u, struct view *v)
{
	return INSIDE(v)->row;
}

static const char *mail_here(struct ui *u, struct view *v)
{
	return id_here(INSIDE(v));
}

static void release(struct view *v)
{
	struct inside *s = INSIDE(v);

	if (s->side)
		pager_free(s->side);
	show_review_release(&s->review);
	triage_mails_release(&s->mails);
	free(s->item);
	free(s);
}

void series_push(struct ui *u, size_t row)
{
	static const struct view_ops ops = { .in = IN_SERIES,
					     .name = "series",
					     .draw = draw,
					     .act = act,
					     .search = search,
					     .row = row_of,
					     .mail = mail_here,
					     .release = release };
	struct inside *s = xcalloc(1, sizeof(*s));
	struct err err _cleanup_err_ = ERR_INIT;

	ui_busy(u, "reading");
	if (triage_mails(u->v->t, &u->v->t->row[row], &s->mails, &err)) {
		ui_fail(u, &err);
		free(s);
		return;
	}
	s->view.ops = &ops;
	s->row = row;
	show_review_find(s->mails.t, s->mails.p, NULL, &s->review);
	show_version(s, posted_newest(s->mails.p, s->mails.series));
	ui_push(u, &s->view);
}
