/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ui.h - views on a stack, the loop of keys, messages, and work in the background.
 */
#ifndef CMD_TUI_UI_H
#define CMD_TUI_UI_H

#include "../triage_opts.h"
#include "keys.h"
#include "term.h"

struct ui;
struct view;

struct view_ops {
	unsigned in; /* IN_LIST ... */
	const char *name;
	/* All rows but the last one, which is the message's. */
	void (*draw)(struct ui *u, struct view *v);
	/* False: it is nothing that this view does. */
	bool (*act)(struct ui *u, struct view *v, enum action a);
	/*
	 * The next place with this text; step 1 forward, -1 back, 0 from where the search
	 * began (as it is typed). False: there is none. text NULL: it was given up, back
	 * to where it began.
	 */
	bool (*search)(struct ui *u, struct view *v, const char *text, int step);
	/* The row of triage that it is about; (size_t)-1: none. */
	size_t (*row)(struct ui *u, struct view *v);
	/* The Message-ID of the mail that it is about, or NULL. Borrowed. */
	const char *(*mail)(struct ui *u, struct view *v);
	void (*release)(struct view *v);
	/* A row in sight of which it is not known whether it applies, else (size_t)-1; may be
	   NULL. */
	size_t (*untried)(struct ui *u, struct view *v);
};

/* The first member of each kind of view. */
struct view {
	const struct view_ops *ops;
	bool stale; /* the rows have changed: fill it anew before it is drawn */
};

struct job;
struct triage_try;

struct ui {
	struct ctx *c;
	struct triage_view *v;
	struct view *stack[16];
	size_t n;
	char *message;
	bool bad; /* the message is an error */
	char *search;
	bool *tagged; /* of each row of v->t */
	size_t n_tagged;
	struct triage_try *try; /* a row that is being tried, or NULL */
	bool try_off;		/* the user wants none of it */
	struct job *job; /* what runs in the background, or NULL */
	bool done;
	bool busy; /* with what a ^C stops */
};

/* Takes the view over. */
void ui_push(struct ui *u, struct view *take);
void ui_pop(struct ui *u);
struct view *ui_top(struct ui *u);
void ui_draw(struct ui *u);
void ui_say(struct ui *u, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An error: its message, in red. */
void ui_fail(struct ui *u, const struct err *err);
/* Say what is being done before it is done: "reading...". A ^C stops it from then on. */
void ui_busy(struct ui *u, const char *what);
/* Rows or marks have changed: every view looks again. */
void ui_stale(struct ui *u);
/* Queries and orders may look at what rows get only after the first screen: wait for it. */
void ui_whole_rows(struct ui *u);
/* End what is being tried: rows are about to be others. */
void ui_stop_try(struct ui *u);
/* Rows that an action is about: the tagged ones, else the view's. Fresh memory. */
size_t *ui_rows(struct ui *u, size_t *ret_n);
/* All there is to do until the user leaves. */
int ui_loop(struct ui *u, struct err *err);

/* ---- scrolling: the same keys everywhere ---- */

struct scroll {
	size_t cursor, top;
};
/* Move over n lines of which page are seen; false: the action is no movement. */
bool scroll_act(struct scroll *s, enum action a, size_t n, size_t page);
/* Make the cursor be seen. */
void scroll_fit(struct scroll *s, size_t n, size_t page);

/* Lines between the title and the bar. */
size_t ui_page(void);
void ui_title(struct ui *u, const char *text);
void ui_bar(struct ui *u, const char *text);

/* ---- views ---- */

void list_push(struct ui *u);
void series_push(struct ui *u, size_t row);
/* All mails of a row; from the one with this Message-ID on, NULL: the first. */
void mails_push(struct ui *u, size_t row, const char *id);
void help_push(struct ui *u, unsigned in);
/* Actions on series that any view offers. */
bool acts_do(struct ui *u, enum action a);

/* ---- work in the background: a program whose output is shown when it ends ---- */

/* args: of series itself; what: "comparing". Takes dir over: a folder that goes with it.
 */
void job_start(struct ui *u, const char *what, const char *title, struct strvec *args,
	       char *take_dir, size_t row);
/* Look whether it ended, and show what it wrote. */
void job_poll(struct ui *u);
void job_end(struct ui *u);

#endif
