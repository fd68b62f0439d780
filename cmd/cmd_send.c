// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series send: post the draft, or go on with a posting that was interrupted.
 */
#include <string.h>

#include "ask.h"
#include "send_new.h"
#include "send_print.h"
#include "series/mem.h"
#include "series/progress.h"

/* A posting is on its way: go on with it. */
static int resume(struct ctx *c, struct outbox *o, const struct send_opts *q, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *what _cleanup_free_ = outbox_what(o);
	size_t todo = outbox_count(o, OUTBOX_TODO), unsure = outbox_count(o, OUTBOX_UNSURE);

	buf_printf(&text,
		   "%s is on its way: %zu of %zu mails were accepted, %zu may have "
		   "arrived, %zu are left.\n",
		   what, outbox_count(o, OUTBOX_OK), o->n_mails, unsure, todo);
	if (q->dry_run) {
		out_foreign(&c->out, buf_str(&text));
		return 0;
	}
	if (q->give_up) {
		int rc = post_give_up(c->series, o, err);

		if (!rc)
			out_printf(&c->out, "%s: %zu mails left unsent\n", what, todo);
		return rc;
	}
	/* Nothing new is decided here unless mails are left and a person can say no. */
	if (todo && !q->yes && !q->resume && !q->unsure && ask_possible() &&
	    !ask_yes(&text, "Send the rest?"))
		return err_set(err, E_FAIL, "nothing more was sent");
	return send_deliver(c, o, q, err);
}

/* Take back a posting of which nothing left, and read the series again. */
static int start_afresh(struct ctx *c, struct outbox *o, struct err *err)
{
	char *name _cleanup_free_ = xstrdup(c->series->name);
	struct series *again = NULL;
	int rc = post_give_up(c->series, o, err);

	if (!rc)
		rc = series_open(c->repo, c->config, name, &again, err);
	if (rc)
		return rc;
	series_free(c->series);
	c->series = again;
	progress_note("an earlier attempt ended before anything was sent; starting afresh");
	return 0;
}

static int check_options(const struct send_opts *q, struct err *err)
{
	bool goes_on = q->resume || q->give_up || q->unsure;
	bool rehearsal = q->reflect || q->preview.n;
	const char *starts = q->resend	? "--resend"
			     : q->fixup	? "--fixup"
			     : q->reflect ? "--reflect"
					  : "--preview-to";

	if (q->message && !q->fixup)
		return err_set(err, E_USAGE,
			       "--message is the text of a fix: it goes with --fixup=K");
	if (q->fixup && (q->resend || q->rfc || q->version || q->prefixes.n ||
			 q->no_prefix || q->allow_emulated))
		return err_set(err, E_USAGE,
			       "--fixup is for a version as it was posted: --resend, --rfc, "
			       "--prefix, --version and --allow-emulated do not go with it");
	if (q->reflect && q->preview.n)
		return err_set(err, E_USAGE,
			       "--reflect sends to you, --preview-to to others: one of them");
	if (goes_on && (rehearsal || q->resend || q->fixup))
		return err_set(err, E_USAGE,
			       "%s starts a posting; --resume, --give-up and --unsure go on "
			       "with one",
			       starts);
	if (q->no_prefix && q->prefixes.n)
		return err_set(err, E_USAGE, "--prefix and --no-prefix exclude each other");
	return 0;
}

