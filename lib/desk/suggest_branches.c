// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest_branches.c - the branches that a series could start on: those that the user
 * names, else those of the base's remote that patches usually go to.
 */
#include <fnmatch.h>
#include "series/mem.h"
#include "suggest_base_priv.h"

static const char *const usual[] = { "main", "master", "mm-*", "*-next" };

static void add(struct strvec *v, const char *ref)
{
	if (!strvec_has(v, ref))
		strvec_push(v, ref);
}

/* What the ref is called below refs/heads/ or refs/remotes/; NULL: no branch. */
static const char *branch_part(const char *full)
{
	if (!strncmp(full, "refs/heads/", 11))
		return full + 11;
	return strncmp(full, "refs/remotes/", 13) ? NULL : full + 13;
}

/* The series' own branch, and its copies on remotes. */
static bool own(const struct series *s, const char *full)
{
	const char *part = branch_part(full), *slash;

	if (!part || !s->branch)
		return false;
	slash = strchr(part, '/');
	if (!strncmp(full, "refs/heads/", 11))
		return !strcmp(part, s->branch);
	return slash && !strcmp(slash + 1, s->branch);
}

static int all_branches(struct repo *r, struct strvec *ret, struct err *err)
{
	int rc = repo_refs(r, "refs/remotes/", ret, err);

	return rc ? rc : repo_refs(r, "refs/heads/", ret, err);
}

/* A branch by its name, or all that fit a pattern. */
static int add_named(const struct series *s, const char *name, struct strvec *ret,
		     struct strvec *ret_missing, struct err *err)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;
	char *full _cleanup_free_ = NULL;
	bool any = false;
	int rc;

	if (!strpbrk(name, "*?[")) {
		if (repo_ref_full(s->repo, name, &full, NULL))
			strvec_push(ret_missing, name);
		else
			add(ret, full);
		return 0;
	}
	rc = all_branches(s->repo, &all, err);
	for (size_t i = 0; !rc && i < all.n; i++) {
		const char *part = branch_part(all.v[i]);
		size_t len = part ? strlen(part) : 0;

		if (!part || fnmatch(name, part, 0) || own(s, all.v[i]) ||
		    (len > 5 && !strcmp(part + len - 5, "/HEAD")))
			continue;
		add(ret, all.v[i]);
		any = true;
	}
	if (!rc && !any)
		strvec_push(ret_missing, name);
	return rc;
}

/* The remote that the base ref comes from, or NULL. Caller frees. */
static char *base_remote(const struct config *c, const char *full)
{
	struct strvec remotes _cleanup_strvec_ = STRVEC_INIT;
	char *key _cleanup_free_ = NULL;
	const char *found = NULL, *part = full ? branch_part(full) : NULL;

	if (!part)
		return NULL;
	if (!strncmp(full, "refs/heads/", 11)) {
		key = xasprintf("branch.%s.remote", part);
		found = config_get(c, key);
		return found && strcmp(found, ".") ? xstrdup(found) : NULL;
	}
	config_subsections(c, "remote", "", &remotes);
	for (size_t i = 0; i < remotes.n; i++) {
		size_t len = strlen(remotes.v[i]);

		if (!strncmp(part, remotes.v[i], len) && part[len] == '/' &&
		    (!found || len > strlen(found)))
			found = remotes.v[i];
	}
	return xstrdup_null(found);
}

static int add_usual(const struct series *s, const char *remote, struct strvec *ret,
		     struct err *err)
{
	char *prefix _cleanup_free_ =
		remote ? xasprintf("refs/remotes/%s/", remote) : xstrdup("refs/remotes/");
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	int rc = repo_refs(s->repo, prefix, &refs, err);

	for (size_t i = 0; !rc && i < refs.n; i++) {
		const char *name = refs.v[i] + strlen(prefix);

		if (!remote && strchr(name, '/'))
			name = strchr(name, '/') + 1;
		for (size_t k = 0; k < ARRAY_SIZE(usual); k++)
			if (!fnmatch(usual[k], name, 0) && !own(s, refs.v[i]))
				add(ret, refs.v[i]);
	}
	return rc;
}

int branches_to_try(const struct series *s, const struct config *c, struct strvec *ret,
		    struct strvec *ret_missing, struct err *err)
{
	struct strvec named _cleanup_strvec_ = STRVEC_INIT;
	char *full _cleanup_free_ = NULL, *remote _cleanup_free_ = NULL;
	int rc = 0;

	if (s->base_ref && !repo_ref_full(s->repo, s->base_ref, &full, NULL))
		add(ret, full);
	config_get_all(c, "series.basecandidate", &named);
	for (size_t i = 0; i < named.n && !rc; i++)
		rc = add_named(s, named.v[i], ret, ret_missing, err);
	if (rc || named.n)
		return rc;
	remote = base_remote(c, full);
	return add_usual(s, remote, ret, err);
}
