// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay.c - main() of a fuzz target without libFuzzer: each file of the command line,
 * and each in its folders, once; then cut off at every 64th byte, and with bits flipped.
 */
#include "fuzz.h"
#include "series/fs.h"
#include "series/mem.h"

static size_t runs;

/* A copy of just that size, so that the sanitizer sees each byte too many. */
static void run(const char *p, size_t len)
{
	uint8_t *copy = xmalloc(len ? len : 1);

	memcpy(copy, p, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
	runs++;
}

static void run_all(struct buf *b)
{
	run(buf_cstr(b), b->len);
	for (size_t i = 0; i < b->len; i += 64)
		run(b->p, i);
	for (size_t i = 0; i < b->len; i += 1 + b->len / 256) {
		b->p[i] = (char)(b->p[i] ^ 1 << i % 8);
		run(b->p, b->len);
	}
}

static int replay(const char *path)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = 0;

	if (fs_is_dir(path)) {
		rc = fs_list(path, &names, &err);
		for (size_t i = 0; i < names.n; i++) {
			char *file _cleanup_free_ = path_join(path, names.v[i]);

			rc |= replay(file);
		}
	} else {
		rc = fs_read(path, 0, &b, &err);
		if (!rc)
			run_all(&b);
	}
	if (err.code)
		fprintf(stderr, "%s\n", err_msg(&err));
	return rc;
}

int main(int argc, char **argv)
{
	int rc = 0;

	for (int i = 1; i < argc; i++)
		rc |= replay(argv[i]);
	printf("%zu runs\n", runs);
	return rc || !runs;
}
