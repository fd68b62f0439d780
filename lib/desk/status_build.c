// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The builds of a status: which of the draft's trees were built for which arch. Results
 * are found by tree, so a reworded commit keeps them. Several configs of one arch show
 * the worst outcome.
 */
#include "series/mem.h"
#include "series/store.h"
#include "status_priv.h"

struct built {
	char *arch;
	char tree[OID_HEX];
	enum build_outcome outcome;
};

struct builts {
	struct built *v;
	size_t n, cap;
};

static enum build_outcome outcome_of(const char *name)
{
	for (int o = BUILD_PASS; name && o <= BUILD_FAIL; o++)
		if (!strcmp(build_outcome_name(o), name))
			return o;
	return BUILD_UNKNOWN;
}

/* One document; what cannot be read is a finding and must not hide everything else. */
static int read_build(struct status *st, const char *file, struct json **ret,
		      struct err *err)
{
	const struct series *s = st->series;
	int rc = store_read_json(s->repo, s->name, file, ret, err);

	if (rc != E_CORRUPT)
		return rc;
	findings_add(&st->findings, "build-unreadable", SEVERITY_WARNING, NULL,
		     "series build", "%s", err_msg(err));
	err_release(err);
	return 0;
}

static int read_builds(struct status *st, struct builts *ret, struct err *err)
{
	const struct series *s = st->series;
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	int rc = store_list(s->repo, s->name, "build", &files, err);

	for (size_t i = 0; i < files.n && !rc; i++) {
		struct json *j _cleanup_json_ = NULL;
		const char *arch, *tree;
		struct built *b;

		rc = read_build(st, files.v[i], &j, err);
		if (rc)
			break;
		arch = json_get_str(j, "arch");
		tree = json_get_str(j, "tree");
		if (!arch || !tree || strlen(tree) != OID_HEX - 1)
			continue;
		vec_grow(ret->v, ret->n, ret->cap);
		b = &ret->v[ret->n++];
		b->arch = xstrdup(arch);
		memcpy(b->tree, tree, OID_HEX);
		b->outcome = outcome_of(json_get_str(j, "outcome"));
	}
	return rc;
}

static void fill(const struct builts *all, const struct strvec *archs, const char *tree,
		 enum build_outcome **ret)
{
	*ret = xcalloc(archs->n + 1, sizeof(**ret));
	for (size_t i = 0; i < all->n; i++)
		for (size_t a = 0; a < archs->n; a++)
			if (!strcmp(all->v[i].tree, tree) &&
			    !strcmp(all->v[i].arch, archs->v[a]) &&
			    all->v[i].outcome > (*ret)[a])
				(*ret)[a] = all->v[i].outcome;
}

int status_builds(struct status *st, struct err *err)
{
	const struct series *s = st->series;
	struct builts all = { 0 };
	struct commit base = { .tree = "" };
	int rc = read_builds(st, &all, err);

	if (!rc) {
		/* Not there in a shallow clone, or when the branch is gone: no tree, no
		 * builds. */
		repo_commit(s->repo, s->base, &base, NULL);
		for (size_t i = 0; i < all.n; i++)
			if (!strvec_has(&st->archs, all.v[i].arch))
				strvec_push(&st->archs, all.v[i].arch);
		strvec_sort(&st->archs);
		fill(&all, &st->archs, base.tree, &st->base.builds);
		for (size_t i = 0; i < s->n_patches; i++)
			fill(&all, &st->archs, s->patches[i].tree,
			     &st->patches[i].builds);
		commit_release(&base);
	}
	for (size_t i = 0; i < all.n; i++)
		free(all.v[i].arch);
	free(all.v);
	return rc;
}
