// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keep the cache small: kernels go first, the longest unused before others, then object
 * directories, then the work tree. Everything here can be built again.
 */
#include <string.h>
#include <sys/stat.h>

#include "series/fs.h"
#include "series/lock.h"
#include "internal.h"

struct item {
	char *path;
	int rank;     /* 0 kernel, 1 objects, 2 work tree */
	int64_t used; /* seconds since 1970 */
	int64_t bytes;
};

struct items {
	struct item *v;
	size_t n, cap;
};

static void add(struct items *it, char *path_take, int rank, const char *used)
{
	struct stat st;

	vec_grow(it->v, it->n, it->cap);
	it->v[it->n++] = (struct item){
		.path = path_take,
		.rank = rank,
		.used = stat(used, &st) ? 0 : (int64_t)st.st_mtime,
		.bytes = fs_tree_bytes(path_take),
	};
}

static void gather(const char *root, struct items *it)
{
	_cleanup_free_ char *kernels = path_join(root, "kernels");
	_cleanup_free_ char *src = path_join(root, "src");
	_cleanup_strvec_ struct strvec names = STRVEC_INIT, objs = STRVEC_INIT;
	int64_t objects = 0;

	fs_list(kernels, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		char *path = path_join(kernels, names.v[i]);

		add(it, path, 0, path);
	}
	fs_list(src, &objs, NULL);
	for (size_t i = 0; i < objs.n; i++) {
		if (strncmp(objs.v[i], "o.", 2))
			continue;
		char *path = path_join(src, objs.v[i]);
		_cleanup_free_ char *meta = path_join(path, ".series");

		add(it, path, 1, meta);
		objects += it->v[it->n - 1].bytes;
	}
	if (fs_is_dir(src)) {
		add(it, xstrdup(src), 2, src);
		it->v[it->n - 1].bytes -= objects;
	}
}

static int by_age(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	return x->used < y->used ? -1 : x->used > y->used;
}

int build_gc(struct repo *r, const struct config *c, int64_t limit, int64_t *ret_freed,
	     struct err *err)
{
	_cleanup_free_ char *root = plan_root(r);
	_cleanup_free_ char *lock_path = path_join(root, "lock");
	_cleanup_lock_ struct lock lock = LOCK_INIT;
	struct items it = { 0 };
	int64_t total = 0, freed = 0;
	int rc = 0;

	if (limit < 0 && c)
		rc = config_get_int(c, "series.buildLimit", (int64_t)20 << 30, &limit,
				    err);
	if (limit < 0)
		limit = (int64_t)20 << 30;
	if (!rc && fs_is_dir(root))
		rc = lock_take(&lock, lock_path, "gc", 0, err);
	if (rc < 0)
		return rc;
	gather(root, &it);
	for (size_t i = 0; i < it.n; i++)
		total += it.v[i].bytes;
	if (it.n)
		qsort(it.v, it.n, sizeof(*it.v), by_age);
	for (size_t i = 0; i < it.n && !rc && total - freed > limit; i++) {
		rc = fs_rmtree(it.v[i].path, err);
		if (!rc && it.v[i].rank == 2) {
			_cleanup_free_ char *index = path_join(root, "src.index");

			rc = fs_unlink(index, err);
		}
		if (!rc)
			freed += it.v[i].bytes;
	}
	for (size_t i = 0; i < it.n; i++)
		free(it.v[i].path);
	free(it.v);
	if (!rc)
		*ret_freed = freed;
	return rc;
}
