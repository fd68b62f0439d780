// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ui.c - see ui.h.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "../triage_run.h"
#include "series/intr.h"
#include "series/mem.h"
#include "prompt.h"
#include "tui.h"
#include "ui.h"

void ui_push(struct ui *u, struct view *take)
{
	if (u->n == ARRAY_SIZE(u->stack)) {
		take->ops->release(take);
		ui_say(u, "too many views are open; q closes one");
		return;
	}
	u->stack[u->n++] = take;
}

void ui_pop(struct ui *u)
{
	struct view *v = u->stack[--u->n];

	v->ops->release(v);
}

struct view *ui_top(struct ui *u)
{
	return u->n ? u->stack[u->n - 1] : NULL;
}

void ui_say(struct ui *u, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	free(u->message);
	u->message = xvasprintf(fmt, ap);
	u->bad = false;
	va_end(ap);
}

void ui_fail(struct ui *u, const struct err *err)
{
	ui_say(u, "%s", err_msg(err));
	u->bad = true;
}

void ui_busy(struct ui *u, const char *what)
{
	ui_say(u, "%s... (^C stops it)", what);
	ui_draw(u);
	ui_say(u, "%s", "");
	term_interrupts(true);
	u->busy = true;
}

/* A ^C was for that, whether it saw it or not. */
static void busy_end(struct ui *u)
{
	term_interrupts(false);
	if (u->busy)
		intr_forget();
	u->busy = false;
}

void ui_stale(struct ui *u)
{
	for (size_t i = 0; i < u->n; i++)
		u->stack[i]->stale = true;
}

size_t *ui_rows(struct ui *u, size_t *ret_n)
{
	struct view *v = ui_top(u);
	size_t *rows = xcalloc(u->v->n + 1, sizeof(*rows)), n = 0, row;

	for (size_t i = 0; i < u->v->n && v->ops->in == IN_LIST; i++)
		if (u->tagged[u->v->v[i]])
			rows[n++] = u->v->v[i];
	if (!n) {
		row = v->ops->row ? v->ops->row(u, v) : (size_t)-1;
		if (row != (size_t)-1)
			rows[n++] = row;
	}
	*ret_n = n;
	return rows;
}

/* ---- drawing ---- */

size_t ui_page(void)
{
	int rows = term_rows() - 3;

	return rows > 1 ? (size_t)rows : 1;
}

void ui_title(struct ui *u, const char *text)
{
	term_put(0, 0, (size_t)term_columns(), STYLE_BAR, str_c(text));
}

void ui_bar(struct ui *u, const char *text)
{
	term_put(term_rows() - 2, 0, (size_t)term_columns(), STYLE_BAR, str_c(text));
}

void ui_draw(struct ui *u)
{
	struct view *v = ui_top(u);

	if (!v)
		return;
	term_clear();
	v->ops->draw(u, v);
	term_put(term_rows() - 1, 0, (size_t)term_columns(),
		 u->bad ? STYLE_RED : STYLE_PLAIN, str_c(u->message ? u->message : ""));
	term_flush();
}

/* ---- movement ---- */

void scroll_fit(struct scroll *s, size_t n, size_t page)
{
	if (s->cursor >= n)
		s->cursor = n ? n - 1 : 0;
	if (s->cursor < s->top)
		s->top = s->cursor;
	if (s->cursor >= s->top + page)
		s->top = s->cursor - page + 1;
	if (s->top + page > n)
		s->top = n > page ? n - page : 0;
}

bool scroll_act(struct scroll *s, enum action a, size_t n, size_t page)
{
	size_t last = n ? n - 1 : 0;

	switch (a) {
	case ACT_DOWN:
		s->cursor = MIN(s->cursor + 1, last);
		break;
	case ACT_UP:
		s->cursor -= s->cursor > 0;
		break;
	case ACT_PAGE_DOWN:
		s->cursor = MIN(s->cursor + page, last);
		s->top = MIN(s->top + page, last);
		break;
	case ACT_PAGE_UP:
		s->cursor = s->cursor > page ? s->cursor - page : 0;
		s->top = s->top > page ? s->top - page : 0;
		break;
	case ACT_FIRST:
		s->cursor = 0;
		break;
	case ACT_LAST:
		s->cursor = last;
		break;
	default:
		return false;
	}
	scroll_fit(s, n, page);
	return true;
}

/* ---- keys ---- */

static void typed(void *arg, const char *text)
{
	struct ui *u = arg;
	struct view *v = ui_top(u);

	if (*text)
		v->ops->search(u, v, text, 0);
	term_clear();
	v->ops->draw(u, v);
}

static void search(struct ui *u)
{
	struct view *v = ui_top(u);
	char *text;

	if (!v->ops->search)
		return;
	/* Where it begins is remembered. */
	v->ops->search(u, v, "", 0);
	text = prompt_ask("/", NULL, typed, u);
	if (!text || !*text) {
		v->ops->search(u, v, NULL, 0);
		free(text);
		return;
	}
	free(u->search);
	u->search = text;
	if (!v->ops->search(u, v, text, 0)) {
		/* What was found of half the text is not what was looked for. */
		v->ops->search(u, v, NULL, 0);
		ui_say(u, "not found: %s", text);
	}
}

