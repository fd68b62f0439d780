// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_act.c - the actions of the triage view from the command line.
 */
#include "series/fetch.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "triage_run.h"

bool triage_acts(const struct triage_cmd_opts *o)
{
	return o->snooze.n || o->note.n || o->flag.n || o->unflag.n || o->assign.n ||
	       o->reply || o->give_tag.n || triage_runs(o);
}

int triage_no_such(const char *word, struct err *err)
{
	return err_set(err, E_NOTFOUND,
		       "%s: no series here has that Message-ID or change-id; series triage "
		       "--ids --all has them",
		       word);
}

/* Rows that the words of an option mean. */
static int find_rows(const struct triage *t, const struct strvec *ids, size_t **ret,
		     struct err *err)
{
	size_t *v _cleanup_free_ = xcalloc(ids->n, sizeof(*v));

	for (size_t i = 0; i < ids->n; i++) {
		char *id _cleanup_free_ = fetch_message_id(ids->v[i]);
		const struct triage_row *r = triage_find(t, id ? id : ids->v[i]);

		if (!r)
			return triage_no_such(ids->v[i], err);
		v[i] = (size_t)(r - t->row);
	}
	*ret = v;
	v = NULL;
	return 0;
}

static void tell(struct ctx *c, const struct triage *t, size_t row, const char *what)
{
	out_printf(&c->out, "%s: ", what);
	out_foreign(&c->out, str_c(t->row[row].l->label));
	out_puts(&c->out, " ");
	out_foreign(&c->out, str_c(t->row[row].l->title));
	out_puts(&c->out, "\n");
}

static int act(struct ctx *c, struct triage *t, const struct strvec *ids, unsigned what,
	       const struct triage_mark *m, const char *said, struct err *err)
{
	size_t *rows _cleanup_free_ = NULL;
	int rc = find_rows(t, ids, &rows, err);

	if (!rc)
		rc = triage_mark_rows(t, rows, ids->n, what, m, err);
	for (size_t i = 0; !rc && i < ids->n; i++)
		tell(c, t, rows[i], said);
	return rc;
}

static int snooze(struct ctx *c, const struct triage_cmd_opts *o, struct triage *t,
		  struct err *err)
{
	struct triage_mark m _cleanup_(triage_mark_release) = { 0 };
	struct buf said _cleanup_buf_ = BUF_INIT;
	int rc;

	if (!o->until)
		return err_set(
			err, E_USAGE,
			"--snooze wants --until: a day, a time (3d), a version (v4) "
			"or a tag; '' wakes it");
	rc = triage_until(o->until, t->now, &m, err);
	if (rc)
		return rc;
	buf_puts(&said, *o->until ? "snoozed " : "awake");
	triage_until_words(&m, &said);
	return act(c, t, &o->snooze, MARK_SNOOZE, &m, buf_cstr(&said), err);
}

/* "" takes it away. */
static char *word_or_null(const char *s)
{
	return s && *s ? (char *)s : NULL;
}

/* With or without <>, or as a link. */
static void bare_ids(const struct strvec *words, struct strvec *out)
{
	for (size_t i = 0; i < words->n; i++) {
		char *id = fetch_message_id(words->v[i]);

		strvec_take(out, id ? id : xstrdup(words->v[i]));
	}
}

/* What goes out as mail. */
static int mail_out(struct ctx *c, const struct triage_cmd_opts *o, struct triage *t,
		    struct err *err)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

	if (o->reply && o->give_tag.n)
		return err_set(err, E_USAGE, "--reply and --give-tag: one at a time");
	if (o->reply) {
		struct strvec one = { (char *[]){ (char *)o->reply, NULL }, 1, 0 };

		bare_ids(&one, &ids);
		return triage_reply(c, t, ids.v[0], &o->send, err);
	}
	bare_ids(&o->give_tag, &ids);
	return triage_give_tag(c, t, &ids, o->type ? o->type : "Reviewed-by", &o->send,
			       err);
}

int triage_act(struct ctx *c, const struct triage_cmd_opts *o, struct triage *t,
	       struct err *err)
{
	struct triage_mark m = { .note = word_or_null(o->words),
				 .assigned = word_or_null(o->to) };
	int rc = 0;

	if (o->note.n && !o->words)
		return err_set(err, E_USAGE,
			       "--note wants --words TEXT; '' takes it away");
	if (o->assign.n && !o->to)
		return err_set(err, E_USAGE, "--assign wants --to WHO; '' takes it away");
	if (o->snooze.n)
		rc = snooze(c, o, t, err);
	if (!rc && o->note.n)
		rc = act(c, t, &o->note, MARK_NOTE, &m, m.note ? "noted" : "note gone",
			 err);
	if (!rc && o->assign.n)
		rc = act(c, t, &o->assign, MARK_ASSIGNED, &m,
			 m.assigned ? "assigned" : "assigned to nobody", err);
	if (!rc && o->unflag.n)
		rc = act(c, t, &o->unflag, MARK_FLAG, &m, "flag gone", err);
	m.flagged = true;
	if (!rc && o->flag.n)
		rc = act(c, t, &o->flag, MARK_FLAG, &m, "flagged", err);
	if (!rc && (o->reply || o->give_tag.n))
		rc = mail_out(c, o, t, err);
	if (!rc && triage_runs(o))
		rc = triage_run(c, o, t, err);
	return rc;
}
