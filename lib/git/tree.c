// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees: files of a commit, lists of them, and a commit made of edits to its parent's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "internal.h"
#include "series/mem.h"

int tree_of_commit(struct repo *r, const char *commit, git_tree **ret, struct err *err)
{
	git_commit *c _cleanup_(git_commit_freep) = NULL;
	git_oid oid;
	int rc = oid_from_hex(&oid, commit, err);

	if (rc)
		return rc;
	rc = git_commit_lookup(&c, r->g, &oid);
	if (!rc)
		rc = git_commit_tree(ret, c);
	return rc ? git_fail(err, rc, "tree of commit %s", commit) : 0;
}

int repo_file(struct repo *r, const char *commit, const char *path, struct buf *ret,
	      struct err *err)
{
	git_tree *t _cleanup_(git_tree_freep) = NULL;
	git_blob *b _cleanup_(git_blob_freep) = NULL;
	git_tree_entry *e = NULL;
	int rc = tree_of_commit(r, commit, &t, err);

	if (rc)
		return rc;
	rc = git_tree_entry_bypath(&e, t, path);
	if (rc == GIT_ENOTFOUND)
		return err_set(err, E_NOTFOUND, "no file %s in %.12s", path, commit);
	if (rc)
		return git_fail(err, rc, "%s in %.12s", path, commit);
	rc = git_blob_lookup(&b, r->g, git_tree_entry_id(e));
	if (git_tree_entry_type(e) != GIT_OBJECT_BLOB)
		rc = err_set(err, E_NOTFOUND, "%s in %.12s is no file", path, commit);
	else if (rc)
		rc = git_fail(err, rc, "%s in %.12s", path, commit);
	else
		buf_add(ret, git_blob_rawcontent(b), git_blob_rawsize(b));
	git_tree_entry_free(e);
	return rc;
}

/* Tree of a directory ("" is the top); *ret NULL when dir is there but no directory. */
static int open_dir(struct repo *r, const char *commit, const char *dir, git_tree **ret,
		    struct err *err)
{
	git_tree *top _cleanup_(git_tree_freep) = NULL;
	git_tree_entry *e = NULL;
	int rc = tree_of_commit(r, commit, &top, err);

	if (rc)
		return rc;
	if (!*dir) {
		*ret = top;
		top = NULL;
		return 0;
	}
	rc = git_tree_entry_bypath(&e, top, dir);
	if (!rc && git_tree_entry_type(e) != GIT_OBJECT_TREE)
		rc = GIT_ENOTFOUND;
	if (!rc)
		rc = git_tree_lookup(ret, r->g, git_tree_entry_id(e));
	git_tree_entry_free(e);
	if (rc == GIT_ENOTFOUND)
		return err_set(err, E_NOTFOUND, "no directory %s in %.12s", dir, commit);
	return rc ? git_fail(err, rc, "%s in %.12s", dir, commit) : 0;
}

struct walk {
	struct strvec *ret;
	const char *dir;
};

static int on_entry(const char *root, const git_tree_entry *e, void *arg)
{
	struct walk *w = arg;

	if (git_tree_entry_type(e) != GIT_OBJECT_TREE)
		strvec_pushf(w->ret, "%s%s%s%s", w->dir, *w->dir ? "/" : "", root,
			     git_tree_entry_name(e));
	return 0;
}

int repo_list_all(struct repo *r, const char *commit, const char *dir, struct strvec *ret,
		  struct err *err)
{
	git_tree *t _cleanup_(git_tree_freep) = NULL;
	struct walk w = { ret, dir };
	int rc = open_dir(r, commit, dir, &t, err);

	if (rc)
		return rc;
	rc = git_tree_walk(t, GIT_TREEWALK_PRE, on_entry, &w);
	if (rc)
		return git_fail(err, rc, "%s in %.12s", dir, commit);
	strvec_sort(ret);
	return 0;
}

/* So many files are flushed together, for an fsync each would take minutes. */
#define FLUSH_EACH 64

/* What was written without fsync is on the disk before a ref can name it. */
static int flush_objects(struct repo *r, struct err *err)
{
	char *dir _cleanup_free_ = xasprintf("%sobjects", git_repository_commondir(r->g));
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 || syncfs(fd) ? err_errno(err, errno, "flushing %s", dir) : 0;

	if (fd >= 0)
		close(fd);
	return rc;
}

/* Tree of base with the edits; one without any file is git's empty tree. */
static int edited_tree(struct repo *r, git_tree *base, const struct tree_edit *edits,
		       size_t n, git_oid *ret, struct err *err)
{
	git_tree_update *u = xcalloc(n ? n : 1, sizeof(*u));
	bool many = n > FLUSH_EACH;
	size_t k = 0;
	int rc = 0;

	if (many)
		git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 0);
	for (size_t i = 0; i < n && !rc; i++) {
		u[k].path = edits[i].path;
		u[k].filemode = GIT_FILEMODE_BLOB;
		if (edits[i].data) {
			u[k].action = GIT_TREE_UPDATE_UPSERT;
			rc = git_blob_create_from_buffer(&u[k].id, r->g, edits[i].data,
							 edits[i].len);
		} else {
			git_tree_entry *e = NULL;

			u[k].action = GIT_TREE_UPDATE_REMOVE;
			if (!base || git_tree_entry_bypath(&e, base, edits[i].path))
				continue; /* not there: nothing to remove */
			git_tree_entry_free(e);
		}
		k++;
	}
	if (!rc)
		rc = git_tree_create_updated(ret, r->g, base, k, u);
	free(u);
	if (many)
		git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	if (rc)
		return git_fail(err, rc, "writing a tree");
	return many ? flush_objects(r, err) : 0;
}

