// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series thank: the mails that say that patches were applied.
 */
#include "edit.h"
#include "one_mail.h"
#include "thank_list.h"
#include "series/mem.h"
#include "series/thank.h"

#define TEXT_MAX ((size_t)1 << 20)

struct thank_cmd {
	bool all, thanked, edit, dry_run, yes, forget, resume, give_up;
	const char *branch, *unsure;
};

/* What post.h calls the series: no more than a repository and a name is asked for. */
static struct series no_series(struct ctx *c)
{
	return (struct series){ .repo = c->repo, .name = (char *)OUTBOX_THANKS };
}

/* ---- one ---- */

struct job {
	const struct thank_cmd *q;
	const struct taken *t;
};

static int send(struct ctx *c, const struct job *job, struct str text, struct err *err)
{
	struct series s = no_series(c);
	struct post *p _cleanup_post_ = NULL;
	int rc = thank_prepare(&s, c->config, job->t, text, &p, err);

	return rc ? rc : one_mail_send(c, &s, p, job->q->dry_run, job->q->yes, err);
}

static int start(struct ctx *c, void *data, struct edit_start *ret, struct err *err)
{
	const struct job *job = data;

	thank_text(c->config, job->t, job->q->branch, &ret->text);
	return 0;
}

static int store(struct ctx *c, void *data, struct str text, bool saved, struct err *err)
{
	return str_trim(text).len
		       ? send(c, data, text, err)
		       : err_set(err, E_FAIL, "nothing was sent: there is no text");
}

static int thank(struct ctx *c, const struct thank_cmd *q, struct taken *t,
		 struct err *err)
{
	struct job job = { q, t };
	char *file _cleanup_free_ = xasprintf("+thanks-%s", t->id);
	struct edit_job edit = { .title = "the text",
				 .file = file,
				 .max = TEXT_MAX,
				 .start = start,
				 .store = store,
				 .data = &job,
				 .keep = q->dry_run };
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = taken_look(c->repo, t, q->branch, err);

	if (rc)
		return rc;
	if (!t->found)
		return err_set(err, E_FAIL,
			       "%.*s \"%s\": none of its commits is on %s; --branch says "
			       "where they are, --forget that there are none",
			       THANK_DIGITS, t->id, t->title,
			       q->branch   ? q->branch
			       : t->branch ? t->branch
					   : "HEAD");
	if (q->edit)
		return edit_text(c, &edit, err);
	thank_text(c->config, t, q->branch, &text);
	return send(c, &job, buf_str(&text), err);
}

/* ---- the command ---- */

static int go_on(struct ctx *c, const struct thank_cmd *q, struct err *err)
{
	struct series s = no_series(c);
	struct outbox *o _cleanup_outbox_ = NULL;
	char *what _cleanup_free_ = NULL;
	int rc = outbox_find(repo_common_dir(c->repo), OUTBOX_THANKS, &o, err);

	if (rc)
		return rc;
	if (!q->give_up)
		return one_mail_deliver(c, &s, o, q->unsure, err);
	what = outbox_what(o);
	rc = post_give_up(&s, o, err);
	if (!rc)
		out_printf(&c->out, "%s: left\n", what);
	return rc;
}

/* Those that are named, or all that were not thanked for and are there whole. */
static int choose(struct ctx *c, const struct thank_cmd *q, const struct strvec *args,
		  struct takens *all, bool *ret, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < args->n && !rc; i++) {
		size_t at = 0;

		rc = thank_find(all, args->v[i], &at, err);
		if (!rc)
			ret[at] = true;
	}
	for (size_t i = 0; i < all->n && !rc && !args->n; i++) {
		rc = taken_look(c->repo, &all->v[i], q->branch, err);
		ret[i] = !all->v[i].thanked && all->v[i].found &&
			 all->v[i].found == all->v[i].n;
	}
	return rc;
}

static int act(struct ctx *c, const struct thank_cmd *q, const struct strvec *args,
	       struct takens *all, struct err *err)
{
	bool *chosen _cleanup_free_ = xcalloc(all->n + 1, sizeof(*chosen));
	size_t n = 0;
	int rc = choose(c, q, args, all, chosen, err);

	if (!rc && !q->forget)
		rc = one_mail_free(c, OUTBOX_THANKS, err);
	for (size_t i = 0; i < all->n && !rc; i++) {
		if (!chosen[i])
			continue;
		n++;
		if (q->forget)
			rc = taken_forget(c->repo, &all->v[i], err);
		else if (all->v[i].thanked && !q->dry_run)
			rc = err_set(err, E_FAIL,
				     "%.*s \"%s\": its author was thanked already",
				     THANK_DIGITS, all->v[i].id, all->v[i].title);
		else
			rc = thank(c, q, &all->v[i], err);
	}
	if (!rc && !n)
		out_puts(&c->out, "nothing was applied here that waits for thanks\n");
	return rc;
}

