// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mirror.c - the mails of a public-inbox mirror, straight from its objects.
 *
 * libgit2 reads here: it takes the processor time of git cat-file --batch without a child
 * to feed, and what it reads need not go through a pipe. Like git it believes a pack's
 * checksums; hashing each mail again would take half as long as all the rest.
 */
#include <pthread.h>
#include <stdlib.h>
#include "internal.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/mirror.h"

#define MAIL_MAX ((size_t)512 << 20)
/* So many commits in a row that are too old, and all before them are. */
#define OLD_ROW 64
/* Of a pack, in memory at a time. */
#define WINDOW ((size_t)8 << 20)

struct epoch {
	char *path;
	struct repo *repo;
	git_odb *odb;
	struct epoch_step *v; /* newest first, read from the end */
	size_t n, cap, total;
	int64_t after;	/* older commits do not count */
	size_t old_row; /* of those at the end of v */
	size_t mails;	/* of them that were of a mirror */
	bool rewritten, believed;
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

/*
 * While an epoch is open objects are not hashed again, in the whole process, and those that
 * were read, each once, are not kept. Packs are looked at through windows, so that not all
 * of a list ends up in our memory.
 */
static void believe(int more)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static int open;

	pthread_mutex_lock(&mutex);
	open += more;
	/* Others read these while they work: they change when nobody does. */
	if (open == (more > 0)) {
		git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, (int)!open);
		git_libgit2_opts(GIT_OPT_ENABLE_CACHING, (int)!open);
	}
	if (open == 1 && more > 0) {
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, WINDOW);
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, 8 * WINDOW);
	}
	pthread_mutex_unlock(&mutex);
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

/* "tree HEX", "parent HEX" and the time of "committer NAME <EMAIL> TIME ZONE". */
static bool parse_commit(struct str text, git_oid *tree, git_oid *parent, int64_t *time)
{
	struct str line, rest = text, name, email, when;

	if (!str_line(&rest, &line) || !str_skip(&line, "tree ") ||
	    git_oid_fromstrn(tree, line.p, line.len))
		return false;
	*parent = (git_oid){ { 0 } };
	*time = 0;
	while (str_line(&rest, &line) && line.len) {
		if (str_skip(&line, "parent ") && git_oid_is_zero(parent) &&
		    git_oid_fromstrn(parent, line.p, line.len))
			return false;
		if (!str_skip(&line, "committer ") || !ident_split(line, &name, &email))
			continue;
		when = str_n(email.p + email.len,
			     (size_t)(line.p + line.len - email.p) - email.len);
		str_skip(&when, ">");
		if (str_word(&when, &line))
			str_to_i64(line, 0, INT64_MAX, time);
		break;
	}
	return true;
}

/* Add one commit; 1: go on with its parent in *id, 0: that was the first. */
static int step_back(struct epoch *e, git_oid *id, struct err *err)
{
	git_odb_object *o = NULL;
	git_oid tree, parent;
	int64_t time;
	bool good;
	int rc = git_odb_read(&o, e->odb, id);

	if (rc == GIT_ENOTFOUND && e->n && git_repository_is_shallow(e->repo->g) > 0)
		return 0;
	if (rc)
		return missing(e, id, rc, err);
	good = git_odb_object_type(o) == GIT_OBJECT_COMMIT &&
	       parse_commit(str_n(git_odb_object_data(o), git_odb_object_size(o)), &tree,
			    &parent, &time);
	git_odb_object_free(o);
	if (!good)
		return missing(e, id, GIT_ERROR, err);
	vec_grow(e->v, e->n, e->cap);
	memcpy(e->v[e->n].commit, id->id, OID_BYTES);
	memcpy(e->v[e->n++].tree, tree.id, OID_BYTES);
	e->old_row = time < e->after ? e->old_row + 1 : 0;
	if (git_oid_is_zero(&parent) || e->old_row == OLD_ROW)
		return 0;
	git_oid_cpy(id, &parent);
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
			break;
		}
		if (intr_check(err))
			return E_INTR;
		rc = step_back(e, &id, err);
	} while (rc > 0);
	e->n -= e->old_row;
	return rc < 0 ? rc : 0;
}

