// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * view_pager.c - a pager on the screen: its keys, search, folding.
 */
#include <stdlib.h>
#include <string.h>

#include "series/mem.h"
#include "series/utf8.h"
#include "pager.h"

#define PAGER(v) ((struct pager *)(v))

static size_t max_top(const struct pager *p)
{
	return p->n_rows > ui_page() ? p->n_rows - ui_page() : 0;
}

static void draw(struct ui *u, struct view *v)
{
	struct pager *p = PAGER(v);
	struct buf bar _cleanup_buf_ = BUF_INIT;

	pager_layout(p, (size_t)term_columns());
	p->top = MIN(p->top, max_top(p));
	ui_title(u, p->title);
	for (size_t i = 0; i < ui_page() && p->top + i < p->n_rows; i++) {
		const struct pager_row *r = &p->row[p->top + i];
		const struct pager_line *l = &p->line[r->line];
		struct buf fold _cleanup_buf_ = BUF_INIT;

		if (r->fold) {
			buf_printf(&fold, "+-- %zu quoted lines: ", l->run);
			buf_addstr(&fold, str_n(p->text.p + l->at, l->len));
			term_put(1 + (int)i, 0, p->width, STYLE_DIM, buf_str(&fold));
			continue;
		}
		term_put(1 + (int)i, 0, p->width,
			 r->line == p->hit ? STYLE_CURSOR : l->style,
			 str_n(buf_cstr(&p->text) + r->at, r->len));
	}
	buf_printf(&bar, "%zu-%zu of %zu", p->n_rows ? p->top + 1 : 0,
		   MIN(p->top + ui_page(), p->n_rows), p->n_rows);
	buf_puts(&bar, p->top >= max_top(p) ? " (end)" : "");
	ui_bar(u, buf_cstr(&bar));
}

static void move_mail(struct pager *p, int step)
{
	size_t i = p->top;

	while (step > 0 ? i + 1 < p->n_rows : i > 0) {
		i += (size_t)step;
		if ((p->line[p->row[i].line].flags & LINE_MAIL) &&
		    p->row[i].at == p->line[p->row[i].line].at) {
			p->top = MIN(i, max_top(p));
			return;
		}
	}
}

static void fold_all(struct pager *p)
{
	bool any_open = false;

	for (size_t i = 0; i < p->n; i++)
		any_open = any_open || (p->line[i].run > FOLD && p->line[i].open);
	for (size_t i = 0; i < p->n; i++)
		if (p->line[i].run > FOLD)
			p->line[i].open = !any_open;
	p->width = 0;
}

/* The first folded quote on the screen; all of them are seen by fold_all(). */
static void unfold(struct pager *p)
{
	for (size_t i = p->top; i < p->n_rows && i < p->top + ui_page(); i++)
		if (p->row[i].fold) {
			p->line[p->row[i].line].open = true;
			p->width = 0;
			return;
		}
}

static bool act(struct ui *u, struct view *v, enum action a)
{
	struct pager *p = PAGER(v);
	size_t page = ui_page();

	switch (a) {
	case ACT_DOWN:
		p->top += p->top < max_top(p);
		return true;
	case ACT_UP:
		p->top -= p->top > 0;
		return true;
	case ACT_PAGE_DOWN:
		p->top = MIN(p->top + page, max_top(p));
		return true;
	case ACT_PAGE_UP:
		p->top = p->top > page ? p->top - page : 0;
		return true;
	case ACT_FIRST:
		p->top = 0;
		return true;
	case ACT_LAST:
		p->top = max_top(p);
		return true;
	case ACT_OPEN:
		unfold(p);
		return true;
	case ACT_FOLD:
		fold_all(p);
		return true;
	case ACT_NEXT_MAIL:
		move_mail(p, 1);
		return true;
	case ACT_PREVIOUS_MAIL:
		move_mail(p, -1);
		return true;
	default:
		return false;
	}
}

