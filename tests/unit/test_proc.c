// SPDX-License-Identifier: GPL-2.0-or-later
/* test_proc.c - real children: how they start, streams, environment, descriptors. */
#include "proc_test.h"
#include <fcntl.h>
#include <signal.h>

static void test_capture(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("echo out; echo err >&2; exit 3") };

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.status, 3);
	assert_int_equal(r.signal, 0);
	assert_false(r.timed_out || r.interrupted);
	assert_string_equal(buf_cstr(&r.out), "out\n");
	assert_string_equal(buf_cstr(&r.err), "err\n");
	/* A second run replaces the first result. */
	o.argv = SH("printf x");
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.status, 0);
	assert_string_equal(buf_cstr(&r.out), "x");
	assert_string_equal(buf_cstr(&r.err), "");
	assert_no_children();
}

static void test_cannot_start(void **state)
{
	struct err e _cleanup_err_ = ERR_INIT;
	char *script _cleanup_free_ = path_join(top, "script");
	char *plain _cleanup_free_ = path_join(top, "plain");
	struct proc_opts o = { .argv = ARGV("no-such-program-here") };

	assert_int_equal(proc_run(&o, NULL, &e), E_FAIL);
	assert_non_null(strstr(err_msg(&e), "no-such-program-here: not found; install"));
	o.argv = ARGV("/no/such/prog");
	assert_int_equal(proc_run(&o, NULL, &e), E_FAIL);
	assert_string_equal(err_msg(&e), "/no/such/prog: not found; check the path");
	assert_int_equal(fs_write_atomic(script, "#!/no/such/sh\n", 14, 0755, NULL), 0);
	o.argv = ARGV(script);
	assert_int_equal(proc_run(&o, NULL, &e), E_FAIL);
	assert_non_null(strstr(err_msg(&e), "interpreter"));
	assert_int_equal(fs_write_atomic(plain, "data", 4, 0644, NULL), 0);
	o.argv = ARGV(plain);
	assert_int_equal(proc_run(&o, NULL, &e), E_FAIL);
	assert_non_null(strstr(err_msg(&e), "Permission denied"));
	o.argv = ARGV("true");
	o.cwd = "/no/such/dir";
	assert_int_equal(proc_run(&o, NULL, &e), E_FAIL);
	assert_non_null(strstr(err_msg(&e), "cannot enter /no/such/dir"));
	assert_no_children();
}

static void test_wrong_options(void **state)
{
	struct proc_opts o = { .argv = ARGV("true"), .out = PROC_MERGE };
	struct err e _cleanup_err_ = ERR_INIT;
	struct proc *p = NULL;

	assert_int_equal(proc_run(&o, NULL, &e), E_FAIL);
	o.out = PROC_LINES;
	assert_int_equal(proc_run(&o, NULL, &e), E_FAIL);
	o.out = PROC_CAPTURE;
	assert_int_equal(proc_start(&o, &p, &e), E_FAIL);
	assert_null(p);
	o.argv = ARGV(NULL);
	assert_int_equal(proc_run(&o, NULL, &e), E_FAIL);
}

/* Ten million bytes in and out at once: who writes all before reading hangs here. */
static void test_round_trip(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf in _cleanup_buf_ = BUF_INIT;
	struct proc_opts o = { .argv = ARGV("cat"), .timeout_ms = 60000 };

	for (int i = 0; i < 1000000; i++)
		buf_printf(&in, "%09d\n", i);
	o.input = buf_str(&in);
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.status, 0);
	assert_int_equal(r.out.len, 10000000);
	assert_memory_equal(r.out.p, in.p, in.len);
	/* Both streams full at once. */
	o.argv = ARGV("tee", "/dev/stderr");
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.out.len, 10000000);
	assert_int_equal(r.err.len, 10000000);
	/* Who does not read its input is no problem. */
	o.argv = ARGV("true");
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.status, 0);
}

static void test_no_input(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("cat; readlink /proc/self/fd/0") };

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_string_equal(buf_cstr(&r.out), "/dev/null\n");
}

static void test_ceiling(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("yes | head -c 3000000; echo done >&2"),
			       .max_output = 1000,
			       .timeout_ms = 60000 };

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.status, 0);
	assert_int_equal(r.out.len, 1000);
	assert_true(r.out.full);
	assert_string_equal(buf_cstr(&r.err), "done\n");
	assert_false(r.err.full);
}