int epoch_reader(const char *path, struct epoch **ret, struct err *err)
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
	if (rc < 0) {
		epoch_close(e);
		return rc;
	}
	believe(1);
	e->believed = true;
	*ret = e;
	return 0;
}

int epoch_open_after(const char *path, const char *since, int64_t after,
		     struct epoch **ret, struct err *err)
{
	struct epoch *e _cleanup_epoch_ = NULL;
	int rc = epoch_reader(path, &e, err);

	if (rc)
		return rc;
	e->after = after;
	rc = walk(e, since, err);
	if (rc)
		return rc;
	e->total = e->n;
	*ret = e;
	e = NULL;
	return 0;
}

int epoch_open(const char *path, const char *since, struct epoch **ret, struct err *err)
{
	return epoch_open_after(path, since, 0, ret, err);
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

/* The object of that name in a tree ("MODE NAME", a NUL, the object's name). */
static bool tree_entry(struct str tree, const char *name, git_oid *ret)
{
	while (tree.len) {
		size_t n = strnlen(tree.p, tree.len);
		struct str head = str_n(tree.p, n);
		ptrdiff_t blank = str_chr(head, ' ');

		if (blank < 0 || tree.len < n + 1 + OID_BYTES)
			return false;
		memcpy(ret->id, tree.p + n + 1, OID_BYTES);
		if (str_eqc(str_n(head.p + blank + 1, n - (size_t)blank - 1), name))
			return true;
		tree = str_n(tree.p + n + 1 + OID_BYTES, tree.len - n - 1 - OID_BYTES);
	}
	return false;
}

int epoch_read(struct epoch *e, const struct epoch_step *s, struct epoch_mail *ret)
{
	git_odb_object *tree = NULL;
	git_oid commit, id;
	struct str text;
	bool found;

	git_odb_object_free(e->blob);
	e->blob = NULL;
	*ret = (struct epoch_mail){ .what = EPOCH_MAIL };
	memcpy(commit.id, s->commit, OID_BYTES);
	memcpy(id.id, s->tree, OID_BYTES);
	git_oid_tostr(ret->commit, sizeof(ret->commit), &commit);
	if (git_odb_read(&tree, e->odb, &id))
		return broken(e, ret, NULL);
	if (git_odb_object_type(tree) != GIT_OBJECT_TREE) {
		git_odb_object_free(tree);
		return broken(e, ret, "its folder is none");
	}
	text = str_n(git_odb_object_data(tree), git_odb_object_size(tree));
	found = tree_entry(text, "m", &id);
	if (!found && tree_entry(text, "d", &id)) {
		ret->what = EPOCH_DELETED;
		found = true;
	}
	git_odb_object_free(tree);
	if (!found)
		return 0;
	e->mails++;
	return read_blob(e, &id, ret);
}

bool epoch_blob(struct epoch *e, const unsigned char id[OID_BYTES], struct str *ret)
{
	git_oid oid;

	git_odb_object_free(e->blob);
	e->blob = NULL;
	memcpy(oid.id, id, OID_BYTES);
	if (git_odb_read(&e->blob, e->odb, &oid) ||
	    git_odb_object_type(e->blob) != GIT_OBJECT_BLOB)
		return false;
	*ret = str_n(git_odb_object_data(e->blob), git_odb_object_size(e->blob));
	return true;
}

bool epoch_step(struct epoch *e, struct epoch_step *ret)
{
	if (!e->n)
		return false;
	*ret = e->v[--e->n];
	return true;
}

int epoch_no_mails(const char *path, struct err *err)
{
	return err_set(
		err, E_NOTFOUND,
		"%s is no public-inbox mirror of version 2: no commit brings a mail",
		path);
}

int epoch_next(struct epoch *e, struct epoch_mail *ret, struct err *err)
{
	struct epoch_step s;
	int rc = 0;

	while (!rc && epoch_step(e, &s)) {
		rc = intr_check(err);
		if (!rc)
			rc = epoch_read(e, &s, ret);
	}
	if (!rc && e->total && !e->mails)
		return epoch_no_mails(e->path, err);
	return rc;
}

void epoch_close(struct epoch *e)
{
	if (!e)
		return;
	if (e->believed)
		believe(-1);
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
