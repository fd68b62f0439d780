// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which commits are the series: from HEAD back to the base.
 *
 * 1. The recorded base, while it is an ancestor, unless the base ref has a point nearer
 * to HEAD: after a rebase onto a newer base the old one is often an ancestor still.
 * 2. The point where HEAD left the base ref, by its reflog (git merge-base --fork-point):
 *    mm-unstable is rebuilt daily, and a plain merge-base lies then.
 * 3. The first commit back whose committer is none of the user's addresses, or the plain
 *    merge-base, whichever is nearer.
 * Otherwise the user is asked.
 *
 * The answer is kept in <common dir>/series/NAME.base with what it was made of, for
 * asking git costs more than a whole status may take.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/fs.h"
#include "series/mem.h"

static void set_oid(char to[OID_HEX], const char *from)
{
	memcpy(to, from, OID_HEX);
}

static char *cache_path(struct repo *r, const char *name, const char *what)
{
	return xasprintf("%s/series/%s.%s", repo_common_dir(r), name, what);
}

/* What the answer depends on, as a line. */
static char *cache_key(const struct base_query *q, const char *tip)
{
	return xasprintf("1 %s %s %s %s", q->head, *q->recorded ? q->recorded : "-",
			 *tip ? tip : "-", q->ref ? q->ref : "-");
}

/* The second line of the cache file when the first is key; appended to *ret. */
static bool cache_get(const char *path, const char *key, struct buf *ret)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	if (fs_read(path, 65536, &b, NULL))
		return false;
	rest = buf_str(&b);
	if (!str_line(&rest, &line) || !str_eqc(line, key) || !str_line(&rest, &line))
		return false;
	buf_addstr(ret, line);
	return true;
}

/* Failing is no error: the cache is disposable. */
static void cache_put(const char *path, const char *key, const char *value)
{
	char *text _cleanup_free_ = xasprintf("%s\n%s\n", key, value);
	char *dir _cleanup_free_ = path_dir(path);

	if (!fs_mkdirs(dir, NULL))
		fs_write_atomic(path, text, strlen(text), 0666, NULL);
}

