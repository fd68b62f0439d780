// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What patch-id a commit has, remembered in <common dir>/series/patch-ids: lines of
 * "COMMIT PATCH-ID", each added by one write, so that writers need no lock. A line that
 * is not whole is passed over. Deleting the file loses nothing.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "internal.h"
#include "series/fs.h"

#define LINE	  (2 * OID_HEX) /* two names, a blank, LF */
#define MAX_BYTES (16 << 20)

struct patch_id_cache {
	char *path;
	struct {
		char commit[OID_HEX], id[OID_HEX];
	} * v;
	size_t n, cap;
};

static bool is_hex(const char *p)
{
	for (int i = 0; i < OID_HEX - 1; i++)
		if (!isxdigit((unsigned char)p[i]))
			return false;
	return true;
}

static void add(struct patch_id_cache *c, const char *commit, const char *id)
{
	vec_grow(c->v, c->n, c->cap);
	memcpy(c->v[c->n].commit, commit, OID_HEX - 1);
	memcpy(c->v[c->n].id, id, OID_HEX - 1);
	c->v[c->n].commit[OID_HEX - 1] = c->v[c->n].id[OID_HEX - 1] = '\0';
	c->n++;
}

static int by_commit(const void *a, const void *b)
{
	return memcmp(a, b, OID_HEX - 1);
}

static struct patch_id_cache *load(struct repo *r)
{
	struct patch_id_cache *c = r->patch_ids;
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	if (c)
		return c;
	c = r->patch_ids = xcalloc(1, sizeof(*c));
	c->path = path_join(r->common_dir, "series/patch-ids");
	if (fs_read(c->path, MAX_BYTES, &b, NULL))
		return c;
	rest = buf_str(&b);
	while (str_line(&rest, &line))
		if (line.len == LINE - 1 && line.p[OID_HEX - 1] == ' ' &&
		    is_hex(line.p) && is_hex(line.p + OID_HEX))
			add(c, line.p, line.p + OID_HEX);
	if (c->n)
		qsort(c->v, c->n, sizeof(*c->v), by_commit);
	return c;
}

/* Where commit stands, or belongs. */
static size_t find(const struct patch_id_cache *c, const char *commit)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (memcmp(commit, c->v[mid].commit, OID_HEX - 1) > 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void insert(struct patch_id_cache *c, const char *commit, const char *id)
{
	size_t at = find(c, commit);

	add(c, commit, id);
	memmove(&c->v[at + 1], &c->v[at], (c->n - 1 - at) * sizeof(*c->v));
	memcpy(c->v[at].commit, commit, OID_HEX);
	memcpy(c->v[at].id, id, OID_HEX);
}

const char *patch_id_cached(struct repo *r, const char *commit)
{
	struct patch_id_cache *c = load(r);
	size_t at = find(c, commit);

	return at < c->n && !memcmp(commit, c->v[at].commit, OID_HEX - 1) ? c->v[at].id
									  : NULL;
}

void patch_id_remember(struct repo *r, const char *commit, const char *patch_id)
{
	struct patch_id_cache *c = load(r);
	char *line _cleanup_free_ = xasprintf("%s %s\n", commit, patch_id);
	char *dir _cleanup_free_ = path_dir(c->path);
	int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC;
	int fd _cleanup_close_ = -1;

	insert(c, commit, patch_id);
	if (fs_size(c->path) > MAX_BYTES - LINE)
		flags |= O_TRUNC;
	if (fs_mkdirs(dir, NULL))
		return;
	fd = open(c->path, flags, 0666);
	if (fd >= 0 && write(fd, line, LINE) != LINE)
		return; /* a line that is not whole is passed over when read */
}

void patch_id_cache_free(struct patch_id_cache *c)
{
	if (!c)
		return;
	free(c->path);
	free(c->v);
	free(c);
}
