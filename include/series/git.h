/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * git.h - the repository: opened by libgit2, written by one git transaction.
 *
 * Object names are 40 hex digits and a NUL (OID_HEX). SHA-256 and reftable repositories
 * are refused with a clear message. Refs are read by libgit2 and written only by
 * git_update_refs() (one "git update-ref --stdin"). What runs the git program goes
 * through git_run(), which sets the directory and core.fsync=all.
 */
#ifndef SERIES_GIT_H
#define SERIES_GIT_H

#include <stdbool.h>
#include <stdint.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/proc.h"
#include "series/strvec.h"

#define OID_HEX 41

struct repo;

/* Open the repository that holds path (NULL: the current directory). */
int repo_open(const char *path, struct repo **ret, struct err *err);
void repo_free(struct repo *r);
void repo_freep(struct repo **r);
#define _cleanup_repo_ __attribute__((cleanup(repo_freep)))
/* Borrowed paths without a slash at the end. The work tree is NULL when bare. */
const char *repo_git_dir(const struct repo *r);
const char *repo_common_dir(const struct repo *r);
const char *repo_work_tree(const struct repo *r);

/* Short name of the branch HEAD is on; E_NOTFOUND when detached. Caller frees. */
int repo_branch(struct repo *r, char **ret, struct err *err);
/* Any revision to a commit. E_NOTFOUND names the revision. */
int repo_resolve(struct repo *r, const char *rev, char ret[OID_HEX], struct err *err);
/*
 * The objects whose number begins with these hex digits (four at least), each a line
 * "HEX commit", "HEX tree", "HEX blob" or "HEX tag" for *ret; none is no error.
 */
int repo_objects(struct repo *r, const char *digits, struct strvec *ret, struct err *err);
/* Target of a full ref name; E_NOTFOUND. */
int repo_ref(struct repo *r, const char *ref, char ret[OID_HEX], struct err *err);
/* Names of the refs below prefix ("refs/series/"), sorted, into *ret. */
int repo_refs(struct repo *r, const char *prefix, struct strvec *ret, struct err *err);
/*
 * "mm-unstable", "origin/main", "tags/v6.12" to the full name of a ref that is there: of
 * several the branch, then the remote's branch, then the tag. Caller frees. E_NOTFOUND.
 */
int repo_ref_full(struct repo *r, const char *name, char **ret, struct err *err);

/* Commits that a ref points at or once did, newest first; those gone are left out. */
struct ref_tips {
	struct strvec ids;
	size_t sure; /* so many of them follow each other without a gap in the reflog */
	bool whole;  /* the reflog reaches back to the making of the ref */
};

/* All that is known of a ref (full name). Free with ref_tips_release(). */
int repo_ref_tips(struct repo *r, const char *full, struct ref_tips *ret, struct err *err);
void ref_tips_release(struct ref_tips *t);
/* The best commits of head's history that any of tips has too; none is no error. */
int repo_common(struct repo *r, const char *head, const struct strvec *tips,
		struct strvec *ret, struct err *err);
/* What a branch was created from by its reflog ("origin/topic", "HEAD", a hash), or NULL. */
char *repo_created_from(struct repo *r, const char *branch);
/* Short name of a ref on that very commit other than a branch; NULL. Caller frees. */
char *repo_ref_at(struct repo *r, const char *commit, const char *not_branch);
/* The address that .mailmap, mailmap.file and mailmap.blob give a person. Borrowed. */
const char *repo_mailmap(struct repo *r, const char *name, const char *email);

struct commit {
	char id[OID_HEX], tree[OID_HEX], parent[OID_HEX]; /* parent: the first, "" if none */
	size_t parents;
	char *subject;		/* first paragraph on one line, as git log %s */
	char *message;		/* whole, as UTF-8 where the encoding is known */
	char *author_name, *author_email, *committer_name, *committer_email;
	int64_t author_time, commit_time;
};

