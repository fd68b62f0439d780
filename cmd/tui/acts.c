// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * acts.c - what is noted of series: snoozed, flagged, assigned. Of all that are tagged,
 * else of the one at hand.
 */
#include <stdlib.h>
#include <string.h>

#include "series/mem.h"
#include "prompt.h"
#include "outside.h"
#include "ui.h"

static void mark(struct ui *u, const size_t *rows, size_t n, unsigned what,
		 const struct triage_mark *m, const char *said)
{
	struct err err _cleanup_err_ = ERR_INIT;

	if (triage_mark_rows(u->v->t, rows, n, what, m, &err)) {
		ui_fail(u, &err);
		return;
	}
	ui_stale(u);
	if (n == 1)
		ui_say(u, "%s", said);
	else
		ui_say(u, "%s: %zu series", said, n);
}

static const struct triage_mark *first(struct ui *u, const size_t *rows)
{
	return u->v->t->row[rows[0]].mark;
}

static void snooze(struct ui *u, const size_t *rows, size_t n)
{
	struct triage_mark m _cleanup_(triage_mark_release) = { 0 };
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf said _cleanup_buf_ = BUF_INIT;
	char *text _cleanup_free_ = prompt_ask(
		"snooze until (2027-01-10, 3d, v4, v6.13-rc1; nothing: wake): ", NULL,
		NULL, NULL);

	if (!text)
		return;
	if (triage_until(text, u->v->t->now, &m, &err)) {
		ui_fail(u, &err);
		return;
	}
	triage_until_words(&m, &said);
	if (said.len) {
		char *words _cleanup_free_ = xasprintf("snoozed %s", buf_cstr(&said));

		mark(u, rows, n, MARK_SNOOZE, &m, words);
	} else {
		mark(u, rows, n, MARK_SNOOZE, &m, "awake");
	}
}

static void note(struct ui *u, const size_t *rows, size_t n)
{
	char *text _cleanup_free_ =
		prompt_ask("note: ", first(u, rows)->note, NULL, NULL);
	struct triage_mark m = { .note = text && *text ? text : NULL };

	if (text)
		mark(u, rows, n, MARK_NOTE, &m, m.note ? "noted" : "note gone");
}

static void assign(struct ui *u, const size_t *rows, size_t n)
{
	const struct strvec *me = &u->v->t->me;
	const char *now = first(u, rows)->assigned;
	char *text _cleanup_free_ = prompt_ask("assign to (nothing: nobody): ",
					       now     ? now
					       : me->n ? me->v[me->n - 1]
						       : NULL,
					       NULL, NULL);
	struct triage_mark m = { .assigned = text && *text ? text : NULL };

	if (text)
		mark(u, rows, n, MARK_ASSIGNED, &m,
		     m.assigned ? "assigned" : "nobody's now");
}

/* All the same way: the first one decides. */
static void flag(struct ui *u, const size_t *rows, size_t n)
{
	struct triage_mark m = { .flagged = !first(u, rows)->flagged };

	mark(u, rows, n, MARK_FLAG, &m, m.flagged ? "flagged" : "flag gone");
}

bool acts_do(struct ui *u, enum action a)
{
	size_t n;
	size_t *rows _cleanup_free_ = ui_rows(u, &n);

	if (!n)
		return false;
	switch (a) {
	case ACT_SNOOZE:
		snooze(u, rows, n);
		return true;
	case ACT_NOTE:
		note(u, rows, n);
		return true;
	case ACT_ASSIGN:
		assign(u, rows, n);
		return true;
	case ACT_FLAG:
		flag(u, rows, n);
		return true;
	case ACT_THREAD:
		mails_push(u, rows[0], u->v->t->row[rows[0]].l->message_id);
		return true;
	default:
		return mailout_do(u, a, rows, n) || outside_do(u, a, rows, n);
	}
}
