// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series base: the commit that the patches start on.
 */
#include "series/mem.h"
#include "base_suggest.h"
#include "cmd.h"

struct base_opts {
	const char *set;
	struct strvec prerequisites;
	bool no_prerequisite, suggest;
};

struct base_view {
	struct commit commit;
	int64_t behind; /* -1: unknown */
};

static void print_base(struct ctx *c, const struct base_view *v)
{
	const struct series *s = c->series;

	out_printf(&c->out, "base %.12s ", s->base);
	out_foreign(&c->out, str_c(v->commit.subject));
	out_puts(&c->out, "\n");
	if (s->base_ref) {
		out_puts(&c->out, "ref  ");
		out_foreign(&c->out, str_c(s->base_ref));
		if (v->behind > 0)
			out_printf(&c->out, ", %lld commit%s ahead of the base",
				   (long long)v->behind, v->behind == 1 ? "" : "s");
		else if (v->behind < 0)
			out_puts(&c->out, ", which is gone");
		out_puts(&c->out, "\n");
	}
	for (size_t i = 0; i < s->prerequisites.n; i++) {
		out_foreign(&c->out, str_c(s->prerequisites.v[i]));
		out_puts(&c->out, "\n");
	}
	if (strcmp(series_public_base(s), s->base))
		out_printf(&c->out, "base-commit: %s, where they start\n",
			   series_public_base(s));
	else if (*s->public_base)
		out_puts(&c->out,
			 "the prerequisites were named for another base; name them "
			 "again: series base --prerequisite WHAT\n");
	out_printf(&c->out, "%zu patch%s on it\n", s->n_patches,
		   s->n_patches == 1 ? "" : "es");
}

static struct json *as_json(const struct series *s, const struct base_view *v)
{
	struct json *j = json_obj();

	json_set_int(j, "schema", 1);
	json_set_str(j, "name", s->name);
	json_set_str(j, "commit", s->base);
	json_set_str(j, "subject", v->commit.subject);
	json_set_str(j, "ref", s->base_ref);
	if (v->behind >= 0)
		json_set_int(j, "behind", v->behind);
	else
		json_set_str(j, "behind", NULL);
	json_set_int(j, "patches", (int64_t)s->n_patches);
	json_set_str(j, "public", series_public_base(s));
	json_set_strvec(j, "prerequisites", &s->prerequisites);
	return j;
}

static int run_suggest(struct ctx *c, struct err *err)
{
	struct base_suggestions b _cleanup_base_suggestions_ = { .v = NULL };
	int rc = series_find_patches(c->series, c->config, err);

	if (!rc)
		rc = suggest_base(c->series, c->config, &b, err);
	if (rc)
		return rc;
	if (c->json)
		c->out.json = base_suggest_json(c->series, &b);
	else
		base_suggest_print(c, &b);
	return 0;
}

static int run_base(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	struct base_opts *o = opts;
	struct base_view v = { .behind = -1 };
	int rc = 0;

	if (o->no_prerequisite && o->prerequisites.n)
		return err_set(err, E_USAGE,
			       "base: --prerequisite and --no-prerequisite exclude each "
			       "other");
	if (o->suggest && (o->set || o->prerequisites.n || o->no_prerequisite))
		return err_set(err, E_USAGE,
			       "base: --suggest changes nothing; give it alone");
	if (o->suggest)
		return run_suggest(c, err);
	if (o->set)
		rc = series_set_base(c->series, c->config, o->set, err);
	if (!rc)
		rc = series_find_patches(c->series, c->config, err);
	if (!rc && (o->no_prerequisite || o->prerequisites.n))
		rc = series_set_prerequisites(c->series, c->config, &o->prerequisites,
					      err);
	if (!rc)
		rc = repo_commit(c->repo, c->series->base, &v.commit, err);
	if (rc)
		return rc;
	if (series_behind(c->series, &v.behind, NULL))
		v.behind = -1;
	if (c->json)
		c->out.json = as_json(c->series, &v);
	else
		print_base(c, &v);
	commit_release(&v.commit);
	return 0;
}

static const struct opt base_options[] = {
	{ .name = "set",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct base_opts, set),
	  .arg = "REF",
	  .complete = "ref",
	  .help = "branch the patches were started from, or the commit before the "
		  "first" },
	{ .name = "suggest",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct base_opts, suggest),
	  .help = "try the patches on other branches, and tell which have them already" },
	{ .name = "prerequisite",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct base_opts, prerequisites),
	  .arg = "WHAT",
	  .complete = "ref",
	  .help = "what must be applied first: A..B, a commit, another series or "
		  "<MESSAGE-ID>; may be repeated" },
	{ .name = "no-prerequisite",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct base_opts, no_prerequisite),
	  .help = "nothing any more" },
	OPT_END
};

const struct cmd cmd_base = {
	.name = "base",
	.group = "prepare",
	.summary = "show, find or set the commit the patches start on",
	.about = "Shows the base of the series, the branch it was taken from and how "
		 "far that branch has moved on.\n\n"
		 "The base is the recorded commit while it is an ancestor of the "
		 "branch; after a rebase it is the last commit that the base ref has or "
		 "had by its reflog (a branch like mm-unstable is rebuilt daily); "
		 "failing that, the first commit that somebody else committed. Your own "
		 "are those with your name or one of your addresses: user.email, "
		 "series.email (may be repeated) and what .mailmap says of them. When "
		 "none of these gives an answer, --set says it.\n\n"
		 "--suggest tries the patches one by one on the base ref and on other "
		 "branches, as git rebase would but without touching branch or files, "
		 "and shows the best first, with the command that moves the series "
		 "there. The branches are those that series.baseCandidate names (may "
		 "be repeated; patterns such as origin/mm-* are taken), else main, "
		 "master, mm-* and *-next of the base ref's remote. It needs git 2.38 "
		 "or later. Where a branch has patches of the last version already "
		 "(title and patch-id, or title and author, are the same), it offers "
		 "the commit before the first of them for a whole new version, and "
		 "the tip for a fix on top.\n\n"
		 "--prerequisite names what the patches need and upstream does not have, "
		 "in the order it applies, and replaces what was named before. It is "
		 "posted as prerequisite-patch-id:, prerequisite-change-id: or "
		 "prerequisite-message-id: below the cover letter. Patches that lead up "
		 "to the base move base-commit: to where they start, as git "
		 "format-patch --base does; after a rebase name them again.",
	.examples =
		"series base --set mm-unstable\n\tthe patches were rebased to "
		"mm-unstable\n"
		"series base --set HEAD~3\n\tthe last three commits are the series\n"
		"series base --suggest\n\ton which branches do the patches apply?\n"
		"series base --prerequisite mm-unstable..fixes\n\tthey need the patches "
		"of the branch fixes\n",
	.opts = base_options,
	.opts_size = sizeof(struct base_opts),
	.flags = CMD_REPO | CMD_DOCS | CMD_JSON,
	.run = run_base,
};
