// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * one_mail.c - see one_mail.h.
 */
#include "one_mail.h"
#include "send_print.h"
#include "series/mem.h"

int one_mail_lock(struct ctx *c, const char *outbox, const char *what, struct lock *l,
		  struct err *err)
{
	char *path _cleanup_free_ = outbox_lock_path(repo_common_dir(c->repo), outbox);
	int rc = lock_take(l, path, what, 0, err);

	return rc == E_LOCKED ? err_context(err, "another %s is being sent", what) : rc;
}

int one_mail_free(struct ctx *c, const char *outbox, struct err *err)
{
	struct outbox *o _cleanup_outbox_ = NULL;
	char *what _cleanup_free_ = NULL;
	int rc = outbox_find(repo_common_dir(c->repo), outbox, &o, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	if (rc)
		return rc;
	if (outbox_untouched(o))
		return outbox_remove(o, err);
	what = outbox_what(o);
	return err_set(err, E_CONFLICT, "%s is on its way; end that first: %s --resume",
		       what, outbox_command(o));
}

int one_mail_deliver(struct ctx *c, struct series *s, struct outbox *o,
		     const char *unsure, struct err *err)
{
	struct delivery_opts how = { .unsure = unsure };
	struct delivery d = { 0 };
	int rc = post_deliver(s, c->config, o, &how, &d, err);

	if (!rc)
		send_report(c, o, &d);
	delivery_release(&d);
	return rc;
}

int one_mail_send(struct ctx *c, struct series *s, struct post *p, bool dry_run, bool yes,
		  struct err *err)
{
	struct buf shown _cleanup_buf_ = BUF_INIT;
	int rc = 0;

	if (dry_run) {
		send_summary(c, p, &shown);
		buf_putc(&shown, '\n');
		send_show_mails(p, &shown);
		out_foreign(&c->out, buf_str(&shown));
		return 0;
	}
	if (!yes)
		rc = send_confirm(c, p, err);
	if (!rc)
		rc = post_start(s, c->config, p->outbox, err);
	return rc ? rc : one_mail_deliver(c, s, p->outbox, NULL, err);
}
