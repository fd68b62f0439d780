// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers of --complete=KIND, which the shell completions ask for.
 */
#include <string.h>

#include "series/arch.h"
#include "series/check.h"
#include "series/fs.h"
#include "series/lab.h"
#include "series/mem.h"
#include "series/mirrors.h"
#include "series/reviewdoc.h"
#include "series/xdg.h"
#include "complete.h"
#include "cover_template.h"

static int complete_series(struct ctx *c, struct strvec *v, struct err *err)
{
	return c->repo ? series_names(c->repo, v, err) : 0;
}

static int complete_host(struct ctx *c, struct strvec *v, struct err *err)
{
	host_names(c->config, v);
	return 0;
}

static int complete_arch(struct ctx *c, struct strvec *v, struct err *err)
{
	const struct arch *a;

	for (size_t i = 0; (a = arch_at(i)); i++)
		strvec_push(v, a->name);
	return 0;
}

static int complete_bench(struct ctx *c, struct strvec *v, struct err *err)
{
	_cleanup_free_ char *dir = xdg_template("bench");

	return dir ? fs_list(dir, v, err) : 0;
}

static int complete_check(struct ctx *c, struct strvec *v, struct err *err)
{
	_cleanup_checks_ struct checks all = { 0 };
	int rc = check_list(NULL, NULL, &all, err);

	for (size_t i = 0; i < all.n; i++)
		strvec_push(v, all.v[i].id);
	return rc;
}

/* The first argument of "series host" is a word, the next one a host. */
static int complete_host_word(struct ctx *c, struct strvec *v, struct err *err)
{
	strvec_pushl(v, "list", "check", "add", "shell", "reset", NULL);
	return complete_host(c, v, err);
}

/* The first argument of "series mirror" is a word, the next ones mirrors. */
static int complete_mirror_word(struct ctx *c, struct strvec *v, struct err *err)
{
	strvec_pushl(v, "add", "update", "list", "drop", NULL);
	return mirrors_names(v, err);
}

static int complete_template(struct ctx *c, struct strvec *v, struct err *err)
{
	return cover_template_names(v, err);
}

static int complete_command(struct ctx *c, struct strvec *v, struct err *err)
{
	for (size_t i = 0; commands[i]; i++)
		strvec_push(v, commands[i]->name);
	return 0;
}

/* The branch's series; NULL where there is none, which is no error. */
static struct series *here(struct ctx *c)
{
	char *name _cleanup_free_ = NULL;

	if (c->repo && !series_of_branch(c->repo, c->config, NULL, &name, NULL))
		series_open(c->repo, c->config, name, &c->series, NULL);
	return c->series;
}

static int complete_version(struct ctx *c, struct strvec *v, struct err *err)
{
	const struct series *s = here(c);

	for (size_t i = 0; s && i < s->n_versions; i++)
		strvec_pushf(v, "v%d", s->versions[i].n);
	return 0;
}

static int complete_number(struct ctx *c, struct strvec *v, struct err *err)
{
	const struct series *s = here(c);

	for (size_t i = 0; s && i < s->n_versions; i++)
		strvec_pushf(v, "%d", s->versions[i].n);
	return 0;
}

static int complete_patch(struct ctx *c, struct strvec *v, struct err *err)
{
	struct series *s = here(c);

	if (s && !series_find_patches(s, c->config, NULL))
		for (size_t i = 1; i <= s->n_patches; i++)
			strvec_pushf(v, "%zu", i);
	return 0;
}

/* Patches of the last version: what --fixup is for. */
static int complete_posted(struct ctx *c, struct strvec *v, struct err *err)
{
	const struct series *s = here(c);
	const struct version *last = s ? series_last(s) : NULL;

	for (size_t i = 1; last && i <= last->n_patches; i++)
		strvec_pushf(v, "%zu", i);
	return 0;
}

/* As many digits as the lists of them show. */
static int review_ids(struct ctx *c, struct strvec *v, bool tags, struct err *err)
{
	struct review r _cleanup_review_ = { 0 };
	const struct series *s = here(c);
	int rc = s ? review_load(s, &r, err) : 0, digits = rc ? 0 : review_digits(&r);

	for (size_t i = 0; !rc && tags && i < r.n_tags; i++)
		strvec_pushf(v, "%.*s", digits, r.tags[i].id);
	for (size_t i = 0; !rc && !tags && i < r.n_remarks; i++)
		strvec_pushf(v, "%.*s", digits, r.remarks[i].id);
	for (size_t i = 0; !rc && !tags && i < r.n_reports; i++)
		strvec_pushf(v, "%.*s", digits, r.reports[i].id);
	return rc;
}

static int complete_tag(struct ctx *c, struct strvec *v, struct err *err)
{
	return review_ids(c, v, true, err);
}

static int complete_remark(struct ctx *c, struct strvec *v, struct err *err)
{
	return review_ids(c, v, false, err);
}

static const struct {
	const char *kind;
	int (*list)(struct ctx *c, struct strvec *v, struct err *err);
} kinds[] = {
	{ "series", complete_series }, { "host", complete_host },
	{ "arch", complete_arch },     { "bench", complete_bench },
	{ "command", complete_command }, { "cover-template", complete_template },
	{ "check", complete_check },   { "host-word", complete_host_word },
	{ "mirror-word", complete_mirror_word }, { "version", complete_version },
	{ "number", complete_number }, { "patch", complete_patch },
	{ "posted", complete_posted }, { "tag", complete_tag },
	{ "remark", complete_remark },
};

int complete_kind(struct ctx *c, const char *kind, struct err *err)
{
	_cleanup_strvec_ struct strvec v = STRVEC_INIT;
	_cleanup_err_ struct err ignored = ERR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(kinds[i].kind, kind))
			continue;
		/* Outside a repository what needs none is offered, as the user set it up. */
		repo_open(NULL, &c->repo, &ignored);
		config_load(NULL, &c->config, NULL);
		int rc = kinds[i].list(c, &v, err);

		for (size_t k = 0; !rc && k < v.n; k++)
			out_printf(&c->out, "%s\n", v.v[k]);
		return rc;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		strvec_push(&v, kinds[i].kind);
	char *all _cleanup_free_ = strvec_join(&v, ", ");

	return err_set(err, E_USAGE, "--complete: '%s' is none of %s", kind, all);
}

const char *config_pager(const struct config *c)
{
	return c ? config_get(c, "core.pager") : NULL;
}
