// SPDX-License-Identifier: GPL-2.0-or-later
/* test_lock.c - one holder, who it is, and that the dead hold nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/time.h"

static char *top, *path;

static int make_top(void **state)
{
	int r = fs_tmpdir("test-lock", &top, NULL);

	if (!r)
		path = path_join(top, "run/series.lock");
	return r;
}

static int remove_top(void **state)
{
	int r = fs_rmtree(top, NULL);

	free(top);
	free(path);
	return r;
}

static int64_t ms_since(int64_t start_ns)
{
	return (time_mono_ns() - start_ns) / 1000000;
}

/* A process that takes the lock and keeps it for ms (or until it is killed). */
static pid_t hold_for(int ms)
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		struct lock l = LOCK_INIT;

		close(ready[0]);
		if (lock_take(&l, path, "build", 0, NULL) || write(ready[1], "x", 1) != 1)
			_exit(1);
		time_sleep_ms(ms);
		lock_release(&l);
		_exit(0);
	}
	assert_true(pid > 0);
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static void finish(pid_t pid, int sig)
{
	if (sig)
		kill(pid, sig);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_take_release(void **state)
{
	struct lock l _cleanup_lock_ = LOCK_INIT;
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *start _cleanup_free_ = xasprintf("%ld ", (long)getpid());

	assert_int_equal(lock_take(&l, path, "send", 0, NULL), 0);
	assert_true(l.fd >= 0);
	assert_int_equal(fs_read(path, 0, &text, NULL), 0);
	assert_true(str_starts(buf_str(&text), start));
	assert_true(str_ends(buf_str(&text), " send\n"));
	lock_release(&l);
	assert_int_equal(l.fd, -1);
	lock_release(&l);
	assert_int_equal(lock_take(&l, path, "send", 0, NULL), 0);
}

static void test_names_the_holder(void **state)
{
	struct lock l _cleanup_lock_ = LOCK_INIT;
	struct err e _cleanup_err_ = ERR_INIT;
	pid_t pid = hold_for(60000);
	char *who _cleanup_free_ = xasprintf("process %ld on ", (long)pid);
	int64_t start = time_mono_ns();

	assert_int_equal(lock_take(&l, path, "send", 0, &e), E_LOCKED);
	assert_true(ms_since(start) < 1000);
	assert_non_null(strstr(err_msg(&e), path));
	assert_non_null(strstr(err_msg(&e), who));
	assert_non_null(strstr(err_msg(&e), "(build, since 2"));
	assert_int_equal(l.fd, -1);
	finish(pid, SIGKILL);
}

static void test_killed_holder(void **state)
{
	struct lock l _cleanup_lock_ = LOCK_INIT;
	pid_t pid = hold_for(60000);

	assert_int_equal(lock_take(&l, path, "send", 0, NULL), E_LOCKED);
	finish(pid, SIGKILL);
	assert_int_equal(lock_take(&l, path, "send", 0, NULL), 0);
}

static void test_waits(void **state)
{
	struct lock l _cleanup_lock_ = LOCK_INIT;
	pid_t pid = hold_for(2000);
	int64_t start = time_mono_ns();

	assert_int_equal(lock_take(&l, path, "send", 100, NULL), E_LOCKED);
	assert_in_range(ms_since(start), 100, 1500);
	assert_int_equal(lock_take(&l, path, "send", 20000, NULL), 0);
	assert_in_range(ms_since(start), 1500, 15000);
	finish(pid, 0);
}

/* Who removed the file must not let two in. */
static void test_removed_file(void **state)
{
	struct lock l _cleanup_lock_ = LOCK_INIT;
	pid_t pid = hold_for(60000), waiter;
	int status;

	waiter = fork();
	if (!waiter) {
		struct lock mine = LOCK_INIT;
		int r = lock_take(&mine, path, "wait", 500, NULL);

		_exit(r == E_LOCKED ? 0 : 1);
	}
	time_sleep_ms(100); /* it has the old file open */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(lock_take(&l, path, "send", 0, NULL), 0);
	/* The old file is free now, but it is not the lock any more. */
	finish(pid, SIGKILL);
	assert_int_equal(waitpid(waiter, &status, 0), waiter);
	assert_int_equal(status, 0);
}

/* The file goes with the lock, and one who waits for it gets a lock that counts. */
static void test_remove(void **state)
{
	struct lock l _cleanup_lock_ = LOCK_INIT, other _cleanup_lock_ = LOCK_INIT;
	pid_t waiter;
	int status;

	assert_int_equal(lock_take(&l, path, "edit", 0, NULL), 0);
	waiter = fork();
	if (!waiter) {
		struct lock mine = LOCK_INIT;
		int r = lock_take(&mine, path, "wait", 20000, NULL);

		_exit(!r && !access(path, F_OK) ? 0 : 1);
	}
	time_sleep_ms(100); /* it has the file open */
	lock_remove(&l);
	assert_int_equal(waitpid(waiter, &status, 0), waiter);
	assert_int_equal(status, 0);
	assert_int_equal(lock_take(&l, path, "edit", 0, NULL), 0);
	lock_remove(&l);
	assert_int_not_equal(access(path, F_OK), 0);
	lock_remove(&other); /* none was taken */
}

static void test_foreign_text(void **state)
{
	struct lock l _cleanup_lock_ = LOCK_INIT;
	struct err e _cleanup_err_ = ERR_INIT;
	pid_t pid = hold_for(60000);

	/* Written in place: the holder keeps its lock. */
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(lock_take(&l, path, "send", 0, &e), E_LOCKED);
	assert_non_null(strstr(err_msg(&e), "another process"));
	finish(pid, SIGKILL);
}

static void test_no_directory(void **state)
{
	struct lock l _cleanup_lock_ = LOCK_INIT;
	struct err e _cleanup_err_ = ERR_INIT;

	assert_int_equal(lock_take(&l, "/dev/null/x/lock", "send", 0, &e), E_EXISTS);
	assert_non_null(strstr(err_msg(&e), "/dev/null"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_take_release),
		cmocka_unit_test(test_names_the_holder),
		cmocka_unit_test(test_killed_holder),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_removed_file),
		cmocka_unit_test(test_remove),
		cmocka_unit_test(test_foreign_text),
		cmocka_unit_test(test_no_directory),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
