// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remarks_reply.c - see remarks_reply.h.
 */
#include "edit.h"
#include "remarks_reply.h"
#include "send_print.h"
#include "series/lock.h"
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

/* One reply of a series at a time is on its way. */
static int lock_replies(struct ctx *c, struct lock *l, struct err *err)
{
	char *name _cleanup_free_ = outbox_reply_name(c->series->name);
	char *path _cleanup_free_ = outbox_lock_path(repo_common_dir(c->repo), name);
	int rc = lock_take(l, path, "reply", 0, err);

	return rc == E_LOCKED ? err_context(err, "another reply is being sent") : rc;
}

static int deliver(struct ctx *c, struct outbox *o, const struct reply_opts *q,
		   struct err *err)
{
	struct delivery_opts how = { .unsure = q->unsure };
	struct delivery d = { 0 };
	int rc = post_deliver(c->series, c->config, o, &how, &d, err);

	if (!rc)
		send_report(c, o, &d);
	delivery_release(&d);
	return rc;
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
	struct buf shown _cleanup_buf_ = BUF_INIT;
	int rc;

	if (!reply_has_text(text))
		return err_set(err, E_FAIL,
			       "nothing was sent: there is no line of yours "
			       "in the text");
	rc = reply_prepare(c->series, c->config, job->l, text, &p, err);
	if (rc)
		return rc;
	if (job->o->dry_run) {
		send_summary(c, p, &shown);
		buf_putc(&shown, '\n');
		send_show_mails(p, &shown);
		out_foreign(&c->out, buf_str(&shown));
		return 0;
	}
	rc = job->o->yes ? 0 : send_confirm(c, p, err);
	if (!rc)
		rc = post_start(c->series, c->config, p->outbox, err);
	return rc ? rc : deliver(c, p->outbox, job->o, err);
}

/* What a killed process left before anything went out is taken back. */
static int look_for_another(struct ctx *c, struct err *err)
{
	struct outbox *o _cleanup_outbox_ = NULL;
	char *what _cleanup_free_ = NULL;
	int rc = find_outbox(c, &o, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	if (rc)
		return rc;
	if (outbox_untouched(o))
		return outbox_remove(o, err);
	what = outbox_what(o);
	return err_set(err, E_CONFLICT,
		       "%s is on its way; end that first: series remarks "
		       "--resume",
		       what);
}

int remarks_reply(struct ctx *c, struct remark_list *l, const struct reply_opts *o,
		  struct err *err)
{
	struct job job = { .l = l, .o = o };
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	char *file _cleanup_free_ = NULL;
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
		rc = look_for_another(c, err);
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
		rc = deliver(c, o, q, err);
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