int fork_point(struct repo *r, const char *ref, const char *head, char ret[OID_HEX],
	       struct err *err)
{
	char *args[] = { "merge-base", "--fork-point", (char *)ref, (char *)head, NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct str line;
	int rc = git_run(r, args, STR_NULL, &res, err);

	if (rc)
		return rc;
	line = str_trim(buf_str(&res.out));
	if (res.status || line.len != OID_HEX - 1)
		return err_set(err, E_NOTFOUND, "no fork point of %s", ref);
	memcpy(ret, line.p, line.len);
	ret[line.len] = '\0';
	return 0;
}

static void own_addresses(const struct config *c, struct strvec *ret)
{
	static const char *const keys[] = { "user.email", "committer.email",
					    "author.email", "series.email" };
	static const char *const env[] = { "GIT_COMMITTER_EMAIL", "GIT_AUTHOR_EMAIL",
					   "EMAIL" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		config_get_all(c, keys[i], ret);
	for (size_t i = 0; i < ARRAY_SIZE(env); i++)
		if (getenv(env[i]))
			strvec_push(ret, getenv(env[i]));
}

static bool is_own(const struct strvec *own, const char *address)
{
	for (size_t i = 0; i < own->n; i++)
		if (!strcasecmp(own->v[i], address))
			return true;
	return false;
}

int base_by_committer(struct repo *r, const struct config *c, const char *head,
		      char ret[OID_HEX], struct err *err)
{
	struct strvec own _cleanup_strvec_ = STRVEC_INIT;
	char at[OID_HEX];

	own_addresses(c, &own);
	set_oid(at, head);
	for (int n = 0; n <= SERIES_MAX_PATCHES; n++) {
		struct commit k;
		int rc = repo_commit(r, at, &k, err);
		bool mine, straight;

		if (rc)
			return rc;
		mine = is_own(&own, k.committer_email);
		straight = k.parents == 1;
		if (mine && straight)
			set_oid(at, k.parent);
		commit_release(&k);
		if (!mine && n) {
			set_oid(ret, at);
			return 0;
		}
		if (!mine || !straight)
			break;
	}
	return err_set(err, E_NOTFOUND, "no commit of somebody else before %.12s", head);
}

static bool is_ancestor(struct repo *r, const char *a, const char *b)
{
	return *a && *b && repo_is_ancestor(r, a, b, NULL) == 1;
}

/* Rule 1: recorded is an ancestor of head; is the base ref's point nearer? */
static void nearer(const struct base_query *q, const char *tip, char base[OID_HEX])
{
	char point[OID_HEX];

	if (!*tip)
		return;
	if (fork_point(q->repo, q->ref, q->head, point, NULL) &&
	    repo_merge_base(q->repo, tip, q->head, point, NULL))
		return;
	if (strcmp(point, q->head) && strcmp(point, base) &&
	    is_ancestor(q->repo, base, point))
		set_oid(base, point);
}

static int ask(const struct base_query *q, struct err *err)
{
	char *shallow _cleanup_free_ = path_join(repo_common_dir(q->repo), "shallow");

	if (fs_exists(shallow))
		return err_set(
			err, E_NOTFOUND,
			"series %s: this clone is too shallow to reach the base of "
			"the patches before %.12s; git fetch --deepen=100",
			q->name, q->head);
	return err_set(
		err, E_NOTFOUND,
		"series %s: cannot tell where the patches before %.12s start; say it: "
		"series base --set REF",
		q->name, q->head);
}

static int find_uncached(const struct base_query *q, const char *tip, char ret[OID_HEX],
			 struct err *err)
{
	char by_committer[OID_HEX] = "", plain[OID_HEX] = "";

	if (is_ancestor(q->repo, q->recorded, q->head)) {
		set_oid(ret, q->recorded);
		nearer(q, tip, ret);
		return 0;
	}
	if (*tip && !fork_point(q->repo, q->ref, q->head, ret, NULL))
		return 0;
	if (base_by_committer(q->repo, q->config, q->head, by_committer, NULL))
		by_committer[0] = '\0';
	if (!*tip || repo_merge_base(q->repo, tip, q->head, plain, NULL))
		plain[0] = '\0';
	if (*by_committer && (!*plain || is_ancestor(q->repo, plain, by_committer)))
		set_oid(ret, by_committer);
	else if (*plain)
		set_oid(ret, plain);
	else
		return ask(q, err);
	return 0;
}

int base_find(const struct base_query *q, char ret[OID_HEX], struct err *err)
{
	char *path _cleanup_free_ = cache_path(q->repo, q->name, "base");
	struct buf known _cleanup_buf_ = BUF_INIT;
	char *key _cleanup_free_ = NULL;
	char tip[OID_HEX] = "";
	int rc;

	if (q->ref && repo_resolve(q->repo, q->ref, tip, NULL))
		tip[0] = '\0';
	key = cache_key(q, tip);
	if (cache_get(path, key, &known)) {
		oid_copy(buf_cstr(&known), ret);
		if (*ret)
			return 0;
	}
	rc = find_uncached(q, tip, ret, err);
	if (!rc)
		cache_put(path, key, ret);
	return rc;
}

int series_behind(const struct series *s, int64_t *ret, struct err *err)
{
	char *path _cleanup_free_ = cache_path(s->repo, s->name, "behind");
	struct buf known _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	char *key _cleanup_free_ = NULL, *range _cleanup_free_ = NULL;
	char *args[] = { "rev-list", "--count", NULL, NULL };
	char tip[OID_HEX];
	int rc;

	if (!s->base_ref)
		return err_set(err, E_NOTFOUND, "series %s has no base ref", s->name);
	rc = repo_resolve(s->repo, s->base_ref, tip, err);
	if (rc)
		return rc;
	key = xasprintf("1 %s %s", s->base, tip);
	if (cache_get(path, key, &known) &&
	    str_to_i64(buf_str(&known), 0, INT64_MAX, ret))
		return 0;
	args[2] = range = xasprintf("%s..%s", s->base, tip);
	rc = git_check(s->repo, args, STR_NULL, &out, err);
	if (rc)
		return rc;
	if (!str_to_i64(str_trim(buf_str(&out)), 0, INT64_MAX, ret))
		return err_set(err, E_FAIL, "git rev-list --count: \"%s\"",
			       buf_cstr(&out));
	buf_reset(&known);
	buf_printf(&known, "%lld", (long long)*ret);
	cache_put(path, key, buf_cstr(&known));
	return 0;
}
