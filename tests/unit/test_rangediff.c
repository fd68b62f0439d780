// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two versions side by side: made so that it is known which patch became which, what
 * moved and where it changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/rangediff.h"

static char *home;
static struct repo *repo;

/*
 * v1: seven in foo(), g, b dropped, h in the work later. v2: g with another message,
 * eight in foo(), k new, h as it was.
 */
static const char script[] =
	"set -e; git init -q -b main .\n"
	"f() { printf 'int a;\\n\\nstatic int foo(int x)\\n{\\n\\tint y = 1;\\n\\n'\n"
	"  for i in 1 2 3 4 5 6; do printf '\\ty += %s;\\n' $i; done; printf '\\treturn "
	"y;\\n}\\n'; }\n"
	"f >f.c; git add .; git commit -qm base; git tag base\n"
	"sed -i 's/y += 5/y += 7/' f.c; git commit -qam 'foo: seven'\n"
	"seq 30 >g; git add g; git commit -qm 'g: new file' -m body\n"
	"sed -i 's/int a;/int a, b;/' f.c; git commit -qam 'b: dropped later'\n"
	"seq 100 120 >h; git add h; git commit -qm 'h: stays'; git tag v1\n"
	"git reset -q --hard base\n"
	"seq 30 >g; git add g; git commit -qm 'g: new file' -m 'other body'\n"
	"sed -i 's/y += 5/y += 8/' f.c; git commit -qam 'foo: eight'\n"
	"echo k >k; git add k; git commit -qm 'k: new'\n"
	"seq 100 120 >h; git add h; git commit -qm 'h: stays'; git tag v2\n";

static int setup(void **state)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = argv };

	assert_int_equal(fs_tmpdir("test-rangediff", &home, NULL), 0);
	setenv("HOME", home, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_AUTHOR_NAME", "Ann Author", 1);
	setenv("GIT_AUTHOR_EMAIL", "ann@example.org", 1);
	setenv("GIT_COMMITTER_NAME", "Ann Author", 1);
	setenv("GIT_COMMITTER_EMAIL", "ann@example.org", 1);
	assert_int_equal(chdir(home), 0);
	assert_int_equal(proc_run(&o, &res, NULL), 0);
	if (res.status)
		fail_msg("%s", buf_cstr(&res.err));
	return repo_open(home, &repo, NULL);
}

static int teardown(void **state)
{
	repo_free(repo);
	assert_int_equal(chdir("/"), 0);
	fs_rmtree(home, NULL);
	free(home);
	return 0;
}

static void compare(const char *from, const char *to, struct rangediff *ret)
{
	struct err err _cleanup_err_ = ERR_INIT;

	if (git_range_diff(repo, "base", from, "base", to, 0, ret, &err))
		fail_msg("%s", err_msg(&err));
}

static const struct range_pair *pair(const struct rangediff *d, size_t from, size_t to)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].from == from && d->v[i].to == to)
			return &d->v[i];
	fail_msg("no pair %zu, %zu", from, to);
	return NULL;
}

static void test_pairs(void **state)
{
	struct rangediff d _cleanup_rangediff_ = { 0 };
	char id[OID_HEX];

	compare("v1", "v2", &d);
	assert_int_equal(d.n, 5);
	assert_int_equal(pair(&d, 1, 2)->mark, RANGE_CHANGED);
	assert_int_equal(pair(&d, 2, 1)->mark, RANGE_CHANGED);
	assert_int_equal(pair(&d, 3, 0)->mark, RANGE_DROPPED);
	assert_int_equal(pair(&d, 0, 3)->mark, RANGE_NEW);
	assert_int_equal(pair(&d, 4, 4)->mark, RANGE_SAME);
	assert_int_equal(repo_resolve(repo, "v2", id, NULL), 0);
	assert_string_equal(pair(&d, 4, 4)->to_id, id);
	assert_string_equal(pair(&d, 3, 0)->to_id, "");
	assert_string_equal(pair(&d, 0, 3)->from_id, "");
	/* One of the two that changed places moved, the rest stayed. */
	assert_true(pair(&d, 1, 2)->moved != pair(&d, 2, 1)->moved);
	assert_false(pair(&d, 4, 4)->moved);
	assert_string_equal(range_mark_name(RANGE_DROPPED), "dropped");
}

static void test_words(void **state)
{
	struct rangediff d _cleanup_rangediff_ = { 0 };
	struct strvec foo _cleanup_strvec_ = STRVEC_INIT,
			  g _cleanup_strvec_ = STRVEC_INIT;

	compare("v1", "v2", &d);
	range_pair_words(pair(&d, 1, 2), &foo);
	assert_int_equal(foo.n, 1);
	assert_string_equal(foo.v[0], "Commit message");
	range_pair_words(pair(&d, 2, 1), &g);
	assert_int_equal(g.n, 1);
	assert_string_equal(g.v[0], "Commit message");
	assert_false(pair(&d, 4, 4)->body.len);
}

static void test_ends(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct rangediff d _cleanup_rangediff_ = { 0 }, none _cleanup_rangediff_ = { 0 };

	assert_int_equal(
		git_range_diff(repo, "base", "no-such", "base", "v2", 0, &d, &err),
		E_NOTFOUND);
	assert_int_equal(d.n, 0);
	compare("base", "base", &none);
	assert_int_equal(none.n, 0);
	compare("base", "v2", &d);
	assert_int_equal(d.n, 4);
	for (size_t i = 0; i < d.n; i++)
		assert_int_equal(d.v[i].mark, RANGE_NEW);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