static int run_send(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct send_opts *q = opts;
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	struct outbox *o _cleanup_outbox_ = NULL;
	int rc = check_options(q, err);

	if (rc)
		return rc;
	if (!q->dry_run) {
		rc = post_lock(c->series, &lock, err);
		if (rc)
			return rc;
	}
	if (q->reflect || q->preview.n) /* whatever else is on its way */
		return send_new(c, q, err);
	rc = outbox_find(repo_common_dir(c->repo), c->series->name, &o, err);
	if (rc == E_NOTFOUND) {
		if (q->resume || q->give_up || q->unsure)
			return rc;
		err_release(err);
		return send_new(c, q, err);
	}
	if (rc)
		return rc;
	if ((q->resend || q->fixup) && !outbox_untouched(o))
		return send_busy(o, err);
	if (!outbox_untouched(o) || q->resume || q->give_up || q->dry_run)
		return resume(c, o, q, err);
	rc = start_afresh(c, o, err);
	return rc ? rc : send_new(c, q, err);
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
	{ .name = "prefix", .kind = OPT_LIST, .offset = offsetof(struct send_opts, prefixes),
	  .arg = "WORD",
	  .help = "a word behind PATCH, for this posting instead of the stored ones" },
	{ .name = "no-prefix", .kind = OPT_FLAG,
	  .offset = offsetof(struct send_opts, no_prefix),
	  .help = "none of the stored words, for this posting" },
	{ .name = "resend", .kind = OPT_OPTIONAL, .offset = offsetof(struct send_opts, resend),
	  .arg = "vN",
	  .help = "post a version again as it went out, the last one unless named" },
	{ .name = "fixup", .kind = OPT_INT, .lo = 1, .hi = SERIES_MAX_PATCHES,
	  .complete = "posted", .offset = offsetof(struct send_opts, fixup), .arg = "K",
	  .help = "post a fix for patch K of the last version, which a tree has taken" },
	{ .name = "message", .letter = 'm', .kind = OPT_STRING,
	  .offset = offsetof(struct send_opts, message), .arg = "TEXT",
	  .help = "what the fix says" },
	{ .name = "reflect", .kind = OPT_FLAG, .offset = offsetof(struct send_opts, reflect),
	  .help = "send the mails to yourself only, record nothing" },
	{ .name = "preview-to", .kind = OPT_LIST,
	  .offset = offsetof(struct send_opts, preview), .arg = "ADDRESS",
	  .help = "send the mails to ADDRESS only, record nothing" },
	{ .name = "version", .letter = 'v', .kind = OPT_INT, .lo = 1, .hi = 9999,
	  .offset = offsetof(struct send_opts, version), .arg = "N",
	  .help = "number of the version (default: the draft's)" },
	{ .name = "in-reply-to", .kind = OPT_STRING,
	  .offset = offsetof(struct send_opts, in_reply_to), .arg = "ID",
	  .help = "answer this mail instead of starting a thread" },
	{ .name = "no-signature", .kind = OPT_FLAG,
	  .offset = offsetof(struct send_opts, no_signature),
	  .help = "no signature, whatever format.signature says" },
	{ .name = "no-verify", .kind = OPT_FLAG,
	  .offset = offsetof(struct send_opts, no_verify),
	  .help = "without the checks of series check" },
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
	.summary = "post the draft, or a version again",
	.synopsis = "",
	.about =
		"Makes the mails with git format-patch and the cover letter, looks for what "
		"speaks against sending them, shows a summary and asks. Errors (no "
		"recipients, no cover letter, a commit message that git am would cut, results "
		"of an emulated machine, commits that were sent already and no --version) stop "
		"it; warnings are shown with the question. The same holds for what \"series "
		"check\" finds, unless --no-verify is given. "
		"Without a terminal nothing is sent unless --yes is given.\n\n"
		"The number of the version is one more than the last; -v may skip some, "
		"and never goes back. After RFCs -v 1 begins again: they become rfc1, rfc2 "
		"and so on, and the next posting is v1. A version starts a thread of its own, "
		"or replies to the one before when series.thread is reply; patches reply to "
		"their cover letter, or each to the one before when git's "
		"sendemail.chainReplyTo is set or format.thread is deep.\n\n"
		"--resend posts the commits of a version again, those that were pinned when "
		"it went out, whatever became of the branch. Its cover letter, changelog and "
		"notes are taken from the mails that the state keeps; who gets it is what "
		"\"series recipients\" says now, and who would miss it is named. The "
		"subjects begin with RESEND, the Message-IDs and the thread are new, and the "
		"version has one posting more.\n\n"
		"--fixup posts what changed in the code of patch K since the last version "
		"was posted, for a tree that has that version already and folds corrections "
		"in, as -mm does: amend the patch, or git commit --fixup=COMMIT on top of "
		"the branch. It is one mail, a patch on top of all that was posted (earlier "
		"fixes too), in reply to the mail of patch K, to those who got it and --to "
		"and --cc. Its title is that of the patch with \"fix\" behind it, \"fix 2\" "
		"the next time, its number one more than the version has patches. What it "
		"says are the texts of the fixup! commits, or --message, or what is written "
		"in an editor. Changes to other patches are named and left for a fix of their "
		"own. It is no new version; \"series log\" shows it.\n\n"
		"--reflect and --preview-to are for looking at the mails before others do: "
		"the same mails by the same way, the first with To: and Cc: as they will "
		"be, the second with To: replaced and no Cc:. No version is taken, nothing "
		"is recorded, and a failure leaves nothing to go on with.\n\n"
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
		    "series send --reflect\n\tThe mails in your own mailbox first\n"
		    "series send --resend=v2 --cc maintainer@example.org\n\tv2 once more\n"
		    "series send --fixup=3 --reflect\n\tA fix for patch 3, to you first\n"
		    "series send --unsure=skip\n\tThe mail in question is on the list; go on\n",
	.opts = options,
	.opts_size = sizeof(struct send_opts),
	.flags = CMD_REPO | CMD_DOCS,
	.run = run_send,
};
