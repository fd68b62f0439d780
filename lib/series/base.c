// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The base of a series that is new, or that the user names.
 */
#include <stdlib.h>
#include "line.h"
#include "series/mem.h"

struct guess {
	char base[OID_HEX];
	char *ref;
	char *why; /* when it was not the nearest branch that told */
	size_t patches;
	bool doubt; /* a candidate gave no answer, so a committer gives none either */
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

/* A name that is both a branch and a tag, on different commits: git takes the tag. */
static int not_ambiguous(struct repo *r, const char *given, struct err *err)
{
	char *head _cleanup_free_ = xasprintf("refs/heads/%s", given);
	char *tag _cleanup_free_ = xasprintf("refs/tags/%s", given);
	char a[OID_HEX], b[OID_HEX];

	if (repo_resolve(r, head, a, NULL) || repo_resolve(r, tag, b, NULL) ||
	    !strcmp(a, b))
		return 0;
	return err_set(
		err, E_USAGE,
		"base: \"%s\" is a branch (%.12s) and a tag (%.12s); say heads/%s or "
		"tags/%s",
		given, a, b, given, given);
}

static bool is_tag(struct repo *r, const char *ref)
{
	char *full _cleanup_free_ = NULL;

	return !repo_ref_full(r, ref, &full, NULL) && !strncmp(full, "refs/tags/", 10);
}

static int must_be_ancestor(struct repo *r, const char *given, const char *tip,
			    const char *head, struct err *err)
{
	int rc = repo_is_ancestor(r, tip, head, err);

	if (rc)
		return rc < 0 ? rc : 0;
	return err_set(
		err, E_FAIL,
		"base: %s (%.12s) is no ancestor of the branch; name the branch it "
		"was taken from, or the commit before the first patch",
		given, tip);
}

int base_given(struct repo *r, const struct config *c, const char *given,
	       const char *head, const char *remedy, char ret[OID_HEX], char **ret_ref,
	       struct err *err)
{
	char *ref _cleanup_free_ = NULL;
	struct base_found found = { .ref = NULL };
	struct base_query q = { .repo = r,
				.config = c,
				.head = head,
				.recorded = "",
				.remedy = remedy,
				.named = true };
	char tip[OID_HEX];
	int rc = not_ambiguous(r, given, err);

	if (rc)
		return rc;
	rc = repo_resolve(r, given, tip, err);
	if (rc)
		return err_context(err, "base");
	q.ref = ref = ref_name(r, given);
	if (!ref || is_tag(r, ref)) {
		rc = must_be_ancestor(r, given, tip, head, err);
		memcpy(found.base, tip, OID_HEX);
	} else {
		rc = base_find(&q, &found, err);
		free(found.ref);
		if (rc)
			err_context(err, "base %s", given);
	}
	if (rc)
		return rc;
	memcpy(ret, found.base, OID_HEX);
	*ret_ref = ref;
	ref = NULL;
	return 0;
}

/* Remember what candidate gives if it is better: fewest patches, but some. */
static int consider(struct repo *r, const struct config *c, const char *candidate,
		    const char *head, struct guess *best, struct err *err)
{
	char *ref _cleanup_free_ = NULL;
	struct commit *v = NULL;
	char base[OID_HEX];
	size_t n = 0;
	int rc = base_given(r, c, candidate, head, ASK_INIT, base, &ref, err);

	if (rc) {
		best->doubt = true;
		return rc;
	}
	if (repo_range(r, base, head, SERIES_MAX_PATCHES, &v, &n, NULL))
		return 0;
	commits_free(v, n);
	if (best->ref && (!n || (best->patches && best->patches <= n)))
		return 0;
	free(best->ref);
	best->ref = xstrdup(ref ? ref : candidate);
	best->patches = n;
	memcpy(best->base, base, OID_HEX);
	return 0;
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

/* Upstream's own commit, so no patch yet; else the upstream may be a copy of the topic.
 */
static bool others_commit(struct repo *r, const struct config *c, const char *head)
{
	struct line l _cleanup_(line_release) = { 0 };

	return !line_walk(r, c, head, 1, &l, NULL) && l.n && !l.v[0].mine;
}

/* No branch to compare with: the first commit back that somebody else committed. */
static int by_committer(struct repo *r, const struct config *c, const char *head,
			char ret[OID_HEX])
{
	struct base_query q = { .repo = r, .config = c, .head = head, .recorded = "" };
	struct base_found found = { .ref = NULL };
	int rc = base_find(&q, &found, NULL);

	free(found.ref);
	if (!rc)
		memcpy(ret, found.base, OID_HEX);
	return rc;
}

/*
 * What to call a commit of somebody else's that the patches stand on: the upstream or
 * what the branch was created from, if that gives this very base, else a ref on it; or
 * NULL.
 */
static char *name_base(struct repo *r, const struct config *c, const char *branch,
		       const char *head, const char *up, const char *base)
{
	char *created _cleanup_free_ = repo_created_from(r, branch);
	const char *words[] = { up, created };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		char *ref _cleanup_free_ = NULL;
		char id[OID_HEX];

		if (words[i] && strcmp(words[i], "HEAD") &&
		    !base_given(r, c, words[i], head, ASK_INIT, id, &ref, NULL) && ref &&
		    strcmp(ref, branch) && !strcmp(id, base))
			return xstrdup(ref);
	}
	return repo_ref_at(r, base, branch);
}

/*
 * No main branch has what others committed below the patches: they stand on a branch of
 * its own (mm-unstable), and its hundreds of commits are none of the series'. own_copy is
 * the upstream when it is a copy of the topic: it proves nothing about commits on it.
 */
static int leave_others(struct repo *r, const struct config *c, const char *branch,
			const char *head, const char *up, bool own_copy,
			struct guess *best, struct err *err)
{
	struct line l _cleanup_(line_release) = { 0 };
	char *ref _cleanup_free_ = NULL;
	ptrdiff_t at, i = 0;

