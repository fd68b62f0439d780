// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checks of "series doctor": programs, settings, repository, space. A row a program;
 * everything else is a function that adds one item.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "doctor_priv.h"
#include "series/arch.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/xdg.h"

/* Programs that a command runs, the Debian package that brings each, and who wants it. */
static const struct {
	const char *program, *package, *wanted_by;
	enum doctor_state missing;
} programs[] = {
	{ "git", "git", "everything", DOCTOR_BAD },
	{ "make", "make", "build", DOCTOR_BAD },
	{ "gcc", "gcc", "build", DOCTOR_BAD },
	{ "flex", "flex", "build (kconfig)", DOCTOR_BAD },
	{ "bison", "bison", "build (kconfig)", DOCTOR_BAD },
	{ "bc", "bc", "build", DOCTOR_BAD },
	{ "readelf", "binutils", "build (build-ids)", DOCTOR_BAD },
	{ "perl", "perl", "build (x86_64)", DOCTOR_WARN },
	{ "ccache", "ccache", "build (faster rebuilds)", DOCTOR_WARN },
	{ "qemu-system-aarch64", "qemu-system-arm", "bench on arm64", DOCTOR_WARN },
	{ "qemu-system-x86_64", "qemu-system-x86", "bench on x86_64", DOCTOR_WARN },
};

void doctor_add(struct doctor *d, const char *id, enum doctor_state state, char *what_take,
		char *remedy_take)
{
	vec_grow(d->items, d->n, d->cap);
	d->items[d->n++] = (struct doctor_item){ id, state, what_take, remedy_take };
}

static void check_programs(struct doctor *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		_cleanup_free_ char *path = fs_find_program(programs[i].program);

		if (path)
			doctor_add(d, programs[i].program, DOCTOR_OK, xstrdup(path), NULL);
		else
			doctor_add(d, programs[i].program, programs[i].missing,
			    xasprintf("%s is missing; wanted by: %s", programs[i].program,
				      programs[i].wanted_by),
			    xasprintf("install it (Debian: apt-get install %s)",
				      programs[i].package));
	}
}

/* The cross compilers of the two architectures that the shipped configs know. */
static void check_compilers(struct doctor *d)
{
	static const char *const names[] = { "arm64", "x86_64" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct arch *a;

		if (arch_find(names[i], &a, NULL) < 0 || a == arch_native())
			continue;
		_cleanup_free_ char *gcc = xasprintf("%sgcc", a->cross);
		_cleanup_free_ char *path = fs_find_program(gcc);

		if (path)
			doctor_add(d, "compiler", DOCTOR_OK, xstrdup(path), NULL);
		else
			doctor_add(d, "compiler", DOCTOR_WARN,
			    xasprintf("%s is missing; wanted by: build --arch %s", gcc,
				      a->name),
			    xasprintf("install it (Debian: apt-get install %s)", a->package));
	}
}

/* git 2.31 brought the --fork-point and update-ref behaviour that the state relies on. */
static void check_git_version(struct doctor *d)
{
	char *argv[] = { "git", "--version", NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = 10000 };
	_cleanup_proc_ struct proc_result r = PROC_RESULT_INIT;
	int major = 0, minor = 0;

	if (proc_check(&o, &r, NULL) < 0 ||
	    sscanf(buf_cstr(&r.out), "git version %d.%d", &major, &minor) != 2)
		return;
	char *what = xasprintf("git version %d.%d", major, minor);

	if (major > 2 || (major == 2 && minor >= 31))
		doctor_add(d, "git-version", DOCTOR_OK, what, NULL);
	else
		doctor_add(d, "git-version", DOCTOR_BAD, what, xstrdup("update git to 2.31 or newer"));
}

static void check_setting(struct doctor *d, const struct config *c, const char *key,
			  enum doctor_state missing, const char *why)
{
	const char *v = c ? config_get(c, key) : NULL;

	if (v && *v)
		doctor_add(d, key, DOCTOR_OK, xasprintf("%s = %s", key, v), NULL);
	else
		doctor_add(d, key, missing, xasprintf("%s is not set; wanted by: %s", key, why),
		    xasprintf("git config --global %s VALUE", key));
}

/* Configurations, benchmarks, the guest's init, covers: one of each stands for all. */
static void check_templates(struct doctor *d)
{
	static const char *const wanted[] = { "kconfig/vm.config", "bench/swapout/bench.conf",
					      "guest/init.c", "cover/default.txt" };
	const char *own = getenv("SERIES_TEMPLATES");
	char *path = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		free(path);
		path = xdg_template(wanted[i]);
		if (!path) {
			doctor_add(d, "templates", DOCTOR_BAD,
				   xasprintf("the template %s is missing", wanted[i]),
				   xstrdup("install series whole (make install), or set "
					   "SERIES_TEMPLATES to the folder templates of its "
					   "source"));
			return;
		}
	}
	path[strlen(path) - strlen(wanted[ARRAY_SIZE(wanted) - 1])] = '\0';
	if (own && *own && !str_starts(str_c(path), own))
		doctor_add(d, "templates", DOCTOR_WARN,
			   xasprintf("SERIES_TEMPLATES is %s, and %s is used where that has no "
				     "template",
				     own, path),
			   xstrdup("set it to a folder with kconfig, bench, guest and cover, "
				   "or to nothing"));
	else
		doctor_add(d, "templates", DOCTOR_OK, xstrdup(path), NULL);
	free(path);
}

static void check_space(struct doctor *d)
{
	_cleanup_free_ char *cache = xdg_cache(NULL);
	struct statvfs v;

	if (fs_mkdirs(cache, NULL) < 0 || statvfs(cache, &v) < 0) {
		doctor_add(d, "cache", DOCTOR_BAD, xasprintf("%s cannot be used", cache),
		    xstrdup("set XDG_CACHE_HOME to a folder that can be written"));
		return;
	}
	unsigned long long mib = (unsigned long long)v.f_bavail * v.f_frsize >> 20;
	char *what = xasprintf("%s: %llu MiB free", cache, mib);

	if (mib >= 5000)
		doctor_add(d, "cache", DOCTOR_OK, what, NULL);
	else
		doctor_add(d, "cache", DOCTOR_WARN, what,
		    xstrdup("a kernel tree with its objects takes 3 to 5 GiB; "
			    "series build --gc makes room"));
}

int doctor_run(struct repo *r, const struct config *c, struct doctor *ret, struct err *err)
{
	struct doctor d = { 0 };

	check_programs(&d);
	check_git_version(&d);
	check_compilers(&d);
	check_templates(&d);
	if (r) {
		check_setting(&d, c, "user.name", DOCTOR_BAD, "send");
		check_setting(&d, c, "user.email", DOCTOR_BAD, "send");
		check_setting(&d, c, "sendemail.smtpserver", DOCTOR_WARN, "send");
		doctor_settings(&d, c);
		doctor_remotes(&d, c);
		doctor_leftovers(&d, r);
		doctor_add(&d, "repository", DOCTOR_OK, xstrdup(repo_common_dir(r)), NULL);
	} else {
		doctor_add(&d, "repository", DOCTOR_WARN, xstrdup("not inside a git repository"),
		    xstrdup("run doctor inside your kernel tree to check its settings"));
	}
	check_space(&d);
	*ret = d;
	return 0;
}

void doctor_release(struct doctor *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->items[i].what);
		free(d->items[i].remedy);
	}
	free(d->items);
	*d = (struct doctor){ 0 };
}
