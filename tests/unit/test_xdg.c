// SPDX-License-Identifier: GPL-2.0-or-later
/* test_xdg.c - folders by the environment, and where templates are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/xdg.h"

static void is(char *got_take, const char *want)
{
	char *got _cleanup_free_ = got_take;

	assert_non_null(got);
	assert_string_equal(got, want);
}

static void test_home(void **state)
{
	unsetenv("XDG_CACHE_HOME");
	unsetenv("XDG_DATA_HOME");
	setenv("HOME", "/home/dev", 1);
	is(xdg_cache(NULL), "/home/dev/.cache/series");
	is(xdg_cache("kernels"), "/home/dev/.cache/series/kernels");
	is(xdg_data("lists/mm"), "/home/dev/.local/share/series/lists/mm");
	setenv("HOME", "/home/dev/", 1);
	is(xdg_cache("kernels"), "/home/dev/.cache/series/kernels");
}

static void test_variables(void **state)
{
	setenv("HOME", "/home/dev", 1);
	setenv("XDG_CACHE_HOME", "/big/cache", 1);
	setenv("XDG_DATA_HOME", "relative",
	       1);			  /* to be ignored, says the specification */
	is(xdg_cache("x"), "/big/cache/series/x");
	is(xdg_data("x"), "/home/dev/.local/share/series/x");
}

/* Without a usable HOME the user database answers: still an absolute path. */
static void test_no_home(void **state)
{
	char *got;

	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	got = xdg_cache(NULL);
	assert_int_equal(got[0], '/');
	assert_non_null(strstr(got, "/.cache/series"));
	free(got);
	setenv("HOME", "nowhere", 1);
	got = xdg_cache(NULL);
	assert_int_equal(got[0], '/');
	free(got);
}

static void test_template(void **state)
{
	char *dir _cleanup_free_ = NULL;
	char *bench _cleanup_free_ = NULL;
	char *file _cleanup_free_ = NULL;

	assert_int_equal(fs_tmpdir("xdg", &dir, NULL), 0);
	bench = path_join(dir, "bench/only-in-this-test");
	file = path_join(bench, "run");
	assert_int_equal(fs_mkdirs(bench, NULL), 0);
	assert_int_equal(fs_write_atomic(file, "x", 1, 0600, NULL), 0);
	setenv("SERIES_TEMPLATES", dir, 1);
	is(xdg_template(NULL), dir);
	is(xdg_template("bench/only-in-this-test"), bench);
	is(xdg_template("bench/only-in-this-test/run"), file);
	assert_null(xdg_template("bench/in-none-of-them"));
	unsetenv("SERIES_TEMPLATES");
	assert_null(xdg_template("bench/only-in-this-test"));
	assert_int_equal(fs_rmtree(dir, NULL), 0);
}

/* What a copy of this program at path says about the template "marker". */
static char *ask(char *path)
{
	char *argv[] = { path, "marker", NULL };
	char *env[] = { "SERIES_TEMPLATES", NULL };
	struct proc_opts o = { .argv = argv, .env = env };
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;

	assert_int_equal(proc_check(&o, &r, NULL), 0);
	return buf_take(&r.out);
}

/* TREE/build/VARIANT/tests/BINARY finds TREE/templates, unless it is somebody else's. */
static void test_source_tree(void **state)
{
	char *dir _cleanup_free_ = NULL, *real _cleanup_free_ = NULL;
	char *tests _cleanup_free_ = NULL, *bin _cleanup_free_ = NULL;
	char *templates _cleanup_free_ = NULL, *marker _cleanup_free_ = NULL;

	assert_int_equal(fs_tmpdir("xdg", &dir, NULL), 0);
	real = realpath(dir, NULL);
	tests = path_join(real, "build/release/tests");
	bin = path_join(tests, "copy");
	templates = path_join(real, "templates");
	marker = path_join(templates, "marker");
	assert_int_equal(fs_mkdirs(tests, NULL), 0);
	assert_int_equal(fs_mkdirs(templates, NULL), 0);
	assert_int_equal(fs_copy("/proc/self/exe", bin, NULL), 0);
	is(ask(bin), "none");
	assert_int_equal(fs_write_atomic(marker, "x", 1, 0600, NULL), 0);
	is(ask(bin), marker);
	if (!geteuid()) {
		assert_int_equal(chown(templates, 65534, 65534), 0);
		is(ask(bin), "none");
	}
	assert_int_equal(fs_rmtree(dir, NULL), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_home),	    cmocka_unit_test(test_variables),
		cmocka_unit_test(test_no_home),	    cmocka_unit_test(test_template),
		cmocka_unit_test(test_source_tree),
	};

	if (argc == 2) { /* run by ask() */
		char *found _cleanup_free_ = xdg_template(argv[1]);

		fputs(found ? found : "none", stdout);
		return 0;
	}

	return cmocka_run_group_tests(tests, NULL, NULL);
}