static void test_environment(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	char *changes[] = { "SET_A=new", "SET_B", "SET_C=", NULL };
	struct proc_opts o = { .argv = SH("echo \"$SET_A|${SET_B-unset}|${SET_C-unset}|"
					  "$SET_AB\"; pwd"),
			       .env = changes,
			       .cwd = "/usr" };

	setenv("SET_A", "old", 1);
	setenv("SET_AB", "kept", 1);
	setenv("SET_B", "old", 1);
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_string_equal(buf_cstr(&r.out), "new|unset||kept\n/usr\n");
	assert_string_equal(getenv("SET_A"), "old");
	assert_string_equal(getenv("SET_B"), "old");
}

static void test_path_of_child(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	char *prog _cleanup_free_ = path_join(top, "only-here");
	char *path_var _cleanup_free_ = xasprintf("PATH=%s:/usr/bin:/bin", top);
	struct proc_opts o = { .argv = ARGV("only-here") };

	assert_int_equal(fs_write_atomic(prog, "#!/bin/sh\necho me\n", 18, 0755, NULL),
			 0);
	assert_int_equal(proc_run(&o, &r, NULL), E_FAIL);
	o.env = ARGV(path_var);
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_string_equal(buf_cstr(&r.out), "me\n");
}

static void test_files(void **state)
{
	char *out _cleanup_free_ = path_join(top, "out.log");
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct proc_opts o = { .argv = SH("echo one; echo two >&2; echo three"),
			       .out = PROC_FILE,
			       .err = PROC_MERGE,
			       .out_path = out };

	assert_int_equal(proc_run(&o, NULL, NULL), 0);
	o.argv = SH("echo four");
	assert_int_equal(proc_run(&o, NULL, NULL), 0);
	assert_int_equal(fs_read(out, 0, &b, NULL), 0);
	assert_string_equal(b.p, "one\ntwo\nthree\nfour\n");
}

static void test_merge(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("echo a; echo b >&2; echo c"),
			       .err = PROC_MERGE };

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_string_equal(buf_cstr(&r.out), "a\nb\nc\n");
	assert_int_equal(r.err.len, 0);
	o.out = PROC_NULL;
	o.err = PROC_CAPTURE;
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.out.len, 0);
	assert_string_equal(buf_cstr(&r.err), "b\n");
}

static void collect(struct str line, void *arg)
{
	strvec_push_str(arg, line);
}

static void test_lines(void **state)
{
	struct strvec lines _cleanup_strvec_ = STRVEC_INIT;
	struct strvec many _cleanup_strvec_ = STRVEC_INIT;
	char *text _cleanup_free_ = NULL;
	struct proc_opts o = {
		.argv = SH("printf 'one\\n\\ntw'; sleep 0.2; printf 'o\\nend'"),
		.out = PROC_LINES,
		.on_line = collect,
		.arg = &lines
	};

	assert_int_equal(proc_run(&o, NULL, NULL), 0);
	text = strvec_join(&lines, "|");
	assert_string_equal(text, "one||two|end");
	o.argv = ARGV("seq", "200000");
	o.arg = &many;
	assert_int_equal(proc_run(&o, NULL, NULL), 0);
	assert_int_equal(many.n, 200000);
	assert_string_equal(many.v[99999], "100000");
}

static void test_long_lines(void **state)
{
	struct strvec lines _cleanup_strvec_ = STRVEC_INIT;
	char *text _cleanup_free_ = NULL;
	struct proc_opts o = { .argv = SH(
				       "echo 1234567890; echo ab; printf 12; sleep 0.2;"
				       "echo 345678; printf 1234567"),
			       .out = PROC_LINES,
			       .max_output = 5,
			       .on_line = collect,
			       .arg = &lines };

	assert_int_equal(proc_run(&o, NULL, NULL), 0);
	text = strvec_join(&lines, "|");
	assert_string_equal(text, "12345|ab|12345|12345");
}

