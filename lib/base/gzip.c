// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gzip.c - unpack gzip files, piece by piece.
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "series/fs.h"
#include "series/gzip.h"
#include "series/intr.h"
#include "series/mem.h"

#define PIECE 65536
/* Mail packs to a tenth at best; what goes far beyond was made to fill a disk. */
#define FREE_BYTES ((int64_t)256 << 20)
#define RATIO	   50
/* Of a pipe nobody knows how much of it was read; /dev/zero has no end. */
#define STREAM_MAX ((int64_t)4 << 30)

static int64_t limit(gzFile in, bool is_file)
{
	int64_t packed = gzoffset(in);

	if (!is_file || packed < 0)
		return STREAM_MAX;
	return gzdirect(in) ? INT64_MAX : FREE_BYTES + RATIO * packed;
}

static int copy_all(gzFile in, bool is_file, int to, const char *name, struct err *err)
{
	char *room _cleanup_free_ = xmalloc(PIECE);
	int64_t bytes = 0;
	const char *why;
	int code, n;

	while ((n = gzread(in, room, PIECE)) > 0) {
		bytes += n;
		if (bytes > limit(in, is_file))
			return err_set(err, E_FAIL,
				       "%s: more than %lld MB come of it, as if to fill "
				       "the disk",
				       name, (long long)(bytes >> 20));
		if (intr_check(err) || fs_write_fd(to, room, (size_t)n, name, err) < 0)
			return intr_pending() ? E_INTR : E_FAIL;
	}
	if (intr_pending())
		return intr_check(err);
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
	struct stat st;
	gzFile in;

	if (fd < 0)
		return err_errno(err, errno, "%s", name);
	in = gzdopen(fd, "rb");
	if (!in) {
		close(fd);
		return err_set(err, E_FAIL, "%s: no memory to unpack it", name);
	}
	rc = copy_all(in, !fstat(from, &st) && S_ISREG(st.st_mode), to, name, err);
	gzclose_r(in);
	return rc;
}
