// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The .config of a tree: the kernel's own target, fragments laid over it by the kernel's
 * merge_config.sh, olddefconfig, and then the proof that what was asked for is there.
 *
 * It is written beside the real one and moved over it only when it differs, so that a
 * tree whose configuration did not change is not configured again by make. A stamp says
 * for which tree it was made; for the next tree it stands when no file of Kconfig's
 * differs between the two.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "series/fs.h"
#include "series/proc.h"
#include "internal.h"

#define OWN_NAME "series.config"
/* A random key would make each build a different one (certs/Makefile makes it only then).
 */
#define OWN_FRAGMENT "CONFIG_MODULE_SIG_KEY=\"\"\n"

static char *stamp_path(const struct plan *p)
{
	return path_join(p->meta, "configured.json");
}

static bool is_kconfig(const char *path)
{
	const char *base = path_base(path);

	return !strncmp(base, "Kconfig", 7) || !strncmp(path, "scripts/", 8) ||
	       strstr(path, "/configs/") || !strcmp(path, "Makefile") ||
	       (!strncmp(path, "arch/", 5) && !strcmp(base, "Makefile"));
}

/* Does the .config that is there hold for this tree? */
static bool still_good(const struct plan *p, const char *tree)
{
	_cleanup_free_ char *path = stamp_path(p);
	_cleanup_free_ char *config = path_join(p->obj, ".config");
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_json_ struct json *j = NULL;
	_cleanup_strvec_ struct strvec paths = STRVEC_INIT;
	char sha[SHA256_HEX];

	if (fs_read(path, 1 << 20, &text, NULL) < 0 ||
	    json_parse(buf_str(&text), path, &j, NULL) < 0)
		return false;
	const char *old = json_get_str(j, "tree"), *hash = json_get_str(j, "config_hash"),
		   *compiler = json_get_str(j, "compiler"),
		   *sum = json_get_str(j, "sha256");

	if (!old || !hash || !compiler || !sum || strcmp(hash, p->config_hash) ||
	    strcmp(compiler, p->compiler) || sha256_file(config, sha, NULL) < 0 ||
	    strcmp(sha, sum))
		return false;
	if (!strcmp(old, tree))
		return true;
	if (source_diff(p, old, tree, &paths, NULL) < 0)
		return false;
	for (size_t i = 0; i < paths.n; i++)
		if (is_kconfig(paths.v[i]))
			return false;
	return true;
}

static int write_stamp(const struct plan *p, const char *tree, struct err *err)
{
	_cleanup_free_ char *path = stamp_path(p);
	_cleanup_free_ char *config = path_join(p->obj, ".config");
	_cleanup_json_ struct json *j = json_obj();
	_cleanup_buf_ struct buf text = BUF_INIT;
	char sha[SHA256_HEX];
	int rc = sha256_file(config, sha, err);

	if (rc < 0)
		return rc;
	json_set_int(j, "schema", 1);
	json_set_str(j, "tree", tree);
	json_set_str(j, "config_hash", p->config_hash);
	json_set_str(j, "compiler", p->compiler);
	json_set_str(j, "sha256", sha);
	json_dump(j, &text);
	return fs_write_atomic(path, text.p, text.len, 0644, err);
}

static int kconfig_make(struct plan *p, const char *target, const char *label,
			struct err *err)
{
	_cleanup_strvec_ struct strvec args = STRVEC_INIT, env = STRVEC_INIT;
	_cleanup_free_ char *path = make_log_path(p);
	_cleanup_buf_ struct buf log = BUF_INIT;
	struct make_result res;

	strvec_push(&args, target);
	strvec_push(&env, "KCONFIG_CONFIG=.series/config.new");
	int rc = make_run(p, &args, &env, label, &res, err);

	if (rc < 0 || !res.rc)
		return rc;
	fs_read_tail(path, 1 << 20, &log, NULL);
	_cleanup_free_ char *first = first_error(buf_str(&log));

	return err_set(err, E_FINDINGS, "%s: 'make %s' failed (log: %s)%s%s", label,
		       target, path, first ? ":\n" : "", first ? first : "");
}

/* The bytes alone: the user's file may be read-only, ours is written again. */
static int copy_text(const char *from, const char *to, struct err *err)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	int rc = fs_read(from, 16 << 20, &text, err);

	return rc < 0 ? rc
		      : fs_write_atomic(to, text.p ? text.p : "", text.len, 0644, err);
}

/* Fragments are copied first: merge_config.sh splits names at blanks. */
static int merge(const struct plan *p, struct err *err)
{
	_cleanup_free_ char *script =
		path_join(p->src, "scripts/kconfig/merge_config.sh");
	_cleanup_free_ char *own = path_join(p->meta, OWN_NAME);
	_cleanup_strvec_ struct strvec argv = STRVEC_INIT, env = STRVEC_INIT;
	_cleanup_proc_ struct proc_result res = PROC_RESULT_INIT;
	int rc = fs_write_atomic(own, OWN_FRAGMENT, strlen(OWN_FRAGMENT), 0644, err);

	strvec_pushl(&argv, script, "-m", "config.new", OWN_NAME, NULL);
	for (size_t i = 0; i < p->fragments.n && !rc; i++) {
		const char *name = strvec_pushf(&argv, "fragment-%zu.config", i);
		_cleanup_free_ char *to = path_join(p->meta, name);

		rc = copy_text(p->fragments.v[i], to, err);
	}
	if (rc < 0)
		return rc;
	make_env(p, &env);
	strvec_push(&env, "KCONFIG_CONFIG=config.new");
	struct proc_opts o = { .argv = strvec_argv(&argv),
			       .env = strvec_argv(&env),
			       .cwd = p->meta };

	return proc_check(&o, &res, err);
}

