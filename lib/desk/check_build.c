// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_build.c - every patch builds, for each architecture that something was built for
 * or that is configured (series.arch.ARCH.*), by the stored results.
 */
#include "check_priv.h"

/* "patches 1, 3-5" of those without a result for arch a; NULL when there are none. */
static char *missing(const struct status *st, ptrdiff_t a)
{
	struct buf b = BUF_INIT;
	size_t n = st->series->n_patches, count = 0;
#define LACKS(i) (a < 0 || st->patches[i].builds[a] == BUILD_UNKNOWN)

	for (size_t i = 0, k; i < n; i = k + 1) {
		k = i;
		if (!LACKS(i))
			continue;
		while (k + 1 < n && LACKS(k + 1))
			k++;
		buf_printf(&b, "%s%zu", count ? ", " : "", i + 1);
		if (k > i)
			buf_printf(&b, "-%zu", k + 1);
		count += k - i + 1;
	}
#undef LACKS
	if (count) {
		char *list _cleanup_free_ = buf_take(&b);

		return xasprintf("patch%s %s", count == 1 ? "" : "es", list);
	}
	buf_release(&b);
	return NULL;
}

static void look_at_arch(struct check_ctx *x, const struct status *st, const char *arch,
			 ptrdiff_t a)
{
	char *again _cleanup_free_ = xasprintf("series build --arch %s --each", arch);
	char *lack _cleanup_free_ = missing(st, a);

	for (size_t i = 0; a >= 0 && i < x->n; i++) {
		char *where _cleanup_free_ = check_where(x, i);

		if (st->patches[i].builds[a] == BUILD_FAIL)
			check_add(x, "build-fails", where, again, "does not build for %s",
				  arch);
		else if (st->patches[i].builds[a] == BUILD_WARN)
			check_add(x, "build-warns", where, again,
				  "builds with new warnings for %s", arch);
	}
	if (lack)
		check_add(x, "build-missing", NULL, again, "not built for %s: %s", arch,
			  lack);
}

static ptrdiff_t index_of(const struct strvec *v, const char *what)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strcmp(v->v[i], what))
			return (ptrdiff_t)i;
	return -1;
}

/* Those of the settings series.arch.ARCH.*. */
static void configured(const struct config *c, struct strvec *archs)
{
	struct strvec keys _cleanup_strvec_ = STRVEC_INIT;

	config_subsections(c, "series", "arch.", &keys);
	for (size_t i = 0; i < keys.n; i++) {
		const char *name = keys.v[i] + strlen("arch.");

		if (!strvec_has(archs, name))
			strvec_push(archs, name);
	}
}

int check_build(struct check_ctx *x, struct err *err)
{
	struct strvec archs _cleanup_strvec_ = STRVEC_INIT;
	const struct status *st;
	int rc = check_status(x, &st, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < st->findings.n; i++)
		if (!strcmp(st->findings.v[i].id, "build-unreadable"))
			check_add(x, "build-unreadable", NULL, st->findings.v[i].remedy,
				  "%s", st->findings.v[i].message);
	strvec_extend(&archs, &st->archs);
	configured(x->c, &archs);
	for (size_t i = 0; i < archs.n; i++)
		look_at_arch(x, st, archs.v[i], index_of(&st->archs, archs.v[i]));
	if (!archs.n)
		check_add(x, "build-missing", NULL, "series build --each",
			  "the patches were not built");
	return 0;
}
