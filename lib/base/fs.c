// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fs.c - the content of files: read whole, written whole or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/mem.h"

#define CHUNK ((size_t)64 * 1024)

static ssize_t read_fd(int fd, void *p, size_t len)
{
	ssize_t n;

	do
		n = read(fd, p, len);
	while (n < 0 && errno == EINTR);
	return n;
}

static int open_read(const char *path, int *ret, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return err_set(err, E_NOTFOUND, "%s: no such file", path);
	if (fd < 0)
		return err_errno(err, errno, "cannot open %s", path);
	*ret = fd;
	return 0;
}

/* The size a file claims says nothing in /proc, so read until there is no more. */
static int read_all(int fd, const char *path, size_t max, struct buf *b, struct err *err)
{
	for (;;) {
		size_t want = MIN(MAX(CHUNK, b->len), max - b->len);
		char one, *to = want ? buf_reserve(b, want) : &one;
		ssize_t n = read_fd(fd, to, want ? want : 1);

		if (n < 0)
			return err_errno(err, errno, "cannot read %s", path);
		if (!n)
			return 0;
		/* At the ceiling one more byte tells whether the file fits. */
		if (!want)
			return err_set(err, E_FAIL, "%s: larger than %zu bytes", path,
				       max);
		b->len += (size_t)n;
		b->p[b->len] = '\0';
	}
}

int fs_read(const char *path, size_t max, struct buf *ret, struct err *err)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	size_t room = (ret->max ? ret->max : BUF_MAX) - ret->len;
	int fd _cleanup_close_ = -1;
	int r = open_read(path, &fd, err);

	if (r < 0)
		return r;
	r = read_all(fd, path, MIN(max ? max : BUF_MAX, room), &b, err);
	if (r < 0)
		return r;
	buf_add(ret, b.p, b.len);
	return 0;
}

int fs_read_tail(const char *path, size_t max, struct buf *ret, struct err *err)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	int fd _cleanup_close_ = -1;
	struct stat st;
	int r = open_read(path, &fd, err);

	if (r < 0)
		return r;
	max = max ? MIN(max, BUF_MAX / 4) : BUF_MAX / 4;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > (off_t)max)
		if (lseek(fd, st.st_size - (off_t)max, SEEK_SET) < 0)
			return err_errno(err, errno, "cannot read %s", path);
	for (;;) {
		char *to = buf_reserve(&b, CHUNK);
		ssize_t n = read_fd(fd, to, CHUNK);

		if (n < 0)
			return err_errno(err, errno, "cannot read %s", path);
		if (!n)
			break;
		b.len += (size_t)n;
		if (b.len > 2 * max + CHUNK) {
			memmove(b.p, b.p + b.len - max, max);
			b.len = max;
		}
	}
	if (b.len > max)
		buf_add(ret, b.p + b.len - max, max);
	else
		buf_add(ret, b.p, b.len);
	return 0;
}

int fs_write_fd(int fd, const void *data, size_t len, const char *path, struct err *err)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, errno, "cannot write %s", path);
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int fs_fsync_dir(const char *path, struct err *err)
{
	int fd _cleanup_close_ = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(err, errno, "cannot open directory %s", path);
	/* Some file systems cannot sync a directory and say EINVAL. */
	if (fsync(fd) < 0 && errno != EINVAL)
		return err_errno(err, errno, "cannot sync directory %s", path);
	return 0;
}

/* A new file beside path that nobody else has; its name in fresh memory. */
static int temp_beside(const char *path, mode_t mode, char **ret_name, int *ret_fd,
		       struct err *err)
{
	static atomic_uint counter; /* threads write files, too */

	for (int tries = 0; tries < 1000; tries++) {
		char *name = xasprintf("%s.%ld.%u.tmp", path, (long)getpid(),
				       atomic_fetch_add(&counter, 1));
		int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			      mode);

		if (fd >= 0) {
			*ret_name = name;
			*ret_fd = fd;
			return 0;
		}
		free(name);
		if (errno != EEXIST)
			return err_errno(err, errno, "cannot create %s", path);
	}
	return err_set(err, E_EXISTS, "%s: too many *.tmp files beside it; remove them",
		       path);
}

/* The temporary becomes path, for good. */
static int temp_commit(const char *name, int *fd, const char *path, struct err *err)
{
	char *dir _cleanup_free_ = path_dir(path);
	int r;

	if (fsync(*fd) < 0)
		return err_errno(err, errno, "cannot write %s", path);
	r = close(*fd);
	*fd = -1;
	if (r < 0)
		return err_errno(err, errno, "cannot write %s", path);
	if (rename(name, path) < 0)
		return err_errno(err, errno, "cannot replace %s", path);
	return fs_fsync_dir(dir, err);
}

int fs_write_atomic(const char *path, const void *data, size_t len, mode_t mode,
		    struct err *err)
{
	char *name _cleanup_free_ = NULL;
	int fd _cleanup_close_ = -1;
	int r = temp_beside(path, mode, &name, &fd, err);

	if (r < 0)
		return r;
	r = fs_write_fd(fd, data, len, path, err);
	if (!r)
		r = temp_commit(name, &fd, path, err);
	if (r < 0)
		unlink(name);
	return r;
}

static int copy_fd(int in, int out, const char *from, const char *to, struct err *err)
{
	char *chunk _cleanup_free_ = xmalloc(CHUNK);

	for (;;) {
		ssize_t n = read_fd(in, chunk, CHUNK);
		int r;

		if (n < 0)
			return err_errno(err, errno, "cannot read %s", from);
		if (!n)
			return 0;
		r = fs_write_fd(out, chunk, (size_t)n, to, err);
		if (r < 0)
			return r;
	}
}

int fs_write_below(const char *dir, const char *path, struct str text, struct err *err)
{
	char *full _cleanup_free_ = path_join(dir, path);
	char *parent _cleanup_free_ = path_dir(full);
	int rc = fs_mkdirs(parent, err);

	return rc ? rc : fs_write_atomic(full, text.p ? text.p : "", text.len, 0644, err);
}

int fs_copy(const char *from, const char *to, struct err *err)
{
	char *name _cleanup_free_ = NULL;
	int in _cleanup_close_ = -1;
	int out _cleanup_close_ = -1;
	struct stat st;
	int r = open_read(from, &in, err);

	if (r < 0)
		return r;
	if (fstat(in, &st) < 0)
		return err_errno(err, errno, "cannot read %s", from);
	r = temp_beside(to, 0600, &name, &out, err);
	if (r < 0)
		return r;
	r = copy_fd(in, out, from, to, err);
	if (!r && fchmod(out, st.st_mode & 07777) < 0)
		r = err_errno(err, errno, "cannot set the mode of %s", to);
	if (!r)
		r = temp_commit(name, &out, to, err);
	if (r < 0)
		unlink(name);
	return r;
}

int fs_unlink(const char *path, struct err *err)
{
	if (unlink(path) < 0 && errno != ENOENT)
		return err_errno(err, errno, "cannot remove %s", path);
	return 0;
}
