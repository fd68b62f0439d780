// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series am: patches that somebody posted, applied with the tags that replies gave them.
 */
#include "am_do.h"
#include "posted_mails.h"

static int run_am(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct am_cmd *q = opts;
	struct posted_mails m _cleanup_posted_mails_ = { .id = NULL };
	struct am a _cleanup_am_ = { .repo = NULL };
	struct am_opts o = { .version = q->version,
			     .asked = NO_MAIL,
			     .patches = q->patches,
			     .take = &q->take,
			     .no_tags = q->no_tags,
			     .link = q->link,
			     .msgid = q->msgid };
	struct place at;
	int rc;

	if (q->link && q->msgid)
		return err_set(err, E_USAGE, "--link and --msgid: one of them will do");
	if (c->json && !q->check)
		return err_set(err, E_USAGE, "--json goes with --check");
	if (q->go_on || q->abort)
		return args->n ? err_set(err, E_USAGE,
					 "--continue and --abort go on with "
					 "what is there; they take no mails")
			       : am_go_on(c, q, err);
	if (!args->n)
		return err_set(err, E_USAGE,
			       "what is to be applied? give a Message-ID, an "
			       "mbox, or \"-\" for standard input");
	if (q->resolve && (q->branch || q->here))
		return err_set(err, E_USAGE,
			       "--resolve is for the branch that is checked "
			       "out; -b and --here do not go with it");
	if (q->base && !q->branch && !q->check)
		return err_set(err, E_USAGE,
			       "--base goes with -b BRANCH, which begins there, or with "
			       "--check, which tries it there");
	rc = posted_mails_load(c, args->v[0], args->n > 1 ? args->v[1] : NULL, &q->source,
			       &m, err);
	if (rc)
		return rc;
	if (m.id &&
	    posted_target(&m.thread, m.posted.place, thread_find(&m.thread, m.id), &at))
		o.asked = at.version;
	rc = am_open(c->repo, c->config, &m.thread, &m.posted, m.series, &o, &a, err);
	return rc ? rc : am_do(c, &a, q, err);
}

static const struct opt am_options[] = {
	{ .name = "version",
	  .letter = 'v',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct am_cmd, version),
	  .arg = "N",
	  .help = "this version (2, 5.1, rfc1), not the newest complete one" },
	{ .name = "patches",
	  .letter = 'P',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct am_cmd, patches),
	  .arg = "LIST",
	  .help = "these patches alone: 1,3-5",
	  .also = "cherry-pick" },
	{ .name = "signoff",
	  .letter = 's',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, signoff),
	  .help = "add your Signed-off-by, as git am -s does",
	  .also = "add-my-sob" },
	{ .name = "no-tags",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, no_tags),
	  .help = "messages as they were posted, without tags of replies",
	  .also = "no-trailers no-add-trailers" },
	{ .name = "take",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct am_cmd, take),
	  .arg = "ADDRESS",
	  .help = "take this person's tags whatever speaks against it (conditional, for "
		  "a "
		  "part, the patch changed); may be repeated" },
	{ .name = "nak-ok",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, nak_ok),
	  .help = "apply it though somebody refused it",
	  .also = "force" },
	{ .name = "link",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, link),
	  .help = "add \"Link:\" to each patch's mail, by series.linkmask",
	  .also = "add-link" },
	{ .name = "msgid",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, msgid),
	  .help = "add \"Message-ID:\" of each patch's mail",
	  .also = "add-message-id message-id" },
	{ .name = "branch",
	  .letter = 'b',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct am_cmd, branch),
	  .arg = "BRANCH",
	  .help = "on a new branch, begun where the patches apply" },
	{ .name = "base",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct am_cmd, base),
	  .arg = "REF",
	  .complete = "ref",
	  .help = "with -b: begin it there; with --check: try it there" },
	{ .name = "here",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, here),
	  .help = "begin here, conflict or not, though all patches apply elsewhere",
	  .also = "force-here" },
	{ .name = "resolve",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, resolve),
	  .help = "a conflict is for a work tree apart, which is thrown away" },
	{ .name = "continue",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, go_on),
	  .help = "take over what was resolved in that work tree" },
	{ .name = "abort",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, abort),
	  .help = "throw that work tree away" },
	{ .name = "check",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, check),
	  .help = "apply nothing: say what would be, and what speaks against it",
	  .also = "dry-run" },
	{ .name = "offline",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, source.offline),
	  .help = "ask no server: take what was fetched before",
	  .also = "no-network" },
	{ .name = "mboxo",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct am_cmd, source.mboxo),
	  .help = "in the file \">From \" stands for \"From \" (not for mboxes of git or "
		  "public-inbox)" },
	OPT_END
};

