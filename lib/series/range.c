// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which commits are the series: from HEAD back to the base.
 *
 * 1. The recorded base, while it is an ancestor; else, after a rebase, the base that was
 *    found last or that the last version was posted with, if that is one.
 * 2. The point where HEAD left the base ref: the best commit of HEAD's line that the ref
 *    has now or had by its reflog (mm-unstable is rebuilt daily, and a plain merge-base
 *    lies then). Nearer to HEAD than (1) it is the base: after a rebase onto a newer base
 *    the old one is often an ancestor still.
 * 3. The first commit back that somebody else committed. It corrects (1) and (2) when
 *    commits of others alone lie between: HEAD was rebased onto something else, or the
 *    reflog is not complete. Where the user commits upstream too it proves nothing.
 * Otherwise the user is asked.
 *
 * The answer is kept in <common dir>/series/NAME.base with what it was made of, for
 * asking git costs more than a whole status may take.
 */
#include <stdlib.h>
#include "line.h"
#include "series/fs.h"
#include "series/mem.h"

/* So many commits of upstream tell whether the user commits there. */
#define UPSTREAM_LOOK 50

static char *cache_path(struct repo *r, const char *name, const char *what)
{
	return xasprintf("%s/series/%s.%s", repo_common_dir(r), name, what);
}

/* What the answer depends on, as a line. */
static char *cache_key(const struct base_query *q, const char *tip)
{
	return xasprintf("2 %s %s %s %s", q->head, *q->recorded ? q->recorded : "-",
			 q->ref ? q->ref : "-", *tip ? tip : "-");
}

/* Both lines of a cache file; false when it has no two. */
static bool cache_read(const char *path, struct buf *b, struct str *ret_key,
		       struct str *ret_value)
{
	struct str rest;

	if (fs_read(path, 65536, b, NULL))
		return false;
	rest = buf_str(b);
	return str_line(&rest, ret_key) && str_line(&rest, ret_value);
}

/* The second line of the cache file when the first is key; appended to *ret. */
static bool cache_get(const char *path, const char *key, struct buf *ret)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str line, value;

	if (!cache_read(path, &b, &line, &value) || !str_eqc(line, key))
		return false;
	buf_addstr(ret, value);
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

/* "BASE REF" of the cache; REF may be missing. */
static bool parse_answer(struct str value, struct base_found *ret)
{
	struct base_found f = { .ref = NULL };
	char *hex _cleanup_free_ = NULL;
	struct str word;

	if (!str_word(&value, &word))
		return false;
	hex = str_dup(word);
	oid_copy(hex, f.base);
	if (!*f.base)
		return false;
	if (str_word(&value, &word))
		f.ref = str_dup(word);
	*ret = f;
	return true;
}

/* What was found last for another head or tip, but for the same record. */
struct memory {
	char head[OID_HEX];
	struct base_found found;
};

static void recall(const struct base_query *q, const char *path, struct memory *ret)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str key, value, w[5];
	char *head _cleanup_free_ = NULL;

	if (!q->name || !cache_read(path, &b, &key, &value))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(w); i++)
		if (!str_word(&key, &w[i]))
			return;
	if (!str_eqc(w[0], "2") || !str_eqc(w[2], *q->recorded ? q->recorded : "-") ||
	    !str_eqc(w[3], q->ref ? q->ref : "-"))
		return;
	head = str_dup(w[1]);
	oid_copy(head, ret->head);
	parse_answer(value, &ret->found);
}

/* What is known when the rules are applied. Places are indexes in line; -1: none. */
struct evidence {
	const struct base_query *q;
	struct line line;
	struct memory memory;
	char tip[OID_HEX];  /* of the base ref; "" when it is gone */
	ptrdiff_t start;    /* rule 1 */
	ptrdiff_t point;    /* rule 2 */
	ptrdiff_t boundary; /* rule 3 */
	bool beyond;	    /* the recorded base is an ancestor, but not on the line */
	bool sure;	    /* the ref's history proves the point */
	char off_line[OID_HEX]; /* the point when a merge brought it in */
};

static void evidence_release(struct evidence *e)
{
	line_release(&e->line);
	free(e->memory.found.ref);
}

