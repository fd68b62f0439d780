// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series import: take over a branch that b4 prepared, and give it back; or a series that
 * was posted by other means.
 */
#include <stdlib.h>
#include "ask.h"
#include "import_mails.h"
#include "series/fs.h"
#include "series/import.h"
#include "series/mem.h"
#include "series/sanitize.h"

struct import_cmd {
	bool yes, undo, offline;
	const char *base, *branch;
};

/* A mail, a mailbox, a link: no branch of b4's. */
static bool is_posted(struct repo *r, const char *arg)
{
	char *ref _cleanup_free_ = xasprintf("refs/heads/%s", arg);
	char id[OID_HEX];

	return repo_ref(r, ref, id, NULL) &&
	       (!strcmp(arg, "-") || strchr(arg, '@') || fs_exists(arg));
}

static bool agreed(const struct import *im, bool yes)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (yes || !*im->cover_commit)
		return true;
	buf_printf(
		&text,
		"b4 keeps the cover letter of %s in the empty commit %.12s. The branch "
		"goes on without it:\n",
		im->branch, im->cover_commit);
	if (im->n_moved)
		buf_printf(&text, "%zu commit%s above it get%s another name, ",
			   im->n_moved, im->n_moved == 1 ? "" : "s",
			   im->n_moved == 1 ? "s" : "");
	buf_printf(
		&text,
		"from %.12s to %.12s; no file changes. The old tip is kept, and series "
		"import --undo goes back.\n",
		im->old_head, im->head);
	if (im->was_signed)
		buf_puts(&text, "The signatures of these commits are lost by it.\n");
	return ask_yes(&text, "Take it out?");
}

static void print_imported(struct ctx *c, const struct import *im)
{
	struct series *s = c->series;

	out_printf(&c->out, "series %s: branch ", s->name);
	out_foreign(&c->out, str_c(s->branch ? s->branch : ""));
	out_printf(&c->out, ", base %.12s, draft v%d, %zu patch%s, change-id ", s->base,
		   series_draft(s), s->n_patches, s->n_patches == 1 ? "" : "es");
	out_foreign(&c->out, str_c(s->change_id));
	out_puts(&c->out, "\n");
	for (size_t i = 0; i < s->n_versions; i++)
		out_printf(&c->out, "  v%d: %zu patch%s, %s\n", s->versions[i].n,
			   s->versions[i].n_patches,
			   s->versions[i].n_patches == 1 ? "" : "es",
			   str_c(version_link(&s->versions[i])).len
				   ? version_link(&s->versions[i])
				   : "no Message-ID");
	if (*im->cover_commit)
		out_printf(&c->out,
			   "the branch went from %.12s to %.12s, without b4's cover "
			   "commit; the old tip is refs/series/%s/b4\n",
			   im->old_head, im->head, s->name);
	if (im->was_signed)
		out_puts(&c->out, "note: signatures of commits are lost; git rebase "
				  "--force-rebase -S signs them again\n");
	for (size_t i = 0; i < im->notes.n; i++) {
		out_puts(&c->out, "note: ");
		out_foreign(&c->out, str_c(im->notes.v[i]));
		out_puts(&c->out, "\n");
	}
	out_puts(&c->out,
		 "back to b4: series import --undo\nnext: series cover --edit\n");
}

static int not_agreed(const struct import *im, struct err *err)
{
	char *word _cleanup_free_ = shell_word(im->branch);

	if (ask_possible())
		return err_set(err, E_FAIL, "nothing was changed");
	return err_set(err, E_FAIL,
		       "branch %s would go from %.12s to %.12s, without b4's cover "
		       "commit; without a terminal say so: series import --yes %s",
		       im->branch, im->old_head, im->head, word);
}

static int take_over(struct ctx *c, const struct import_cmd *q, const struct strvec *args,
		     struct err *err)
{
	struct import_opts o = { .branch = args->n ? args->v[0] : NULL,
				 .name = args->n > 1 ? args->v[1] : NULL,
				 .base = q->base };
	struct import *im _cleanup_import_ = NULL;
	int rc = import_look(c->repo, c->config, &o, &im, err);

	if (rc)
		return rc;
	if (!agreed(im, q->yes))
		return not_agreed(im, err);
	rc = import_do(c->repo, c->config, im, err);
	if (!rc)
		rc = import_load(c, im->name, err);
	if (!rc)
		print_imported(c, im);
	return rc;
}

static int give_back(struct ctx *c, const struct strvec *args, struct err *err)
{
	struct import_undone u _cleanup_(import_undone_release) = { 0 };
	char *name _cleanup_free_ = NULL;
	int rc = series_of_branch(c->repo, c->config, args->n ? args->v[0] : NULL, &name,
				  err);

	if (!rc)
		rc = series_open(c->repo, c->config, name, &c->series, err);
	if (!rc)
		rc = import_undo(c->series, c->config, &u, err);
	if (rc)
		return rc;
	out_puts(&c->out, "branch ");
	out_foreign(&c->out, str_c(u.branch ? u.branch : ""));
	if (u.posted)
		out_puts(&c->out, " stays as it is, and is no series any more\n");
	else
		out_printf(&c->out, " is b4's again, at %.12s%s\n", u.head,
		   !u.moved ? ", where it was before the import"
			    : ", with the commits of today");
	if (u.moved && strcmp(u.head, u.old_head))
		out_printf(&c->out, "it was at %.12s (git reflog has it)\n", u.old_head);
	if (*u.kept)
		out_printf(
			&c->out,
			"what was written since (cover letter, changes, recipients) is "
			"in refs/series-undone/%s\n",
			u.name);
	return 0;
}

