// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series show: a thread of mails, from a file or from an archive.
 */
#include "series/fetch.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/sanitize.h"
#include "series/time.h"
#include "cmd.h"
#include "show_posted.h"
#include "show_print.h"
#include "source.h"

struct show_opts {
	bool raw, tree, single;
	struct source_opts source;
};

/* --single: nothing but the mail that was asked for, or the first of a file. */
static int keep_one(struct thread *t, const char *id, struct err *err)
{
	size_t at = id ? thread_find(t, id) : t->n ? t->order[0] : 0;

	if (at >= t->n)
		return err_set(err, E_NOTFOUND, "<%s> is not in its own thread", id);
	thread_keep(t, at);
	return 0;
}

/* What was posted stands above the mails. */
static void show(struct ctx *c, const struct show_opts *o, const struct thread *t,
		 const char *id)
{
	struct posted p _cleanup_posted_ = { 0 };
	struct show_review r _cleanup_show_review_ = { 0 };

	if (o->raw && !c->json) {
		show_raw(&c->out, t);
		return;
	}
	if (o->tree && !c->json) {
		show_tree(&c->out, t);
		return;
	}
	posted_find(t, &p);
	show_review_find(t, &p, id, &r);
	if (c->json) {
		c->out.json = show_json(t);
		json_set(c->out.json, "series", posted_json(&r));
		json_set(c->out.json, "possible", possible_json(t, &p));
		return;
	}
	if (t->n > 1)
		show_posted(&c->out, &r);
	show_thread(&c->out, t);
}

static int run_show(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct show_opts *o = opts;
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct thread t _cleanup_thread_ = { 0 };
	char *id _cleanup_free_ = NULL;
	int rc = source_open(c, &o->source, args->v[0], &src, &id, err), late;

	if (rc)
		return rc;
	late = thread_read(&t, src, err);
	if (late == E_INTR)
		return late;
	if (!t.n)
		return late ? late
			    : err_set(err, E_FAIL, "%s: there is no mail in it",
				      args->v[0]);
	thread_link(&t);
	if (o->single)
		rc = keep_one(&t, id, err);
	if (rc)
		return rc;
	show(c, o, &t, id);
	/* Half a file is shown, and is an error all the same. */
	return late ? late : mailsrc_check(src, err);
}

static const struct opt opts[] = {
	{ .name = "tree",
	  .letter = 't',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct show_opts, tree),
	  .help = "only who replies to whom",
	  .also = "overview" },
	{ .name = "single",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct show_opts, single),
	  .help = "only the mail itself, not its thread",
	  .also = "single-message one" },
	{ .name = "raw",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct show_opts, raw),
	  .help = "the mails as they came; several as an mbox (mboxrd)",
	  .also = "mbox" },
	{ .name = "offline",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct show_opts, source.offline),
	  .help = "ask no server: take what was fetched before",
	  .also = "no-network cached" },
	{ .name = "mboxo",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct show_opts, source.mboxo),
	  .help = "in the file \">From \" stands for \"From \" (not for mboxes of git or "
		  "public-inbox)" },
	OPT_END
};

const struct cmd cmd_show = {
	.name = "show",
	.group = "maintain",
	.summary = "show a thread of mails",
	.synopsis = "MESSAGE-ID|LINK|MBOX|MAILDIR|-",
	.about =
		"Shows the mails of a thread in the order of replies, with who replies "
		"to "
		"whom in front. It comes from a file (an mbox, gzipped or not, a "
		"Maildir, a folder of *.patch or *.eml files in the order of their names, a "
		"single mail, \"-\" for standard input) or, by Message-ID or link, from "
		"a "
		"public-inbox server: series.midmask, else b4.midmask, else "
		"lore.kernel.org; where that is out of reach, from a mirror here.\n\n"
		"Above the mails stands what was posted: each series with its versions, "
		"patches that are missing, that a partial reroll takes from the version "
		"before, or that were sent again. \"uncertain\" is a version that "
		"neither a change-id nor a link, a reply or a Message-ID ties to the one "
		"before, and whose title is another or whose patches mostly are.\n\n"
		"Below the versions stands what came back, by patch of the newest "
		"version, or of the version that the mail which was asked for is of: "
		"tags, with what stands against them in brackets (the version they were "
		"given to, a condition, \"part\", \"taken back\", who sent it), what "
		"robots "
		"report, and remarks, the open ones with file, line and first words. A "
		"patch of an older version is the one that has its patch-id or title "
		"now; of those that are gone it stands last, under the version that had "
		"them. \"says\" is what the mails of that version claim to gain or to "
		"cost, in words (\"33% faster\") or by numbers before and after, with the "
		"change, and Welch's p where there are runs, or n and a standard deviation: "
		"nothing of it was measured here. \"review\" of --json has all of it in "
		"full.\n\n"
		"Whatever encoding, charset or nesting a mail has, its text is shown as "
		"UTF-8; "
		"what had to be guessed is in \"notes\" of --json. A thread that was "
		"fetched is kept for half a year, and shown again when the server is "
		"out of reach.",
	.examples = "series show 20261130120000.1-series-v2-0@example.org\n"
		    "\tThe thread of a mail.\n"
		    "series show --raw --single https://lore.kernel.org/r/ID/ | git am\n"
		    "\tA patch as it was sent.\n"
		    "series show - --tree <thread.mbox\n"
		    "\tWho replied to whom, for example by a pipe from mutt.\n",
	.opts = opts,
	.opts_size = sizeof(struct show_opts),
	.flags = CMD_MAYBE_REPO | CMD_JSON,
	.min_args = 1,
	.max_args = 1,
	.complete = "file",
	.run = run_show,
};
