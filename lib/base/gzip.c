// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gzip.c - unpack gzip files, piece by piece.
 */
#include <errno.h>
#include <unistd.h>
#include <zlib.h>
#include "series/fs.h"
#include "series/gzip.h"
#include "series/mem.h"

#define PIECE 65536

static int copy_all(gzFile in, int to, const char *name, struct err *err)
{
	char *room _cleanup_free_ = xmalloc(PIECE);
	const char *why;
	int code, n;

	while ((n = gzread(in, room, PIECE)) > 0)
		if (fs_write_fd(to, room, (size_t)n, name, err) < 0)
			return E_FAIL;
	why = gzerror(in, &code);
	if (code == Z_ERRNO)
		return err_errno(err, errno, "%s", name);
	if (n < 0 || (code != Z_OK && code != Z_STREAM_END))
		return err_set(err, E_CORRUPT,
			       code == Z_BUF_ERROR ? "%s: the gzip data ends early"
						   : "%s: damaged gzip data (%s)",
			       name, why);
	return 0;
}

int gzip_copy(int from, int to, const char *name, struct err *err)
{
	int fd = dup(from), rc;
	gzFile in;

	if (fd < 0)
		return err_errno(err, errno, "%s", name);
	in = gzdopen(fd, "rb");
	if (!in) {
		close(fd);
		return err_set(err, E_FAIL, "%s: no memory to unpack it", name);
	}
	rc = copy_all(in, to, name, err);
	gzclose_r(in);
	return rc;
}
