// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * journal.c - see journal.h.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "journal.h"
#include "series/buf.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/sha256.h"

#define RECORD	    256
#define SUM_DIGITS  16
#define BODY	    (RECORD - SUM_DIGITS - 1) /* before the checksum and the line end */
#define JOURNAL_MAX ((size_t)64 << 20)

struct journal {
	int fd;
	char *path;
	size_t used, room; /* records */
};

/* Zeros up to that many records, on disk. */
static int allocate(int fd, const char *path, size_t from, size_t to, struct err *err)
{
	char *zeros _cleanup_free_ = xcalloc(to - from, RECORD);
	size_t len = (to - from) * RECORD, done = 0;

	while (done < len) {
		ssize_t n = pwrite(fd, zeros + done, len - done,
				   (off_t)(from * RECORD + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_errno(err, errno, "%s: write", path);
		done += n;
	}
	if (fsync(fd))
		return err_errno(err, errno, "%s: fsync", path);
	return 0;
}

int journal_create(const char *path, size_t records, struct err *err)
{
	int fd _cleanup_close_ = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return err_errno(err, errno, "%s: create", path);
	return allocate(fd, path, 0, records, err);
}

static void checksum(const char *body, char ret[SUM_DIGITS + 1])
{
	char hex[SHA256_HEX];

	sha256_hex(body, BODY, hex);
	memcpy(ret, hex, SUM_DIGITS);
	ret[SUM_DIGITS] = 0;
}

static bool record_good(const char *rec, size_t number)
{
	char sum[SUM_DIGITS + 1], seq[9];

	checksum(rec, sum);
	memcpy(seq, rec, 8);
	seq[8] = 0;
	return !memcmp(rec + BODY, sum, SUM_DIGITS) && rec[RECORD - 1] == '\n' &&
	       strtoul(seq, NULL, 10) == number;
}

/* "00000001 try  0003 text": parts handed on. */
static int replay_one(const char *rec,
		      int (*on_record)(const char *, size_t, const char *, void *,
				       struct err *),
		      void *arg, struct err *err)
{
	char *kind _cleanup_free_ = str_dup(str_trim(str_n(rec + 9, 4)));
	char *number _cleanup_free_ = str_dup(str_n(rec + 14, 6));
	char *text _cleanup_free_ = str_dup(str_trim(str_n(rec + 21, BODY - 21)));

	return on_record(kind, strtoul(number, NULL, 10), text, arg, err);
}

/* How much of a path names its directory. */
static size_t dir_length(const char *path)
{
	return (size_t)(path_base(path) - path);
}

int journal_open(const char *path, size_t records,
		 int (*on_record)(const char *kind, size_t k, const char *text, void *arg,
				  struct err *err),
		 void *arg, struct journal **ret, struct err *err)
{
	struct buf all _cleanup_buf_ = BUF_INIT;
	struct journal *j;
	size_t used = 0, room;
	int rc, fd;

	rc = fs_read(path, JOURNAL_MAX, &all, err);
	if (rc && rc != E_NOTFOUND)
		return rc;
	room = all.len / RECORD;
	if (rc || room < records)
		return err_set(
			err, E_CORRUPT,
			"%s: %s, so nobody knows which mails went out; look for "
			"them on the list before you send anything, then remove %.*s",
			path, rc ? "missing" : "cut off", (int)dir_length(path), path);
	while (used < room && record_good(all.p + used * RECORD, used + 1)) {
		rc = replay_one(all.p + used * RECORD, on_record, arg, err);
		if (rc)
			return rc;
		used++;
	}
	for (size_t i = used + 1; i < room; i++)
		if (record_good(all.p + i * RECORD, i + 1))
			return err_set(
				err, E_CORRUPT,
				"%s: record %zu is damaged and later ones are not; "
				"look at it before anything is sent again",
				path, used + 1);
	if (used < room && all.p[(used + 1) * RECORD - 1] &&
	    (rc = on_record("lost", 0, "", arg, err)))
		return rc;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, errno, "%s: open", path);
	j = xcalloc(1, sizeof(*j));
	j->fd = fd;
	j->path = xstrdup(path);
	j->used = used;
	j->room = room;
	*ret = j;
	return 0;
}

int journal_reserve(struct journal *j, size_t n, struct err *err)
{
	size_t want = j->used + n;
	int rc;

	if (want <= j->room)
		return 0;
	want += 16;
	if (want * RECORD > JOURNAL_MAX)
		return err_set(err, E_FAIL, "%s: too many tries", j->path);
	rc = allocate(j->fd, j->path, j->room, want, err);
	if (!rc)
		j->room = want;
	return rc;
}

int journal_append(struct journal *j, const char *kind, size_t k, const char *text,
		   bool sync, struct err *err)
{
	struct buf rec _cleanup_buf_ = BUF_INIT;
	char sum[SUM_DIGITS + 1];
	ssize_t n;

	buf_printf(&rec, "%08zu %-4s %06zu ", j->used + 1, kind, k);
	for (const char *p = text ? text : ""; *p && rec.len < BODY; p++)
		buf_putc(&rec, iscntrl((unsigned char)*p) ? ' ' : *p);
	buf_fill(&rec, ' ', BODY - rec.len);
	checksum(rec.p, sum);
	buf_puts(&rec, sum);
	buf_putc(&rec, '\n');
	do {
		n = pwrite(j->fd, rec.p, RECORD, (off_t)(j->used * RECORD));
	} while (n < 0 && errno == EINTR);
	if (n != RECORD)
		return err_errno(err, n < 0 ? errno : ENOSPC, "%s: write", j->path);
	if (sync && fdatasync(j->fd))
		return err_errno(err, errno, "%s: fsync", j->path);
	j->used++;
	return 0;
}

void journal_close(struct journal *j)
{
	if (!j)
		return;
	close(j->fd);
	free(j->path);
	free(j);
}
