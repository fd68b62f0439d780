/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * triage_opts.h - what series triage was told, for its parts.
 */
#ifndef CMD_TRIAGE_OPTS_H
#define CMD_TRIAGE_OPTS_H

#include "cmd.h"
#include "series/triage.h"
#include "source.h"
#include "triage_reply.h"

struct triage_cmd_opts {
	const char *list, *query, *sort;
	int days;
	bool all, text, ids, try;
	struct strvec snooze, note, flag, unflag, assign; /* Message-IDs */
	const char *until, *words, *to;
	const char *pager, *mutt, *browser, *build, *bench; /* Message-IDs */
	const char *reply, *type; /* a Message-ID; "Reviewed-by" */
	struct strvec give_tag;
	struct triage_reply_opts send;
	bool resume, give_up;
	struct source_opts source;
};

/* What is shown: rows of a query, sorted. */
struct triage_view {
	struct triage *t;
	struct query *query;
	struct triage_order *order;
	int64_t since;			/* last words before it are not shown; 0: all */
	struct triage_landing *landing; /* not known yet what has landed; or NULL */
	size_t *v;			/* indices of rows */
	size_t n;
};

/* Last words before it are not shown; 0: all are. */
int triage_since(struct ctx *c, const struct triage_cmd_opts *o, int64_t now,
		 int64_t *ret, struct err *err);
/* The rows of mirrors, or of what args name. */
int triage_read(struct ctx *c, const struct triage_cmd_opts *o, const struct strvec *args,
		int64_t since, struct triage *t, struct err *err);
int triage_view_init(const struct triage_cmd_opts *o, struct triage *t,
		     struct triage_view *v, struct err *err);
/* Choose and sort the rows anew. */
void triage_view_fill(struct triage_view *v);
void triage_view_release(struct triage_view *v);

/* E_NOTFOUND for what the user called a series. */
int triage_no_such(const char *word, struct err *err);
/* An action of the command line was asked for? */
bool triage_acts(const struct triage_cmd_opts *o);
int triage_act(struct ctx *c, const struct triage_cmd_opts *o, struct triage *t,
	       struct err *err);

#endif
