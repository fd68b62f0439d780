/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick.h - patches put on another commit, one after the other, as git cherry-pick would,
 * where that takes no merging of texts; git merge-tree does the rest.
 *
 * A pick stands on a tree. Patches that are simple there are only noted; trees are
 * written when git has to see them, to a folder of objects apart from the repository's.
 */
#ifndef SERIES_PICK_H
#define SERIES_PICK_H

#include "series/git.h"

struct pick;

/*
 * objects is an existing folder, to be git's GIT_OBJECT_DIRECTORY as well, with r's
 * objects as alternates. r stays the caller's and has to outlive it.
 */
int pick_open(struct repo *r, const char *objects, struct pick **ret, struct err *err);
void pick_close(struct pick **p);

/* Stand on a tree, by its name; what was noted is forgotten. */
int pick_stand(struct pick *p, const char *tree, struct err *err);
/*
 * The change from one commit to another. True where each file that it changes is here
 * what it was in from, and each new one comes to a folder that is here: git merge-tree
 * would give the same tree, and it is what we stand on now; *ret_empty when nothing
 * changed. Else git has to be asked, and what cannot be read here is for git to say.
 */
bool pick_simple(struct pick *p, const char *from, const char *to, bool *ret_empty);
/* Write what we stand on: its tree, and a commit of it whose parent is the one given;
 * names and time in it say nothing. */
int pick_write(struct pick *p, const char *parent, char ret_tree[OID_HEX],
	       char ret_commit[OID_HEX], struct err *err);

#endif