static int empty_tree(struct repo *r, git_tree **ret, struct err *err)
{
	git_treebuilder *b = NULL;
	git_oid oid;
	int rc = git_treebuilder_new(&b, r->g, NULL);

	if (!rc)
		rc = git_treebuilder_write(&oid, b);
	if (!rc)
		rc = git_tree_lookup(ret, r->g, &oid);
	git_treebuilder_free(b);
	return rc ? git_fail(err, rc, "writing an empty tree") : 0;
}

static int begin_var(struct repo *r, const char *var, struct proc **ret, struct err *err)
{
	char *args[] = { "var", (char *)var, NULL };

	return git_begin(r, args, ret, err);
}

/* "NAME <MAIL> SECONDS +ZONE" as git var gives it, which knows environment and config. */
static int end_var(struct proc *p, git_signature **ret, struct err *err)
{
	struct buf out _cleanup_buf_ = BUF_INIT;
	char *line _cleanup_free_ = NULL;
	int rc = git_end(p, "var", &out, err);

	if (rc)
		return err_context(err, "no identity (git config user.name, user.email)");
	line = str_dup(str_trim(buf_str(&out)));
	rc = git_signature_from_buffer(ret, line);
	return rc ? git_fail(err, rc, "git var: \"%s\"", line) : 0;
}

/* Both at once: starting git is most of it. */
static int ask_identities(struct repo *r, struct err *err)
{
	git_signature *a _cleanup_(git_signature_freep) = NULL;
	struct proc *author, *committer;
	int rc = begin_var(r, "GIT_AUTHOR_IDENT", &author, err);

	if (rc)
		return rc;
	rc = begin_var(r, "GIT_COMMITTER_IDENT", &committer, err);
	if (rc) {
		proc_free(author);
		return rc;
	}
	rc = end_var(author, &a, err);
	if (rc)
		proc_free(committer);
	else
		rc = end_var(committer, &r->committer, err);
	if (rc)
		return rc;
	r->author = a;
	a = NULL;
	return 0;
}

/* Who is known from an earlier commit; when is now, unless the environment says. */
static int dated(const git_signature *known, bool fresh, const char *variable,
		 git_signature **ret, struct err *err)
{
	int rc;

	if (fresh || getenv(variable))
		rc = git_signature_dup(ret, known);
	else
		rc = git_signature_now(ret, known->name, known->email);
	return rc ? git_fail(err, rc, "who commits") : 0;
}

static int identities(struct repo *r, git_signature **ret_author,
		      git_signature **ret_committer, struct err *err)
{
	bool fresh = !r->author;
	int rc = fresh ? ask_identities(r, err) : 0;

	if (!rc)
		rc = dated(r->author, fresh, "GIT_AUTHOR_DATE", ret_author, err);
	if (!rc)
		rc = dated(r->committer, fresh, "GIT_COMMITTER_DATE", ret_committer, err);
	return rc;
}

/* git_commit_create() takes const parents from 1.9 on; the cast serves both. */
static int create_commit(git_repository *g, git_oid *ret, const git_signature *author,
			 const git_signature *committer, const char *message,
			 git_tree *tree, git_commit **parents, size_t n)
{
	return git_commit_create(ret, g, NULL, author, committer, NULL, message, tree, n,
				 (void *)parents);
}

static int find_parents(struct repo *r, const char *const *ids, size_t n,
			git_commit **ret, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		git_oid oid;
		int rc = oid_from_hex(&oid, ids[i], err);

		if (rc)
			return rc;
		rc = git_commit_lookup(&ret[i], r->g, &oid);
		if (rc)
			return git_fail(err, rc, "commit %s", ids[i]);
	}
	return 0;
}

/* A commit of the edited tree of the first parent (none: of the empty tree). */
static int commit_on(struct repo *r, git_commit **parents, size_t n_parents,
		     const struct tree_edit *edits, size_t n, const char *message,
		     git_oid *ret, struct err *err)
{
	git_signature *author _cleanup_(git_signature_freep) = NULL;
	git_signature *committer _cleanup_(git_signature_freep) = NULL;
	git_tree *base _cleanup_(git_tree_freep) = NULL;
	git_tree *tree _cleanup_(git_tree_freep) = NULL;
	int rc = n_parents ? git_commit_tree(&base, parents[0]) : 0;

	if (rc)
		return git_fail(err, rc, "tree of a state");
	if (!n_parents && (rc = empty_tree(r, &base, err)))
		return rc;
	if ((rc = identities(r, &author, &committer, err)) ||
	    (rc = edited_tree(r, base, edits, n, ret, err)))
		return rc;
	rc = git_tree_lookup(&tree, r->g, ret);
	if (!rc)
		rc = create_commit(r->g, ret, author, committer, message, tree, parents,
				   n_parents);
	return rc ? git_fail(err, rc, "writing a commit") : 0;
}

int repo_commit_merge(struct repo *r, const char *const *parents, size_t n_parents,
		      const struct tree_edit *edits, size_t n, const char *message,
		      char ret[OID_HEX], struct err *err)
{
	git_commit **v = xcalloc(n_parents + 1, sizeof(*v));
	git_oid oid;
	int rc = find_parents(r, parents, n_parents, v, err);

	if (!rc)
		rc = commit_on(r, v, n_parents, edits, n, message, &oid, err);
	if (!rc)
		git_oid_tostr(ret, OID_HEX, &oid);
	for (size_t i = 0; i < n_parents; i++)
		git_commit_free(v[i]);
	free(v);
	return rc;
}

int repo_commit_edits(struct repo *r, const char *parent, const struct tree_edit *edits,
		      size_t n, const char *message, char ret[OID_HEX], struct err *err)
{
	return repo_commit_merge(r, &parent, parent ? 1 : 0, edits, n, message, ret, err);
}
