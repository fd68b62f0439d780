// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jobs of the local runner and the table of architectures.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>
#include <sys/utsname.h>
#include "series/arch.h"
#include "series/engine.h"
#include "series/fs.h"
#include "series/mem.h"

static void gather(struct str line, void *arg)
{
	struct strvec *v = arg;

	strvec_push_str(v, line);
}

static int run_sh(const char *script, struct job *j, struct job_result *ret,
		  struct err *err)
{
	int r;

	strvec_pushl(&j->argv, "sh", "-c", script, NULL);
	r = engine_run(j, ret, err);
	strvec_release(&j->argv);
	strvec_release(&j->env);
	return r;
}

static void test_lines_log_and_env(void **state)
{
	char *dir _cleanup_free_ = NULL, *log _cleanup_free_ = NULL;
	struct strvec lines _cleanup_strvec_ = STRVEC_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct job_result res = { 0 };
	struct job j = { .cwd = "/", .on_line = gather, .arg = &lines };

	assert_int_equal(fs_tmpdir("engine", &dir, NULL), 0);
	log = path_join(dir, "log");
	assert_int_equal(fs_write_atomic(log, "before\n", 7, 0644, NULL), 0);
	j.log_path = log;
	strvec_pushl(&j.env, "SAY=hello there", NULL);
	assert_int_equal(run_sh("echo $SAY; pwd >&2; exit 3", &j, &res, NULL), 0);
	assert_int_equal(res.state, JOB_FAILED);
	assert_int_equal(res.rc, 3);
	assert_int_equal(lines.n, 2);
	assert_string_equal(lines.v[0], "hello there");
	assert_string_equal(lines.v[1], "/");
	assert_int_equal(fs_read(log, 0, &text, NULL), 0);
	assert_string_equal(buf_cstr(&text), "before\nhello there\n/\n");
	assert_int_equal(fs_rmtree(dir, NULL), 0);
}

static void test_log_without_listener(void **state)
{
	char *dir _cleanup_free_ = NULL, *log _cleanup_free_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct job_result res = { 0 };
	struct job j = { .log_path = NULL };

	assert_int_equal(fs_tmpdir("engine", &dir, NULL), 0);
	log = path_join(dir, "log");
	j.log_path = log;
	assert_int_equal(run_sh("echo a; echo b >&2", &j, &res, NULL), 0);
	assert_int_equal(res.state, JOB_OK);
	assert_int_equal(fs_read(log, 0, &text, NULL), 0);
	assert_string_equal(buf_cstr(&text), "a\nb\n");
	assert_int_equal(fs_rmtree(dir, NULL), 0);
}

static void test_deadline_and_signal(void **state)
{
	struct job_result res = { 0 };
	struct job j = { .deadline_ms = 200 };

	assert_int_equal(run_sh("sleep 60", &j, &res, NULL), 0);
	assert_int_equal(res.state, JOB_TIMEOUT);
	assert_in_range(res.wall_ms, 200, 5000);
	j.deadline_ms = 0;
	assert_int_equal(run_sh("kill -9 $$", &j, &res, NULL), 0);
	assert_int_equal(res.state, JOB_FAILED);
	assert_int_equal(res.rc, 137);
}

static void test_missing_program(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct job_result res = { 0 };
	struct job j = { .cwd = NULL };

	strvec_push(&j.argv, "no-such-program-at-all");
	assert_int_equal(engine_run(&j, &res, &err), E_FAIL);
	assert_non_null(strstr(err_msg(&err), "no-such-program-at-all"));
	strvec_release(&j.argv);
}

static void test_arch(void **state)
{
	static const char *const rows[] = { "x86_64",	 "arm64", "riscv",
					    "sparc64",	 "s390",  "powerpc",
					    "loongarch", "arm",	  "i386" };
	struct err err _cleanup_err_ = ERR_INIT;
	const struct arch *a = NULL;
	struct utsname u;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(arch_find(rows[i], &a, NULL), 0);
		assert_string_equal(a->name, rows[i]);
		assert_ptr_equal(a, arch_at(i));
	}
	assert_null(arch_at(ARRAY_SIZE(rows)));
	assert_int_equal(arch_find("aarch64", &a, NULL), 0);
	assert_string_equal(a->name, "arm64");
	assert_int_equal(arch_find("amd64", &a, NULL), 0);
	assert_string_equal(a->name, "x86_64");
	assert_int_equal(arch_find("vax", &a, &err), E_USAGE);
	assert_non_null(strstr(err_msg(&err), "x86_64, arm64, riscv"));
	uname(&u);
	if (!strcmp(u.machine, "x86_64"))
		assert_string_equal(arch_native()->name, "x86_64");
	if (!strcmp(u.machine, "aarch64"))
		assert_string_equal(arch_native()->name, "arm64");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_log_and_env),
		cmocka_unit_test(test_log_without_listener),
		cmocka_unit_test(test_deadline_and_signal),
		cmocka_unit_test(test_missing_program),
		cmocka_unit_test(test_arch),
	};

	return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
