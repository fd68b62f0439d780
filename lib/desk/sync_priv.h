/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_priv.h - what the files of sync share.
 */
#ifndef DESK_SYNC_PRIV_H
#define DESK_SYNC_PRIV_H

#include "series/series.h"
#include "series/store.h"
#include "series/sync.h"

/* Refs below refs/series/ of one side: the part behind it, and the object, in parallel.
 */
struct sync_refs {
	struct strvec names, ids;
};
void sync_refs_release(struct sync_refs *f);
#define _cleanup_sync_refs_ __attribute__((cleanup(sync_refs_release)))
/* Object of NAME/PART, or NULL. */
const char *sync_refs_find(const struct sync_refs *f, const char *name, const char *part);
int sync_refs_read(struct repo *r, const char *prefix, struct sync_refs *ret,
		   struct err *err);

/* Fetch, and what is there then. */
int sync_fetch(struct repo *r, const char *remote, struct sync_refs *ret,
	       struct err *err);
/* One ref to push: new_id NULL deletes, old_id NULL: must not be there. */
struct sync_push {
	char *ref, *new_id, *old_id;
};
struct sync_pushes {
	struct sync_push *v;
	size_t n, cap;
};
void sync_pushes_release(struct sync_pushes *p);
#define _cleanup_sync_pushes_ __attribute__((cleanup(sync_pushes_release)))
void sync_push_add(struct sync_pushes *p, const char *name, const char *part,
		   const char *new_id, const char *old_id);
/* All or none. E_CONFLICT: refused; the remote may have moved. */
int sync_push_all(struct repo *r, const char *remote, const struct sync_pushes *p,
		  struct err *err);

/* The item of that name, made if need be. */
struct sync_item *sync_item(struct sync *s, const char *name);
/* Have the branch of a series know it; how to get the branch where there is none. */
int sync_tie_branch(struct repo *r, const struct config *c, struct sync_item *it,
		    struct err *err);
/* What the series of it has that the remote has not, for the push. */
int sync_outgoing(struct repo *r, struct sync_item *it, const struct sync_refs *mine,
		  const struct sync_refs *theirs, struct sync_pushes *ret,
		  struct err *err);

#endif