static void test_check(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct err e _cleanup_err_ = ERR_INIT;
	struct proc_opts o = { .argv = SH("echo fine") };

	assert_int_equal(proc_check(&o, &r, &e), 0);
	assert_string_equal(buf_cstr(&r.out), "fine\n");
	o.argv = SH("echo first >&2; printf 'fatal: \\033[31mno\\n\\n' >&2; exit 128");
	assert_int_equal(proc_check(&o, &r, &e), E_FAIL);
	assert_string_equal(err_msg(&e), "sh: exit status 128: fatal: no");
	assert_int_equal(r.status, 128);
	o.argv = SH("kill -KILL $$");
	assert_int_equal(proc_check(&o, NULL, &e), E_FAIL);
	assert_string_equal(err_msg(&e), "sh: ended by signal 9 (Killed)");
	o.argv = SH("exit 4");
	assert_int_equal(proc_check(&o, NULL, NULL), E_FAIL);
}

/* Value of a line "NAME:\tHEX" without the signals the C library keeps for itself. */
static uint64_t signals_in(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	assert_non_null(at);
	return strtoull(at + strlen(name), NULL, 16) & ~(uint64_t)0x180000000;
}

/* No descriptor, ignored or blocked signal of ours reaches the program. */
static void test_clean_child(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("ls /proc/self/fd | wc -l;"
					  "[ \"$(cut -d' ' -f5 /proc/$$/stat)\" = $$ ] &&"
					  "echo leader; cat /proc/self/status") };
	int fd _cleanup_close_ = open("/dev/null", O_RDONLY); /* no O_CLOEXEC */
	sigset_t usr, old;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	sigemptyset(&usr);
	sigaddset(&usr, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr, &old);
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	/* 0, 1, 2 and the directory that ls reads. */
	assert_true(str_starts(buf_str(&r.out), "4\nleader\n"));
	assert_int_equal(signals_in(buf_cstr(&r.out), "\nSigIgn:"), 0);
	assert_int_equal(signals_in(buf_cstr(&r.out), "\nSigBlk:"), 0);
}

static void test_sigchld_ignored(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("exit 5") };

	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(r.status, 5);
}

/* Ours may have been closed by whoever started us. */
static void test_closed_standard_fds(void **state)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct proc_result r = PROC_RESULT_INIT;
		struct proc_opts o = { .argv = SH("cat; echo err >&2"),
				       .input = STR_LIT("in") };

		close(0);
		close(1);
		close(2);
		if (proc_run(&o, &r, NULL) || strcmp(buf_cstr(&r.out), "in") ||
		    strcmp(buf_cstr(&r.err), "err\n"))
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* A pipe's writing end is passed on; the other one, also ours, is not. */
static void test_kept_fds(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	int ends[2];
	char text[8] = "";

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	char *script _cleanup_free_ = xasprintf(
		"echo hi >/proc/self/fd/%d; test -e /proc/self/fd/%d && echo both",
		ends[1], ends[0]);
	struct proc_opts o = { .argv = SH(script), .keep = &ends[1], .n_keep = 1 };

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_string_equal(buf_cstr(&r.out), "");
	assert_int_equal(read(ends[0], text, sizeof(text) - 1), 3);
	assert_string_equal(text, "hi\n");
	/* In us it closes with the next program as before. */
	assert_true(fcntl(ends[1], F_GETFD) & FD_CLOEXEC);
	close(ends[0]);
	close(ends[1]);
}

static int open_fds(void)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	assert_int_equal(fs_list("/proc/self/fd", &names, NULL), 0);
	return (int)names.n;
}

static void test_no_leaks(void **state)
{
	struct proc_opts good = { .argv = ARGV("true"), .input = STR_LIT("x") };
	struct proc_opts bad = { .argv = ARGV("/no/such/prog"), .input = STR_LIT("x") };
	int before = open_fds();

	for (int i = 0; i < 50; i++) {
		struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;

		assert_int_equal(proc_run(&good, &r, NULL), 0);
		assert_int_equal(proc_run(&bad, &r, NULL), E_FAIL);
	}
	assert_int_equal(open_fds(), before);
	assert_no_children();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_capture),
		cmocka_unit_test(test_cannot_start),
		cmocka_unit_test(test_wrong_options),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_no_input),
		cmocka_unit_test(test_ceiling),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_path_of_child),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_clean_child),
		cmocka_unit_test(test_sigchld_ignored),
		cmocka_unit_test(test_closed_standard_fds),
		cmocka_unit_test(test_kept_fds),
		cmocka_unit_test(test_no_leaks),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