/* The Kconfig file that defines a symbol, and what the entry says. */
static void explain(const struct plan *p, const char *tree, const char *symbol,
		    struct str config, struct buf *ret)
{
	_cleanup_strvec_ struct strvec args = STRVEC_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct str rest, line;
	bool any = false;

	strvec_pushl(&args, "grep", "-l", "-E", NULL);
	strvec_pushf(&args, "^(menu)?config %s$", symbol);
	strvec_pushl(&args, tree, "--", ":(glob)**/Kconfig*", NULL);
	/* Status 1 is "nothing found": then there is no such option. */
	source_git(p, &args, &out, NULL);
	rest = buf_str(&out);
	while (str_line(&rest, &line)) {
		_cleanup_buf_ struct buf text = BUF_INIT;
		ptrdiff_t colon = str_chr(line, ':');

		if (colon < 0)
			continue;
		_cleanup_free_ char *name =
			str_dup(str_n(line.p + colon + 1, line.len - (size_t)colon - 1));
		_cleanup_free_ char *path = path_join(p->src, name);

		if (fs_read(path, 4 << 20, &text, NULL) < 0)
			continue;
		buf_printf(ret, "\n\t\t%s: ", name);
		any = true;
		if (!lost_depends(buf_str(&text), symbol, config, ret))
			buf_puts(ret, "defines it");
	}
	if (!any)
		buf_puts(ret, "\n\t\tno Kconfig file of this tree defines it");
}

static int check_lost(const struct plan *p, const char *tree, struct str config,
		      struct err *err)
{
	size_t n = p->fragments.n;
	_cleanup_free_ struct buf *texts = xcalloc(n + 1, sizeof(*texts));
	_cleanup_free_ struct str *views = xcalloc(n + 1, sizeof(*views));
	_cleanup_free_ const char **names = xcalloc(n + 1, sizeof(*names));
	_cleanup_strvec_ struct strvec lost = STRVEC_INIT, symbols = STRVEC_INIT;
	_cleanup_buf_ struct buf msg = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		rc = fs_read(p->fragments.v[i], 16 << 20, &texts[i], err);
		views[i] = buf_str(&texts[i]);
		names[i] = path_base(p->fragments.v[i]);
	}
	if (!rc)
		lost_options(names, views, n, config, &lost, &symbols);
	for (size_t i = 0; i < lost.n && i < 20; i++) {
		buf_printf(&msg, "\n\t%s", lost.v[i]);
		explain(p, tree, symbols.v[i], config, &msg);
	}
	if (lost.n > 20)
		buf_printf(&msg, "\n\tand %zu more", lost.n - 20);
	if (lost.n)
		rc = err_set(
			err, E_FAIL,
			"config %s for %s: %zu option%s lost; add what %s or take %s "
			"out of the fragment:%s",
			p->config_name, p->arch->name, lost.n, lost.n == 1 ? "" : "s",
			lost.n == 1 ? "it depends on" : "they depend on",
			lost.n == 1 ? "it" : "them", buf_cstr(&msg));
	for (size_t i = 0; i < n; i++)
		buf_release(&texts[i]);
	return rc;
}

/* Take over config.new when it says something else than .config. */
static int publish(const struct plan *p, const char *new, struct str text,
		   struct err *err)
{
	_cleanup_free_ char *config = path_join(p->obj, ".config");
	_cleanup_buf_ struct buf old = BUF_INIT;

	if (!fs_read(config, 0, &old, NULL) && str_eq(buf_str(&old), text))
		return fs_unlink(new, err);
	if (rename(new, config) < 0)
		return err_errno(err, errno, "%s", config);
	return 0;
}

int configure(struct plan *p, const char *tree, const char *label, struct err *err)
{
	_cleanup_free_ char *new = path_join(p->meta, "config.new");
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (still_good(p, tree))
		return 0;
	_cleanup_free_ char *what = xasprintf("configuring %s", label);
	int rc = fs_unlink(new, err);

	if (!rc && p->base_file)
		rc = copy_text(p->base_file, new, err);
	if (!rc && p->target)
		rc = kconfig_make(p, p->target, what, err);
	if (!rc)
		rc = merge(p, err);
	if (!rc)
		rc = kconfig_make(p, "olddefconfig", what, err);
	if (!rc)
		rc = fs_read(new, 16 << 20, &text, err);
	if (!rc)
		rc = check_lost(p, tree, buf_str(&text), err);
	if (!rc)
		rc = publish(p, new, buf_str(&text), err);
	return rc < 0 ? rc : write_stamp(p, tree, err);
}
