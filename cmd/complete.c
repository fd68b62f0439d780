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
	strvec_push(v, "list");
	strvec_push(v, "check");
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

static const struct {
	const char *kind;
	int (*list)(struct ctx *c, struct strvec *v, struct err *err);
} kinds[] = {
	{ "series", complete_series }, { "host", complete_host },
	{ "arch", complete_arch },     { "bench", complete_bench },
	{ "command", complete_command }, { "cover-template", complete_template },
	{ "check", complete_check },   { "host-word", complete_host_word },
	{ "mirror-word", complete_mirror_word },
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
	return err_set(err, E_USAGE,
		       "--complete: '%s' is none of series, host, arch, bench, command, "
		       "cover-template, check, host-word, mirror-word",
		       kind);
}

const char *config_pager(const struct config *c)
{
	return c ? config_get(c, "core.pager") : NULL;
}
