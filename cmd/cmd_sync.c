// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series sync: bring the states of all series to another clone and back.
 */
#include <string.h>
#include "ask.h"
#include "cmd.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/sync.h"

struct sync_cmd_opts {
	bool push, fetch, yes;
	const char *ours, *theirs, *rename;
};

static const struct {
	const char *word, *sgr;
} words[] = {
	[SYNC_SAME] = { "same", "0" },	       [SYNC_NEW] = { "new", "32" },
	[SYNC_UPDATED] = { "updated", "32" },  [SYNC_MERGED] = { "merged", "32" },
	[SYNC_BEHIND] = { "behind", "33" },    [SYNC_CONFLICT] = { "conflict", "31" },
	[SYNC_LEFT_OUT] = { "left out", "33" },
};

static void print_item(struct ctx *c, const struct sync_item *it)
{
	bool only_pushed = it->state == SYNC_SAME && it->pushed;

	out_color(&c->out, only_pushed ? "32" : words[it->state].sgr, "%-9s",
		  only_pushed ? "sent" : words[it->state].word);
	out_foreign(&c->out, str_c(it->name));
	out_puts(&c->out, it->pushed && !only_pushed ? ", and sent\n" : "\n");
	for (size_t i = 0; i < it->notes.n; i++) {
		out_puts(&c->out, "         ");
		out_foreign(&c->out, str_c(it->notes.v[i]));
		out_puts(&c->out, "\n");
	}
	for (size_t i = 0; i < it->remedy.n; i++) {
		out_puts(&c->out, "         ");
		out_foreign(&c->out, str_c(it->remedy.v[i]));
		out_puts(&c->out, "\n");
	}
}

static int print(struct ctx *c, const struct sync *s, struct err *err)
{
	size_t same = 0, open = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct sync_item *it = &s->v[i];

		if (it->state == SYNC_SAME && !it->pushed && !it->notes.n)
			same++;
		else
			print_item(c, it);
		open += it->state >= SYNC_BEHIND;
	}
	if (!s->n)
		out_printf(&c->out, "no series, neither here nor on %s\n", s->remote);
	else if (same)
		out_printf(&c->out, "%zu series the same here and on %s\n", same, s->remote);
	if (!open)
		return 0;
	return err_set(err, E_FINDINGS, "sync: %zu series not synced with %s", open,
		       s->remote);
}

/* Asked once for each remote; the answer is remote.X.series. */
static int allow(struct ctx *c, const struct sync_cmd_opts *q, const char *remote,
		 struct err *err)
{
	char *spec _cleanup_free_ = sync_refspec(remote);
	char *url_key _cleanup_free_ = xasprintf("remote.%s.url", remote);
	struct buf text _cleanup_buf_ = BUF_INIT;

	buf_printf(&text,
		   "Series will be pushed to and fetched from %s (%s):\n"
		   "remote.%s.fetch gets %s and remote.%s.series = true.\n",
		   remote, config_get(c->config, url_key), remote, spec, remote);
	if (!q->yes && !ask_possible())
		return err_set(err, E_FAIL,
			       "nothing was synced: %s was not used for series before, and "
			       "there is no terminal to ask on; --yes lets it, and adds the "
			       "refspec %s",
			       remote, spec);
	if (!q->yes && !ask_yes(&text, "Go on?"))
		return err_set(err, E_FAIL, "nothing was synced");
	return sync_remember(c->repo, c->config, remote, err);
}

static int rename_first(struct ctx *c, const char *pair, struct err *err)
{
	const char *colon = strchr(pair, ':');
	char *from _cleanup_free_ = NULL;
	int rc;

	if (!colon)
		return err_set(err, E_USAGE, "sync: --rename takes OLD:NEW, not \"%s\"",
			       pair);
	from = xmemdup0(pair, colon - pair);
	rc = series_rename(c->repo, c->config, from, colon + 1, err);
	if (!rc)
		out_printf(&c->out, "series %s is now called %s\n", from, colon + 1);
	return rc;
}

