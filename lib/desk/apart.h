/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart.h - git in a folder of ours: an index and an empty work tree there, and if wanted
 * its new objects as well. Settings of the user that change an index or a patch do not
 * hold, and paths that git fsck refuses on any system are refused.
 */
#ifndef SERIES_APART_H
#define SERIES_APART_H

#include "series/git.h"

struct apart {
	char *dir, *tree, *index; /* tree: the work tree, in dir as the index is */
	char *objects;		  /* NULL: they go to the repository */
	struct strvec env;	  /* of git there, "NAME=value" */
};

enum apart_objects { OBJECTS_APART, OBJECTS_STAY };

/* name is what the folder's begins with. */
int apart_open(struct repo *r, const char *name, enum apart_objects objects,
	       struct apart *ret, struct err *err);
/* The folder goes. */
void apart_release(struct apart *a);
/*
 * git_run() there; more_env: on top of env, may be NULL. A status other than 0 is no
 * error here.
 */
int apart_run(const struct apart *a, char *const *args, const struct strvec *more_env,
	      struct str input, struct proc_result *ret, struct err *err);

#endif