static bool line_has(const struct pager *p, size_t i, const char *text)
{
	char *line _cleanup_free_ = xmemdup0(p->text.p + p->line[i].at, p->line[i].len);

	return strcasestr(line, text);
}

/* A quote that hides it is unfolded. */
static void show_line(struct pager *p, size_t line)
{
	for (size_t i = line + 1; i-- > 0;)
		if (p->line[i].run) {
			if (!p->line[i].open && i + p->line[i].run > line) {
				p->line[i].open = true;
				p->width = 0;
			}
			break;
		}
	p->hit = line;
	pager_layout(p, (size_t)term_columns());
	for (size_t i = 0; i < p->n_rows; i++)
		if (p->row[i].line == line) {
			if (i < p->top || i >= p->top + ui_page())
				p->top = MIN(i, max_top(p));
			return;
		}
}

static bool search(struct ui *u, struct view *v, const char *text, int step)
{
	struct pager *p = PAGER(v);
	size_t from;

	if (!text) {
		p->top = p->began;
		p->hit = (size_t)-1;
		return true;
	}
	if (!step && !*text)
		p->began = p->top;
	if (!*text || !p->n)
		return false;
	if (step && p->hit != (size_t)-1)
		from = p->hit;
	else
		from = p->row[MIN(p->began, p->n_rows - 1)].line;
	for (size_t i = step ? 1 : 0; i < p->n + (step ? 1 : 0); i++) {
		size_t at =
			step < 0 ? (from + p->n - i % p->n) % p->n : (from + i) % p->n;

		if (line_has(p, at, text)) {
			show_line(p, at);
			return true;
		}
	}
	return false;
}

static size_t row(struct ui *u, struct view *v)
{
	return PAGER(v)->triage_row;
}

static const char *mail(struct ui *u, struct view *v)
{
	const struct pager *p = PAGER(v);
	size_t at = p->top < p->n_rows ? p->line[p->row[p->top].line].mail : 0;

	return at < p->ids.n ? p->ids.v[at] : NULL;
}

static void release(struct view *v)
{
	pager_free(PAGER(v));
}

void pager_push(struct ui *u, struct pager *take)
{
	static const struct view_ops ops = { .in = IN_PAGER,
					     .name = "pager",
					     .draw = draw,
					     .act = act,
					     .search = search,
					     .row = row,
					     .mail = mail,
					     .release = release };

	take->view.ops = &ops;
	pager_layout(take, (size_t)term_columns());
	ui_push(u, &take->view);
}

/* A paragraph of help, as wide as the screen. */
static void put_words(const char *words, struct buf *b)
{
	buf_putc(b, '\n');
	utf8_wrap(str_c(words), 0, (size_t)term_columns(), b);
	buf_putc(b, '\n');
}

void help_push(struct ui *u, unsigned in)
{
	struct pager *p;
	struct buf b _cleanup_buf_ = BUF_INIT;

	/* A second help says nothing new. */
	if (in == IN_PAGER && u->n > 1 && !strcmp(PAGER(ui_top(u))->title, "help"))
		return;
	p = pager_new("help");
	keys_help(in, &b);
	buf_puts(&b, "\nOther keys: git config --global series.key.ACTION 'x ^T f5'\n");
	if (in == IN_LIST) {
		put_words("Queries (l, T, /): words and terms that must all hold; - or "
			  "! in front negates, | between two means either.",
			  &b);
		buf_putc(&b, '\n');
		triage_terms(&b);
		put_words(
			"Columns: * tagged, ! flagged, @ assigned, z asleep, n note; "
			"AGE since the last word; VER and how many older; COVER patches "
			"with an R or A of all, -N missing; R/A/T people; AGNST: N NAKs, "
			"o open remarks, b robots' findings; LAST word: A author, R "
			"reviewer",
			&b);
	}
	pager_add_output(p, buf_str(&b));
	pager_ready(p);
	pager_push(u, p);
}