static int run_sync(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct sync_cmd_opts *q = opts;
	struct sync_opts o = { .push = !q->fetch, .fetch = !q->push, .ours = q->ours,
			       .theirs = q->theirs };
	struct sync s _cleanup_sync_ = { 0 };
	char *remote _cleanup_free_ = NULL;
	struct progress p;
	char *label _cleanup_free_ = NULL;
	bool known = false;
	int rc;

	if (q->fetch && q->push)
		return err_set(err, E_USAGE,
			       "sync: --fetch and --push exclude each other; without both "
			       "it does both");
	if ((q->ours && q->theirs) || ((q->ours || q->theirs) && q->push))
		return err_set(err, E_USAGE,
			       "sync: --ours, --theirs and --push exclude each other");
	rc = sync_remote(c->config, args->n ? args->v[0] : NULL, &remote, &known, err);
	if (!rc && !known)
		rc = allow(c, q, remote, err);
	if (!rc && q->rename)
		rc = rename_first(c, q->rename, err);
	if (rc)
		return rc;
	o.remote = remote;
	label = xasprintf("syncing with %s", remote);
	progress_start(&p, label, 0);
	rc = sync_run(c->repo, c->config, &o, &s, err);
	progress_end(&p);
	return rc ? rc : print(c, &s, err);
}

static const struct opt options[] = {
	{ .name = "push", .kind = OPT_FLAG, .offset = offsetof(struct sync_cmd_opts, push),
	  .help = "only bring there what is newer here" },
	{ .name = "fetch", .kind = OPT_FLAG,
	  .offset = offsetof(struct sync_cmd_opts, fetch),
	  .help = "only bring here what is newer there" },
	{ .name = "yes", .letter = 'y', .kind = OPT_FLAG,
	  .offset = offsetof(struct sync_cmd_opts, yes),
	  .help = "do not ask before a remote is used for the first time" },
	{ .name = "ours", .kind = OPT_STRING, .offset = offsetof(struct sync_cmd_opts, ours),
	  .arg = "NAME", .complete = "series",
	  .help = "in a conflict of this series, the versions posted from here stay" },
	{ .name = "theirs", .kind = OPT_STRING,
	  .offset = offsetof(struct sync_cmd_opts, theirs), .arg = "NAME",
	  .complete = "series",
	  .help = "the same, and those posted from the other machine stay" },
	{ .name = "rename", .kind = OPT_STRING,
	  .offset = offsetof(struct sync_cmd_opts, rename), .arg = "OLD:NEW",
	  .help = "first give a series of this repository another name" },
	OPT_END,
};

const struct cmd cmd_sync = {
	.name = "sync",
	.group = "other",
	.summary = "bring all series to another clone and back",
	.synopsis = "[REMOTE]",
	.about =
		"git clone and git fetch do not carry refs/series/*, where the state of every "
		"series and the heads of its sent versions are. This brings them to a remote "
		"of git and from there to other clones. REMOTE is the one that was used before "
		"(remote.REMOTE.series), else the only one there is. Before a remote is used "
		"for the first time it asks; --yes is the answer where there is no terminal. "
		"Then the refspec +refs/series/*:refs/series-remote/REMOTE/* is added to the "
		"remote, so that git fetch brings news too; it never moves a state.\n\n"
		"Where both sides have moved they are merged file by file, and a line says "
		"what to look at: of a field that both changed the newer value stays, lists "
		"of addresses are united, a changelog has the lines of both. Two cover letters "
		"are both kept, and series cover --edit shows them in one text.\n\n"
		"One version number that was posted from two places is a conflict: both "
		"Message-IDs are named, nothing of that series is changed, and the other "
		"series go on. --ours or --theirs says whose posting has the number; the other "
		"one stays in the history of refs/series/NAME/state, and its commits below "
		"refs/series/NAME/lost/. Two series of one name are told apart: --rename gives "
		"the one here another name.\n\n"
		"What is pushed goes in one transaction, each ref only when nobody moved it; "
		"when somebody did, their state is fetched and merged, and the push is tried "
		"again. What is no state of a series, and one that a newer program wrote, is "
		"named and left out. The exit status is 2 when a series could not be synced.",
	.findings = "A series is not the same on both sides, and the lines below it say "
		    "how to go on.",
	.examples = "series sync\n\tWith the remote that was used before\n"
		    "series sync --yes work\n\tWith the remote work, from a script\n"
		    "series sync --theirs unmap work\n\tv3 of unmap is the one that the "
		    "other machine posted\n",
	.opts = options,
	.opts_size = sizeof(struct sync_cmd_opts),
	.flags = CMD_REPO,
	.max_args = 1,
	.run = run_sync,
};
