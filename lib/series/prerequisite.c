// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a series needs below it that is not upstream yet, as the trailers of its cover
 * letter (git-format-patch(1), "BASE TREE INFORMATION", and b4 for the two others):
 *
 *	prerequisite-patch-id: HEX		a patch, by its stable patch-id
 *	prerequisite-change-id: ID:vN		a series posted in version N
 *	prerequisite-message-id: <ID>		something posted
 *
 * Patches that lead without a gap to the base of the series move the base-commit: down to
 * where they start, for that is what others have. It is kept with the base it was told
 * for (series.json "public_base"), and not used for another.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/mem.h"

struct wanted {
	struct series *series;
	const struct config *config;
	struct strvec lines;
	char from[OID_HEX], to[OID_HEX]; /* patches named so far, if they hang together */
	bool apart;
};

static void push(struct wanted *w, const char *kind, const char *value)
{
	char *line _cleanup_free_ = xasprintf("prerequisite-%s: %s", kind, value);

	if (!strvec_has(&w->lines, line))
		strvec_push(&w->lines, line);
}

/* git leaves merges out as well. */
static int add_commits(struct wanted *w, const char *what, const char *from,
		       const char *to, struct err *err)
{
	char *range _cleanup_free_ = xasprintf("%s..%s", from, to);
	char *args[] = { "rev-list",
			 "--reverse",
			 "--topo-order",
			 "--max-parents=1",
			 "--max-count=1001",
			 range,
			 NULL };
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct buf out _cleanup_buf_ = BUF_INIT;
	int rc = git_check(w->series->repo, args, STR_NULL, &out, err);

	if (rc)
		return rc;
	strvec_split(&ids, buf_str(&out), '\n');
	if (!out.len || ids.n > SERIES_MAX_PATCHES + 1)
		return err_set(
			err, E_USAGE,
			"prerequisite %s: %s; name the commits that the series needs "
			"and upstream does not have: A..B",
			what, out.len ? "more than 1000 commits" : "no commits");
	for (size_t i = 0; i < ids.n && !rc; i++) {
		char id[OID_HEX] = "";

		if (!*ids.v[i])
			continue;
		rc = repo_patch_id(w->series->repo, ids.v[i], id, err);
		if (!rc && *id)
			push(w, "patch-id", id);
	}
	w->apart = w->apart || (*w->to && strcmp(w->to, from));
	if (!*w->from)
		memcpy(w->from, from, OID_HEX);
	memcpy(w->to, to, OID_HEX);
	return rc;
}

static int add_range(struct wanted *w, const char *what, const char *dots,
		     struct err *err)
{
	char *a _cleanup_free_ = xmemdup0(what, dots - what);
	const char *b = dots + 2;
	char from[OID_HEX], to[OID_HEX];
	int rc;

	if (!*a || !*b || *b == '.')
		return err_set(
			err, E_USAGE,
			"prerequisite %s: a range is A..B: the commits of B that A does "
			"not have",
			what);
	rc = repo_resolve(w->series->repo, a, from, err);
	if (!rc)
		rc = repo_resolve(w->series->repo, b, to, err);
	return rc ? err_context(err, "prerequisite %s", what)
		  : add_commits(w, what, from, to, err);
}

static int add_commit(struct wanted *w, const char *what, struct err *err)
{
	char id[OID_HEX];
	struct commit c;
	int rc = repo_resolve(w->series->repo, what, id, err);

	if (!rc)
		rc = repo_commit(w->series->repo, id, &c, err);
	if (rc)
		return err_context(err, "prerequisite");
	if (c.parents != 1)
		rc = err_set(
			err, E_USAGE,
			"prerequisite %s: %.12s is %s, not a patch; name a range: A..B",
			what, id, c.parents ? "a merge" : "a first commit");
	else
		rc = add_commits(w, what, c.parent, id, err);
	commit_release(&c);
	return rc;
}

