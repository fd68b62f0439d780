// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names: of series, and which branch belongs to which.
 *
 * branch.BRANCH.series is the truth, because git branch -m moves it. git branch -c copies
 * it: then the branch that the document knows is the one, the others are told apart. A
 * branch whose setting got lost is still known by the document.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/fs.h"
#include "series/mem.h"

#define NAME_MAX_LEN 64

static bool name_char(char c, bool first)
{
	if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
		return true;
	return !first && (c == '.' || c == '_' || c == '-');
}

/* git takes no ref with ".." or with a part that ends in "." or ".lock". */
static bool ref_part_ok(const char *name)
{
	size_t len = strlen(name);

	return !strstr(name, "..") && name[len - 1] != '.' &&
	       !str_ends(str_c(name), ".lock");
}

bool series_name_ok(const char *name)
{
	size_t n = 0;

	for (; name[n]; n++)
		if (!name_char(name[n], !n))
			return false;
	return n && n <= NAME_MAX_LEN && ref_part_ok(name);
}

char *series_name_from(const char *branch)
{
	struct buf b = BUF_INIT;

	for (; *branch && b.len < NAME_MAX_LEN; branch++) {
		char c = *branch >= 'A' && *branch <= 'Z' ? *branch - 'A' + 'a' : *branch;

		if (name_char(c, !b.len))
			buf_putc(&b, c == '.' && b.p[b.len - 1] == '.' ? '-' : c);
		else if (b.len && b.p[b.len - 1] != '-')
			buf_putc(&b, '-');
	}
	while (b.len && !name_char(b.p[b.len - 1], true))
		buf_truncate(&b, b.len - 1);
	if (!b.len || !series_name_ok(b.p)) {
		buf_reset(&b);
		buf_puts(&b, "series");
	}
	return buf_take(&b);
}

int series_names(struct repo *r, struct strvec *ret, struct err *err)
{
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	int rc = repo_refs(r, "refs/series/", &refs, err);

	for (size_t i = 0; i < refs.n; i++) {
		struct str s = str_c(refs.v[i]);
		char *name _cleanup_free_ = NULL;
		ptrdiff_t slash;

		str_skip(&s, "refs/series/");
		slash = str_chr(s, '/');
		if (slash <= 0 || strcmp(s.p + slash, "/state"))
			continue;
		/* What a remote pushed here may be called anything. */
		name = xmemdup0(s.p, (size_t)slash);
		if (series_name_ok(name))
			strvec_push(ret, name);
	}
	return rc;
}

bool branch_exists(struct repo *r, const char *branch)
{
	char *ref _cleanup_free_ = xasprintf("refs/heads/%s", branch);
	char id[OID_HEX];

	return !repo_ref(r, ref, id, NULL);
}

static const char *series_setting(const struct config *c, const char *branch)
{
	char *key _cleanup_free_ = xasprintf("branch.%s.series", branch);

	return config_get(c, key);
}

/* Does the branch's reflog say that it began as a copy (git branch -c)? */
static bool is_copy(struct repo *r, const char *branch)
{
	char *name _cleanup_free_ = xasprintf("logs/refs/heads/%s", branch);
	char *path _cleanup_free_ = path_join(repo_common_dir(r), name);
	struct buf b _cleanup_buf_ = BUF_INIT;

	return !fs_read(path, 64 << 20, &b, NULL) &&
	       str_find(buf_str(&b), "\tBranch: copied refs/heads/") >= 0;
}

/* Renamed and then copied: the document knows neither, the reflog tells them apart. */
static void drop_copies(struct repo *r, struct strvec *branches)
{
	for (size_t i = branches->n; i-- > 0 && branches->n > 1;)
		if (is_copy(r, branches->v[i]))
			strvec_remove(branches, i);
}