	if (line_walk(r, c, head, SERIES_MAX_PATCHES + 1, &l, NULL))
		return 0;
	at = line_at(&l, best->base);
	while (i < at && l.v[i].mine)
		i++;
	if (i >= at)
		return 0;
	ref = name_base(r, c, branch, head, up, l.v[i].id);
	if (line_any(&l, i, at, true) ? !ref || (own_copy && !strcmp(ref, up))
				      : !ref && !i)
		return err_set(err, E_NOTFOUND,
			       "cannot tell where the patches of %s start: somebody else "
			       "committed %.12s, which is not on %s; say it: series init "
			       "--base REF",
			       branch, l.v[i].id, best->ref);
	best->why = xasprintf("the newest commit that somebody else committed; %td of "
			      "them are not on %s",
			      at - i, best->ref);
	memcpy(best->base, l.v[i].id, OID_HEX);
	free(best->ref);
	best->ref = ref;
	ref = NULL;
	return 0;
}

static int guess(struct repo *r, const struct config *c, const char *branch,
		 const char *head, struct guess *best, struct err *err)
{
	struct strvec mains _cleanup_strvec_ = STRVEC_INIT;
	bool same = false;
	char *up _cleanup_free_ = upstream(r, c, branch, &same);
	int rc = 0;

	/* The user's own word where the branch comes from: in doubt no other is taken. */
	if (up && !same)
		rc = consider(r, c, up, head, best, err);
	if (rc || best->patches || (best->ref && others_commit(r, c, head)))
		return rc;
	main_branches(r, branch, &mains);
	for (size_t i = 0; i < mains.n; i++)
		consider(r, c, mains.v[i], head, best, NULL);
	/* Work done right on the branch that is followed: origin/mm-unstable. */
	if (up && same && !best->patches)
		consider(r, c, up, head, best, NULL);
	if (best->patches)
		return leave_others(r, c, branch, head, up, same, best, err);
	if (!best->doubt && !by_committer(r, c, head, best->base)) {
		free(best->ref);
		best->ref = name_base(r, c, branch, head, up, best->base);
		best->why = xstrdup("the newest commit that somebody else committed");
		return 0;
	}
	if (best->ref)
		return 0;
	return err_set(err, E_NOTFOUND,
		       "cannot tell which branch %s was taken from; say it: series init "
		       "--base REF",
		       branch);
}

int base_guess(struct repo *r, const struct config *c, const char *branch,
	       const char *head, struct base_found *ret, char **ret_why, struct err *err)
{
	struct guess best = { .ref = NULL };
	int rc = guess(r, c, branch, head, &best, err);

	if (rc || !ret_why) {
		free(best.why);
		best.why = NULL;
	}
	if (rc) {
		free(best.ref);
		return rc;
	}
	memcpy(ret->base, best.base, OID_HEX);
	ret->ref = best.ref;
	if (ret_why)
		*ret_why = best.why;
	return 0;
}
