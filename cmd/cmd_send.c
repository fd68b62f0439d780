// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series send: post the draft, or go on with a posting that was interrupted.
 */
#include <string.h>

#include "ask.h"
#include "cmd.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/post.h"
#include "series/progress.h"

struct send_opts {
	bool dry_run, yes, allow_emulated, rfc, resume, give_up;
	struct strvec to, cc, skip_rcpt;
	int version;
	const char *in_reply_to, *unsure;
};

static void put_addrs(const char *head, const struct addrs *a, struct buf *out)
{
	for (size_t i = 0; i < a->n; i++) {
		buf_printf(out, "%s: ", head);
		addr_show(&a->v[i], out);
		buf_putc(out, '\n');
	}
}

/* Who gets which mails. */
static void summary(const struct post *p, struct buf *out)
{
	for (size_t i = 0; i < p->outbox->n_mails; i++)
		buf_printf(out, "%s\n", p->outbox->mails[i].subject);
	buf_puts(out, "From: ");
	addr_show(&p->from, out);
	buf_putc(out, '\n');
	put_addrs("To", &p->to.to, out);
	put_addrs("Cc", &p->to.cc, out);
	findings_show(&p->findings, out);
}

static void show_mails(const struct post *p, struct buf *out)
{
	for (size_t i = 0; i < p->outbox->n_mails; i++) {
		buf_addstr(out, buf_str(&p->outbox->mails[i].data));
		buf_putc(out, '\n');
	}
}

static int report_sent(struct ctx *c, const struct outbox *o, const struct delivery *d)
{
	const struct version *v = &o->version;

	out_printf(&c->out, "v%d sent: %zu mail%s to %s\n", v->n, o->n_mails,
		   o->n_mails == 1 ? "" : "s", v->transport ? v->transport : "the server");
	out_printf(&c->out, "Message-ID: <%s>\n",
		   v->postings[v->n_postings - 1].message_id);
	for (size_t i = 0; i < d->refused.n; i++) {
		out_puts(&c->out, "a copy was refused: ");
		out_foreign(&c->out, str_c(d->refused.v[i]));
		out_puts(&c->out, "\n");
	}
	return 0;
}

static int deliver(struct ctx *c, struct outbox *o, const struct send_opts *q,
		   struct err *err)
{
	struct delivery_opts how = { .unsure = q->unsure, .skip_rcpt = &q->skip_rcpt };
	struct delivery d = { 0 };
	int rc = post_deliver(c->series, c->config, o, &how, &d, err);

	if (!rc)
		report_sent(c, o, &d);
	delivery_release(&d);
	return rc;
}

/* A posting is on its way: go on with it. */
static int resume(struct ctx *c, struct outbox *o, const struct send_opts *q, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	size_t todo = outbox_count(o, OUTBOX_TODO), unsure = outbox_count(o, OUTBOX_UNSURE);

	buf_printf(&text,
		   "v%d is on its way: %zu of %zu mails were accepted, %zu may have "
		   "arrived, %zu are left.\n",
		   o->version.n, outbox_count(o, OUTBOX_OK), o->n_mails, unsure, todo);
	if (q->dry_run) {
		out_foreign(&c->out, buf_str(&text));
		return 0;
	}
	if (q->give_up) {
		int rc = post_give_up(c->series, o, err);

		if (!rc)
			out_printf(&c->out, "v%d: %zu mails left unsent\n", o->version.n,
				   todo);
		return rc;
	}
	/* Nothing new is decided here unless mails are left and a person can say no. */
	if (todo && !q->yes && !q->resume && !q->unsure && ask_possible() &&
	    !ask_yes(&text, "Send the rest?"))
		return err_set(err, E_FAIL, "nothing more was sent");
	return deliver(c, o, q, err);
}

static int confirm(const struct post *p, const struct send_opts *q, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT, question _cleanup_buf_ = BUF_INIT;

	if (q->yes)
		return 0;
	if (!ask_possible())
		return err_set(err, E_FAIL,
			       "nothing was sent: there is no terminal to ask on; --yes "
			       "sends without asking, --dry-run shows what would go out");
	summary(p, &text);
	buf_printf(&question, "Send %zu mail%s?", p->outbox->n_mails,
		   p->outbox->n_mails == 1 ? "" : "s");
	if (ask_yes(&text, buf_cstr(&question)))
		return 0;
	return err_set(err, intr_pending() ? E_INTR : E_FAIL, "nothing was sent");
}

static int send_draft(struct ctx *c, const struct send_opts *q, struct err *err)
{
	struct post_opts o = { .to = &q->to,
			       .cc = &q->cc,
			       .rfc = q->rfc,
			       .version = q->version,
			       .in_reply_to = q->in_reply_to,
			       .allow_emulated = q->allow_emulated };
	struct post *p _cleanup_post_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = post_prepare(c->series, c->config, &o, &p, err);
	size_t errors;

	if (rc)
		return rc;
	errors = findings_count(&p->findings, SEVERITY_ERROR);
	if (q->dry_run)
		show_mails(p, &text);
	findings_show(&p->findings, &text);
	if (q->dry_run || errors || q->yes)
		out_foreign(&c->out, buf_str(&text));
	if (errors)
		return err_set(err, E_FAIL, "nothing was sent: %zu error%s", errors,
			       errors == 1 ? "" : "s");
	if (q->dry_run)
		return 0;
	rc = confirm(p, q, err);
	if (!rc)
		rc = post_start(c->series, c->config, p->outbox, err);
	return rc ? rc : deliver(c, p->outbox, q, err);
}

