// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series remarks: what reviewers asked, and what is still open.
 */
#include <stdlib.h>
#include "remarks_decide.h"
#include "remarks_print.h"
#include "remarks_reply.h"
#include "reports_print.h"
#include "series/mem.h"

struct remarks_opts {
	bool all;
	struct strvec show, reply, answered, done, open;
	const char *in;
	struct reply_opts send;
};

/* What is to be done with the ids; more of them may stand behind it. */
struct action {
	const char *name;
	const struct strvec *ids;
};

static int choose(const struct remarks_opts *q, struct action *ret, struct err *err)
{
	const struct action all[] = { { "--show", &q->show },
				      { "--reply", &q->reply },
				      { "--answered", &q->answered },
				      { "--done", &q->done },
				      { "--open", &q->open } };

	*ret = (struct action){ NULL, NULL };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (!all[i].ids->n)
			continue;
		if (ret->name)
			return err_set(err, E_USAGE, "%s and %s exclude each other",
				       ret->name, all[i].name);
		*ret = all[i];
	}
	return 0;
}

/* A program reads no answer, and what it wrote is not kept whole. */
static int no_reply(const struct remarks_chosen *l, int digits, struct err *err)
{
	const struct review_report *p = l->n_reports ? l->report[0] : NULL;

	if (!p)
		return 0;
	return err_set(err, E_USAGE,
		       "%.*s is a report of %s; --reply is for remarks. Say --done or "
		       "--answered, or answer <%s> in your mail program",
		       digits, p->id, p->robot, p->message_id);
}

static int act(struct ctx *c, const struct remarks_opts *q, const struct review *r,
	       const struct action *a, struct err *err)
{
	struct remarks_chosen l _cleanup_(remarks_chosen_release) = { .n_reports = 0 };
	int rc = remarks_choose(r, a->ids, &l, err);

	if (!rc && q->reply.n)
		rc = no_reply(&l, review_digits(r), err);
	if (rc)
		return rc;
	if (q->reply.n)
		return remarks_reply(c, &l.remarks, &q->send, err);
	if (!q->show.n)
		return remarks_decide(c,
				      &(struct remarks_decision){ .answered = q->answered.n,
								  .open = q->open.n,
								  .done = q->done.n,
								  .in = q->in },
				      &l, review_digits(r), err);
	for (size_t i = 0; i < l.remarks.n; i++) {
		out_puts(&c->out, i ? "\n" : "");
		remark_show(c, r, l.remarks.v[i]);
	}
	for (size_t i = 0; i < l.n_reports; i++) {
		out_puts(&c->out, i || l.remarks.n ? "\n" : "");
		report_show(c, r, l.report[i]);
	}
	return 0;
}

static int run_remarks(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct remarks_opts *q = opts;
	struct review r _cleanup_review_ = { .n_tags = 0 };
	struct action a;
	int rc = choose(q, &a, err);

	if (rc)
		return rc;
	if (args->n && !a.name)
		return err_set(err, E_USAGE,
			       "what about %s? --show, --reply, --answered "
			       "or --done stands in front",
			       args->v[0]);
	if (q->in && !q->done.n)
		return err_set(err, E_USAGE, "--in goes with --done");
	if (q->send.resume || q->send.give_up || q->send.unsure)
		return a.name ? err_set(err, E_USAGE,
					"%s starts something; --resume, "
					"--give-up and --unsure go on with a reply",
					a.name)
			      : remarks_resume(c, &q->send, err);
	if (a.ids)
		strvec_extend((struct strvec *)a.ids, args);
	rc = review_load(c->series, &r, err);
	if (!rc && a.name)
		rc = act(c, q, &r, &a, err);
	else if (!rc && c->json)
		c->out.json = remarks_json(c, &r, q->all);
	else if (!rc)
		remarks_list(c, &r, q->all);
	return rc;
}

static const char *const unsure_choices[] = { "skip", "resend", NULL };

