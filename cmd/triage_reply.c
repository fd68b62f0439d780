// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_reply.c - see triage_reply.h.
 */
#include <stdlib.h>

#include "one_mail.h"
#include "edit.h"
#include "send_print.h"
#include "series/answer.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/reply.h"
#include "triage_reply.h"

#define TEXT_MAX ((size_t)1 << 20)

static int want_repo(const struct ctx *c, struct err *err)
{
	return c->repo ? 0
		       : err_set(err, E_NOTFOUND,
				 "mails go out by the outbox of a repository, and here "
				 "is "
				 "none; change to one, or use -C DIR");
}

static int send(struct ctx *c, struct post *p, const struct triage_reply_opts *o,
		struct err *err)
{
	struct delivery d = { 0 };
	struct buf shown _cleanup_buf_ = BUF_INIT;
	int rc;

	if (o->dry_run) {
		send_summary(c, p, &shown);
		buf_putc(&shown, '\n');
		send_show_mails(p, &shown);
		out_foreign(&c->out, buf_str(&shown));
		return 0;
	}
	rc = o->yes ? 0 : send_confirm(c, p, err);
	if (!rc)
		rc = answer_send(c->repo, c->config, p->outbox, &d, err);
	if (!rc)
		send_report(c, p->outbox, &d);
	delivery_release(&d);
	return rc;
}

/* ---- a reply ---- */

struct job {
	struct thread *t;
	size_t mail;
	const struct triage_reply_opts *o;
};

static int start(struct ctx *c, void *data, struct edit_start *ret, struct err *err)
{
	struct job *job = data;

	ret->form = true;
	answer_form(job->t, job->mail, &ret->text);
	return 0;
}

static int store(struct ctx *c, void *data, struct str text, bool saved, struct err *err)
{
	struct job *job = data;
	struct answer a = { &job->t->v[job->mail], text };
	struct post *p _cleanup_post_ = NULL;
	int rc;

	if (!reply_has_text(text))
		return err_set(err, E_FAIL,
			       "nothing was sent: there is no line of yours in the text");
	rc = answer_prepare(c->repo, c->config, &a, 1, &p, err);
	return rc ? rc : send(c, p, job->o, err);
}

/* The mails of the series that this one belongs to. */
static int mails_of(const struct triage *t, const char *id, struct triage_mails *m,
		    size_t *ret_mail, struct err *err)
{
	const struct triage_row *r = triage_find(t, id);
	int rc;

	if (!r)
		return err_set(err, E_NOTFOUND, "%s: no series here has that mail", id);
	rc = triage_mails(t, r, m, err);
	if (rc)
		return rc;
	*ret_mail = thread_find(m->t, id);
	return *ret_mail < m->t->n
		       ? 0
		       : err_set(err, E_NOTFOUND, "%s: its mail is not here", id);
}

static int edit_reply(struct ctx *c, struct job *job, struct err *err)
{
	/* The editor's file is named by it, and no series can have that name. */
	struct series none = { .name = (char *)outbox_loose_name(), .repo = c->repo };
	struct series *ours = c->series;
	struct edit_job edit = { .title = "the reply",
				 .file = "reply",
				 .max = TEXT_MAX,
				 .start = start,
				 .store = store,
				 .data = job,
				 .keep = job->o->dry_run };
	int rc;

	c->series = &none;
	rc = edit_text(c, &edit, err);
	c->series = ours;
	return rc;
}

int triage_reply(struct ctx *c, const struct triage *t, const char *id,
		 const struct triage_reply_opts *o, struct err *err)
{
	struct triage_mails m _cleanup_triage_mails_ = { 0 };
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	struct job job = { .o = o };
	int rc = want_repo(c, err);

	if (!rc)
		rc = mails_of(t, id, &m, &job.mail, err);
	if (!rc)
		rc = one_mail_lock(c, outbox_loose_name(), "reply", &lock, err);
	if (!rc)
		rc = one_mail_free(c, outbox_loose_name(), err);
	job.t = m.t;
	return rc ? rc : edit_reply(c, &job, err);
}

/* ---- a tag ---- */

static int make_tags(struct ctx *c, const struct triage_mails *m,
		     const struct strvec *ids, const char *type, struct buf *text,
		     struct answer *v, struct err *err)
{
	for (size_t i = 0; i < ids->n; i++) {
		size_t mail = thread_find(m->t, ids->v[i]);
		int rc;

		if (mail >= m->t->n || m->p->place[mail].kind == PLACE_OTHER)
			return err_set(err, E_NOTFOUND,
				       "<%s> is no patch or cover of this series",
				       ids->v[i]);
		rc = answer_tag_text(c->config, m->t, mail, type, &text[i], err);
		if (rc)
			return rc;
		v[i] = (struct answer){ &m->t->v[mail], buf_str(&text[i]) };
	}
	return 0;
}

int triage_give_tag(struct ctx *c, const struct triage *t, const struct strvec *ids,
		    const char *type, const struct triage_reply_opts *o, struct err *err)
{
	struct triage_mails m _cleanup_triage_mails_ = { 0 };
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	struct buf *text _cleanup_free_ = xcalloc(ids->n, sizeof(*text));
	struct answer *v _cleanup_free_ = xcalloc(ids->n, sizeof(*v));
	struct post *p _cleanup_post_ = NULL;
	size_t mail;
	int rc = want_repo(c, err);

	if (!rc)
		rc = mails_of(t, ids->v[0], &m, &mail, err);
	if (!rc)
		rc = one_mail_lock(c, outbox_loose_name(), "reply", &lock, err);
	if (!rc)
		rc = one_mail_free(c, outbox_loose_name(), err);
	if (!rc)
		rc = make_tags(c, &m, ids, type, text, v, err);
	if (!rc)
		rc = answer_prepare(c->repo, c->config, v, ids->n, &p, err);
	if (!rc)
		rc = send(c, p, o, err);
	for (size_t i = 0; i < ids->n; i++)
		buf_release(&text[i]);
	return rc;
}

int triage_resume(struct ctx *c, bool give_up, const struct triage_reply_opts *o,
		  struct err *err)
{
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	struct outbox *box _cleanup_outbox_ = NULL;
	struct delivery_opts how = { .unsure = o->unsure };
	struct delivery d = { 0 };
	int rc = want_repo(c, err);

	if (!rc)
		rc = one_mail_lock(c, outbox_loose_name(), "reply", &lock, err);
	if (!rc)
		rc = answer_find(c->repo, &box, err);
	if (rc)
		return rc;
	if (give_up) {
		rc = answer_give_up(c->repo, box, err);
		if (!rc)
			out_puts(&c->out, "the rest was left\n");
		return rc;
	}
	rc = answer_resume(c->repo, c->config, box, &how, &d, err);
	if (!rc)
		send_report(c, box, &d);
	delivery_release(&d);
	return rc;
}
