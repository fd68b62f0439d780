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
#include "series/intr.h"
#include "series/mailsrc.h"
#include "series/mapped.h"
#include "series/mem.h"

#define GIVE_BACK ((size_t)8 << 20)
#define MAIL_MAX  ((size_t)512 << 20)

struct mailsrc {
	size_t holders;
	enum from_quoting quoting;
	struct mapped map; /* of the file that is read */
	char *name;	   /* and how it is called */
	size_t given_back; /* bytes at its start */
	struct mbox mbox;
	bool single, done;
	struct err late;     /* what is to be said when the mails are used up */
	struct strvec files; /* a folder's, in order */
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

	free(s->name);
	s->name = xstrdup(name);
	s->given_back = 0;
	if (is_plain_file(fd))
		return mapped_open(&s->map, fd, name, err);
	copy = nameless(err);
	if (copy < 0)
		return copy;
	rc = gzip_copy(fd, copy, name, &s->late);
	if (rc < 0 && rc != E_CORRUPT)
		return err_set(err, rc, "%s", err_msg(&s->late));
	return mapped_open(&s->map, copy, name, err);
}

static int open_failed(const char *path, struct err *err)
{
	if (intr_pending()) /* while it waited for a FIFO's writer */
		return intr_check(err);
	return err_set(err, errno == ENOENT ? E_NOTFOUND : E_FAIL, "%s: %s", path,
		       strerror(errno));
}

static int open_file(struct mailsrc *s, const char *path, struct err *err)
{
	int fd _cleanup_close_ = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? open_failed(path, err) : open_fd(s, fd, path, err);
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

/* What git format-patch and others write: a mail a file, in the order of the names. */
static int open_folder(struct mailsrc *s, const char *path, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = fs_list(path, &names, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < names.n; i++) {
		struct str name = str_c(names.v[i]);

		if (name.p[0] == '.')
			continue;
		if (str_ends(name, ".patch") || str_ends(name, ".eml"))
			strvec_take(&s->files, path_join(path, names.v[i]));
	}
	if (s->files.n)
		return 0;
	return err_set(err, E_FAIL,
		       "%s is a folder without cur/, so no Maildir, and without files "
		       "*.patch and *.eml",
		       path);
}

static bool is_maildir(const char *path)
{
	char *cur _cleanup_free_ = path_join(path, "cur");

	return fs_is_dir(cur);
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

	s->holders = 1;
	s->quoting = quoting;
	if (!strcmp(path, "-"))
		rc = open_fd(s, STDIN_FILENO, "standard input", err);
	else if (fs_is_dir(path))
		rc = is_maildir(path) ? open_maildir(s, path, err)
				      : open_folder(s, path, err);
	else
		rc = open_file(s, path, err);
	if (rc < 0) {
		mailsrc_close(s);
		return rc;
	}
	s->single = !begins_mbox(s->map.bytes);
	s->mbox = (struct mbox){ s->map.bytes, quoting };
	*ret = s;
	return 0;
}

/* Pages in front of the cursor are not needed again. */
static void give_back(struct mailsrc *s)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t used = (size_t)(s->mbox.rest.p - s->map.bytes.p) / page * page;

	if (used < s->given_back + GIVE_BACK)
		return;
	madvise((char *)s->map.bytes.p + s->given_back, used - s->given_back,
		MADV_DONTNEED);
	s->given_back = used;
}

/* What is to be said in the end; the first of several. */
static void say_late(struct mailsrc *s, struct err *why)
{
	if (!s->late.code)
		s->late = *why;
	else
		err_release(why);
}

/* A file of a Maildir; 0 when it is none, or cannot be read, which is said in the end. */
static int open_message(struct mailsrc *s, const char *path)
{
	struct err why = ERR_INIT;
	int fd _cleanup_close_ = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	/* A file that went away was read by another client. */
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		open_failed(path, &why);
	else if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	else if (!open_fd(s, fd, path, &why))
		return 1;
	say_late(s, &why);
	return 0;
}

/* 1 with a mail, 0 at the end. */
static int next_in_maildir(struct mailsrc *s, struct mail *ret)
{
	while (s->next_file < s->files.n) {
		mapped_close(&s->map);
		if (!open_message(s, s->files.v[s->next_file++]))
			continue;
		mail_scan(s->map.bytes, FROM_PLAIN, ret);
		return 1;
	}
	return 0;
}

static int next_in_file(struct mailsrc *s, struct mail *ret)
{
	if (!s->single) {
		give_back(s);
		return mbox_next(&s->mbox, ret, NULL);
	}
	if (s->done || !s->map.bytes.len)
		return 0;
	s->done = true;
	mail_scan(s->map.bytes, FROM_PLAIN, ret);
	return 1;
}

int mailsrc_check(const struct mailsrc *s, struct err *err)
{
	return s->map.torn
		       ? err_set(err, E_CORRUPT,
				 "%s was cut short while it was read, or its disk fails",
				 s->name)
		       : 0;
}

int mailsrc_next(struct mailsrc *s, struct mail *ret, struct err *err)
{
	int rc = s->files.n ? next_in_maildir(s, ret) : next_in_file(s, ret);

	if (intr_pending())
		return intr_check(err);
	if (s->map.torn)
		return mailsrc_check(s, err);
	if (rc && ret->raw.len > MAIL_MAX)
		return err_set(err, E_FAIL, "%s: a mail of %zu MB: that is none", s->name,
			       ret->raw.len >> 20);
	if (!rc && s->late.code)
		return err_set(err, s->late.code, "%s", err_msg(&s->late));
	return rc;
}

struct mailsrc *mailsrc_share(struct mailsrc *s)
{
	if (s->files.n)
		return NULL;
	s->holders++;
	return s;
}

void mailsrc_close(struct mailsrc *s)
{
	if (!s || --s->holders)
		return;
	mapped_close(&s->map);
	free(s->name);
	strvec_release(&s->files);
	err_release(&s->late);
	free(s);
}

void mailsrc_closep(struct mailsrc **s)
{
	mailsrc_close(*s);
	*s = NULL;
}