static void find_start(struct evidence *e)
{
	const struct base_query *q = e->q;
	ptrdiff_t posted = -1;

	e->start = line_at(&e->line, q->recorded);
	e->beyond = e->start < 0 && *q->recorded &&
		    repo_is_ancestor(q->repo, q->recorded, q->head, NULL) == 1;
	if (e->start >= 0 || e->beyond)
		return;
	e->start = line_at(&e->line, e->memory.found.base);
	if (q->last)
		posted = line_at(&e->line, q->last->base);
	if (posted >= 0 && (e->start < 0 || posted < e->start))
		e->start = posted;
}

static int find_point(struct evidence *e, const char *full, struct err *err)
{
	struct ref_tips tips _cleanup_(ref_tips_release) = { STRVEC_INIT, 0, false };
	struct strvec common _cleanup_strvec_ = STRVEC_INIT;
	int rc = repo_ref_tips(e->q->repo, full, &tips, err);

	if (rc)
		return rc;
	memcpy(e->tip, tips.ids.v[0], OID_HEX);
	rc = repo_common(e->q->repo, e->q->head, &tips.ids, &common, err);
	for (size_t i = 0; i < common.n; i++) {
		ptrdiff_t at = line_at(&e->line, common.v[i]);

		if (at < 0)
			memcpy(e->off_line, common.v[i], OID_HEX);
		else if (e->point < 0 || at < e->point)
			e->point = at;
	}
	e->sure = e->point >= 0 && tips.whole;
	for (size_t i = 0; i < tips.sure && e->point >= 0; i++)
		if (!strcmp(tips.ids.v[i], e->line.v[e->point].id))
			e->sure = true;
	return rc;
}

/* Is a commit one of the patches that the series is known to have? */
static bool known_patch(const struct evidence *e, ptrdiff_t at)
{
	const struct version *v = e->q->last;
	ptrdiff_t head = line_at(&e->line, e->memory.head);
	ptrdiff_t base = line_at(&e->line, e->memory.found.base);

	if (head >= 0 && head <= at && at < base)
		return true;
	for (size_t i = 0; v && i < v->n_patches; i++)
		if (!strcmp(v->patches[i].commit, e->line.v[at].id))
			return true;
	return false;
}

static bool commits_upstream(const struct evidence *e, const char *from)
{
	struct line l _cleanup_(line_release) = { 0 };

	return *from &&
	       !line_walk(e->q->repo, e->q->config, from, UPSTREAM_LOOK, &l, NULL) &&
	       line_any(&l, 0, (ptrdiff_t)l.n, true);
}

/* Does a committer tell upstream's commits from the user's? Not a maintainer's. */
static bool committers_tell(const struct evidence *e)
{
	return !commits_upstream(e, e->tip) && !commits_upstream(e, e->q->recorded) &&
	       !commits_upstream(e, e->q->last ? e->q->last->base : "");
}

static int ask(const struct evidence *e, struct err *err)
{
	const struct base_query *q = e->q;
	char *who _cleanup_free_ = q->name ? xasprintf("series %s: ", q->name) : NULL;

	if (e->line.cut)
		return err_set(err, E_NOTFOUND,
			       "%sthis clone is too shallow to reach the base of "
			       "the patches before %.12s; git fetch --deepen=100",
			       who ? who : "", q->head);
	return err_set(err, E_NOTFOUND,
		       "%scannot tell where the patches before %.12s start; name the "
		       "commit before the first patch: %s COMMIT",
		       who ? who : "", q->head, q->remedy ? q->remedy : ASK_SET);
}

/*
 * The head itself is in the base ref: taken up there as it is, and then the patches stay
 * known by (1); or there is no patch on top of upstream.
 */
static void judge_contained_head(struct evidence *e)
{
	ptrdiff_t to = e->start >= 0 ? e->start : e->beyond ? (ptrdiff_t)e->line.n : 0;

	if (!e->point && line_any(&e->line, 0, to, true))
		e->point = -1;
}

