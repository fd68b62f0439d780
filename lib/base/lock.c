// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock.c - one writer at a time, by flock(2) on a file that says who holds it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/intr.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/time.h"

#define STEP_MS 20

static int open_lock(const char *path, int *ret, struct err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);

	if (fd < 0)
		return err_errno(err, errno, "cannot open the lock %s", path);
	*ret = fd;
	return 0;
}

/* True when path still is the file behind fd: somebody may have removed it. */
static bool same_file(int fd, const char *path)
{
	struct stat a, b;

	return !fstat(fd, &a) && !stat(path, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* "PID HOST SINCE PURPOSE" as the end of a sentence. */
static void describe_holder(int fd, struct buf *out)
{
	char text[512];
	ssize_t n = pread(fd, text, sizeof(text), 0);
	struct str rest = str_trim(str_n(text, n > 0 ? (size_t)n : 0));
	struct str pid, host, since;
	struct buf line _cleanup_buf_ = BUF_INIT;

	sanitize_line(rest, &line);
	rest = buf_str(&line);
	if (str_word(&rest, &pid) && str_word(&rest, &host) && str_word(&rest, &since)) {
		rest = str_trim(rest);
		buf_printf(out,
			   "process " STR_FMT " on " STR_FMT " (" STR_FMT
			   ", since " STR_FMT ")",
			   STR_ARG(pid), STR_ARG(host), STR_ARG(rest), STR_ARG(since));
	} else {
		buf_puts(out, "another process");
	}
}

static int say_locked(int fd, const char *path, struct err *err)
{
	struct buf who _cleanup_buf_ = BUF_INIT;

	describe_holder(fd, &who);
	return err_set(err, E_LOCKED, "%s is locked by %s; wait until it ends, or end it",
		       path, buf_cstr(&who));
}

/* For the messages of others. */
static int sign(int fd, const char *path, const char *purpose, struct err *err)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	char host[HOST_NAME_MAX + 1] = "";

	if (gethostname(host, sizeof(host) - 1) || !*host)
		strncpy(host, "localhost", sizeof(host) - 1);
	buf_printf(&b, "%ld %s ", (long)getpid(), host);
	time_iso(time_now(), &b);
	buf_printf(&b, " %s\n", purpose);
	if (ftruncate(fd, 0) < 0)
		return err_errno(err, errno, "cannot write the lock %s", path);
	return fs_write_fd(fd, b.p, b.len, path, err);
}

/* Wait for the lock on fd until the monotonic clock shows until (ns). */
static int wait_lock(int fd, const char *path, int64_t until, struct err *err)
{
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		int64_t left;

		if (errno != EWOULDBLOCK && errno != EINTR)
			return err_errno(err, errno, "cannot lock %s", path);
		left = (until - time_mono_ns() + 999999) / 1000000; /* never too early */
		if (intr_pending())
			return intr_check(err);
		if (left <= 0)
			return say_locked(fd, path, err);
		time_sleep_ms((int)MIN(left, STEP_MS));
	}
	return 0;
}

int lock_take(struct lock *l, const char *path, const char *purpose, int wait_ms,
	      struct err *err)
{
	char *dir _cleanup_free_ = path_dir(path);
	int64_t until = time_mono_ns() + (int64_t)wait_ms * 1000000;
	int r = fs_mkdirs(dir, err);

	if (r < 0)
		return r;
	for (;;) {
		int fd _cleanup_close_ = -1;

		r = open_lock(path, &fd, err);
		if (!r)
			r = wait_lock(fd, path, until, err);
		if (r < 0)
			return r;
		if (!same_file(fd, path))
			continue;
		r = sign(fd, path, purpose, err);
		if (r < 0)
			return r;
		l->fd = fd;
		l->path = xstrdup(path);
		fd = -1;
		return 0;
	}
}

void lock_release(struct lock *l)
{
	/* Unlock, not only close: a child between fork and exec has the file open too. */
	if (l->fd >= 0)
		flock(l->fd, LOCK_UN);
	fd_closep(&l->fd);
	free(l->path);
	l->path = NULL;
}

void lock_remove(struct lock *l)
{
	if (l->fd >= 0)
		unlink(l->path);
	lock_release(l);
}
