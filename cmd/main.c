// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * series - the whole life of a Linux kernel patch series. Finds the command, parses its
 * options, opens what its row declares, runs it and prints what it answered.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "series/intr.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/sanitize.h"
#include "complete.h"
#include "spec.h"

/* What to do about a file system that takes no more, whoever met it: git may have. */
static const char *disk_hint(const char *text)
{
	static const struct {
		int error;
		const char *hint;
	} hints[] = {
		{ ENOSPC, "; free space there (df), then run the same command again" },
		{ EDQUOT, "; free space there (quota), then run the same command again" },
		{ EROFS, "; mount it writable, then run the same command again" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(hints); i++)
		if (strstr(text, strerror(hints[i].error)))
			return hints[i].hint;
	return "";
}

/* "series: MESSAGE" on stderr; the message may quote foreign text. */
static int report(const struct err *err)
{
	_cleanup_free_ char *text = sanitize_dup(err_msg(err));

	if (*text)
		fprintf(stderr, "series: %s%s\n", text, disk_hint(text));
	return err_exit_status(err->code);
}

/* The repository, where one is wanted, and the settings that hold here. */
static int open_repo(struct ctx *c, unsigned flags, struct err *err)
{
	struct proc *settings = NULL;
	bool maybe = flags & CMD_MAYBE_REPO;
	int rc;

	/* git reads the settings while libgit2 starts; where it cannot run is said below. */
	config_begin(NULL, &settings, NULL);
	rc = repo_open(NULL, &c->repo, err);
	maybe = maybe && rc == E_NOTFOUND;
	if (rc < 0 && !maybe) {
		proc_free(settings);
		return rc;
	}
	err_release(err);
	if (settings)
		return config_finish(settings, &c->config, err);
	return maybe ? 0 : config_load(NULL, &c->config, err);
}

/* Open what the row declares. */
static int open_resources(struct ctx *c, unsigned flags, struct err *err)
{
	const unsigned series = CMD_SERIES | CMD_DOCS | CMD_MAYBE_SERIES;
	int rc;

	if (!(flags & (CMD_REPO | CMD_MAYBE_REPO | series)))
		return 0;
	rc = open_repo(c, flags, err);
	if (rc < 0 || !c->repo || !(flags & series))
		return rc;
	_cleanup_free_ char *name = xstrdup_null(c->name);

	if (!name) {
		rc = series_of_branch(c->repo, c->config, NULL, &name, err);
		if (rc == E_NOTFOUND && (flags & CMD_MAYBE_SERIES)) {
			err_release(err);
			return 0;
		}
		if (rc < 0)
			return rc;
	}
	if (flags & CMD_DOCS)
		return series_open(c->repo, c->config, name, &c->series, err);
	return series_load(c->repo, c->config, name, &c->series, err);
}

static unsigned wanted(const struct cmd *cmd, const void *opts, const struct strvec *args)
{
	unsigned needs = cmd->needs ? cmd->needs(opts, args) : 0;

	return needs ? needs : cmd->flags;
}

static int run_command(struct ctx *c, const struct cmd *cmd, int argc, char **argv,
		       struct err *err)
{
	size_t common, size;
	_cleanup_free_ struct opt *all = spec_options(cmd, &common, &size);
	_cleanup_free_ char *opts = xcalloc(1, size);
	struct common_opts *co = (struct common_opts *)(opts + common);
	_cleanup_strvec_ struct strvec args = STRVEC_INIT;
	int rc = opt_parse(all, opts, argc, argv, &args, err);

	if (!rc && (args.n < (size_t)cmd->min_args ||
		    (cmd->max_args >= 0 && args.n > (size_t)cmd->max_args))) {
		_cleanup_buf_ struct buf usage = BUF_INIT;

		spec_usage(cmd, &usage);
		rc = err_set(err, E_USAGE, "%s: %s; %s", cmd->name,
			     args.n < (size_t)cmd->min_args ? "an argument is missing" :
							      "too many arguments",
			     (buf_truncate(&usage, usage.len - 1), buf_cstr(&usage)));
	}
	c->name = co->name;
	c->json = co->json;
	if ((cmd->flags & CMD_NAME_ARG) && args.n)
		c->name = args.v[0];
	if (!rc)
		rc = open_resources(c, wanted(cmd, opts, &args), err);
	if (!rc)
		rc = cmd->run(c, opts, &args, err);
	opt_release(all, opts);
	return rc;
}

static bool wants_help(int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help"))
			return true;
	return false;
}

/* Bare "series": the status inside a repository with a series, else the short help. */
static const struct cmd *bare_command(void)
{
	_cleanup_err_ struct err err = ERR_INIT;
	struct repo *r = NULL;
	struct config *c = NULL;
	_cleanup_free_ char *name = NULL;
	bool found = !repo_open(NULL, &r, &err) && !config_load(NULL, &c, &err) &&
		     !series_of_branch(r, c, NULL, &name, &err);

	config_free(c);
	repo_free(r);
	return found ? cmd_find("status") : NULL;
}

/* Number of leading arguments that belong to the program and not to the command. */
static int count_globals(int argc, char **argv)
{
	int i = 0;

	for (; i < argc && argv[i][0] == '-'; i++)
		if (!strcmp(argv[i], "-C") || !strcmp(argv[i], "--directory") ||
		    !strcmp(argv[i], "--color") || !strcmp(argv[i], "--complete"))
			i++;
	return MIN(i, argc);
}

static int dispatch(struct ctx *c, struct global_opts *g, int argc, char **argv,
		    struct err *err)
{
	const struct cmd *cmd = NULL;

	if (g->dump_spec) {
		c->out.json = spec_json();
		return 0;
	}
	if (g->complete)
		return complete_kind(c, g->complete, err);
	if (g->version) {
		out_printf(&c->out, "series %s\n", cmd_version_string());
		return 0;
	}
	if (!argc && !g->help)
		cmd = bare_command();
	if (!argc && !cmd) {
		spec_overview(&c->out.text);
		return 0;
	}
	if (!cmd)
		cmd = cmd_find(argv[0]);
	if (!cmd)
		return cmd_unknown(argv[0], err);
	argv += argc > 0;
	argc -= argc > 0;
	if (g->help || wants_help(argc, argv)) {
		spec_help(cmd, &c->out.text);
		return 0;
	}
	return run_command(c, cmd, argc, argv, err);
}

/*
 * A closed 0, 1 or 2 must not become the number of a file that is opened later. What is
 * put in its place can be read and not written, so that output still fails.
 */
static void fill_std_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			_exit(1);
}

int main(int argc, char **argv)
{
	_cleanup_err_ struct err err = ERR_INIT, flush = ERR_INIT;
	_cleanup_strvec_ struct strvec rest = STRVEC_INIT;
	struct global_opts g = { .color = "auto" };
	struct ctx c = { 0 };
	int n, rc;

	fill_std_fds();
	setlocale(LC_CTYPE, "");
	intr_install();
	n = count_globals(argc - 1, argv + 1);
	rc = opt_parse(global_options, &g, n, argv + 1, &rest, &err);
	out_init(&c.out, g.color, g.no_pager);
	if (!rc && g.dir && chdir(g.dir) < 0)
		rc = err_errno(&err, errno, "-C %s", g.dir);
	if (!rc)
		rc = dispatch(&c, &g, argc - 1 - n, argv + 1 + n, &err);
	/* An answer is printed even when it came with findings. */
	int frc = out_flush(&c.out, config_pager(c.config), &flush);

	if (frc < 0)
		report(&flush);
	int status = rc < 0 ? report(&err) : frc < 0 ? err_exit_status(frc) : 0;

	series_free(c.series);
	config_free(c.config);
	repo_free(c.repo);
	out_release(&c.out);
	return status;
}
