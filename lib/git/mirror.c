// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mirror.c - the mails of a public-inbox mirror, straight from its objects.
 *
 * libgit2 reads here: it takes the processor time of git cat-file --batch without a child
 * to feed, and what it reads need not go through a pipe. Like git it believes a pack's
 * checksums; hashing each mail again would take half as long as all the rest.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/mirror.h"

#define MAIL_MAX ((size_t)512 << 20)

struct step {
	git_oid commit, tree;
};

struct epoch {
	char *path;
	struct repo *repo;
	git_odb *odb;
	struct step *v; /* newest first, read from the end */
	size_t n, cap, total;
	size_t mails; /* of them that were of a mirror */
	bool rewritten;
	git_odb_object *blob; /* what the last mail's views point into */
	char *why;
};

/* ---- which epochs ---- */

static bool is_epoch(const char *path)
{
	char *objects _cleanup_free_ = path_join(path, "objects");
	char *head _cleanup_free_ = path_join(path, "HEAD");

	return fs_is_dir(objects) && fs_exists(head);
}

static bool epoch_number(const char *name, int64_t *ret)
{
	struct str s = str_c(name);

	if (!str_ends(s, ".git"))
		return false;
	s.len -= strlen(".git");
	return str_to_i64(s, 0, INT32_MAX, ret);
}

static int by_number(const void *a, const void *b)
{
	int64_t x = 0, y = 0;

	epoch_number(path_base(*(char *const *)a), &x);
	epoch_number(path_base(*(char *const *)b), &y);
	return (x > y) - (x < y);
}

static void add_epochs(const char *dir, struct strvec *ret)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	size_t before = ret->n;
	int64_t number;

	fs_list(dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		char *path _cleanup_free_ = path_join(dir, names.v[i]);

		if (epoch_number(names.v[i], &number) && is_epoch(path))
			strvec_push(ret, path);
	}
	if (ret->n > before)
		qsort(ret->v + before, ret->n - before, sizeof(*ret->v), by_number);
}

int mirror_epochs(const char *dir, struct strvec *ret, struct err *err)
{
	char *git _cleanup_free_ = path_join(dir, "git");
	size_t before = ret->n;

	if (is_epoch(dir))
		strvec_push(ret, dir);
	if (ret->n == before)
		add_epochs(git, ret);
	if (ret->n == before)
		add_epochs(dir, ret);
	if (ret->n == before)
		return err_set(
			err, E_NOTFOUND,
			"%s is no mirror of a list: there is neither git/0.git nor "
			"0.git in it",
			dir);
	return 0;
}

/* ---- which commits ---- */

/* While this is off, for the whole process, objects that are read are not hashed again. */
static void verify(bool on)
{
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, (int)on);
}

static int missing(struct epoch *e, const git_oid *id, int rc, struct err *err)
{
	char hex[OID_HEX];

	/* git fetches what a damaged copy lacks only into a new one. */
	git_oid_tostr(hex, sizeof(hex), id);
	git_fail(err, rc, "%s: commit %s cannot be read", e->path, hex);
	return err_set(err, E_CORRUPT, "%s; remove this mirror and clone it again",
		       err_msg(err));
}

/* Add one commit; 1: go on with its parent in *id, 0: that was the first. */
static int step_back(struct epoch *e, git_oid *id, struct err *err)
{
	git_commit *c _cleanup_(git_commit_freep) = NULL;
	int rc = git_commit_lookup(&c, e->repo->g, id);

	if (rc == GIT_ENOTFOUND && e->n && git_repository_is_shallow(e->repo->g) > 0)
		return 0;
	if (rc)
		return missing(e, id, rc, err);
	vec_grow(e->v, e->n, e->cap);
	e->v[e->n++] = (struct step){ *id, *git_commit_tree_id(c) };
	if (!git_commit_parentcount(c))
		return 0;
	git_oid_cpy(id, git_commit_parent_id(c, 0));
	return 1;
}