static int decide(struct evidence *e, char ret[OID_HEX], struct err *err)
{
	ptrdiff_t at = e->start, b = e->boundary;
	bool others;

	judge_contained_head(e);
	if (e->point >= 0 && (at < 0 || e->point < at))
		at = e->point;
	/* Only commits of others between: HEAD stands on something that (1), (2) miss. */
	others = b > 0 && (at < 0 || (b < at && !line_any(&e->line, b, at, true))) &&
		 !known_patch(e, b);
	if (at >= 0 && ((e->q->mixed && at == e->start) || (e->q->named && e->sure)))
		others = false;
	if (others && !committers_tell(e))
		return ask(e, err);
	if (others)
		at = b;
	else if (at >= 0 && at != e->start && !e->sure && !committers_tell(e))
		return ask(e, err);
	if (at >= 0)
		memcpy(ret, e->line.v[at].id, OID_HEX);
	else if (e->beyond)
		memcpy(ret, e->q->recorded, OID_HEX);
	else if (*e->off_line) /* listing the patches then names the merge */
		memcpy(ret, e->off_line, OID_HEX);
	else
		return ask(e, err);
	return 0;
}

/* The name to call the base by: its ref while it has that commit, else another's. */
static char *label(const struct evidence *e, const char *base)
{
	const struct base_query *q = e->q;
	ptrdiff_t at = line_at(&e->line, base);

	if (!strcmp(base, q->recorded) || (q->ref && e->point >= 0 && at >= e->point))
		return xstrdup_null(q->ref);
	if (e->memory.found.ref && !strcmp(base, e->memory.found.base))
		return xstrdup(e->memory.found.ref);
	return q->named ? xstrdup_null(q->ref) : repo_ref_at(q->repo, base, q->branch);
}

static int find_uncached(struct evidence *e, const char *full, struct base_found *ret,
			 struct err *err)
{
	const struct base_query *q = e->q;
	int rc = line_walk(q->repo, q->config, q->head, SERIES_MAX_PATCHES + 1, &e->line,
			   err);

	if (rc)
		return rc;
	e->boundary = line_boundary(&e->line);
	find_start(e);
	if (full && (rc = find_point(e, full, err)))
		return rc;
	rc = decide(e, ret->base, err);
	if (!rc)
		ret->ref = label(e, ret->base);
	return rc;
}

bool base_is_mixed(struct repo *r, const struct config *c, const char *base,
		   const char *head)
{
	struct line l _cleanup_(line_release) = { 0 };

	if (line_walk(r, c, head, SERIES_MAX_PATCHES + 1, &l, NULL))
		return false;
	return line_any(&l, 0, line_at(&l, base), false);
}

int base_find(const struct base_query *q, struct base_found *ret, struct err *err)
{
	struct evidence e _cleanup_(evidence_release) = { .q = q, .point = -1 };
	char *path _cleanup_free_ = NULL, *key _cleanup_free_ = NULL;
	char *full _cleanup_free_ = NULL, *value _cleanup_free_ = NULL;
	struct buf known _cleanup_buf_ = BUF_INIT;
	char tip[OID_HEX] = "";
	int rc;

	if (q->ref && !repo_ref_full(q->repo, q->ref, &full, NULL) &&
	    repo_resolve(q->repo, full, tip, NULL)) {
		free(full);
		full = NULL;
	}
	if (q->name) {
		path = cache_path(q->repo, q->name, "base");
		key = cache_key(q, tip);
		if (cache_get(path, key, &known) && parse_answer(buf_str(&known), ret))
			return 0;
		recall(q, path, &e.memory);
	}
	rc = find_uncached(&e, full, ret, err);
	if (!rc && q->name) {
		value = xasprintf("%s %s", ret->base, ret->ref ? ret->ref : "");
		cache_put(path, key, value);
	}
	return rc;
}

int series_behind(const struct series *s, int64_t *ret, struct err *err)
{
	char *path _cleanup_free_ = cache_path(s->repo, s->name, "behind");
	struct buf known _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	char *key _cleanup_free_ = NULL, *range _cleanup_free_ = NULL;
	char *args[] = { "rev-list", "--count", NULL, NULL };
	char *full _cleanup_free_ = NULL;
	char tip[OID_HEX];
	int rc;

	if (!s->base_ref)
		return err_set(err, E_NOTFOUND, "series %s has no base ref", s->name);
	rc = repo_ref_full(s->repo, s->base_ref, &full, err);
	if (!rc)
		rc = repo_resolve(s->repo, full, tip, err);
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