int repo_commit(struct repo *r, const char *id, struct commit *ret, struct err *err);
void commit_release(struct commit *c);
/* What of a commit no mail brings into another repository by git am. */
enum commit_defect {
	COMMIT_SOUND,
	COMMIT_AUTHOR,	     /* git takes bytes off an end of the author's name or address */
	COMMIT_NUL,	     /* the message goes on behind a NUL, which git does not show */
	COMMIT_NOT_UTF8,     /* no encoding is named, and git would not keep the bytes */
	COMMIT_BAD_ENCODING, /* one is named that is not known or does not fit */
};
/* The first that holds, and the encoding that the commit names (the caller frees) or NULL. */
int repo_commit_defect(struct repo *r, const char *id, enum commit_defect *ret,
		       char **ret_encoding, struct err *err);
/* 1 if a is b or an ancestor of b, 0 if not. */
int repo_is_ancestor(struct repo *r, const char *a, const char *b, struct err *err);
int repo_merge_base(struct repo *r, const char *a, const char *b, char ret[OID_HEX],
		    struct err *err);
/*
 * Commits of base..tip, oldest first, along first parents; stops with E_FAIL naming the
 * commit at a merge or after max commits, E_NOTFOUND if base is not met.
 */
int repo_range(struct repo *r, const char *base, const char *tip, size_t max,
	       struct commit **ret, size_t *ret_n, struct err *err);
void commits_free(struct commit *c, size_t n);
/*
 * The same commit on another parent, with another tree where tree is not NULL; everything
 * else stays byte for byte, but a signature, which would no longer hold, goes and sets
 * *ret_signed. Nothing is written when parent and tree are those it has.
 */
int repo_rechain(struct repo *r, const struct commit *c, const char *parent,
		 const char *tree, char ret[OID_HEX], bool *ret_signed, struct err *err);

/*
 * The same commit on another parent with another message, which is UTF-8: where the
 * commit names an encoding, its header goes and the names in it become UTF-8, too. A
 * commit that is not COMMIT_SOUND or COMMIT_AUTHOR (repo_commit_defect()) is E_FAIL, for
 * it would lose something.
 */
int repo_reword(struct repo *r, const struct commit *c, const char *parent,
		struct str message, char ret[OID_HEX], bool *ret_signed, struct err *err);

/* File of a commit's tree appended to *ret; E_NOTFOUND. */
int repo_file(struct repo *r, const char *commit, const char *path, struct buf *ret,
	      struct err *err);
/* An index file (none: empty), appended in the form of git ls-files -s -z. */
int index_read(const char *path, struct buf *ret, struct err *err);
/* Every file path below dir of a commit's tree, sorted. */
int repo_list_all(struct repo *r, const char *commit, const char *dir, struct strvec *ret,
		  struct err *err);
/* git patch-id --stable of one commit ("" when it changes nothing). */
int repo_patch_id(struct repo *r, const char *commit, char ret[OID_HEX], struct err *err);

/* One change to a tree: data NULL removes the path. */
struct tree_edit {
	const char *path;
	const void *data;
	size_t len;
};

/* Commit of parent's tree (NULL: empty) with the edits; who and when as git would. */
int repo_commit_edits(struct repo *r, const char *parent, const struct tree_edit *edits,
		      size_t n, const char *message, char ret[OID_HEX], struct err *err);

/*
 * The same with more than one parent: the tree is that of the first. Where two machines'
 * states are merged.
 */
int repo_commit_merge(struct repo *r, const char *const *parents, size_t n_parents,
		      const struct tree_edit *edits, size_t n, const char *message,
		      char ret[OID_HEX], struct err *err);

/* A file of a tree. */
struct tree_file {
	char *path;
	char id[OID_HEX]; /* of the blob */
	int64_t size;	  /* bytes */
};

struct tree_files {
	struct tree_file *v;
	size_t n, cap;
};

/*
 * Every file of a commit's tree in byte order of the paths. For trees that somebody else
 * made: E_CORRUPT when there are more than max files and folders, more than
 * TREE_MAX_DEPTH levels, more than max_bytes in all, or anything that is no plain file
 * (links, submodules, names with control characters). Free with tree_files_release().
 */
#define TREE_MAX_DEPTH 8
int repo_tree_files(struct repo *r, const char *commit, size_t max, int64_t max_bytes,
		    struct tree_files *ret, struct err *err);
/* The file of that path, or NULL. */
const struct tree_file *tree_files_find(const struct tree_files *f, const char *path);
void tree_files_release(struct tree_files *f);
#define _cleanup_tree_files_ __attribute__((cleanup(tree_files_release)))
/* A blob appended to *ret. */
int repo_blob(struct repo *r, const char *id, struct buf *ret, struct err *err);

