// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compile.c - small programs for guests: built static once, then taken from the cache.
 *
 * The name in the cache is the hash of everything the result depends on: sources,
 * compiler and flags. A program is written beside its name and renamed, so what has the
 * name is whole.
 */
#include <stdio.h>
#include <string.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/xdg.h"

static const char *const flags[] = { "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-static",
				     "-s" };

/* "aarch64-linux-gnu-gcc", or the plain one when the arch is this machine's. */
static int find_compiler(const struct config *c, const struct arch *a, char **ret,
			 struct err *err)
{
	char *key _cleanup_free_ = xasprintf("series.arch.%s.cross", a->name);
	const char *prefix = c ? config_get(c, key) : NULL;
	char *name _cleanup_free_ = xasprintf("%sgcc", prefix ? prefix : a->cross);

	*ret = fs_find_program(name);
	if (!*ret && !prefix && a == arch_native())
		*ret = fs_find_program("gcc");
	if (*ret)
		return 0;
	return err_set(err, E_FAIL,
		       "%s not found: it is needed for programs that run in %s guests; "
		       "install %s (and its libc: libc6-dev-%s-cross)",
		       name, a->name, a->package, a->debian);
}

/* The *.c of a folder, or the file itself; headers go into the hash only. */
static int list_sources(const char *source, struct strvec *ret_c, struct strvec *ret_all,
			struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int r;

	if (!fs_is_dir(source)) {
		strvec_push(ret_c, source);
		strvec_push(ret_all, source);
		return 0;
	}
	r = fs_list(source, &names, err);
	for (size_t i = 0; i < names.n && !r; i++) {
		struct str n = str_c(names.v[i]);

		if (n.p[0] == '.' || (!str_ends(n, ".c") && !str_ends(n, ".h")))
			continue;
		strvec_take(ret_all, path_join(source, n.p));
		if (str_ends(n, ".c"))
			strvec_take(ret_c, path_join(source, n.p));
	}
	if (!r && !ret_c->n)
		r = err_set(err, E_NOTFOUND, "%s: no C source in it", source);
	return r;
}

static int hash_all(const char *cc, const struct strvec *sources, char ret[SHA256_HEX],
		    struct err *err)
{
	char *argv[] = { (char *)cc, "--version", NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = 20000, .max_output = 65536 };
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;
	struct sha256 h;
	int r = proc_check(&o, &pr, err);

	if (r)
		return r;
	sha256_init(&h);
	sha256_add(&h, pr.out.p, pr.out.len);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		sha256_add(&h, flags[i], strlen(flags[i]) + 1);
	for (size_t i = 0; i < sources->n; i++) {
		struct buf text _cleanup_buf_ = BUF_INIT;
		char head[64];

		r = fs_read(sources->v[i], (size_t)16 << 20, &text, err);
		if (r)
			return r;
		sha256_add(&h, path_base(sources->v[i]),
			   strlen(path_base(sources->v[i])) + 1);
		sha256_add(&h, head,
			   (size_t)snprintf(head, sizeof(head), "%zu\n", text.len));
		sha256_add(&h, text.p, text.len);
	}
	sha256_end(&h, ret);
	return 0;
}

static int run_compiler(const char *cc, const struct strvec *sources, const char *out,
			const struct arch *a, struct err *err)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .timeout_ms = 120000, .err = PROC_MERGE };
	char *tmp _cleanup_free_ = xasprintf("%s.tmp", out);
	int r;

	strvec_push(&argv, cc);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		strvec_push(&argv, flags[i]);
	strvec_pushl(&argv, "-o", tmp, NULL);
	strvec_extend(&argv, sources);
	o.argv = strvec_argv(&argv);
	r = proc_run(&o, &pr, err);
	if (!r && pr.status) {
		struct str all = buf_str(&pr.out), at = all;
		ptrdiff_t e = str_find(all, "rror");

		/* from the line of the first error on */
		while (e > 0 && all.p[e - 1] != '\n')
			e--;
		if (e > 0)
			at = str_n(all.p + e, all.len - (size_t)e);
		at.len = MIN(at.len, (size_t)1000);
		r = err_set(err, E_FAIL, "%s does not compile for %s: " STR_FMT "%s",
			    sources->v[0], a->name, STR_ARG(str_trim(at)),
			    str_find(all, "cannot find -lc") >= 0
				    ? " (a static libc of the guest's architecture is "
				      "missing)"
				    : "");
	}
	if (!r && rename(tmp, out))
		r = err_set(err, E_FAIL, "%s: cannot be renamed to %s", tmp, out);
	if (r)
		fs_unlink(tmp, NULL);
	return r;
}

int lab_compile(const struct config *c, const struct arch *a, const char *source,
		char **ret_path, char ret_hash[SHA256_HEX], struct err *err)
{
	struct strvec cs _cleanup_strvec_ = STRVEC_INIT;
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;
	char *cc _cleanup_free_ = NULL, *dir _cleanup_free_ = NULL;
	char *out _cleanup_free_ = NULL;
	char hash[SHA256_HEX];
	int r = list_sources(source, &cs, &all, err);

	if (!r)
		r = find_compiler(c, a, &cc, err);
	if (!r)
		r = hash_all(cc, &all, hash, err);
	if (r)
		return r;
	dir = xdg_cache("guest");
	out = xasprintf("%s/%s", dir, hash);
	if (!fs_exists(out)) {
		struct lock lock _cleanup_lock_ = LOCK_INIT;
		char *path _cleanup_free_ = path_join(dir, "lock");

		r = lock_take(&lock, path, "compile", 120000, err);
		if (!r && !fs_exists(out))
			r = run_compiler(cc, &cs, out, a, err);
		if (r)
			return r;
	}
	*ret_path = out;
	out = NULL;
	if (ret_hash)
		memcpy(ret_hash, hash, SHA256_HEX);
	return 0;
}
