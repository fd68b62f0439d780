// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series check: what a reviewer would sigh about, before he does.
 */
#include <string.h>

#include "check_mails.h"
#include "series/check.h"
#include "series/mem.h"

struct check_cmd_opts {
	struct strvec only;
	bool list, offline;
};

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* "2 errors, 3 warnings; 40 checks passed" */
static void print_sum(struct ctx *c, const struct findings *f, const struct checks *all)
{
	size_t errors = findings_count(f, SEVERITY_ERROR), passed = 0, off = 0;
	size_t warnings = findings_count(f, SEVERITY_WARNING);

	for (size_t i = 0; i < all->n; i++) {
		passed += all->v[i].outcome == CHECK_PASSED;
		off += all->v[i].outcome == CHECK_OFF;
	}
	out_printf(&c->out, "%zu error%s, %zu warning%s; %zu check%s passed", errors,
		   plural(errors), warnings, plural(warnings), passed, plural(passed));
	if (off)
		out_printf(&c->out, ", %zu off", off);
	out_puts(&c->out, "\n");
}

static void print_list(struct ctx *c, const struct checks *all)
{
	for (size_t i = 0; i < all->n; i++)
		out_printf(&c->out, "%-18s %-8s %s\n", all->v[i].id,
			   all->v[i].outcome == CHECK_OFF
				   ? "off"
				   : severity_name(all->v[i].severity),
			   all->v[i].about);
}

static int look(struct ctx *c, const struct strvec *only, struct post **ret,
		struct checks *ret_all, struct err *err)
{
	struct post_opts o = { .version = 0 };
	int rc = series_find_patches(c->series, c->config, err);

	if (!rc)
		rc = post_prepare(c->series, c->config, &o, ret, err);
	return rc ? rc
		  : check_posting(c->series, c->config, *ret, false, only, ret_all, err);
}

static int run_check(struct ctx *c, void *opts, struct strvec *args, struct err *err)
{
	const struct check_cmd_opts *q = opts;
	struct strvec only _cleanup_strvec_ = STRVEC_INIT;
	struct checks all _cleanup_checks_ = { 0 };
	struct post *p _cleanup_post_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	size_t errors;
	int rc;

	for (size_t i = 0; i < q->only.n; i++)
		strvec_split(&only, str_c(q->only.v[i]), ',');
	if (args->n && !q->list)
		return check_mails(c, args->v[0], &only, q->offline, err);
	rc = q->list ? check_list(c->config, &only, &all, err)
		     : look(c, &only, &p, &all, err);
	if (rc)
		return rc;
	if (c->json) {
		c->out.json = json_obj();
		json_set_int(c->out.json, "schema", 1);
		if (p) {
			json_set_str(c->out.json, "name", c->series->name);
			json_set_int(c->out.json, "draft", series_draft(c->series));
		}
		json_set(c->out.json, "findings",
			 p ? findings_json(&p->findings) : json_arr());
		json_set(c->out.json, "checks", checks_json(&all));
	} else if (q->list) {
		print_list(c, &all);
	} else {
		findings_show(&p->findings, &text);
		out_foreign(&c->out, buf_str(&text));
		print_sum(c, &p->findings, &all);
	}
	errors = p ? findings_count(&p->findings, SEVERITY_ERROR) : 0;
	return errors ? err_set(err, E_FINDINGS, "%zu error%s would stop send", errors,
				plural(errors))
		      : 0;
}

static const struct opt options[] = {
	{ .name = "only",
	  .kind = OPT_LIST,
	  .offset = offsetof(struct check_cmd_opts, only),
	  .arg = "ID,...",
	  .help = "these checks alone, those too that a setting has switched off",
	  .complete = "check" },
	{ .name = "list",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct check_cmd_opts, list),
	  .help = "show the checks with their severity here; no series is needed" },
	{ .name = "offline",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct check_cmd_opts, offline),
	  .help = "of a MESSAGE-ID: ask no server, take what was fetched before" },
	OPT_END,
};

static unsigned needs(const void *opts, const struct strvec *args)
{
	const struct check_cmd_opts *q = opts;

	return q->list || args->n ? CMD_MAYBE_REPO : 0;
}

const struct cmd cmd_check = {
	.name = "check",
	.group = "prepare",
	.summary = "find what reviewers would sigh about",
	.synopsis = "[MBOX|MAILDIR|MESSAGE-ID|LINK|-]",
	.about =
		"Makes the mails of the draft, sends nothing, and looks for what stands "
		"against posting it: sign-offs, Fixes: and other trailers, subjects and "
		"messages, what the base's own scripts/checkpatch.pl says, the cover "
		"letter "
		"and its tables, the changelog, recipients, builds, the base. At last "
		"the "
		"mails are applied on the base as git am would, apart from the work "
		"tree, "
		"and have to give the very trees of the branch.\n\n"
		"An error would stop \"series send\", which runs the same checks unless "
		"--no-verify is given; a warning makes it ask. The exit status is 2 when "
		"there is an error; warnings alone are 0. series.check.ID = off, warn or "
		"error changes the severity of a check; some, without which nothing "
		"could "
		"be sent, have one that is fixed. series.check.days (default 1) is how "
		"many "
		"days reviewers get between two versions.\n\n"
		"What checkpatch says of a commit is kept below the cache "
		"(series/checkpatch) and asked again when the script or the commit "
		"changes. "
		"Its ERRORs and WARNINGs are warnings of the check \"checkpatch\"; its "
		"CHECKs are not shown, and what a check of series says itself is left "
		"out. Of each type the first five of a patch are shown, then how many "
		"more there are. It runs with --no-tree; a ~/.checkpatch.conf holds.\n\n"
		"With an argument it looks at what others posted: the newest version of each "
		"series in the mails, or the one that a Message-ID is of. Those checks are "
		"run that need nothing but mails: sign-offs, trailers, subjects, messages, "
		"control characters, patches that are doubled or missing. No remedies are "
		"named, and no repository is needed.\n\n"
		"\"series check --list\" shows all checks with the severity that they have "
		"where it is called, in a series or not.",
	.findings = "There are errors: send would stop. Warnings alone are no finding.",
	.examples =
		"series check\n\tbefore series send\n"
		"series check <thread.mbox -\n\twhat somebody posted, by a pipe from mutt\n"
		"series check --only am-proof,fixes-form\n\ttwo of them\n"
		"git config series.check.subject-prefix off\n\tone never again, here\n",
	.opts = options,
	.opts_size = sizeof(struct check_cmd_opts),
	.flags = CMD_REPO | CMD_DOCS | CMD_JSON,
	.needs = needs,
	.max_args = 1,
	.complete = "file",
	.run = run_check,
};
