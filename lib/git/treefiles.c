// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of a tree that somebody else may have made: within bounds, and plain ones.
 */
#include <ctype.h>
#include <stdlib.h>
#include "internal.h"
#include "series/utf8.h"

struct walker {
	struct repo *repo;
	git_odb *odb;
	size_t seen, max;
	int64_t bytes, max_bytes;
	struct tree_files *ret;
	struct err *err;
};

static int walk_tree(struct walker *w, const git_oid *id, const char *dir, int depth);

/* Nothing of a state needs more than letters, digits and a few signs in its name. */
static bool name_plain(const char *name)
{
	if (*name == '.' || *name == '-')
		return false;
	if (!utf8_valid(str_c(name)))
		return false;
	for (; *name; name++)
		if (iscntrl((unsigned char)*name) || *name == '\\' || *name == '/')
			return false;
	return true;
}

static int add_file(struct walker *w, const git_tree_entry *e, const char *path)
{
	git_filemode_t mode = git_tree_entry_filemode(e);
	struct tree_file *f;
	git_object_t type;
	size_t size;
	int rc;

	if (mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE)
		return err_set(w->err, E_CORRUPT, "\"%s\" is no plain file", path);
	rc = git_odb_read_header(&size, &type, w->odb, git_tree_entry_id(e));
	if (rc)
		return git_fail(w->err, rc, "%s", path);
	if (type != GIT_OBJECT_BLOB)
		return err_set(w->err, E_CORRUPT, "\"%s\" is no plain file", path);
	if (size > (size_t)w->max_bytes || (w->bytes += size) > w->max_bytes)
		return err_set(w->err, E_CORRUPT, "more than %lld MiB of files",
			       (long long)(w->max_bytes >> 20));
	vec_grow(w->ret->v, w->ret->n, w->ret->cap);
	f = &w->ret->v[w->ret->n++];
	f->path = xstrdup(path);
	f->size = (int64_t)size;
	git_oid_tostr(f->id, OID_HEX, git_tree_entry_id(e));
	return 0;
}

static int walk_entry(struct walker *w, const git_tree_entry *e, const char *dir,
		      int depth)
{
	const char *name = git_tree_entry_name(e);
	char *path _cleanup_free_ = xasprintf("%s%s%s", dir, *dir ? "/" : "", name);

	if (++w->seen > w->max)
		return err_set(w->err, E_CORRUPT, "more than %zu files", w->max);
	if (!name_plain(name))
		return err_set(w->err, E_CORRUPT, "a file with the odd name \"%s\"",
			       path);
	if (git_tree_entry_filemode(e) == GIT_FILEMODE_TREE)
		return walk_tree(w, git_tree_entry_id(e), path, depth + 1);
	return add_file(w, e, path);
}

static int walk_tree(struct walker *w, const git_oid *id, const char *dir, int depth)
{
	git_tree *t _cleanup_(git_tree_freep) = NULL;
	int rc;

	if (depth > TREE_MAX_DEPTH)
		return err_set(w->err, E_CORRUPT, "more than %d levels of folders",
			       TREE_MAX_DEPTH);
	rc = git_tree_lookup(&t, w->repo->g, id);
	if (rc)
		return git_fail(w->err, rc, "folder \"%s\"", dir);
	for (size_t i = 0, n = git_tree_entrycount(t); i < n && !rc; i++)
		rc = walk_entry(w, git_tree_entry_byindex(t, i), dir, depth);
	return rc;
}

static int by_path(const void *a, const void *b)
{
	const struct tree_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* git writes each name once; a tree made by hand may have one twice. */
static int check_once(const struct tree_files *f, struct err *err)
{
	for (size_t i = 1; i < f->n; i++)
		if (!strcmp(f->v[i].path, f->v[i - 1].path))
			return err_set(err, E_CORRUPT, "the file \"%s\" is there twice",
				       f->v[i].path);
	return 0;
}

int repo_tree_files(struct repo *r, const char *commit, size_t max, int64_t max_bytes,
		    struct tree_files *ret, struct err *err)
{
	git_tree *t _cleanup_(git_tree_freep) = NULL;
	struct tree_files files = { NULL, 0, 0 };
	struct walker w = {
		.repo = r, .max = max, .max_bytes = max_bytes, .ret = &files, .err = err
	};
	int rc = tree_of_commit(r, commit, &t, err);

	if (rc)
		return rc;
	rc = git_repository_odb(&w.odb, r->g);
	if (rc)
		return git_fail(err, rc, "object database");
	rc = walk_tree(&w, git_tree_id(t), "", 0);
	git_odb_free(w.odb);
	if (!rc && files.n)
		qsort(files.v, files.n, sizeof(*files.v), by_path);
	if (!rc)
		rc = check_once(&files, err);
	if (rc) {
		tree_files_release(&files);
		return rc;
	}
	*ret = files;
	return 0;
}

const struct tree_file *tree_files_find(const struct tree_files *f, const char *path)
{
	struct tree_file key = { .path = (char *)path };

	return f->n ? bsearch(&key, f->v, f->n, sizeof(key), by_path) : NULL;
}

void tree_files_release(struct tree_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->v[i].path);
	free(f->v);
	*f = (struct tree_files){ NULL, 0, 0 };
}

int repo_blob(struct repo *r, const char *id, struct buf *ret, struct err *err)
{
	git_blob *b _cleanup_(git_blob_freep) = NULL;
	git_oid oid;
	int rc = oid_from_hex(&oid, id, err);

	if (rc)
		return rc;
	rc = git_blob_lookup(&b, r->g, &oid);
	if (rc)
		return git_fail(err, rc, "file %s", id);
	buf_add(ret, git_blob_rawcontent(b), git_blob_rawsize(b));
	return 0;
}
