// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When the base does not build, the whole kernel says nothing about a patch. Then only
 * the objects whose sources the series touches are made, on the base and on the patch:
 * what compiled before must compile after.
 */
#include <string.h>

#include "series/fs.h"
#include "internal.h"

bool judge_plain_path(struct str path)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789/._+-,";

	for (size_t i = 0; i < path.len; i++)
		if (!path.p[i] || !strchr(good, path.p[i]))
			return false;
	return path.len && path.p[0] != '-' && path.p[0] != '/' && path.p[0] != '.' &&
	       str_find(path, "/../") < 0;
}

/* Part of a kernel for this arch, as far as a path tells. */
static bool can_judge(const struct plan *p, struct str path)
{
	static const char *const others[] = { "tools/", "scripts/", "samples/",
					      "Documentation/", "usr/" };
	struct str own = str_c(p->arch->image_path);
	size_t slashes = 0, n = 0;

	/* Such a name would be an option, a variable or something to expand for make. */
	if (!judge_plain_path(path))
		return false;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (str_starts(path, others[i]))
			return false;
	if (!str_starts(path, "arch/"))
		return true;
	/* ARCH=x86_64 lives in arch/x86: where its image comes out. */
	while (n < own.len && slashes < 2)
		slashes += own.p[n++] == '/';
	return slashes < 2 || (path.len >= n && !memcmp(path.p, own.p, n));
}

int judge_objects(const struct plan *p, struct strvec *ret, struct err *err)
{
	_cleanup_strvec_ struct strvec paths = STRVEC_INIT;
	const struct build_request *q = p->q;

	for (size_t i = 1; i < q->n; i++) {
		int rc = source_diff(p, q->commits[i - 1], q->commits[i], &paths, err);

		if (rc < 0)
			return rc;
	}
	strvec_sort(&paths);
	for (size_t i = 0; i < paths.n; i++) {
		struct str s = str_c(paths.v[i]);

		if ((!str_ends(s, ".c") && !str_ends(s, ".S")) || !can_judge(p, s))
			continue;
		s.len -= 2;
		_cleanup_free_ char *object = xasprintf(STR_FMT ".o", STR_ARG(s));

		if (!strvec_has(ret, object))
			strvec_push(ret, object);
	}
	return 0;
}

int judge_make(struct plan *p, const struct strvec *objects, const char *label,
	       struct strvec *ret, struct err *err)
{
	_cleanup_strvec_ struct strvec args = STRVEC_INIT;
	struct make_result res;

	if (!objects->n)
		return 0;
	strvec_push(&args, "-k");
	for (size_t i = 0; i < objects->n; i++) {
		_cleanup_free_ char *path = path_join(p->obj, objects->v[i]);
		int rc = fs_unlink(path, err);

		if (rc < 0)
			return rc;
		strvec_push(&args, objects->v[i]);
	}
	int rc = make_run(p, &args, NULL, label, &res, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < objects->n; i++) {
		_cleanup_free_ char *path = path_join(p->obj, objects->v[i]);

		if (fs_exists(path))
			strvec_push(ret, objects->v[i]);
	}
	return 0;
}
