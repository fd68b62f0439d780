// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mailsrc.c - mails from files and folders, one after the other, from mapped memory.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/gzip.h"
#include "series/mailsrc.h"
#include "series/mem.h"

#define GIVE_BACK ((size_t)8 << 20)

struct mailsrc {
	enum from_quoting quoting;
	struct str map;	   /* of the file that is read */
	size_t given_back; /* bytes at its start */
	struct mbox mbox;
	bool single, done;
	struct err late;     /* what is to be said when the mails are used up */
	struct strvec files; /* a Maildir's, in order */
	size_t next_file;
};

/* A file without a name for n.n. data; the caller closes it. */
static int nameless(struct err *err)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	if (!dir || !dir[0])
		dir = "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		char *path _cleanup_free_ = path_join(dir, "series-mail-XXXXXX");

		fd = mkostemp(path, O_CLOEXEC);
		if (fd >= 0)
			unlink(path);
	}
	return fd < 0 ? err_errno(err, errno, "%s", dir) : fd;
}

static int map_fd(struct mailsrc *s, int fd, const char *name, struct err *err)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0)
		return err_errno(err, errno, "%s", name);
	s->map = STR_LIT("");
	s->given_back = 0;
	if (!st.st_size)
		return 0;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return err_errno(err, errno, "%s", name);
	madvise(p, (size_t)st.st_size, MADV_SEQUENTIAL);
	s->map = str_n(p, (size_t)st.st_size);
	return 0;
}

static void unmap(struct mailsrc *s)
{
	if (s->map.len)
		munmap((void *)s->map.p, s->map.len);
	s->map = STR_NULL;
}

static bool is_plain_file(int fd)
{
	unsigned char magic[2];
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0 &&
	       !(pread(fd, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b);
}

/* Map an open file; one that cannot be mapped, or is gzip, through one that has no name.
 */
static int open_fd(struct mailsrc *s, int fd, const char *name, struct err *err)
{
	int copy _cleanup_close_ = -1, rc;

	if (is_plain_file(fd))
		return map_fd(s, fd, name, err);
	copy = nameless(err);
	if (copy < 0)
		return copy;
	rc = gzip_copy(fd, copy, name, &s->late);
	if (rc < 0 && rc != E_CORRUPT)
		return err_set(err, rc, "%s", err_msg(&s->late));
	return map_fd(s, copy, name, err);
}

static int open_file(struct mailsrc *s, const char *path, struct err *err)
{
	int fd _cleanup_close_ = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, errno == ENOENT ? E_NOTFOUND : E_FAIL, "%s: %s", path,
			       strerror(errno));
	return open_fd(s, fd, path, err);
}

/* The seconds that a Maildir file's name begins with: when it came. */
static unsigned long long arrival(const char *path)
{
	return strtoull(path_base(path), NULL, 10);
}

static int by_arrival(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	unsigned long long tx = arrival(x), ty = arrival(y);

	if (tx != ty)
		return tx < ty ? -1 : 1;
	return strcmp(path_base(x), path_base(y));
}

static int open_maildir(struct mailsrc *s, const char *path, struct err *err)
{
	static const char *const subs[] = { "cur", "new" };

	for (size_t i = 0; i < ARRAY_SIZE(subs); i++) {
		char *dir _cleanup_free_ = path_join(path, subs[i]);
		struct strvec names _cleanup_strvec_ = STRVEC_INIT;

		if (!fs_is_dir(dir))
			return err_set(err, E_FAIL,
				       "%s is a folder without %s/, so no Maildir", path,
				       subs[i]);
		if (fs_list(dir, &names, err) < 0)
			return E_FAIL;
		for (size_t k = 0; k < names.n; k++)
			if (names.v[k][0] != '.')
				strvec_take(&s->files, path_join(dir, names.v[k]));
	}
	if (s->files.n)
		qsort(s->files.v, s->files.n, sizeof(*s->files.v), by_arrival);
	return 0;
}

static bool begins_mbox(struct str map)
{
	struct str line;

	return str_line(&map, &line) && mbox_from_line(line);
}

int mailsrc_open(const char *path, enum from_quoting quoting, struct mailsrc **ret,
		 struct err *err)
{
	struct mailsrc *s = xcalloc(1, sizeof(*s));
	int rc;

	s->quoting = quoting;
	if (!strcmp(path, "-"))
		rc = open_fd(s, STDIN_FILENO, "standard input", err);
	else if (fs_is_dir(path))
		rc = open_maildir(s, path, err);
	else
		rc = open_file(s, path, err);
	if (rc < 0) {
		mailsrc_close(s);
		return rc;
	}
	s->single = !begins_mbox(s->map);
	s->mbox = (struct mbox){ s->map, quoting };
	*ret = s;
	return 0;
}

/* Pages in front of the cursor are not needed again. */
static void give_back(struct mailsrc *s)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t used = (size_t)(s->mbox.rest.p - s->map.p) / page * page;

	if (used < s->given_back + GIVE_BACK)
		return;
	madvise((char *)s->map.p + s->given_back, used - s->given_back, MADV_DONTNEED);
	s->given_back = used;
}

/* 1 with a mail, 0 at the end. A file that went away was read by another client. */
static int next_in_maildir(struct mailsrc *s, struct mail *ret, struct err *err)
{
	while (s->next_file < s->files.n) {
		int rc;

		unmap(s);
		rc = open_file(s, s->files.v[s->next_file++], err);
		if (rc == E_NOTFOUND) {
			err_release(err);
			continue;
		}
		if (rc < 0)
			return rc;
		mail_scan(s->map, FROM_PLAIN, ret);
		return 1;
	}
	return 0;
}

int mailsrc_next(struct mailsrc *s, struct mail *ret, struct err *err)
{
	if (s->files.n)
		return next_in_maildir(s, ret, err);
	if (s->single && !s->done && s->map.len) {
		s->done = true;
		mail_scan(s->map, FROM_PLAIN, ret);
		return 1;
	}
	if (!s->single) {
		give_back(s);
		if (mbox_next(&s->mbox, ret, NULL))
			return 1;
	}
	if (s->late.code)
		return err_set(err, s->late.code, "%s", err_msg(&s->late));
	return 0;
}

void mailsrc_close(struct mailsrc *s)
{
	if (!s)
		return;
	unmap(s);
	strvec_release(&s->files);
	err_release(&s->late);
	free(s);
}

void mailsrc_closep(struct mailsrc **s)
{
	mailsrc_close(*s);
	*s = NULL;
}
