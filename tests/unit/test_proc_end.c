// SPDX-License-Identifier: GPL-2.0-or-later
/* test_proc_end.c - how children end: deadlines, groups, signals, our own death. */
#include "proc_test.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include "series/intr.h"

static void test_signal(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("kill -TERM $$") };

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.signal, SIGTERM);
	assert_int_equal(r.status, 128 + SIGTERM);
	assert_false(r.timed_out);
}

static void test_timeout(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct err e _cleanup_err_ = ERR_INIT;
	struct proc_opts o = { .argv = SH("echo begun; exec sleep 600"),
			       .timeout_ms = 300 };
	int64_t start = time_mono_ns();

	assert_int_equal(proc_run(&o, &r, &e), E_TIMEOUT);
	assert_in_range(ms_since(start), 300, 1900);
	assert_true(r.timed_out);
	assert_int_equal(r.signal, SIGTERM);
	assert_string_equal(buf_cstr(&r.out), "begun\n");
	assert_non_null(strstr(err_msg(&e), "sh: not done after 0.3s"));
	assert_no_children();
}

/* Neither the leader nor its child listens to SIGTERM: SIGKILL ends both. */
static void test_timeout_kills_group(void **state)
{
	char *file _cleanup_free_ = path_join(top, "grandchild");
	char *where _cleanup_free_ = xasprintf("F=%s", file);
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("trap '' TERM; sleep 600 & echo $! >$F; wait"),
			       .env = ARGV(where),
			       .timeout_ms = 500 };
	int64_t start = time_mono_ns();

	assert_int_equal(proc_run(&o, &r, NULL), E_TIMEOUT);
	assert_in_range(ms_since(start), 2400, 9000);
	assert_int_equal(r.signal, SIGKILL);
	assert_true(gone_within(pid_in(file), 2000));
	assert_no_children();
}

/* The leader obeys, its child does not: it must go all the same. */
static void test_group_of_obedient_leader(void **state)
{
	char *file _cleanup_free_ = path_join(top, "stubborn");
	char *where _cleanup_free_ = xasprintf("F=%s", file);
	struct proc_opts o = {
		.argv = SH("(trap '' TERM; exec sleep 600) & echo $! >$F; wait"),
		.env = ARGV(where),
		.timeout_ms = 500
	};
	int64_t start = time_mono_ns();

	assert_int_equal(proc_run(&o, NULL, NULL), E_TIMEOUT);
	assert_true(ms_since(start) < 2400);
	assert_true(gone_within(pid_in(file), 2000));
}

/* A function of ours as the child: its own copy of our memory, nothing of our files. */
static int child_runs(void *arg)
{
	int *p = arg;

	printf("in it: %d\n", *p);
	fflush(stdout);
	*p = 99;
	return fcntl(p[1], F_GETFD) < 0 ? 7 : 8;
}

static void test_function(void **state)
{
	int fd _cleanup_close_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int value[2] = { 42, fd };
	char *name[] = { (char *)"counting", NULL };
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = name, .run = child_runs, .run_arg = value };

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.status, 7);
	assert_string_equal(buf_cstr(&r.out), "in it: 42\n");
	assert_int_equal(value[0], 42);
	assert_no_children();
}

/* Who tidies up for longer than two seconds is let do so when that was asked for. */
static void test_grace(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("trap 'sleep 3; echo tidy; exit 5' TERM; "
					  "while :; do sleep 0.1; done"),
			       .timeout_ms = 300,
			       .grace_ms = 20000 };

	assert_int_equal(proc_run(&o, &r, NULL), E_TIMEOUT);
	assert_int_equal(r.status, 5);
	assert_string_equal(buf_cstr(&r.out), "tidy\n");
	o.grace_ms = 100;
	assert_int_equal(proc_run(&o, &r, NULL), E_TIMEOUT);
	assert_int_equal(r.signal, SIGKILL);
	assert_no_children();
}

static void test_stopped_child(void **state)
{
	struct proc_opts o = { .argv = SH("kill -STOP $$"), .timeout_ms = 300 };
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;

	assert_int_equal(proc_run(&o, &r, NULL), E_TIMEOUT);
	assert_int_equal(r.signal, SIGTERM);
}

/* A daemon that keeps our pipe open is not waited for, and lives on. */
static void test_daemon_left_behind(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("sleep 600 & echo $!") };
	int64_t start = time_mono_ns(), pid = 0;

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_true(ms_since(start) < 20000);
	assert_true(str_to_i64(str_trim(buf_str(&r.out)), 2, INT32_MAX, &pid));
	assert_false(is_gone((pid_t)pid));
	assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
}

/* One that never stops writing is not read for ever; it ends when the pipe closes. */
static void test_daemon_that_writes(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("yes & echo $! >&2"), .timeout_ms = 60000 };
	int64_t pid = 0;

	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_false(r.timed_out);
	assert_true(str_to_i64(str_trim(buf_str(&r.err)), 2, INT32_MAX, &pid));
	assert_true(gone_within((pid_t)pid, 10000));
}

/* In a process of its own, since the flag stays: run until sig comes. */
static int run_interrupted(const char *file, bool foreground)
{
	char *where = xasprintf("F=%s", file);
	struct proc_result r = PROC_RESULT_INIT;
	struct err e = ERR_INIT;
	struct proc_opts o = { .argv = SH("sleep 600 & echo $! >$F; wait"),
			       .env = ARGV(where),
			       .foreground = foreground };
	int code;

	intr_install();
	code = proc_run(&o, &r, &e);
	if (code != E_INTR || !r.interrupted || r.signal != SIGTERM)
		return 1;
	return strcmp(err_msg(&e), "sh: interrupted") ? 2 : 0;
}

