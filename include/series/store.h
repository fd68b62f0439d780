/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - the documents of a series: a linear chain of commits in
 * refs/series/NAME/state, written under a lock by compare-and-swap.
 *
 * A state commit never has a kernel commit as parent. A transaction gathers files and refs
 * in memory; store_commit() writes one commit and moves all refs in one transaction, or
 * nothing. Paths are those of the design: series.json, cover.txt, versions/N.json,
 * sent/vN/NNNN.eml, bench/HASH/summary.json, build/HASH.json.
 */
#ifndef SERIES_STORE_H
#define SERIES_STORE_H

#include <stdbool.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/git.h"
#include "series/json.h"

/* Commit of the state; E_NOTFOUND when there is no such series. */
int store_head(struct repo *r, const char *name, char ret[OID_HEX], struct err *err);
/* File of the newest state appended to *ret; E_NOTFOUND. */
int store_read(struct repo *r, const char *name, const char *path, struct buf *ret,
	       struct err *err);
int store_read_json(struct repo *r, const char *name, const char *path, struct json **ret,
		    struct err *err);
/* Paths of all files below dir ("bench"), sorted; nothing there is no error. */
int store_list(struct repo *r, const char *name, const char *dir, struct strvec *ret,
	       struct err *err);

struct store;
/* Take the lock of the series and read its head. create: the ref must not exist yet. */
int store_begin(struct repo *r, const char *name, bool create, struct store **ret,
		struct err *err);
/* File as the transaction sees it. */
int store_get(struct store *t, const char *path, struct buf *ret, struct err *err);
/* The same as a document of our schema; a newer one is refused. */
int store_get_json(struct store *t, const char *path, struct json **ret, struct err *err);
/* Put or replace a file (copied), or remove one. */
void store_put(struct store *t, const char *path, const void *data, size_t len);
void store_put_json(struct store *t, const char *path, const struct json *j);
void store_del(struct store *t, const char *path);
/* Move another ref in the same transaction (refs/series/NAME/vN); semantics of ref_update. */
void store_ref(struct store *t, const char *ref, const char *new_id, const char *old_id);
/* Write the commit and move the refs; message: "send v3", "bench: swapout". */
int store_commit(struct store *t, const char *message, struct err *err);
/* The next commit has this one as second parent: two machines' states are merged. */
void store_join(struct store *t, const char *commit);
/*
 * Move the state to a commit that is there already (one that another machine made, of
 * which ours is an ancestor), and the refs of store_ref() with it; no edits are written.
 */
int store_forward(struct store *t, const char *commit, const char *message,
		  struct err *err);
/* The commit that the transaction stands on, "" before the first. */
const char *store_at(const struct store *t);
/* Drop what was not committed, and the lock. */
void store_end(struct store *t);
void store_endp(struct store **t);
#define _cleanup_store_ __attribute__((cleanup(store_endp)))

#endif