static int run_thank(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct thank_cmd *q = opts;
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	struct takens all _cleanup_takens_ = { NULL, 0, 0 };
	bool acts = args->n || q->all;
	int rc;

	if (q->forget && !args->n)
		return err_set(err, E_USAGE, "--forget: which? series thank lists them");
	if (q->all && args->n)
		return err_set(err, E_USAGE, "--all, or some of them: not both");
	if (!acts && (q->edit || q->yes || q->dry_run))
		return err_set(err, E_USAGE, "whom? give an ID of the list, or --all");
	if (acts && c->json)
		return err_set(err, E_USAGE, "--json goes with the list alone");
	if (acts || q->resume || q->give_up || q->unsure) {
		rc = one_mail_lock(c, OUTBOX_THANKS, "mail of thanks", &lock, err);
		if (rc)
			return rc;
	}
	if (q->resume || q->give_up || q->unsure)
		return go_on(c, q, err);
	rc = takens_read(c->repo, &all, err);
	if (rc)
		return rc;
	return acts ? act(c, q, args, &all, err)
		    : thank_list(c, &all, q->branch, q->thanked, err);
}

static const char *const unsure_choices[] = { "skip", "resend", NULL };

static const struct opt thank_options[] = {
	{ .name = "all",
	  .letter = 'a',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct thank_cmd, all),
	  .help = "thank for all whose commits are on their branches" },
	{ .name = "branch",
	  .letter = 'b',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct thank_cmd, branch),
	  .arg = "REF",
	  .complete = "ref",
	  .help = "look for the commits there, and name it in the mail" },
	{ .name = "edit",
	  .letter = 'e',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct thank_cmd, edit),
	  .help = "write the text in the editor first" },
	{ .name = "dry-run",
	  .letter = 'n',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct thank_cmd, dry_run),
	  .help = "show the mail, send nothing" },
	{ .name = "yes",
	  .letter = 'y',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct thank_cmd, yes),
	  .help = "send it without asking" },
	{ .name = "thanked",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct thank_cmd, thanked),
	  .help = "list those, too, whose authors were thanked" },
	{ .name = "forget",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct thank_cmd, forget),
	  .help = "take them off the list, send nothing",
	  .also = "discard" },
	{ .name = "resume",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct thank_cmd, resume),
	  .help = "go on with a mail that is on its way" },
	{ .name = "unsure",
	  .kind = OPT_CHOICE,
	  .offset = offsetof(struct thank_cmd, unsure),
	  .choices = unsure_choices,
	  .help = "a mail that may have arrived: take it as sent, or send it again" },
	{ .name = "give-up",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct thank_cmd, give_up),
	  .help = "leave a mail that is on its way unsent" },
	OPT_END
};

const struct cmd cmd_thank = {
	.name = "thank",
	.group = "maintain",
	.summary = "tell authors that their patches were applied",
	.synopsis = "[ID|MESSAGE-ID...]",
	.about =
		"Lists what series am applied in this repository and nobody was thanked "
		"for: how many of its commits are on the branch. An ID of the list (four "
		"digits of it are enough) or the Message-ID of any of its mails makes "
		"the "
		"mail: a reply to the cover letter, to its author and to whom that went, "
		"with the head of the letter quoted, \"Applied to BRANCH, thanks!\" and "
		"each patch with its commit.\n\n"
		"Commits are looked for on the branch each time. After a rebase they are "
		"those with the same author, time and title, or with the same patch-id; "
		"a "
		"patch that is not there is called not applied, and where none is, no "
		"mail is made. --branch looks on another branch.\n\n"
		"It goes like every mail of ours: with a fixed Message-ID, once, or "
		"unsure "
		"and said so; --resume goes on. series.thanks.tree (else "
		"b4.thanks-treename) is written in place of the branch, with "
		"series.thanks.url (else b4.thanks-commit-url-mask), an address with %s "
		"or "
		"%.12s in it, commits are links.",
	.examples = "series thank\n\tWho waits for thanks.\n"
		    "series thank --dry-run 1f56\n\tShow the mail.\n"
		    "series thank --all --yes\n\tSend all of them.\n",
	.opts = thank_options,
	.opts_size = sizeof(struct thank_cmd),
	.flags = CMD_REPO | CMD_JSON,
	.max_args = -1,
	.run = run_thank,
};