/* Take back a posting of which nothing left, and read the series again. */
static int start_afresh(struct ctx *c, struct outbox *o, struct err *err)
{
	char *name _cleanup_free_ = xstrdup(c->series->name);
	struct series *again = NULL;
	int rc = post_give_up(c->series, o, err);

	if (!rc)
		rc = series_load(c->repo, c->config, name, &again, err);
	if (rc)
		return rc;
	series_free(c->series);
	c->series = again;
	progress_note("an earlier attempt ended before anything was sent; starting afresh");
	return 0;
}

static int run_send(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct send_opts *q = opts;
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	struct outbox *o _cleanup_outbox_ = NULL;
	int rc;

	if (!q->dry_run) {
		rc = post_lock(c->series, &lock, err);
		if (rc)
			return rc;
	}
	rc = outbox_find(repo_common_dir(c->repo), c->series->name, &o, err);
	if (rc == E_NOTFOUND) {
		if (q->resume || q->give_up || q->unsure)
			return rc;
		err_release(err);
		return send_draft(c, q, err);
	}
	if (rc)
		return rc;
	if (!outbox_untouched(o) || q->resume || q->give_up || q->dry_run)
		return resume(c, o, q, err);
	rc = start_afresh(c, o, err);
	return rc ? rc : send_draft(c, q, err);
}

static const char *const unsure_choices[] = { "skip", "resend", NULL };

static const struct opt options[] = {
	{ .name = "dry-run", .letter = 'n', .kind = OPT_FLAG,
	  .offset = offsetof(struct send_opts, dry_run),
	  .help = "show what would be sent, write nothing" },
	{ .name = "yes", .letter = 'y', .kind = OPT_FLAG,
	  .offset = offsetof(struct send_opts, yes), .help = "do not ask" },
	{ .name = "to", .kind = OPT_LIST, .offset = offsetof(struct send_opts, to),
	  .arg = "ADDRESS", .help = "one more recipient, for this posting" },
	{ .name = "cc", .kind = OPT_LIST, .offset = offsetof(struct send_opts, cc),
	  .arg = "ADDRESS", .help = "one more recipient of copies, for this posting" },
	{ .name = "rfc", .kind = OPT_FLAG, .offset = offsetof(struct send_opts, rfc),
	  .help = "RFC in front of PATCH" },
	{ .name = "version", .letter = 'v', .kind = OPT_INT, .lo = 1, .hi = 9999,
	  .offset = offsetof(struct send_opts, version), .arg = "N",
	  .help = "number of the version (default: the draft's)" },
	{ .name = "in-reply-to", .kind = OPT_STRING,
	  .offset = offsetof(struct send_opts, in_reply_to), .arg = "ID",
	  .help = "answer this mail instead of starting a thread" },
	{ .name = "allow-emulated", .kind = OPT_FLAG,
	  .offset = offsetof(struct send_opts, allow_emulated),
	  .help = "results of an emulated machine may go out" },
	{ .name = "resume", .kind = OPT_FLAG, .offset = offsetof(struct send_opts, resume),
	  .help = "only go on with an interrupted posting" },
	{ .name = "unsure", .kind = OPT_CHOICE, .offset = offsetof(struct send_opts, unsure),
	  .arg = "WHAT", .choices = unsure_choices,
	  .help = "what to do with mails that may have arrived" },
	{ .name = "skip-rcpt", .kind = OPT_LIST,
	  .offset = offsetof(struct send_opts, skip_rcpt), .arg = "ADDRESS",
	  .help = "send this recipient no copy; the mails still name it" },
	{ .name = "give-up", .kind = OPT_FLAG, .offset = offsetof(struct send_opts, give_up),
	  .help = "leave the rest of an interrupted posting unsent" },
	OPT_END,
};

const struct cmd cmd_send = {
	.name = "send",
	.group = "post",
	.summary = "post the draft by mail",
	.synopsis = "",
	.about =
		"Makes the mails with git format-patch and the cover letter, looks for what "
		"speaks against sending them, shows a summary and asks. Errors (no "
		"recipients, no cover letter, a commit message that git am would cut, results "
		"of an emulated machine, commits that were sent already and no --version) stop "
		"it; warnings are shown with the question. "
		"Without a terminal nothing is sent unless --yes is given.\n\n"
		"Mails leave as git send-email would send them: by the server of "
		"sendemail.smtpServer (smtpServerPort, smtpEncryption, smtpSSLCertPath, "
		"smtpDomain, smtpUser, smtpAuth, smtpBatchSize, smtpReloginDelay), or by a "
		"program when that is a path or sendemail.sendmailCmd is set "
		"(smtpServerOption, envelopeSender); sendemail.identity chooses among "
		"several. The password is sendemail.smtpPass, else that of git's credential "
		"helpers, which may ask; they hear whether it was right.\n\n"
		"Before the first byte goes out the mails are on disk and the version number "
		"is taken. What the server accepted is never sent again: after an interrupt, "
		"a lost connection or a refusal the same command goes on with the rest. A "
		"mail whose text went out and whose reply never came may have arrived; then "
		"the command stops, says which, and --unsure decides.\n\n"
		"A copy (Cc) that the server does not take is listed at the end, and the "
		"others get theirs. When it refuses an address of To, the posting stops; "
		"--skip-rcpt leaves that address out of the envelope, and the mails stay as "
		"they are.",
	.examples = "series send --dry-run\n\tShow the mails\n"
		    "series send --to linux-mm@kvack.org\n\tPost the draft, after a question\n"
		    "series send --unsure=skip\n\tThe mail in question is on the list; go on\n",
	.opts = options,
	.opts_size = sizeof(struct send_opts),
	.flags = CMD_SERIES,
	.run = run_send,
};
