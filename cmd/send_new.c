// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * send_new.c - see send_new.h.
 */
#include "fixup_text.h"
#include "send_new.h"
#include "send_print.h"
#include "series/check.h"

int send_deliver(struct ctx *c, struct outbox *o, const struct send_opts *q,
		 struct err *err)
{
	struct delivery_opts how = { .unsure = q->unsure, .skip_rcpt = &q->skip_rcpt };
	struct delivery d = { 0 };
	int rc = post_deliver(c->series, c->config, o, &how, &d, err);

	if (!rc)
		send_report(c, o, &d);
	delivery_release(&d);
	return rc;
}

static int prepare(struct ctx *c, const struct send_opts *q, struct fix *fix,
		   const char *message, struct post **ret, struct err *err)
{
	struct post_opts o = {
		.to = &q->to,
		.cc = &q->cc,
		.rfc = q->rfc,
		.prefixes = q->prefixes.n || q->no_prefix ? &q->prefixes : NULL,
		.version = q->version,
		.in_reply_to = q->in_reply_to,
		.allow_emulated = q->allow_emulated,
		.resend = q->resend,
		.reflect = q->reflect,
		.preview = &q->preview,
		.no_signature = q->no_signature,
		.fix = fix,
		.message = message,
	};
	struct checks all _cleanup_checks_ = { 0 };
	int rc = q->resend || fix ? 0 : series_find_patches(c->series, c->config, err);

	if (!rc && (q->reflect || q->preview.n) && !q->dry_run)
		rc = post_drop_rehearsal(c->series, err);
	if (!rc)
		rc = post_prepare(c->series, c->config, &o, ret, err);
	if (rc || q->no_verify)
		return rc;
	return check_posting(c->series, c->config, *ret, q->resend, NULL, &all, err);
}

static int send_it(struct ctx *c, const struct send_opts *q, struct fix *fix,
		   const char *message, struct err *err)
{
	struct post *p _cleanup_post_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = prepare(c, q, fix, message, &p, err);
	size_t errors;

	if (rc)
		return rc;
	errors = findings_count(&p->findings, SEVERITY_ERROR);
	if (q->dry_run) {
		send_summary(c, p, &text);
		buf_putc(&text, '\n');
		send_show_mails(p, &text);
	}
	findings_show(&p->findings, &text);
	if (q->dry_run || errors || q->yes)
		out_foreign(&c->out, buf_str(&text));
	if (errors)
		return err_set(err, E_FAIL, "nothing was sent: %zu error%s", errors,
			       errors == 1 ? "" : "s");
	if (q->dry_run)
		return 0;
	rc = q->yes ? 0 : send_confirm(c, p, err);
	if (!rc)
		rc = post_start(c->series, c->config, p->outbox, err);
	return rc ? rc : send_deliver(c, p->outbox, q, err);
}

static int send_fix(struct ctx *c, struct fix *f, const char *message, void *arg,
		    struct err *err)
{
	return send_it(c, arg, f, message, err);
}

int send_new(struct ctx *c, const struct send_opts *q, struct err *err)
{
	bool rehearsal = q->dry_run || q->reflect || q->preview.n;

	if (q->fixup)
		return fixup_with_text(c, q->fixup, q->message, rehearsal, send_fix,
				       (void *)q, err);
	return send_it(c, q, NULL, NULL, err);
}
