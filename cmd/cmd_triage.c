// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series triage: the series of mailing lists, by whom they wait for.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "series/mem.h"
#include "series/progress.h"
#include "triage_opts.h"
#include "triage_print.h"
#include "tui/tui.h"

#define DAYS 90

/* The mails of one argument. */
static int read_mails(struct ctx *c, const struct triage_cmd_opts *o, const char *arg,
		      struct triage *t, struct err *err)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct thread thread _cleanup_thread_ = { 0 };
	char *id _cleanup_free_ = NULL;
	int rc = source_open(c, &o->source, arg, &src, &id, err);

	if (!rc)
		rc = thread_read(&thread, src, err);
	if (!rc)
		rc = mailsrc_check(src, err);
	if (rc)
		return rc;
	thread_link(&thread);
	triage_take_thread(t, &thread);
	return 0;
}

static int read_all(struct ctx *c, const struct triage_cmd_opts *o,
		    const struct strvec *args, struct triage *t, struct err *err)
{
	int rc = 0;

	if (!args->n)
		return err_set(err, E_USAGE,
			       "name what to look at: an mbox, a Maildir, a thread's "
			       "Message-ID");
	for (size_t i = 0; i < args->n && !rc; i++)
		rc = read_mails(c, o, args->v[i], t, err);
	triage_settle(t);
	return rc;
}

static int view_init(struct ctx *c, const struct triage_cmd_opts *o, struct triage *t,
		     struct triage_view *v, struct err *err)
{
	int64_t days = DAYS;
	int rc = 0;

	v->t = t;
	if (c->config)
		rc = config_get_int(c->config, "series.triage.days", DAYS, &days, err);
	if (o->days)
		days = o->days;
	v->since = o->all || days <= 0 ? 0 : t->now - days * 86400;
	if (!rc && o->query)
		rc = query_parse(o->query, &v->query, err);
	if (!rc)
		rc = triage_order_parse(o->sort ? o->sort : "age", &v->order, err);
	if (!rc)
		triage_view_fill(v);
	return rc;
}

void triage_view_fill(struct triage_view *v)
{
	struct triage *t = v->t;

	free(v->v);
	v->v = xcalloc(t->n + 1, sizeof(*v->v));
	v->n = 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct listed *l = t->row[i].l;

		if (MAX(l->last, l->posted) >= v->since &&
		    query_match(v->query, t, &t->row[i]))
			v->v[v->n++] = i;
	}
	triage_sort(t, v->order, v->v, v->n);
}

void triage_view_release(struct triage_view *v)
{
	query_free(v->query);
	triage_order_free(v->order);
	free(v->v);
}

static bool full_screen(const struct ctx *c, const struct triage_cmd_opts *o)
{
	const char *term = getenv("TERM");

	return c->out.tty && isatty(STDIN_FILENO) && !c->json && !o->text && term &&
	       *term && strcmp(term, "dumb");
}

static int run_triage(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct triage_cmd_opts *o = opts;
	struct triage t _cleanup_triage_ = { 0 };
	struct triage_view v _cleanup_(triage_view_release) = { 0 };
	int rc;

	if (o->resume || o->give_up || o->send.unsure)
		return triage_resume(c, o->give_up, &o->send, err);
	triage_init(&t, c->config, c->repo);
	/* Without them nothing can be noted, but everything else can be seen. */
	if (t.marks_why && !triage_acts(o))
		progress_note("%s", t.marks_why);
	rc = read_all(c, o, args, &t, err);
	if (!rc && triage_acts(o))
		return triage_act(c, o, &t, err);
	if (!rc)
		rc = view_init(c, o, &t, &v, err);
	if (rc)
		return rc;
	if (full_screen(c, o))
		return tui_triage(c, &v, err);
	if (c->json)
		c->out.json = triage_json(&t, v.v, v.n);
	else
		triage_print(&c->out, &t, v.v, v.n);
	return 0;
}

static const char *const types[] = { "Reviewed-by", "Acked-by", "Tested-by", NULL };
static const char *const unsure_choices[] = { "skip", "resend", NULL };

#define FIELD(name) .offset = offsetof(struct triage_cmd_opts, name)