static const struct opt options[] = {
	{ .name = "all",
	  .letter = 'a',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct remarks_opts, all),
	  .help = "also those that are answered or done" },
	{ .name = "show",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct remarks_opts, show),
	  .arg = "ID",
	  .complete = "remark",
	  .help = "show it whole, with what it is about",
	  .also = "view print" },
	{ .name = "reply",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct remarks_opts, reply),
	  .arg = "ID",
	  .complete = "remark",
	  .help = "write a reply in the editor and send it",
	  .also = "answer respond" },
	{ .name = "answered",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct remarks_opts, answered),
	  .arg = "ID",
	  .complete = "remark",
	  .help = "it was answered elsewhere" },
	{ .name = "done",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct remarks_opts, done),
	  .arg = "ID",
	  .complete = "remark",
	  .help = "the draft does what it asks for",
	  .also = "fixed resolve close" },
	{ .name = "in",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct remarks_opts, in),
	  .arg = "vN",
	  .complete = "version",
	  .help = "--done in this version, not the draft" },
	{ .name = "open",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct remarks_opts, open),
	  .arg = "ID",
	  .complete = "remark",
	  .help = "take back --answered and --done",
	  .also = "reopen undo" },
	{ .name = "dry-run",
	  .letter = 'n',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct remarks_opts, send.dry_run),
	  .help = "show the reply and keep it, send nothing" },
	{ .name = "yes",
	  .letter = 'y',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct remarks_opts, send.yes),
	  .help = "send the reply without asking" },
	{ .name = "resume",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct remarks_opts, send.resume),
	  .help = "go on with a reply that is on its way" },
	{ .name = "unsure",
	  .kind = OPT_CHOICE,
	  .offset = offsetof(struct remarks_opts, send.unsure),
	  .choices = unsure_choices,
	  .help = "a reply that may have arrived: take it as sent, or send it again" },
	{ .name = "give-up",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct remarks_opts, send.give_up),
	  .help = "leave a reply that is on its way unsent" },
	OPT_END,
};

const struct cmd cmd_remarks = {
	.name = "remarks",
	.group = "follow",
	.summary = "what reviewers asked, and what is still open",
	.synopsis = "[ID...]",
	.about =
		"Lists what reviewers wrote about the series and wants an answer: who, "
		"where "
		"in the patch, the first line, and whether it is open. series update "
		"finds "
		"them: each run of text in a reply, with the lines that were quoted "
		"above "
		"it. Greetings, thanks and tags are none. Below them stand the reports "
		"of "
		"robots (kernel test robot, syzbot, AI reviews), each with its first "
		"line; "
		"one that came for several versions stands once, at the newest.\n\n"
		"A remark is answered when the author of the patch replied to its mail, "
		"quoted text of it and wrote below; nothing else is guessed. --answered "
		"says "
		"that it was answered elsewhere, --done that the draft (or --in vN) does "
		"what was asked, --open takes both back; all of them take reports, "
		"too, and "
		"hold for the same report of earlier versions. An ID may be cut short "
		"while it "
		"is "
		"the only one; more of them may follow.\n\n"
		"--reply opens the editor with the remarks of one mail, quoted. What is "
		"written goes to the reviewer and, as a copy, to all who got that mail. "
		"It "
		"is kept when it cannot be sent and is in the next edit. With --yes "
		"nothing "
		"is asked.\n\n"
		"Each row of --json has the version it was said of by number, "
		"\"version\", and by name, \"label\" (\"v2\", \"rfc1\"), as the rows of "
		"series tags --json have.",
	.examples = "series remarks\n\tWhat is open\n"
		    "series remarks --show 1f56\n\tOne of them, with the quoted lines\n"
		    "series remarks --reply 1f56 20ab\n\tAnswer two of one mail\n"
		    "series remarks --done 1f56 --in v3\n\tv3 did it\n",
	.opts = options,
	.opts_size = sizeof(struct remarks_opts),
	.flags = CMD_DOCS | CMD_JSON,
	.max_args = -1,
	.run = run_remarks,
};
