// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remarks_reply.c - see remarks_reply.h.
 */
#include "edit.h"
#include "one_mail.h"
#include "remarks_reply.h"
#include "series/mem.h"

#define TEXT_MAX ((size_t)1 << 20)

struct job {
	struct remark_list *l;
	const struct reply_opts *o;
};

/* Of the first of the remarks that are answered. */
static char *text_file(const char *id)
{
	return xasprintf("reply-%s", id);
}

static int find_outbox(struct ctx *c, struct outbox **ret, struct err *err)
{
	char *name _cleanup_free_ = outbox_reply_name(c->series->name);

	return outbox_find(repo_common_dir(c->repo), name, ret, err);
}

static int lock_replies(struct ctx *c, struct lock *l, struct err *err)
{
	char *name _cleanup_free_ = outbox_reply_name(c->series->name);

	return one_mail_lock(c, name, "reply", l, err);
}

static int start(struct ctx *c, void *data, struct edit_start *ret, struct err *err)
{
	struct job *job = data;

	ret->form = true;
	reply_form(job->l, &ret->text);
	return 0;
}

static int store(struct ctx *c, void *data, struct str text, bool saved, struct err *err)
{
	struct job *job = data;
	struct post *p _cleanup_post_ = NULL;
	int rc;

	if (!reply_has_text(text))
		return err_set(err, E_FAIL,
			       "nothing was sent: there is no line of yours "
			       "in the text");
	rc = reply_prepare(c->series, c->config, job->l, text, &p, err);
	return rc ? rc
		  : one_mail_send(c, c->series, p, job->o->dry_run, job->o->yes, err);
}

int remarks_reply(struct ctx *c, struct remark_list *l, const struct reply_opts *o,
		  struct err *err)
{
	struct job job = { .l = l, .o = o };
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	char *file _cleanup_free_ = NULL;
	char *name _cleanup_free_ = outbox_reply_name(c->series->name);
	struct edit_job edit = { .title = "the reply",
				 .max = TEXT_MAX,
				 .start = start,
				 .store = store,
				 .data = &job,
				 .keep = o->dry_run };
	int rc = reply_to_one(l, err);

	if (!rc)
		rc = lock_replies(c, &lock, err);
	if (!rc)
		rc = one_mail_free(c, name, err);
	if (rc)
		return rc;
	edit.file = file = text_file(l->v[0]->id);
	return edit_text(c, &edit, err);
}

int remarks_resume(struct ctx *c, const struct reply_opts *q, struct err *err)
{
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	struct outbox *o _cleanup_outbox_ = NULL;
	char *what _cleanup_free_ = NULL, *file _cleanup_free_ = NULL;
	int rc = lock_replies(c, &lock, err);

	if (!rc)
		rc = find_outbox(c, &o, err);
	if (rc)
		return rc;
	file = text_file(o->reply.v[0]);
	if (!q->give_up) {
		rc = one_mail_deliver(c, c->series, o, q->unsure, err);
		if (!rc)
			edit_forget(c, file);
		return rc;
	}
	what = outbox_what(o);
	rc = post_give_up(c->series, o, err);
	if (!rc)
		out_printf(&c->out, "%s: left\n", what);
	return rc;
}