/* From the newest commit back to since. */
static int walk(struct epoch *e, const char *since, struct err *err)
{
	git_oid id, stop = { 0 };
	int rc = git_reference_name_to_id(&id, e->repo->g, "HEAD");
	bool known = since && since[0] && !git_oid_fromstr(&stop, since);

	e->rewritten = since && since[0];
	if (rc == GIT_ENOTFOUND || rc == GIT_EUNBORNBRANCH)
		return 0;
	if (rc)
		return git_fail(err, rc, "%s", e->path);
	do {
		if (known && git_oid_equal(&id, &stop)) {
			e->rewritten = false;
			return 0;
		}
		if (intr_check(err))
			return E_INTR;
		rc = step_back(e, &id, err);
	} while (rc > 0);
	return rc;
}

int epoch_open(const char *path, const char *since, struct epoch **ret, struct err *err)
{
	struct epoch *e = xcalloc(1, sizeof(*e));
	int rc;

	e->path = xstrdup(path);
	if (!is_epoch(path))
		rc = err_set(err, E_NOTFOUND, "%s is no epoch of a mirror", path);
	else
		rc = repo_open(path, &e->repo, err);
	if (!rc && git_repository_odb(&e->odb, e->repo->g))
		rc = git_fail(err, E_FAIL, "%s", path);
	if (!rc) {
		verify(false);
		rc = walk(e, since, err);
		verify(true);
	}
	e->total = e->n;
	if (rc < 0)
		epoch_close(e);
	else
		*ret = e;
	return rc;
}

bool epoch_rewritten(const struct epoch *e)
{
	return e->rewritten;
}

size_t epoch_left(const struct epoch *e)
{
	return e->n;
}

/* ---- the mails ---- */

static int broken(struct epoch *e, struct epoch_mail *ret, const char *what)
{
	const git_error *g = git_error_last();

	free(e->why);
	e->why = what ? xstrdup(what)
		      : xstrdup(g && g->message ? g->message : "damaged object");
	ret->what = EPOCH_BROKEN;
	ret->why = e->why;
	return 1;
}

/* 1, or 0 when it is empty. */
static int read_blob(struct epoch *e, const git_oid *id, struct epoch_mail *ret)
{
	git_object_t type;
	size_t len;

	git_oid_tostr(ret->blob, sizeof(ret->blob), id);
	if (git_odb_read_header(&len, &type, e->odb, id))
		return broken(e, ret, NULL);
	if (!len) /* what a purge leaves */
		return 0;
	if (type != GIT_OBJECT_BLOB)
		return broken(e, ret, "the mail is no file");
	if (len > MAIL_MAX)
		return broken(e, ret, "more than 512 MB: that is no mail");
	if (git_odb_read(&e->blob, e->odb, id))
		return broken(e, ret, NULL);
	ret->raw = str_n(git_odb_object_data(e->blob), git_odb_object_size(e->blob));
	return 1;
}

/* 1 with what the commit brings, 0 when that is nothing. */
static int read_step(struct epoch *e, const struct step *s, struct epoch_mail *ret)
{
	git_tree *tree _cleanup_(git_tree_freep) = NULL;
	const git_tree_entry *entry;

	git_oid_tostr(ret->commit, sizeof(ret->commit), &s->commit);
	if (git_tree_lookup(&tree, e->repo->g, &s->tree))
		return broken(e, ret, NULL);
	entry = git_tree_entry_byname(tree, "m");
	if (!entry) {
		entry = git_tree_entry_byname(tree, "d");
		ret->what = EPOCH_DELETED;
	}
	if (!entry)
		return 0;
	e->mails++;
	return read_blob(e, git_tree_entry_id(entry), ret);
}

int epoch_next(struct epoch *e, struct epoch_mail *ret, struct err *err)
{
	int rc = 0;

	git_odb_object_free(e->blob);
	e->blob = NULL;
	verify(false);
	while (e->n && !rc) {
		*ret = (struct epoch_mail){ .what = EPOCH_MAIL };
		rc = intr_check(err);
		if (!rc)
			rc = read_step(e, &e->v[--e->n], ret);
	}
	verify(true);
	if (!rc && e->total && !e->mails)
		return err_set(err, E_FAIL,
			       "%s is no public-inbox mirror of version 2: no commit "
			       "brings a mail",
			       e->path);
	return rc;
}

void epoch_close(struct epoch *e)
{
	if (!e)
		return;
	git_odb_object_free(e->blob);
	git_odb_free(e->odb);
	repo_free(e->repo);
	free(e->v);
	free(e->path);
	free(e->why);
	free(e);
}

void epoch_closep(struct epoch **e)
{
	epoch_close(*e);
	*e = NULL;
}
