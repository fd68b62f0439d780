// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * initramfs.c - the archive a guest starts from.
 *
 * cpio, format newc, as described in the kernel's
 * Documentation/driver-api/early-userspace/buffer-format.rst: a header of 110 bytes in
 * hex, the name, the data, the latter two padded to four bytes; the entry TRAILER!!! ends
 * it. Not compressed, so that a kernel needs none of RD_*.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"

/* Files of a guest are programs and modules, not disks. */
#define MAX_FILE ((size_t)256 << 20)

struct writer {
	int fd;
	const char *path;
	unsigned ino;
	struct err *err;
};

struct entry {
	const char *name; /* without the slash in front */
	unsigned mode;	  /* with its type */
	unsigned rmajor, rminor;
	struct str data;
};

static void pad(struct buf *b)
{
	buf_fill(b, '\0', (4 - b->len % 4) % 4);
}

static int put(struct writer *w, const struct entry *e)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	unsigned links = S_ISDIR(e->mode) ? 2 : 1;

	/* ino, mode, links, uid, gid, mtime, size, device, its number, length of name,
	 * sum */
	buf_printf(&b, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		   ++w->ino, e->mode, links, 0u, 0u, 0u, (unsigned)e->data.len, 0u, 0u,
		   e->rmajor, e->rminor, (unsigned)strlen(e->name) + 1, 0u);
	buf_puts(&b, e->name);
	buf_putc(&b, '\0');
	pad(&b);
	buf_addstr(&b, e->data);
	pad(&b);
	return fs_write_fd(w->fd, b.p, b.len, w->path, w->err);
}

static int check_path(const char *p, struct err *err)
{
	if (p[0] != '/' || !p[1] || p[strlen(p) - 1] == '/' || strstr(p, "//") ||
	    strstr(p, "/../") || strlen(p) > 1024)
		return err_set(err, E_FAIL, "%s: not a clean absolute path in the guest",
			       p);
	return 0;
}

/* The folders above path that are not yet in *dirs. */
static void add_parents(const char *path, struct strvec *dirs)
{
	for (const char *s = strchr(path + 1, '/'); s; s = strchr(s + 1, '/')) {
		char *d = xmemdup0(path + 1, s - path - 1);

		if (strvec_has(dirs, d))
			free(d);
		else
			strvec_take(dirs, d);
	}
}

static int put_file(struct writer *w, const struct boot_file *f)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct entry e = { .name = f->guest_path + 1 };

	e.mode = S_IFREG | (f->mode & 07777);
	e.data = str_n(f->data, f->len);
	if (f->path) {
		int r = fs_read(f->path, MAX_FILE, &b, w->err);

		if (r)
			return r;
		e.data = buf_str(&b);
	}
	return put(w, &e);
}

static int put_all(struct writer *w, const struct boot_file *files, size_t n)
{
	struct strvec dirs _cleanup_strvec_ = STRVEC_INIT;
	struct entry console = { "dev/console", S_IFCHR | 0600, 5, 1, STR_NULL };
	struct entry end = { .name = "TRAILER!!!" };
	int r = 0;

	strvec_push(&dirs, "dev");
	for (size_t i = 0; i < n && !r; i++) {
		r = check_path(files[i].guest_path, w->err);
		if (!r)
			add_parents(files[i].guest_path, &dirs);
	}
	strvec_sort(&dirs);
	for (size_t i = 0; i < dirs.n && !r; i++) {
		struct entry d = { .name = dirs.v[i], .mode = S_IFDIR | 0755 };

		r = put(w, &d);
	}
	if (!r)
		r = put(w, &console);
	for (size_t i = 0; i < n && !r; i++)
		r = put_file(w, &files[i]);
	return r ? r : put(w, &end);
}

int initramfs_write(const char *path, const struct boot_file *files, size_t n,
		    struct err *err)
{
	int fd _cleanup_close_ =
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct writer w = { fd, path, 0, err };
	int r;

	if (fd < 0)
		return err_errno(err, errno, "%s", path);
	r = put_all(&w, files, n);
	if (r)
		unlink(path);
	return r;
}