static const struct opt opts[] = {
	{ .name = "query",
	  .letter = 'q',
	  .kind = OPT_STRING,
	  FIELD(query),
	  .arg = "QUERY",
	  .help = "only these: author:rita open>0 age<30d -is:rfc \"words\"",
	  .also = "filter limit search" },
	{ .name = "sort",
	  .kind = OPT_STRING,
	  FIELD(sort),
	  .arg = "COLUMNS",
	  .help = "order within the groups: age,-open,author",
	  .also = "order" },
	{ .name = "days",
	  .kind = OPT_INT,
	  FIELD(days),
	  .arg = "N",
	  .help = "what was active in the last N days (series.triage.days, 90)",
	  .lo = 1,
	  .hi = 100000 },
	{ .name = "all",
	  .letter = 'a',
	  .kind = OPT_FLAG,
	  FIELD(all),
	  .help = "however old" },
	{ .name = "text",
	  .kind = OPT_FLAG,
	  FIELD(text),
	  .help = "print the rows on a terminal too" },
	{ .name = "snooze",
	  .kind = OPT_LIST,
	  FIELD(snooze),
	  .arg = "ID",
	  .help = "put this series aside, --until then" },
	{ .name = "until",
	  .kind = OPT_STRING,
	  FIELD(until),
	  .arg = "WHEN",
	  .help = "2027-01-10, 3d, v4 or a tag (v6.13-rc1); '' wakes it" },
	{ .name = "note",
	  .kind = OPT_LIST,
	  FIELD(note),
	  .arg = "ID",
	  .help = "keep --words about this series" },
	{ .name = "words",
	  .kind = OPT_STRING,
	  FIELD(words),
	  .arg = "TEXT",
	  .help = "the note; '' takes it away" },
	{ .name = "flag",
	  .kind = OPT_LIST,
	  FIELD(flag),
	  .arg = "ID",
	  .help = "flag this series" },
	{ .name = "unflag",
	  .kind = OPT_LIST,
	  FIELD(unflag),
	  .arg = "ID",
	  .help = "take its flag away" },
	{ .name = "assign",
	  .kind = OPT_LIST,
	  FIELD(assign),
	  .arg = "ID",
	  .help = "say who looks after this series, --to whom" },
	{ .name = "to",
	  .kind = OPT_STRING,
	  FIELD(to),
	  .arg = "WHO",
	  .help = "a name or address; '' takes it away" },
	{ .name = "reply",
	  .kind = OPT_STRING,
	  FIELD(reply),
	  .arg = "ID",
	  .help = "reply to this mail in your editor" },
	{ .name = "give-tag",
	  .kind = OPT_LIST,
	  FIELD(give_tag),
	  .arg = "ID",
	  .help = "reply with a tag to this patch, or to all by their cover" },
	{ .name = "type",
	  .kind = OPT_CHOICE,
	  FIELD(type),
	  .help = "the tag (Reviewed-by)",
	  .choices = types },
	{ .name = "yes",
	  .letter = 'y',
	  .kind = OPT_FLAG,
	  FIELD(send.yes),
	  .help = "send without asking" },
	{ .name = "dry-run",
	  .letter = 'n',
	  .kind = OPT_FLAG,
	  FIELD(send.dry_run),
	  .help = "show the mails, send nothing" },
	{ .name = "resume",
	  .kind = OPT_FLAG,
	  FIELD(resume),
	  .help = "go on with replies that were stopped" },
	{ .name = "unsure",
	  .kind = OPT_CHOICE,
	  FIELD(send.unsure),
	  .help = "what to do about a reply that may have arrived",
	  .choices = unsure_choices },
	{ .name = "give-up",
	  .kind = OPT_FLAG,
	  FIELD(give_up),
	  .help = "leave replies that were stopped" },
	{ .name = "offline",
	  .kind = OPT_FLAG,
	  FIELD(source.offline),
	  .help = "ask no server: take what was fetched before",
	  .also = "no-network cached" },
	OPT_END
};

const struct cmd cmd_triage = {
	.name = "triage",
	.group = "maintain",
	.summary = "what a list posted, by whom it waits for",
	.synopsis = "MBOX|MAILDIR|MESSAGE-ID...",
	.about = "Shows the series of mailing lists that were active in the last 90 days: on a "
		 "terminal full-screen (\"?\" lists the keys), else as text or JSON.",
	.examples = "series triage mails.mbox\n"
		    "\tThe full-screen view.\n"
		    "series triage --query 'file:mm/ open=0 -is:rfc' --json mails.mbox\n"
		    "\tRows for a script.\n",
	.opts = opts,
	.opts_size = sizeof(struct triage_cmd_opts),
	.flags = CMD_MAYBE_REPO | CMD_JSON,
	.min_args = 0,
	.max_args = -1,
	.complete = "file",
	.run = run_triage,
};
