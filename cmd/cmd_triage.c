// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series triage: the series of mailing lists, by whom they wait for.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "series/intr.h"
#include "series/mem.h"
#include "series/progress.h"
#include "triage_run.h"
#include "triage_print.h"
#include "tui/tui.h"

static bool full_screen(const struct ctx *c, const struct triage_cmd_opts *o)
{
	const char *term = getenv("TERM");

	return c->out.tty && isatty(STDIN_FILENO) && !c->json && !o->text && !o->ids && term &&
	       *term && strcmp(term, "dumb");
}

static int wait_landing(struct triage *t, struct triage_landing *l, struct err *err)
{
	while (!triage_landing_poll(l, t, 100)) {
		int rc = intr_check(err);

		if (rc)
			return rc;
	}
	triage_settle(t);
	return 0;
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
	rc = triage_since(c, o, t.now, &v.since, err);
	if (!rc)
		rc = triage_tried(&t, c->config, err);
	/* The screen comes first, and what few look at behind it. */
	t.brief = full_screen(c, o) && !o->query && !o->sort && !triage_acts(o);
	if (!rc)
		rc = triage_read(c, o, args, v.since, &t, err);
	if (!rc && triage_acts(o))
		return triage_act(c, o, &t, err);
	if (!rc)
		rc = triage_landing_begin(&t, c->config, &v.landing, err);
	/* The screen does not wait for it. */
	if (!rc && v.landing && !full_screen(c, o))
		rc = wait_landing(&t, v.landing, err);
	if (!rc)
		rc = triage_view_init(o, &t, &v, err);
	if (!rc && o->try)
		rc = triage_try_all(&t, v.v, v.n, err);
	if (rc)
		return rc;
	if (full_screen(c, o))
		return tui_triage(c, &v, err);
	if (o->ids)
		triage_print_ids(&c->out, &t, v.v, v.n);
	else if (c->json)
		c->out.json = triage_json(&t, v.v, v.n);
	else if (!v.n && v.since)
		out_printf(&c->out,
			   "no series in the last %lld days; --all shows older ones\n",
			   (long long)(t.now - v.since) / 86400);
	else
		triage_print(&c->out, &t, v.v, v.n);
	return 0;
}

static const char *const types[] = { "Reviewed-by", "Acked-by", "Tested-by", NULL };
static const char *const unsure_choices[] = { "skip", "resend", NULL };

#define FIELD(name) .offset = offsetof(struct triage_cmd_opts, name)

static const struct opt opts[] = {
	{ .name = "list",
	  .letter = 'l',
	  .kind = OPT_STRING,
	  FIELD(list),
	  .arg = "NAME",
	  .help = "this mirror alone (series mirror list)" },
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
	{ .name = "ids",
	  .kind = OPT_FLAG,
	  FIELD(ids),
	  .help = "print the Message-IDs alone, a line a series" },
	{ .name = "try",
	  .kind = OPT_FLAG,
	  FIELD(try),
	  .help = "first find out of each whether it applies to series.triage.base" },
	{ .name = "pager", .kind = OPT_STRING, FIELD(pager), .arg = "ID",
	  .help = "show its mails in the pager" },
	{ .name = "mutt", .kind = OPT_STRING, FIELD(mutt), .arg = "ID",
	  .help = "show its mails in mutt" },
	{ .name = "browser", .kind = OPT_STRING, FIELD(browser), .arg = "ID",
	  .help = "show its page in the browser" },
	{ .name = "build", .kind = OPT_STRING, FIELD(build), .arg = "ID",
	  .help = "make a branch triage/NAME of it, and series build of that" },
	{ .name = "bench", .kind = OPT_STRING, FIELD(bench), .arg = "ID",
	  .help = "the same, and series bench: what it claims, measured here" },
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
	.synopsis = "[MBOX|MAILDIR|MESSAGE-ID]...",
	.about =
		"Shows the series of all mirrors (series mirror), or of files and threads, "
		"that were active in the last 90 days: on a terminal full-screen, where "
		"\"?\" lists the keys, else as text or JSON. Keys are those of tig and mutt; "
		"git config series.key.ACTION 'x ^T f5' gives an action others.\n\n"
		"Groups: ready (whole, no RFC, each patch has a Reviewed-by or Acked-by, "
		"nothing stands against it); needs review; waits for me (assigned to me, the "
		"author's last word answers me, a new version of what I took part in, or "
		"mine with something against it); waits for the author (open remarks, a NAK, "
		"a robot's finding, patches that are missing); snoozed; landed. I am "
		"user.email and series.triage.me, which may be repeated.\n\n"
		"Columns: \"!\" flagged, \"@\" assigned, \"z\" asleep, \"n\" a note; AGE "
		"since the last word; VER and how many older ones are here; COVER patches "
		"with a Reviewed-by or Acked-by of all, \"-1\" is missing (\"-\" or per cent "
		"where there is no room); R/A/T people who "
		"gave a Reviewed-by, Acked-by, Tested-by; AGNST N(AKs), o(pen remarks), "
		"findings of robots (b); LAST who had the last word: A(uthor), R(eviewer), "
		"B(ot). AP \"+\" applies to series.triage.base, \"-\" does not, \"?\" could "
		"not be tried: where that names a branch, the rows in sight are tried in the "
		"background while no keys come. On wide screens SG is who signed the mails, "
		"which nobody verified: D the developer, S a server, small where not all have "
		"it; CLAIM is the most that the cover says it gains or costs (see series-show).\n\n"
		"A query is words (of title, author and note) and terms that must all hold; "
		"\"-\" or \"!\" in front negates one, \"|\" between two means either, "
		"quotes keep words together. Text: author: subject: file: func: list: group: "
		"last: person: to: note: assigned: id: applies:. Numbers (= < <= > >=): age, posted, "
		"first (12h, 30d, 2w), version, versions, patches, missing, R, A, T, covered, "
		"doubtful, nak, open, answered, reports, claims, signed, dkim, overlaps. And is: with rfc, resend, "
		"partial, whole, uncertain, flagged, noted, assigned, mine, to-me, ready, "
		"snoozed, landed. Rows can be sorted by all of them; \"-open\" has the most "
		"first.\n\n"
		"What is noted is kept in $XDG_DATA_HOME/series/triage.db, by change-id or "
		"first Message-ID: it holds for later versions too. Replies and tags go out "
		"by the outbox of the repository here, once or unsure and said so. "
		"series.triage.branch (may be repeated) names branches that take patches: what "
		"they have, by Link: or Message-ID:, or a single patch by title and author, "
		"has landed. series.triage.browser is the command for links, xdg-open otherwise; links "
		"are series.linkmask.",
	.examples = "series triage --build ID\n"
		    "\tA branch triage/NAME of it, without a checkout, and its kernels.\n"
		    "series triage --list linux-mm\n"
		    "\tThe full-screen view of one mirror.\n"
		    "series triage --query 'file:mm/ open=0 -is:rfc' --json\n"
		    "\tRows for a script.\n"
		    "series triage --snooze ID --until v6.13-rc1\n"
		    "\tOut of sight until that tag is in the repository.\n"
		    "series triage --give-tag ID --type Acked-by\n"
		    "\tAn Acked-by for a patch, or for all by the cover's Message-ID.\n",
	.opts = opts,
	.opts_size = sizeof(struct triage_cmd_opts),
	.flags = CMD_MAYBE_REPO | CMD_JSON,
	.min_args = 0,
	.max_args = -1,
	.complete = "file",
	.run = run_triage,
};