static void test_interrupt(void **state)
{
	const int sigs[] = { SIGINT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < ARRAY_SIZE(sigs); i++) {
		char *name _cleanup_free_ = xasprintf("%s/intr%zu", top, i);
		int64_t start = time_mono_ns();
		int status;
		pid_t pid = fork(), grandchild;

		if (!pid) {
			signal(SIGHUP, SIG_DFL);
			_exit(run_interrupted(name, false));
		}
		grandchild = pid_in(name);
		assert_int_equal(kill(pid, sigs[i]), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		assert_true(ms_since(start) < 10000);
		assert_true(gone_within(grandchild, 2000));
	}
}

/* Ctrl-C belongs to an editor; afterwards it is ours again. */
static void test_foreground(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = SH("kill -INT $PPID; kill -QUIT $PPID;"
					  "cut -d' ' -f5 /proc/$$/stat"),
			       .foreground = true };
	char *group _cleanup_free_ = xasprintf("%ld\n", (long)getpgrp());
	struct sigaction intr, quit, act;

	/* Whoever started us in the background may have had them ignored. */
	assert_int_equal(sigaction(SIGINT, NULL, &intr), 0);
	assert_int_equal(sigaction(SIGQUIT, NULL, &quit), 0);
	assert_int_equal(proc_run(&o, &r, NULL), 0);
	assert_int_equal(r.status, 0);
	assert_string_equal(buf_cstr(&r.out), group);
	assert_int_equal(sigaction(SIGINT, NULL, &act), 0);
	assert_true(act.sa_handler == intr.sa_handler);
	assert_int_equal(sigaction(SIGQUIT, NULL, &act), 0);
	assert_true(act.sa_handler == quit.sa_handler);
	o.argv = ARGV("no-such-editor");
	assert_int_equal(proc_run(&o, &r, NULL), E_FAIL);
	o.argv = ARGV("/no/such/editor");
	assert_int_equal(proc_run(&o, &r, NULL), E_FAIL);
	assert_int_equal(sigaction(SIGINT, NULL, &act), 0);
	assert_true(act.sa_handler == intr.sa_handler);
	/* At a deadline only the program goes: the group is ours. */
	o.argv = ARGV("sleep", "600");
	o.timeout_ms = 200;
	assert_int_equal(proc_run(&o, &r, NULL), E_TIMEOUT);
}

/* Killed without a chance to clean up: what we started ends too. */
static void test_dies_with_us(void **state)
{
	char *file _cleanup_free_ = path_join(top, "orphan");
	char *where _cleanup_free_ = xasprintf("F=%s", file);
	pid_t pid = fork(), child;

	if (!pid) {
		struct proc_opts o = { .argv = SH("echo $$ >$F; exec sleep 600"),
				       .env = ARGV(where) };

		proc_run(&o, NULL, NULL);
		_exit(0);
	}
	child = pid_in(file);
	assert_false(is_gone(child));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(gone_within(child, 5000));
}

static void test_start_poll(void **state)
{
	char *out _cleanup_free_ = path_join(top, "start.log");
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct proc_opts o = { .argv = SH("cat; sleep 0.5; exit 7"),
			       .input = STR_LIT("given"),
			       .out = PROC_FILE,
			       .err = PROC_NULL,
			       .out_path = out };
	struct proc *p = NULL;
	pid_t pid;

	assert_int_equal(proc_start(&o, &p, NULL), 0);
	pid = proc_pid(p);
	assert_int_equal(kill(pid, 0), 0);
	assert_false(proc_poll(p, 0, &r));
	assert_false(proc_poll(p, 50, &r));
	assert_true(proc_poll(p, 20000, &r));
	assert_int_equal(r.status, 7);
	/* Asked again it says the same. */
	assert_true(proc_poll(p, 0, &r));
	assert_int_equal(r.status, 7);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(fs_read(out, 0, &b, NULL), 0);
	assert_string_equal(b.p, "given");
	proc_free(p);
	assert_no_children();
}

static void test_start_deadline(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = ARGV("sleep", "600"),
			       .out = PROC_NULL,
			       .err = PROC_NULL,
			       .timeout_ms = 300 };
	struct proc *p = NULL;

	assert_int_equal(proc_start(&o, &p, NULL), 0);
	assert_false(proc_poll(p, 10, &r));
	assert_true(proc_poll(p, 20000, &r));
	assert_true(r.timed_out);
	assert_int_equal(r.signal, SIGTERM);
	proc_free(p);
}

static void test_kill_and_free(void **state)
{
	struct proc_result r _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = ARGV("sleep", "600"),
			       .out = PROC_NULL,
			       .err = PROC_NULL };
	struct proc *p = NULL;
	pid_t pid;

	assert_int_equal(proc_start(&o, &p, NULL), 0);
	proc_kill(p, &r);
	assert_int_equal(r.signal, SIGTERM);
	assert_false(r.timed_out || r.interrupted);
	proc_free(p);
	assert_int_equal(proc_start(&o, &p, NULL), 0);
	pid = proc_pid(p);
	proc_free(p);
	assert_int_equal(kill(pid, 0), -1);
	proc_free(NULL);
	assert_no_children();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_timeout_kills_group),
		cmocka_unit_test(test_group_of_obedient_leader),
		cmocka_unit_test(test_stopped_child),
		cmocka_unit_test(test_function),
		cmocka_unit_test(test_grace),
		cmocka_unit_test(test_daemon_left_behind),
		cmocka_unit_test(test_daemon_that_writes),
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_foreground),
		cmocka_unit_test(test_dies_with_us),
		cmocka_unit_test(test_start_poll),
		cmocka_unit_test(test_start_deadline),
		cmocka_unit_test(test_kill_and_free),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
