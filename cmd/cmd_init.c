// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series init: track a branch as a series.
 */
#include "series/import.h"
#include "series/mem.h"
#include "series/prefix.h"
#include "series/sanitize.h"
#include "cmd.h"

struct init_opts {
	const char *base;
	int version;
	struct strvec prefixes;
};

/* A base that no branch told is said with its reason, for the user alone knows better. */
static void print_why(struct ctx *c, const struct series *s, const char *why)
{
	if (why) {
		out_puts(&c->out, "base: ");
		out_foreign(&c->out, str_c(why));
		out_puts(&c->out, "; another one: series base --set REF\n");
	} else if (s->base_mixed) {
		out_puts(&c->out, "some of these somebody else committed; if they are no "
				  "patches of yours: series base --set REF\n");
	}
}

static void print_created(struct ctx *c, const struct series *s, const char *why)
{
	out_printf(&c->out, "series %s: branch ", s->name);
	out_foreign(&c->out, str_c(s->branch));
	out_printf(&c->out, ", base %.12s", s->base);
	if (s->base_ref) {
		out_puts(&c->out, " (");
		out_foreign(&c->out, str_c(s->base_ref));
		out_puts(&c->out, ")");
	}
	out_printf(&c->out, ", draft v%d\n", series_draft(s));
	for (size_t i = 0; i < s->n_patches; i++) {
		out_printf(&c->out, "  %2d ", s->patches[i].n);
		out_foreign(&c->out, str_c(s->patches[i].subject));
		out_puts(&c->out, "\n");
	}
	print_why(c, s, why);
	out_printf(&c->out, "next: %s\n",
		   s->n_patches ? "series cover --edit" : "commit patches on the branch");
}

/* A commit of b4's among the patches would be posted as one of them. */
static int not_of_b4(struct series *s, struct store *t, void *arg, struct err *err)
{
	char *word _cleanup_free_ = NULL;

	(void)t;
	if (!import_needed(s, arg))
		return 0;
	word = shell_word(s->branch);
	return err_set(
		err, E_FAIL,
		"branch %s was prepared by b4; take it over with its cover letter, "
		"change-id and versions: series import %s",
		s->branch, word);
}

static int run_init(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	char *why _cleanup_free_ = NULL;
	struct init_opts *o = opts;
	struct series_init_opts io = { .name = args->n ? args->v[0] : NULL,
				       .base_ref = o->base,
				       .version = o->version,
				       .ret_why = &why,
				       .fill = not_of_b4,
				       .arg = c->config };
	char *name _cleanup_free_ = NULL;
	int rc = prefix_check(&o->prefixes, true, err);

	if (!rc)
		rc = series_create(c->repo, c->config, &io, &name, err);
	if (rc)
		return rc;
	/* The branch's setting is new. */
	config_free(c->config);
	c->config = NULL;
	rc = config_load(NULL, &c->config, err);
	if (!rc)
		rc = series_load(c->repo, c->config, name, &c->series, err);
	if (!rc && o->prefixes.n)
		rc = series_set_prefixes(c->series, &o->prefixes, err);
	if (rc)
		return rc;
	print_created(c, c->series, why);
	return 0;
}

static const struct opt init_options[] = {
	{ .name = "base",
	  .kind = OPT_STRING,
	  .offset = offsetof(struct init_opts, base),
	  .arg = "REF",
	  .complete = "ref",
	  .help = "branch the patches were started from, or the commit before the "
		  "first" },
	{ .name = "reroll-count",
	  .letter = 'v',
	  .kind = OPT_INT,
	  .offset = offsetof(struct init_opts, version),
	  .arg = "N",
	  .lo = 1,
	  .hi = 999,
	  .help = "number of the first version to post; earlier ones were posted "
		  "otherwise" },
	{ .name = "prefix",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct init_opts, prefixes),
	  .arg = "WORD",
	  .help = "a word behind PATCH in every subject: mm, net-next" },
	OPT_END
};

const struct cmd cmd_init = {
	.name = "init",
	.group = "prepare",
	.summary = "track the current branch as a series",
	.synopsis = "[NAME]",
	.about = "Makes a series of the current branch: from now on its versions, "
		 "cover letter, builds, measurements and postings are kept in "
		 "refs/series/NAME/state. The branch itself is not touched. NAME is "
		 "made from the branch's name unless given: a-z, 0-9, dot, dash and "
		 "underscore, at most 64.\n\n"
		 "Without --base the base is where the branch left its upstream, else "
		 "the nearest main or master, a remote's or one here, but no further "
		 "down than the newest commit that somebody else committed: patches on "
		 "mm-unstable do not take its hundreds along. That commit is the base "
		 "also where there is no such branch; init then says why. An upstream "
		 "or --base is taken at its word. Where neither tells, init asks for "
		 "--base. A branch as base is remembered: after a rebase, or when "
		 "that branch was rebuilt, its reflog tells the new base.\n\n"
		 "git branch -m keeps branch and series together; git branch -c makes "
		 "a copy that has no series of its own yet. To take init back: git "
		 "update-ref -d refs/series/NAME/state and git config --unset "
		 "branch.BRANCH.series.",
	.examples =
		"series init --base mm-unstable\n\tpatches started from mm-unstable\n"
		"series init -v 3 unmap-batch\n\tv1 and v2 were posted by other means\n",
	.opts = init_options,
	.opts_size = sizeof(struct init_opts),
	.flags = CMD_REPO,
	.max_args = 1,
	.run = run_init,
};