static int add_series(struct wanted *w, const char *name, struct err *err)
{
	struct series *other _cleanup_series_ = NULL;
	char *value _cleanup_free_ = NULL;
	const struct version *v;
	int rc = series_open(w->series->repo, w->config, name, &other, err);

	if (rc)
		return err_context(err, "prerequisite");
	if (!strcmp(name, w->series->name))
		return err_set(err, E_USAGE,
			       "prerequisite %s: that is this series itself", name);
	v = series_last(other);
	if (!v)
		return err_set(
			err, E_FAIL,
			"prerequisite %s: that series was not posted yet, so nobody can "
			"find it; post it first, or name its commits: A..%s",
			name, other->branch ? other->branch : "B");
	value = xasprintf("%s:v%d", other->change_id, v->n);
	push(w, "change-id", value);
	return 0;
}

static int add_message(struct wanted *w, const char *what, struct err *err)
{
	struct str id = str_c(what);
	char *value _cleanup_free_ = NULL;
	ptrdiff_t at;

	str_skip(&id, "<");
	if (str_ends(id, ">"))
		id.len--;
	at = str_chr(id, '@');
	for (size_t i = 0; i < id.len; i++)
		if ((unsigned char)id.p[i] <= ' ' || id.p[i] == 0x7f ||
		    strchr("<>", id.p[i]))
			at = -1;
	if (at <= 0 || (size_t)at + 1 == id.len)
		return err_set(err, E_USAGE,
			       "prerequisite %s: no Message-ID; it looks like <ID@HOST>",
			       what);
	value = xasprintf("<" STR_FMT ">", STR_ARG(id));
	push(w, "message-id", value);
	return 0;
}

static int add_one(struct wanted *w, const char *what, struct err *err)
{
	const char *dots = strstr(what, "..");
	char head[OID_HEX];

	if (*what == '<')
		return add_message(w, what, err);
	if (dots)
		return add_range(w, what, dots, err);
	if (series_name_ok(what) && !store_head(w->series->repo, what, head, NULL))
		return add_series(w, what, err);
	if (repo_resolve(w->series->repo, what, head, NULL) && strchr(what, '@') &&
	    !strstr(what, "@{"))
		return add_message(w, what, err);
	return add_commit(w, what, err);
}

static int store_lines(struct wanted *w, struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct json *j _cleanup_json_ = NULL, *public = NULL;
	struct series *s = w->series;
	int rc = store_begin(s->repo, s->name, false, &t, err);

	if (!rc)
		rc = store_get_json(t, "series.json", &j, err);
	if (rc)
		return rc;
	public = json_obj();
	if (*w->from && !w->apart && !strcmp(w->to, s->base)) {
		json_set_str(public, "commit", w->from);
		json_set_str(public, "for", s->base);
	}
	json_set(j, "public_base", public);
	json_set_strvec(j, "prerequisites", &w->lines);
	store_put_json(t, "series.json", j);
	return store_commit(t, w->lines.n ? "prerequisites" : "no prerequisites", err);
}

int series_set_prerequisites(struct series *s, const struct config *c,
			     const struct strvec *what, struct err *err)
{
	struct wanted w = { .series = s, .config = c };
	int rc = 0;

	for (size_t i = 0; i < what->n && !rc; i++)
		rc = add_one(&w, what->v[i], err);
	if (!rc)
		rc = store_lines(&w, err);
	if (!rc) {
		strvec_release(&s->prerequisites);
		strvec_extend(&s->prerequisites, &w.lines);
		memcpy(s->public_base, w.from, OID_HEX);
		memcpy(s->public_for, w.to, OID_HEX);
		if (w.apart)
			s->public_base[0] = '\0';
	}
	strvec_release(&w.lines);
	return rc;
}

const char *series_public_base(const struct series *s)
{
	return *s->public_base && !strcmp(s->public_for, s->base) ? s->public_base
								  : s->base;
}