/* One ref to move: old "" means must not exist, NULL means whatever; new NULL deletes. */
struct ref_update {
	const char *ref, *new_id, *old_id;
};

/* All or none; E_CONFLICT when one has moved meanwhile. */
int git_update_refs(struct repo *r, const struct ref_update *u, size_t n,
		    const char *reflog, struct err *err);

/*
 * Run git in the repository: args without the leading "git", closed by NULL. *ret has
 * status and output; a status other than 0 is no error here (see git_check).
 */
int git_run(struct repo *r, char *const *args, struct str input, struct proc_result *ret,
	    struct err *err);
/* The line of git's stderr that says what is wrong, without "error: "; borrowed. */
struct str git_words(const struct buf *text);
/* Is the disk of that folder so full that git could not write there? It may not say so. */
bool git_disk_full(const char *dir);
/*
 * E_FAIL for a git that ended with a status other than 0: "git WHAT (status N): " and its
 * words, and what these leave out: that the disk of dir, where it wrote, is full, or when
 * the lock that it met may go.
 */
int git_failed(const char *what, const char *dir, const struct proc_result *res,
	       struct err *err);
/* git_run(), and a status other than 0 is E_FAIL with git's own words. */
int git_check(struct repo *r, char *const *args, struct str input, struct buf *ret_out,
	      struct err *err);

/* What git_merge_texts() is given; base is "" when there was none. */
struct merge_texts {
	struct str ours, base, theirs;
	/*
	 * Behind "<<<<<<< " and ">>>>>>> " where both changed the same lines. NULL: no marks
	 * there, the lines of both stay, ours first.
	 */
	const char *our_name, *their_name;
};

/* Both changes in one text, appended to *ret. E_FAIL with git's words: no text. */
int git_merge_texts(struct repo *r, const struct merge_texts *m, struct buf *ret,
		    struct err *err);

/*
 * Run git where it speaks to another machine (fetch, push): in the foreground, for ssh and
 * credential helpers may ask on the terminal. 0, an error code, or git's status (above 0)
 * and its last words appended to *ret_words.
 */
int git_talk(struct repo *r, char *const *args, struct buf *ret_words, struct err *err);

/* Settings as "git config -z --list" reads them (includes, worktree, environment). */
struct config;
int config_load(const char *dir, struct config **ret, struct err *err);
/* The same in two steps: git runs while we go on; config_finish() frees p (proc.h). */
struct proc;
int config_begin(const char *dir, struct proc **ret, struct err *err);
int config_finish(struct proc *p, struct config **ret, struct err *err);
/*
 * The same format in a file of a commit's tree (".b4-config"), without includes; *ret is
 * NULL when there is no such file, and empty when git cannot read it. It was written by
 * others: take values from it, never a command, a host or a credential.
 */
int config_load_blob(struct repo *r, const char *commit, const char *path,
		     struct config **ret, struct err *err);
void config_free(struct config *c);
/*
 * Last value of a key ("series.config", "branch.Topic.series": the section and the last
 * part folded to lower case, the middle as it is), or NULL. A key without "=" is "true".
 */
const char *config_get(const struct config *c, const char *key);
/* All values, in order. */
void config_get_all(const struct config *c, const char *key, struct strvec *ret);
bool config_get_bool(const struct config *c, const char *key, bool dflt);
/* A value as a truth, dflt when it is none. */
bool config_bool(const char *v, bool dflt);
/* Integer with git's k, m, g suffixes; a value that is none is E_USAGE naming the key. */
int config_get_int(const struct config *c, const char *key, int64_t dflt, int64_t *ret,
		   struct err *err);
/* The i-th entry, in the order of git; false behind the last. Both are borrowed. */
bool config_at(const struct config *c, size_t i, const char **ret_key, const char **ret_value);
/* Second parts of all keys "SECTION.X.key" that start with prefix, each once. */
void config_subsections(const struct config *c, const char *section, const char *prefix,
			struct strvec *ret);
/* Second parts of all "SECTION.X.LAST" (both in lower case) with this value, each once. */
void config_subsections_with(const struct config *c, const char *section,
			     const char *last, const char *value, struct strvec *ret);

#endif
