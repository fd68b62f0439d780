/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - what the files of lib/git share: the opened repository and libgit2's
 * errors.
 */
#ifndef GIT_INTERNAL_H
#define GIT_INTERNAL_H

#include <git2.h>
#include <iconv.h>
#include "series/git.h"
#include "series/mem.h"

struct patch_id_cache;

struct repo {
	git_repository *g;
	char *git_dir, *common_dir, *work_tree;
	struct patch_id_cache *patch_ids; /* read at first use */
	git_mailmap *mailmap;		  /* the same */
	bool mailmap_tried;
	git_signature *author, *committer; /* once git was asked */
};

/* Start libgit2 as we need it; before its first call, again is no harm (init.c). */
void gitlib_start(void);
/* In a partial clone, let git fetch what libgit2 does not find (promisor.c). */
void promisor_attach(struct repo *r);
/* Code and message for a libgit2 failure: E_NOTFOUND for ENOTFOUND, else E_FAIL. */
int git_fail(struct err *err, int rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* git_check() in two steps, for two children at once; what is for messages: "var". */
int git_begin(struct repo *r, char *const *args, struct proc **ret, struct err *err);
int git_end(struct proc *p, const char *what, struct buf *ret_out, struct err *err);
/* 40 hex digits to an object name; E_FAIL when they are none. */
int oid_from_hex(git_oid *oid, const char *hex, struct err *err);
/*
 * "NAME <EMAIL> TIME ZONE" of a commit's header in its parts, which keep every byte (libgit2
 * takes marks and controls off the ends, the escape of ISO-2022-JP too). False when the
 * line is not of that form.
 */
bool ident_split(struct str line, struct str *name, struct str *email);
/* From the encoding a commit names to UTF-8, as git finds it; (iconv_t)-1. */
iconv_t utf8_from(const char *encoding);
/*
 * Text of a commit as UTF-8, in fresh memory: by its encoding header (NULL: none) where
 * iconv knows it, else lossy.
 */
char *commit_utf8(const char *text, const char *encoding);
/* Tree of a commit. */
int tree_of_commit(struct repo *r, const char *commit, git_tree **ret, struct err *err);

/* What the cache of patch-ids knows, or NULL. */
const char *patch_id_cached(struct repo *r, const char *commit);
/* Remember; failing to write is no error, for the cache is disposable. */
void patch_id_remember(struct repo *r, const char *commit, const char *patch_id);
void patch_id_cache_free(struct patch_id_cache *c);

/* One path that two trees have differently; mode 0: not there on that side. */
struct tree_change {
	char *path;
	git_oid old_id, new_id;
	unsigned old_mode, new_mode;
};

struct tree_changes {
	struct tree_change *v;
	size_t n, cap;
};

/* Own compare of two trees (NULL: empty), files only, in the order of git diff-tree -r.
 */
int tree_compare(git_repository *g, const git_tree *a, const git_tree *b,
		 struct tree_changes *ret, struct err *err);
void tree_changes_release(struct tree_changes *c);

static inline void git_tree_freep(git_tree **t)
{
	git_tree_free(*t);
}
static inline void git_commit_freep(git_commit **c)
{
	git_commit_free(*c);
}
static inline void git_object_freep(git_object **o)
{
	git_object_free(*o);
}
static inline void git_reference_freep(git_reference **f)
{
	git_reference_free(*f);
}
static inline void git_blob_freep(git_blob **b)
{
	git_blob_free(*b);
}
static inline void git_signature_freep(git_signature **s)
{
	git_signature_free(*s);
}

#endif
