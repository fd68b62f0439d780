// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pick.c - patches put on another tree without git, where no texts are to be merged.
 *
 * The three-way rule: what one side left as it was becomes what the other made of it.
 * Renames do not come in: git looks for them among files that are gone from one side, and
 * for renamed folders among those that are gone, so a patch that removes a file, or adds
 * one to a folder that is gone, is left to git.
 */
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <stdlib.h>
#include "internal.h"
#include "series/fs.h"
#include "series/pick.h"

struct pick {
	struct repo *r;
	git_odb *odb;	   /* the repository's objects and those of the folder */
	git_repository *g; /* nothing but that */
	git_tree *tree;	   /* we stand on this, with the noted files in their places */
	struct tree_changes noted; /* by path; new_id and new_mode count */
};

static void forget(struct pick *p)
{
	git_tree_free(p->tree);
	p->tree = NULL;
	tree_changes_release(&p->noted);
}

void pick_close(struct pick **p)
{
	if (!*p)
		return;
	forget(*p);
	git_repository_free((*p)->g);
	git_odb_free((*p)->odb);
	free(*p);
	*p = NULL;
}

int pick_open(struct repo *r, const char *objects, struct pick **ret, struct err *err)
{
	const char *mine = getenv("GIT_OBJECT_DIRECTORY");
	char *shared _cleanup_free_ =
		mine ? xstrdup(mine) : path_join(r->common_dir, "objects");
	struct pick *p _cleanup_(pick_close) = xcalloc(1, sizeof(*p));
	git_odb_backend *loose = NULL;
	int rc = git_odb_new(&p->odb);

	p->r = r;
	if (!rc)
		rc = git_odb_backend_loose(&loose, objects, -1, 0, 0, 0);
	if (!rc) {
		rc = git_odb_add_backend(p->odb, loose, 100);
		if (rc)
			loose->free(loose);
	}
	if (!rc)
		rc = git_odb_add_disk_alternate(p->odb, shared);
	if (!rc)
		rc = git_repository_wrap_odb(&p->g, p->odb);
	if (rc)
		return git_fail(err, rc, "objects in %s", objects);
	*ret = p;
	p = NULL;
	return 0;
}

int pick_stand(struct pick *p, const char *tree, struct err *err)
{
	git_tree *t = NULL;
	git_oid id;
	int rc = oid_from_hex(&id, tree, err);

	if (rc)
		return rc;
	rc = git_tree_lookup(&t, p->g, &id);
	if (rc)
		return git_fail(err, rc, "tree %s", tree);
	forget(p);
	p->tree = t;
	return 0;
}

/* Where a path is among the noted ones, or would be. */
static size_t place(const struct tree_changes *c, const char *path)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(c->v[mid].path, path) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static const struct tree_change *noted_at(const struct pick *p, const char *path)
{
	size_t i = place(&p->noted, path);

	return i < p->noted.n && !strcmp(p->noted.v[i].path, path) ? &p->noted.v[i]
								   : NULL;
}

static void note(struct pick *p, const struct tree_change *c)
{
	size_t i = place(&p->noted, c->path);
	struct tree_changes *n = &p->noted;

	if (i == n->n || strcmp(n->v[i].path, c->path)) {
		vec_grow(n->v, n->n, n->cap);
		memmove(n->v + i + 1, n->v + i, (n->n - i) * sizeof(*n->v));
		n->v[i] = (struct tree_change){ .path = xstrdup(c->path) };
		n->n++;
	}
	n->v[i].new_id = c->new_id;
	n->v[i].new_mode = c->new_mode;
}

/* Is that what stands in the tree? */
static bool entry_is(const git_tree *t, const char *path, const git_oid *id,
		     unsigned mode)
{
	git_tree_entry *e = NULL;
	bool is = !git_tree_entry_bypath(&e, t, path) &&
		  git_tree_entry_filemode_raw(e) == mode &&
		  git_oid_equal(git_tree_entry_id(e), id);

	git_tree_entry_free(e);
	return is;
}

/* Is nothing there, in a folder that is? */
static bool has_room(const git_tree *t, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir _cleanup_free_ = slash ? xmemdup0(path, slash - path) : NULL;
	git_tree_entry *e = NULL;
	bool room = git_tree_entry_bypath(&e, t, path) == GIT_ENOTFOUND;

	git_tree_entry_free(e);
	e = NULL;
	if (room && dir)
		room = !git_tree_entry_bypath(&e, t, dir) &&
		       git_tree_entry_type(e) == GIT_OBJECT_TREE;
	git_tree_entry_free(e);
	return room;
}

static bool is_simple(const struct pick *p, const struct tree_change *c)
{
	const struct tree_change *here = noted_at(p, c->path);

	if (!c->new_mode)
		return false;
	if (here)
		return here->new_mode == c->old_mode &&
		       git_oid_equal(&here->new_id, &c->old_id);
	if (c->old_mode)
		return entry_is(p->tree, c->path, &c->old_id, c->old_mode);
	return has_room(p->tree, c->path);
}

bool pick_simple(struct pick *p, const char *from, const char *to, bool *ret_empty)
{
	git_tree *a _cleanup_(git_tree_freep) = NULL;
	git_tree *b _cleanup_(git_tree_freep) = NULL;
	struct tree_changes c = { 0 };
	bool ok = p->tree && !tree_of_commit(p->r, from, &a, NULL) &&
		  !tree_of_commit(p->r, to, &b, NULL) &&
		  !tree_compare(p->r->g, a, b, &c, NULL);

	for (size_t i = 0; ok && i < c.n; i++)
		ok = is_simple(p, &c.v[i]);
	for (size_t i = 0; ok && i < c.n; i++)
		note(p, &c.v[i]);
	if (ok)
		*ret_empty = !c.n;
	tree_changes_release(&c);
	return ok;
}

static int write_tree(struct pick *p, git_oid *ret)
{
	const struct tree_changes *c = &p->noted;
	git_tree_update *u = xcalloc(c->n + 1, sizeof(*u));
	int rc;

	for (size_t i = 0; i < c->n; i++)
		u[i] = (git_tree_update){ .action = GIT_TREE_UPDATE_UPSERT,
					  .id = c->v[i].new_id,
					  .filemode = c->v[i].new_mode,
					  .path = c->v[i].path };
	*ret = *git_tree_id(p->tree);
	rc = c->n ? git_tree_create_updated(ret, p->g, p->tree, c->n, u) : 0;
	free(u);
	return rc;
}

int pick_write(struct pick *p, const char *parent, char ret_tree[OID_HEX],
	       char ret_commit[OID_HEX], struct err *err)
{
	char *text _cleanup_free_ = NULL;
	git_oid tree, id;
	int rc;

	/* It goes with its folder, and need not outlive a power cut. */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 0);
	rc = write_tree(p, &tree);
	git_oid_tostr(ret_tree, OID_HEX, &tree);
	text = xasprintf("tree %s\nparent %s\nauthor trial <trial@localhost> 0 +0000\n"
			 "committer trial <trial@localhost> 0 +0000\n\na trial\n",
			 ret_tree, parent);
	if (!rc)
		rc = git_odb_write(&id, p->odb, text, strlen(text), GIT_OBJECT_COMMIT);
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	if (rc)
		return git_fail(err, rc, "a commit on %.12s", parent);
	git_oid_tostr(ret_commit, OID_HEX, &id);
	return 0;
}
