// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * maintainers.c - ask the kernel's own scripts/get_maintainer.pl, of the base commit.
 *
 * What it reads is laid out in a private directory that looks like the top of a kernel
 * tree: the script, MAINTAINERS, .mailmap, .get_maintainer.conf and
 * .get_maintainer.ignore, the bindings (*.yaml, whose text names maintainers) that the
 * draft touches, and an empty directory for each that a pattern of MAINTAINERS names
 * without a slash at its end, for the script looks with -d. A .git file leads to the
 * repository, where it follows Fixes:.
 */
#include "recipients_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/sanitize.h"

#define SCRIPT	   "scripts/get_maintainer.pl"
#define TIMEOUT_MS 300000
#define OUTPUT_MAX ((size_t)4 << 20)
#define PEOPLE_MAX 2000
#define ODD_MAX	   10 /* lines that are shown because they name nobody */

/* By what the script knows a kernel tree (top_of_kernel_tree). */
static const char *const top_files[] = { "COPYING", "CREDITS", "Kbuild", "Makefile",
					 "README" };
static const char *const top_dirs[] = { "Documentation", "arch",   "include",
					"drivers",	 "fs",	   "init",
					"ipc",		 "kernel", "lib",
					"scripts" };

/* git checks nothing like that out, but its trees can name it. */
static bool leads_out(const char *path)
{
	struct str rest = str_c(path), part;

	while (str_cut(&rest, '/', &part))
		if (!part.len || str_eqc(part, "..") || str_eqc(part, "."))
			return true;
	return false;
}

/* A file of the base, the same path below dir; one that is not there is passed over. */
static int put_base_file(const struct series *s, const char *dir, const char *path,
			 struct buf *ret_text, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc = leads_out(path) ? 0 : repo_file(s->repo, s->base, path, &text, err);

	if (rc == E_NOTFOUND && err)
		err_release(err);
	if (rc == E_NOTFOUND || leads_out(path))
		return 0;
	if (!rc)
		rc = fs_write_below(dir, path, buf_str(&text), err);
	if (!rc && ret_text)
		buf_addstr(ret_text, buf_str(&text));
	return rc;
}

/* MAINTAINERS, which may be a directory of such files; their text to *ret. */
static int put_maintainers(const struct series *s, const char *dir, struct buf *ret,
			   struct err *err)
{
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	int rc = put_base_file(s, dir, "MAINTAINERS", ret, err);

	if (rc || ret->len)
		return rc;
	if (repo_list_all(s->repo, s->base, "MAINTAINERS", &files, NULL))
		return err_set(err, E_NOTFOUND,
			       "the base %.12s has " SCRIPT ", but no MAINTAINERS",
			       s->base);
	for (size_t i = 0; i < files.n && !rc; i++)
		rc = put_base_file(s, dir, files.v[i], ret, err);
	return rc;
}

/* Patterns that may be directories: no wildcard, and no dot, which the script escapes. */
static void dir_patterns(struct str text, struct strvec *out)
{
	struct str line;

	while (str_line(&text, &line)) {
		if (!str_skip(&line, "F:") && !str_skip(&line, "X:"))
			continue;
		line = str_trim(line);
		if (line.len && line.p[0] != '/' && line.p[line.len - 1] != '/' &&
		    !memchr(line.p, '.', line.len) && !memchr(line.p, '*', line.len) &&
		    !memchr(line.p, '?', line.len) && !memchr(line.p, 0, line.len))
			strvec_push_str(out, line);
	}
}

static int make_pattern_dirs(const struct series *s, const char *dir, struct str text,
			     struct err *err)
{
	char *args[] = { "cat-file", "--batch-check=%(objecttype)", NULL };
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	struct buf in _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	struct str rest, line;
	int rc;

	dir_patterns(text, &paths);
	for (size_t i = 0; i < paths.n; i++)
		buf_printf(&in, "%s:%s\n", s->base, paths.v[i]);
	rc = git_check(s->repo, args, buf_str(&in), &out, err);
	rest = buf_str(&out);
	for (size_t i = 0; i < paths.n && !rc && str_line(&rest, &line); i++) {
		char *full _cleanup_free_ = path_join(dir, paths.v[i]);

		if (str_eqc(line, "tree"))
			rc = fs_mkdirs(full, err);
	}
	return rc;
}

static int put_bindings(const struct series *s, const char *dir, struct err *err)
{
	char *range _cleanup_free_ = xasprintf("%s..%s", s->base, s->head);
	char *args[] = { "log",		 "-z",	"--format=", "--name-only",
			 "--no-renames", range, NULL };
	struct buf out _cleanup_buf_ = BUF_INIT;
	int rc = git_check(s->repo, args, STR_NULL, &out, err);
	struct str rest = buf_str(&out), path;

	while (!rc && str_cut(&rest, '\0', &path)) {
		char *p _cleanup_free_ = str_dup(path);

		if (str_ends(path, ".yaml"))
			rc = put_base_file(s, dir, p, NULL, err);
	}
	return rc;
}