const struct cmd cmd_am = {
	.name = "am",
	.group = "maintain",
	.summary = "apply what somebody posted, with its tags",
	.synopsis = "MESSAGE-ID|LINK|MBOX|MAILDIR|- [MESSAGE-ID]",
	.about =
		"Applies a series that was posted to the branch that is checked out: the "
		"newest version that is complete, a reroll of some patches put together "
		"with the version before. It comes from a public-inbox server by "
		"Message-ID or link, from an mbox, a Maildir, a folder of *.patch or *.eml "
		"files, or from standard input; "
		"there a single mail, as a mail reader pipes it, stands for its thread. "
		"Of a Message-ID or a piped mail newer versions are looked for in other "
		"threads: the archive is searched for the title by the same author and for "
		"the change-id, and mirrors here (series mirror) are looked into; where the "
		"archive is out of reach, a mirror has the thread. A "
		"version with patches that are not here is an error that names them.\n\n"
		"Tags in replies (Reviewed-by, Acked-by, Tested-by) go into the "
		"messages, "
		"in the order they came (series.tags.trailer-order); one for the cover "
		"into each. One that was given to an older version counts when the patch "
		"is the same, a Tested-by when all patches are. What is conditional, for "
		"a part, for a patch that changed, sent by somebody else, or merely "
		"offered (Reported-by, Suggested-by) is listed, and asked about on a "
		"terminal; --take ADDRESS says yes beforehand. Robots give no tags. A "
		"NAK "
		"of this version, or of a patch that is the same in it, is an error "
		"unless --nak-ok is given; one of what changed since is told.\n\n"
		"Before anything is touched the patches are tried in a room apart. Then "
		"git am -3 gets them, so that hooks and signatures are as always, the "
		"messages are those of git am, and a conflict is left as git am leaves "
		"it: git am --continue and --abort go on. A patch whose change is there "
		"already is named and left out; the commits are counted.\n\n"
		"Where they do not apply, the commit that they were made for is looked "
		"for: their base-commit, else the newest that has the files which the "
		"diffs name, else the main branches. If they apply there, nothing is "
		"begun and that is said; -b BRANCH makes a branch there and applies "
		"them, "
		"--here begins here. If they apply nowhere, git am begins and stops at "
		"the conflict.\n\n"
		"With --resolve the conflict is left in a work tree apart, which holds "
		"the "
		"folders that the patches touch, and your own stays as it is. Its path "
		"is "
		"said: resolve the conflict there, git am --continue; then series am "
		"--continue in your own takes the commits over, if the branch has not "
		"moved, and the other goes. series am --abort throws it away.\n\n"
		"--check applies nothing. It says what would be applied, and whose "
		"signatures "
		"the mails have: DKIM-Signature is shown and never verified, "
		"X-Developer-Signature is if patatt is installed. Its exit status is 2 "
		"when there is something to decide.",
	.findings = "With --check: a patch does not apply or is there already, a tag is "
		    "left out, or there is something to know of the mails.",
	.examples = "series am 20261130120000.1-0@example.org\n"
		    "\tThe newest version of the series that the mail is of.\n"
		    "series am -s --link -P 1,3-5 thread.mbox\n"
		    "\tSome patches of it, signed off, with links to their mails.\n"
		    "series am --check - <mail\n"
		    "\tWhat would be applied; for example by a pipe from mutt.\n",
	.opts = am_options,
	.opts_size = sizeof(struct am_cmd),
	.flags = CMD_REPO | CMD_JSON,
	.max_args = 2,
	.complete = "file",
	.run = run_am,
};