char *branch_of_series(struct repo *r, const struct config *c, const char *name,
		       const char *documented)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;
	struct strvec found _cleanup_strvec_ = STRVEC_INIT;
	char *current _cleanup_free_ = NULL;

	config_subsections_with(c, "branch", "series", name, &all);
	for (size_t i = 0; i < all.n; i++)
		if (branch_exists(r, all.v[i]))
			strvec_push(&found, all.v[i]);
	if (documented && strvec_has(&found, documented))
		return xstrdup(documented);
	drop_copies(r, &found);
	if (found.n > 1 && !repo_branch(r, &current, NULL) && strvec_has(&found, current))
		return xstrdup(current);
	if (found.n)
		return xstrdup(found.v[0]);
	if (documented && branch_exists(r, documented)) {
		const char *v = series_setting(c, documented);

		if (!v || !strcmp(v, name))
			return xstrdup(documented);
	}
	return NULL;
}

/* Branch that the document of a series knows, or NULL. Caller frees. */
static char *documented_branch(struct repo *r, const char *name)
{
	struct json *j _cleanup_json_ = NULL;

	if (store_read_json(r, name, "series.json", &j, NULL))
		return NULL;
	return xstrdup_null(json_get_str(j, "branch"));
}

/* By the setting; E_NOTFOUND when the branch is a copy or the series is gone. */
static int by_setting(struct repo *r, const struct config *c, const char *branch,
		      const char *name, char **ret, struct err *err)
{
	char *documented _cleanup_free_ = NULL, *owner _cleanup_free_ = NULL;
	char head[OID_HEX];
	int rc = store_head(r, name, head, err);

	if (rc == E_NOTFOUND)
		return err_set(err, rc,
			       "branch.%s.series names \"%s\", which is not here; fetch "
			       "refs/series/%s/*, or git config --unset-all "
			       "branch.%s.series",
			       branch, name, name, branch);
	if (rc == E_USAGE)
		return err_context(err,
				   "branch.%s.series (git config --unset-all "
				   "branch.%s.series)",
				   branch, branch);
	if (rc)
		return rc;
	documented = documented_branch(r, name);
	owner = branch_of_series(r, c, name, documented);
	if (owner && strcmp(owner, branch))
		return err_set(
			err, E_NOTFOUND,
			"branch %s is a copy of %s, which has the series \"%s\"; make "
			"one of its own with series init NAME, or say -s %s",
			branch, owner, name, name);
	*ret = xstrdup(name);
	return 0;
}

/*
 * A branch that was deleted and made again has lost its setting. Set it, so that the next
 * git branch -m takes it along; a repository that cannot be written is found all the same.
 */
static void tie_again(struct repo *r, const char *branch, const char *name)
{
	char *key _cleanup_free_ = xasprintf("branch.%s.series", branch);
	char *args[] = { "config", key, (char *)name, NULL };

	git_check(r, args, STR_NULL, NULL, NULL);
}

int series_of_branch(struct repo *r, const struct config *c, const char *branch,
		     char **ret, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	char *current _cleanup_free_ = NULL;
	const char *name;
	int rc;

	if (!branch) {
		rc = repo_branch(r, &current, err);
		if (rc)
			return rc;
		branch = current;
	}
	name = series_setting(c, branch);
	if (name)
		return by_setting(r, c, branch, name, ret, err);
	rc = series_names(r, &names, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < names.n; i++) {
		char *d _cleanup_free_ = documented_branch(r, names.v[i]);
		char *owner _cleanup_free_ = NULL;

		if (!d || strcmp(d, branch))
			continue;
		owner = branch_of_series(r, c, names.v[i], d);
		if (!owner || strcmp(owner, branch))
			continue; /* renamed, and this is a new branch of the old name */
		tie_again(r, branch, names.v[i]);
		*ret = xstrdup(names.v[i]);
		return 0;
	}
	if (!branch_exists(r, branch))
		return err_set(err, E_NOTFOUND,
			       "there is no branch %s, or it has no commit yet; a series "
			       "needs a branch with commits on top of a base",
			       branch);
	return err_set(
		err, E_NOTFOUND,
		"branch %s has no series; series init makes one, series list shows "
		"those there are",
		branch);
}
