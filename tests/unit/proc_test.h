/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proc_test.h - what the two tests of children share. */
#ifndef PROC_TEST_H
#define PROC_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/time.h"

#define ARGV(...)  ((char *const[]){ __VA_ARGS__, NULL })
#define SH(script) ARGV("sh", "-c", script)

/* A private directory for a run. */
static char *top;

static inline int make_top(void **state)
{
	return fs_tmpdir("test-proc", &top, NULL);
}

static inline int remove_top(void **state)
{
	int r = fs_rmtree(top, NULL);

	free(top);
	return r;
}

static inline int64_t ms_since(int64_t start_ns)
{
	return (time_mono_ns() - start_ns) / 1000000;
}

/* True when no process pid is left that runs (a zombie of somebody else does not). */
static inline bool is_gone(pid_t pid)
{
	char *path _cleanup_free_ = xasprintf("/proc/%ld/stat", (long)pid);
	struct buf b _cleanup_buf_ = BUF_INIT;

	return fs_read(path, 0, &b, NULL) || strstr(b.p, ") Z ") || strstr(b.p, ") X ");
}

static inline bool gone_within(pid_t pid, int ms)
{
	for (int64_t start = time_mono_ns(); ms_since(start) < ms; time_sleep_ms(10))
		if (is_gone(pid))
			return true;
	return false;
}

static inline pid_t pid_in(const char *path)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	int64_t pid = 0;

	/* It may not be written yet. */
	for (int i = 0; i < 500 && !pid; i++) {
		buf_reset(&b);
		if (fs_read(path, 0, &b, NULL) || !b.len || b.p[b.len - 1] != '\n' ||
		    !str_to_i64(str_trim(buf_str(&b)), 2, INT32_MAX, &pid))
			time_sleep_ms(10);
	}
	assert_true(pid > 1);
	return (pid_t)pid;
}

static inline void assert_no_children(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

#endif
