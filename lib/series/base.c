// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The base of a series that is new, or that the user names.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/mem.h"

struct guess {
	char base[OID_HEX];
	char *ref;
	size_t patches;
};

/* Short name of the ref that rev is, or NULL when it is a hash or an expression. */
static char *ref_name(struct repo *r, const char *rev)
{
	char *args[] = { "rev-parse",	     "--abbrev-ref", "--verify", "-q",
			 "--end-of-options", (char *)rev,    NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct strvec lines _cleanup_strvec_ = STRVEC_INIT;

	if (git_run(r, args, STR_NULL, &res, NULL) || res.status)
		return NULL;
	strvec_split(&lines, buf_str(&res.out), '\n');
	if (!lines.n || !strcmp(lines.v[lines.n - 1], "HEAD") ||
	    !strcmp(lines.v[lines.n - 1], "--end-of-options"))
		return NULL;
	return xstrdup(lines.v[lines.n - 1]);
}

/* Without a reflog a plain merge-base lies when the ref was rebuilt; see range.c. */
static int plain_base(struct repo *r, const struct config *c, const char *tip,
		      const char *head, char ret[OID_HEX], struct err *err)
{
	char mine[OID_HEX];
	int rc = repo_merge_base(r, tip, head, ret, err);

	if (!rc && strcmp(ret, tip) && !base_by_committer(r, c, head, mine, NULL) &&
	    repo_is_ancestor(r, ret, mine, NULL) == 1)
		memcpy(ret, mine, OID_HEX);
	return rc;
}

int base_given(struct repo *r, const struct config *c, const char *given,
	       const char *head, char ret[OID_HEX], char **ret_ref, struct err *err)
{
	char *ref _cleanup_free_ = NULL;
	char tip[OID_HEX];
	int rc = repo_resolve(r, given, tip, err);

	if (rc)
		return err_context(err, "base");
	ref = ref_name(r, given);
	if (!ref) {
		rc = repo_is_ancestor(r, tip, head, err);
		if (rc < 0)
			return rc;
		if (!rc)
			return err_set(
				err, E_FAIL,
				"base: %s (%.12s) is no ancestor of the branch; name "
				"the branch it was taken from, or the commit before "
				"the first patch",
				given, tip);
		memcpy(ret, tip, OID_HEX);
	} else if (fork_point(r, ref, head, ret, NULL)) {
		rc = plain_base(r, c, tip, head, ret, err);
		if (rc)
			return err_context(err, "base %s", given);
	}
	*ret_ref = ref;
	ref = NULL;
	return 0;
}

/* Remember what candidate gives if it is better: fewest patches, but some. */
static void consider(struct repo *r, const struct config *c, const char *candidate,
		     const char *head, struct guess *best)
{
	char *ref _cleanup_free_ = NULL;
	struct commit *v = NULL;
	char base[OID_HEX];
	size_t n = 0;

	if (base_given(r, c, candidate, head, base, &ref, NULL))
		return;
	if (repo_range(r, base, head, SERIES_MAX_PATCHES, &v, &n, NULL))
		return;
	commits_free(v, n);
	if (best->ref && (!n || (best->patches && best->patches <= n)))
		return;
	free(best->ref);
	best->ref = xstrdup(ref ? ref : candidate);
	best->patches = n;
	memcpy(best->base, base, OID_HEX);
}

/* The upstream of a branch ("origin/topic"), and whether it is a copy of the topic. */
static char *upstream(struct repo *r, const struct config *c, const char *branch,
		      bool *ret_same_name)
{
	char *rk _cleanup_free_ = xasprintf("branch.%s.remote", branch);
	char *mk _cleanup_free_ = xasprintf("branch.%s.merge", branch);
	char *spec _cleanup_free_ = xasprintf("%s@{upstream}", branch);
	const char *remote = config_get(c, rk), *merge = config_get(c, mk);

	if (!remote || !merge)
		return NULL;
	*ret_same_name = strcmp(remote, ".") && !strncmp(merge, "refs/heads/", 11) &&
			 !strcmp(merge + 11, branch);
	return ref_name(r, spec);
}

static void main_branches(struct repo *r, const char *branch, struct strvec *ret)
{
	static const char *const names[] = { "HEAD", "main", "master" };
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;

	if (repo_refs(r, "refs/remotes/", &refs, NULL))
		return;
	for (size_t i = 0; i < refs.n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (!strcmp(strrchr(refs.v[i], '/') + 1, names[k]))
				strvec_push(ret, refs.v[i] + strlen("refs/remotes/"));
	for (size_t k = 1; k < ARRAY_SIZE(names); k++)
		if (branch_exists(r, names[k]) && strcmp(names[k], branch))
			strvec_push(ret, names[k]);
}

int base_guess(struct repo *r, const struct config *c, const char *branch,
	       const char *head, char ret[OID_HEX], char **ret_ref, struct err *err)
{
	struct strvec mains _cleanup_strvec_ = STRVEC_INIT;
	struct guess best = { .ref = NULL };
	bool same = false;
	char *up _cleanup_free_ = upstream(r, c, branch, &same);

	if (up && !same)
		consider(r, c, up, head, &best);
	if (!best.patches) {
		main_branches(r, branch, &mains);
		for (size_t i = 0; i < mains.n; i++)
			consider(r, c, mains.v[i], head, &best);
	}
	/* Work done right on the branch that is followed: origin/mm-unstable. */
	if (up && same && !best.patches)
		consider(r, c, up, head, &best);
	if (!best.patches && !base_by_committer(r, c, head, ret, NULL)) {
		free(best.ref);
		*ret_ref = NULL;
		return 0;
	}
	if (!best.ref)
		return err_set(
			err, E_NOTFOUND,
			"cannot tell which branch %s was taken from; say it: series "
			"init --base REF",
			branch);
	memcpy(ret, best.base, OID_HEX);
	*ret_ref = best.ref;
	return 0;
}