static void search_on(struct ui *u, int step)
{
	struct view *v = ui_top(u);

	if (!u->search || !v->ops->search)
		ui_say(u, "nothing was searched for yet");
	else if (!v->ops->search(u, v, u->search, step))
		ui_say(u, "not found: %s", u->search);
}

static void quit(struct ui *u)
{
	if (u->job) {
		job_end(u);
		ui_say(u, "stopped");
		return;
	}
	ui_pop(u);
	u->done = !u->n;
}

static void act(struct ui *u, enum action a)
{
	struct view *v = ui_top(u);

	switch (a) {
	case ACT_NONE:
		break;
	case ACT_QUIT:
		quit(u);
		break;
	case ACT_HELP:
		help_push(u, v->ops->in);
		break;
	case ACT_SEARCH:
		search(u);
		break;
	case ACT_NEXT:
		search_on(u, 1);
		break;
	case ACT_PREVIOUS:
		search_on(u, -1);
		break;
	case ACT_REDRAW:
		term_return();
		break;
	default:
		if (!v->ops->act(u, v, a))
			acts_do(u, a);
	}
}

/* Has the terminal gone, so that no key will ever come? */
static bool lost(void)
{
	struct termios t;

	return tcgetattr(STDIN_FILENO, &t) != 0;
}

/* What has landed is known by now: rows change their groups. */
static void poll_landing(struct ui *u)
{
	struct triage_view *v = u->v;

	if (!v->landing || !triage_landing_poll(v->landing, v->t, 0))
		return;
	triage_landing_free(v->landing);
	v->landing = NULL;
	triage_settle(v->t);
	ui_stale(u);
}

/* Rows are whole now: groups may be others, and what overlaps is known. */
static void poll_rest(struct ui *u)
{
	if (triage_rest_poll(u->v->t, false)) {
		triage_settle(u->v->t);
		ui_stale(u);
	}
}

void ui_whole_rows(struct ui *u)
{
	if (u->v->t->rest && triage_rest_poll(u->v->t, true))
		triage_settle(u->v->t);
}

/* The row that is to be tried next, (size_t)-1: none is. */
static size_t untried(struct ui *u)
{
	struct view *v = ui_top(u);

	if (u->try_off || u->try || u->job || !v || !v->ops->untried ||
	    !triage_base(u->v->t))
		return (size_t)-1;
	return v->ops->untried(u, v);
}

/* In the background, one after the other, and only while no keys come. */
static void poll_try(struct ui *u, bool idle)
{
	struct err err _cleanup_err_ = ERR_INIT;
	size_t row;

	if (u->try && triage_try_poll(u->try, u->v->t, 0)) {
		triage_try_free(u->try);
		u->try = NULL;
	}
	row = idle ? untried(u) : (size_t)-1;
	if (row == (size_t)-1 || u->v->t->brief || !triage_try_start(u->v->t, row, &u->try, &err))
		return;
	ui_fail(u, &err);
	u->try_off = true;
}

void ui_stop_try(struct ui *u)
{
	triage_try_free(u->try);
	u->try = NULL;
}

int ui_loop(struct ui *u, struct err *err)
{
	while (!u->done) {
		bool wait = u->job || u->v->landing || u->try || u->v->t->brief ||
			    untried(u) != (size_t)-1;
		int32_t key;

		busy_end(u);
		ui_draw(u);
		triage_rest_begin(u->v->t);
		key = term_key(wait ? 50 : -1);
		if (intr_pending() || (key == TK_NOTHING && lost()))
			return err_set(err, E_INTR, "interrupted");
		if (u->job)
			job_poll(u);
		poll_landing(u);
		poll_rest(u);
		poll_try(u, key == TK_NOTHING);
		if (key == TK_NOTHING)
			continue;
		ui_say(u, "%s", "");
		if (key_action(key, ui_top(u)->ops->in) == ACT_NONE)
			ui_say(u, "no such key here; ? shows them");
		act(u, key_action(key, ui_top(u)->ops->in));
	}
	return 0;
}

static void ui_release(struct ui *u)
{
	job_end(u);
	ui_stop_try(u);
	while (u->n)
		ui_pop(u);
	free(u->message);
	free(u->search);
	free(u->tagged);
}

int tui_triage(struct ctx *c, struct triage_view *v, struct err *err)
{
	struct ui u = { .c = c, .v = v };
	int rc = keys_load(c->config, err);

	if (!rc)
		rc = term_start(c->out.color, err);
	if (rc)
		return rc;
	u.tagged = xcalloc(v->t->n + 1, sizeof(*u.tagged));
	list_push(&u);
	rc = ui_loop(&u, err);
	term_stop();
	ui_release(&u);
	return rc;
}
