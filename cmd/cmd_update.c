// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series update: fetch what came back for a series.
 */
#include "series/mem.h"
#include "series/progress.h"
#include "series/update.h"
#include "cmd.h"

#define NEWS_SHOWN 20

struct update_args {
	const char *from;
	bool offline;
};

static void print_count(struct ctx *c, size_t n, const char *one, const char *many,
			bool *any)
{
	if (!n)
		return;
	out_printf(&c->out, "%s%zu new %s", *any ? ", " : "", n, n == 1 ? one : many);
	*any = true;
}

/* "nothing new" alone would hide that it was the wrong file. */
static void print_none(struct ctx *c, const char *from, const struct updated *u)
{
	const struct series *s = c->series;
	bool any = false;

	out_foreign(&c->out, str_c(strcmp(from, "-") ? from : "standard input"));
	out_printf(&c->out,
		   ": %zu mail%s read, and none is of series %s or replies to it\n",
		   u->read, u->read == 1 ? " was" : "s were", s->name);
	out_puts(&c->out, "looked for the Message-IDs of its mails: ");
	for (size_t i = 0; i < s->n_versions; i++) {
		char *label _cleanup_free_ = version_label(&s->versions[i]);
		const char *id = version_link(&s->versions[i]);

		if (!id || !*id)
			continue;
		out_printf(&c->out, "%s%s <", any ? ", " : "", label);
		out_foreign(&c->out, str_c(id));
		out_puts(&c->out, ">");
		any = true;
	}
	out_puts(&c->out, any ? " and those below\n" : "none is known\n");
}

static void print_text(struct ctx *c, const char *from, const struct updated *u)
{
	bool any = false;

	if (from && u->read && !u->found) {
		print_none(c, from, u);
		return;
	}

	for (size_t i = 0; i < u->news.n && i < NEWS_SHOWN; i++) {
		out_foreign(&c->out, str_c(u->news.v[i]));
		out_puts(&c->out, "\n");
	}
	if (u->news.n > NEWS_SHOWN)
		out_printf(&c->out, "and %zu more\n", u->news.n - NEWS_SHOWN);
	print_count(c, u->tags, "tag", "tags", &any);
	print_count(c, u->remarks, "remark", "remarks", &any);
	print_count(c, u->reports, "report", "reports", &any);
	if (u->changed)
		out_printf(&c->out, "%s%zu known changed", any ? ", " : "", u->changed);
	if (any || u->changed)
		out_printf(&c->out, " (%zu mail%s)\n", u->mails,
			   u->mails == 1 ? "" : "s");
	else
		out_printf(&c->out, "nothing new (%zu mail%s)\n", u->mails,
			   u->mails == 1 ? "" : "s");
	if (u->tags)
		out_puts(&c->out, "see: series tags\n");
	if (u->remarks || u->reports)
		out_puts(&c->out, "see: series remarks\n");
}

static void print_json(struct ctx *c, const char *from, const struct updated *u)
{
	struct json *j = c->out.json = json_obj();

	json_set_int(j, "schema", 1);
	json_set_int(j, "mails", (int64_t)u->mails);
	if (from) {
		json_set_int(j, "read", (int64_t)u->read);
		json_set_int(j, "found", (int64_t)u->found);
	}
	json_set_int(j, "tags", (int64_t)u->tags);
	json_set_int(j, "remarks", (int64_t)u->remarks);
	json_set_int(j, "reports", (int64_t)u->reports);
	json_set_int(j, "changed", (int64_t)u->changed);
	json_set_strvec(j, "news", &u->news);
	json_set_strvec(j, "copies", &u->old);
	json_set_strvec(j, "failed", &u->failed);
}

static int run_update(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct update_args *q = opts;
	const struct update_opts o = { .from = q->from, .offline = q->offline };
	struct updated u _cleanup_updated_ = { .mails = 0 };
	int rc = series_update(c->series, c->config, &o, &u, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < u.old.n; i++)
		progress_note("%s", u.old.v[i]);
	if (c->json)
		print_json(c, q->from, &u);
	else
		print_text(c, q->from, &u);
	if (!u.failed.n)
		return 0;
	for (size_t i = 0; i + 1 < u.failed.n; i++)
		progress_note("%s", u.failed.v[i]);
	return err_set(err, E_FAIL, "%s", u.failed.v[u.failed.n - 1]);
}

static const struct opt options[] = {
	{ .name = "from",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct update_args, from),
	  .arg = "SOURCE",
	  .help = "read an mbox, a Maildir, a mirror, or the thread of a MESSAGE-ID or "
		  "link",
	  .complete = "file",
	  .also = "mbox source mirror maildir" },
	{ .name = "offline",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct update_args, offline),
	  .help = "ask no server: take what was fetched before",
	  .also = "no-network cached" },
	OPT_END,
};

const struct cmd cmd_update = {
	.name = "update",
	.group = "follow",
	.summary = "fetch what came back for a series: tags, remarks, reports",
	.synopsis = "",
	.about =
		"Fetches the threads of all posted versions from the archive "
		"(series.midmask, else b4.midmask, else lore.kernel.org), finds the "
		"tags, "
		"remarks and robots' reports in them, and keeps what is new with the "
		"series. Late replies to an old version count. \"series tags\", "
		"\"series remarks\" and \"series status\" show it.\n\n"
		"--from reads instead an mbox (gzipped or not), a Maildir, a git mirror "
		"of "
		"a list (public-inbox) or one more thread; of files and mirrors only "
		"what "
		"belongs to the series' threads is taken, and where nothing does that is "
		"said. Without any mail in it the exit status is 1. A mirror is read "
		"from where it ended the last time.\n\n"
		"A thread that cannot be had stops no other: what came is kept, and the "
		"exit status is 1. When the server is out of reach the copy of last time "
		"is taken, which is said.",
	.examples = "series update\n"
		    "\tWhat is new\n"
		    "series update --from ~/Mail/linux-mm\n"
		    "\tThe same from a Maildir\n",
	.opts = options,
	.opts_size = sizeof(struct update_args),
	.flags = CMD_SERIES | CMD_JSON,
	.run = run_update,
};