static int run_import(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct import_cmd *q = opts;
	bool posted = args->n && is_posted(c->repo, args->v[0]);

	if (q->undo && (q->base || q->branch || args->n > 1))
		return err_set(err, E_USAGE, "--undo takes a branch and nothing else");
	if ((q->branch || q->offline) && !posted)
		return err_set(err, E_USAGE,
			       "--branch and --offline are for a MESSAGE-ID or an MBOX");
	if (q->undo)
		return give_back(c, args, err);
	if (posted)
		return import_mails(c,
				    &(struct import_mails_opts){
					    .arg = args->v[0],
					    .name = args->n > 1 ? args->v[1] : NULL,
					    .branch = q->branch,
					    .base = q->base,
					    .offline = q->offline },
				    err);
	return take_over(c, q, args, err);
}

static const struct opt import_options[] = {
	{ .name = "base",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct import_cmd, base),
	  .arg = "REF",
	  .complete = "ref",
	  .help = "branch the patches were started from, where b4 does not know it or it "
		  "is gone; of mails: what they apply on" },
	{ .name = "branch",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct import_cmd, branch),
	  .arg = "NAME",
	  .help = "of mails: the branch to make" },
	{ .name = "offline",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct import_cmd, offline),
	  .help = "of a MESSAGE-ID: ask no server, take what was fetched before" },
	{ .name = "yes",
	  .letter = 'y',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct import_cmd, yes),
	  .help = "take b4's cover commit out of the branch without asking" },
	{ .name = "undo",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct import_cmd, undo),
	  .help = "give the branch back to b4; forget a series that came from mails" },
	OPT_END
};

const struct cmd cmd_import = {
	.name = "import",
	.group = "prepare",
	.summary = "take over a series that was posted, or prepared by b4",
	.synopsis = "[BRANCH|MESSAGE-ID|LINK|MBOX|- [NAME]]",
	.about =
		"Makes a series of a branch (default: the current one) that b4 prep "
		"prepared, wherever b4 keeps its cover letter: in a first empty commit, "
		"in "
		"an empty commit at the tip, or in the branch's description. The "
		"change-id stays, b4's revision is the draft, the cover letter becomes "
		"the cover letter, its To: and Cc: trailers the recipients, its sections "
		"\"Changes in vN:\" the changelogs, and every tag sent/BRANCH-vN a "
		"version "
		"with the Message-IDs b4 kept. Lines that begin with # and EDITME "
		"entries "
		"are left behind. NAME is made from the branch's name without b4/.\n\n"
		"A branch of a series has no cover commit. It is taken out, after a "
		"question: the commits above it are copied onto the one below with their "
		"messages, authors and dates, and the branch moves there. No file "
		"changes, so the work tree may hold changes. The tip as b4 made it is "
		"kept "
		"as refs/series/NAME/b4. Tags and settings of b4 are left alone.\n\n"
		"--undo gives the branch back to b4. Without new commits it is what it "
		"was, "
		"bit for bit; otherwise the commits of today get b4's cover commit back. "
		"The series is gone then; what was written since the import is kept in "
		"refs/series-undone/NAME. Once series has posted a version there is no "
		"undo, and the message says how to go on with b4.\n\n"
		"Of a MESSAGE-ID, a link, an mbox, a Maildir, a folder of *.patch or *.eml "
		"files or standard input the "
		"series that was posted is taken over, with all its versions: of a "
		"Message-ID those too whose threads its covers link to. Each version is "
		"applied on its base (--base, else its base-commit, else the newest "
		"commit of its time whose files are those that the diffs' index lines "
		"name, else the main branch) and kept "
		" with its mails, Message-IDs and recipients; the cover letter is "
		"that of the newest. When the current branch has the newest version's "
		"patches on top, it becomes the series' branch; otherwise a new branch "
		"is made and not checked out. A version that does not apply is left out, "
		"and named. What a series here has mails of already is not taken over "
		"twice: the message names that series. Then series update fetches what "
		"came back. --undo forgets such a series and leaves its branch.",
	.examples =
		"series import\n\ttake over the current branch\n"
		"series import --yes b4/unmap-batch\n\tanother one, without a question\n"
		"series import --undo\n\tback to b4\n"
		"series import 20261130120000.1-0@example.org\n\ta series that was "
		"posted "
		"by other means\n",
	.opts = import_options,
	.opts_size = sizeof(struct import_cmd),
	.flags = CMD_REPO,
	.max_args = 2,
	.complete = "ref",
	.run = run_import,
};