static int lay_out(const struct series *s, const char *dir, struct err *err)
{
	struct buf script _cleanup_buf_ = BUF_INIT, text _cleanup_buf_ = BUF_INIT;
	char *git _cleanup_free_ = xasprintf("gitdir: %s\n", repo_git_dir(s->repo));
	int rc = put_base_file(s, dir, SCRIPT, &script, err);

	if (!rc)
		rc = put_maintainers(s, dir, &text, err);
	for (size_t i = 0; i < ARRAY_SIZE(top_files) && !rc; i++)
		rc = fs_write_below(dir, top_files[i], STR_NULL, err);
	for (size_t i = 0; i < ARRAY_SIZE(top_dirs) && !rc; i++) {
		char *path _cleanup_free_ = path_join(dir, top_dirs[i]);

		rc = fs_mkdirs(path, err);
	}
	if (!rc)
		rc = put_base_file(s, dir, ".mailmap", NULL, err);
	if (!rc)
		rc = put_base_file(s, dir, ".get_maintainer.conf", NULL, err);
	if (!rc)
		rc = put_base_file(s, dir, ".get_maintainer.ignore", NULL, err);
	if (!rc)
		rc = make_pattern_dirs(s, dir, buf_str(&text), err);
	if (!rc)
		rc = put_bindings(s, dir, err);
	return rc ? rc : fs_write_below(dir, ".git", str_c(git), err);
}

/* One line of it, "Name <a@x> (role:SUBSYSTEM)"; false when it is none. */
static bool maintainers_line(struct str line, struct recipients *found)
{
	struct addrs who _cleanup_addrs_ = ADDRS_INIT;
	char *why _cleanup_free_ = NULL;
	struct str role;

	if (!addr_trailer(line, &who, &role))
		return false;
	if (role.len < 3 || role.p[0] != '(' || role.p[role.len - 1] != ')')
		return false;
	role = str_n(role.p + 1, role.len - 2);
	why = xasprintf("get_maintainer: " STR_FMT, STR_ARG(role));
	/* "open list:MM", "moderated list", "subscriber list:MM" */
	recipients_add(found,
		       str_starts(role, "open list") || str_starts(role, "moderated ") ||
				       str_starts(role, "subscriber list")
			       ? SIDE_CC
			       : SIDE_TO,
		       &who.v[0], why);
	return true;
}

static void read_answer(struct str text, struct recipients *found, struct strvec *notes)
{
	struct str line;
	size_t people = 0, odd = 0;

	while (str_line(&text, &line)) {
		char *raw _cleanup_free_ = str_dup(line), *shown _cleanup_free_ = NULL;

		if (!str_trim(line).len)
			continue;
		if (++people > PEOPLE_MAX) {
			strvec_pushf(notes,
				     SCRIPT " names more than %d people and lists: the "
					    "others were left out",
				     PEOPLE_MAX);
			return;
		}
		if (maintainers_line(line, found) || ++odd > ODD_MAX)
			continue;
		shown = sanitize_line_dup(raw);
		strvec_pushf(notes, SCRIPT ": no address and role in '%s'", shown);
	}
}

static int run_script(const char *dir, const struct patch_files *p, struct buf *out,
		      struct err *err)
{
	/* What a .get_maintainer.conf says otherwise comes before these. */
	static const char *const opts[] = {
		"--email",
		"--m",
		"--r",
		"--l",
		"--n",
		"--rolestats",
		"--nogit",
		"--multiline",
		"--separator=, ",
		"--nogit-fallback",
		"--nogit-chief-penguins",
		"--noscm",
		"--nostatus",
		"--nosubsystem",
		"--noweb",
		"--nointeractive",
		"--",
	};
	char *env[] = { "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", NULL };
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = {
		.cwd = dir, .env = env, .timeout_ms = TIMEOUT_MS, .max_output = OUTPUT_MAX
	};
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct progress progress;
	int rc;

	strvec_pushl(&argv, "perl", SCRIPT, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(opts); i++)
		strvec_push(&argv, opts[i]);
	strvec_extend(&argv, &p->paths);
	o.argv = strvec_argv(&argv);
	progress_start(&progress, "asking " SCRIPT, 0);
	rc = proc_check(&o, &res, err);
	progress_end(&progress);
	if (!rc && res.out.full)
		rc = err_set(err, E_FAIL,
			     "it wrote more than %zu MiB; look at what "
			     "MAINTAINERS of the base says",
			     OUTPUT_MAX >> 20);
	if (rc)
		return err_context(err, "the base's " SCRIPT);
	buf_addstr(out, buf_str(&res.out));
	return 0;
}

int maintainers_find(const struct series *s, const struct patch_files *p,
		     struct recipients *found, struct strvec *notes, struct err *err)
{
	struct buf script _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	char *dir _cleanup_free_ = NULL;
	int rc = repo_file(s->repo, s->base, SCRIPT, &script, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		strvec_pushf(notes,
			     "the base %.12s has no " SCRIPT
			     ": nobody was asked about maintainers and lists",
			     s->base);
		return 0;
	}
	if (!rc)
		rc = fs_tmpdir("series-maintainers", &dir, err);
	if (rc)
		return rc;
	rc = lay_out(s, dir, err);
	if (!rc)
		rc = run_script(dir, p, &out, err);
	fs_rmtree(dir, NULL);
	if (!rc)
		read_answer(buf_str(&out), found, notes);
	return rc;
}
