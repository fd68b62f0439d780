/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listindex.h - the index of the mirror of one list: which series its mails are, as rows
 * that are read in a moment.
 *
 * It is disposable: made from the mirror, in SQLite below
 * $XDG_CACHE_HOME/series/index/. A file of another schema or a damaged one is removed and
 * made anew, which is told. Any number of readers and one writer; readers see the last
 * state that was complete.
 */
#ifndef SERIES_LISTINDEX_H
#define SERIES_LISTINDEX_H

#include "series/listed.h"
#include "series/progress.h"

struct listindex;

/* The file of a list's index: $XDG_CACHE_HOME/series/index/NAME.db. Fresh memory. */
char *listindex_path(const char *name);
/*
 * Open, and make when it is not there. *ret_anew (may be NULL) says why it was made anew:
 * "made by another version of series", "damaged: ..."; NULL: it was not. E_FAIL: cannot
 * be written, with the path.
 */
int listindex_open(const char *path, struct listindex **ret, char **ret_anew,
		   struct err *err);
void listindex_close(struct listindex *x);
void listindex_closep(struct listindex **x);
#define _cleanup_listindex_ __attribute__((cleanup(listindex_closep)))

struct listindex_updated {
	size_t mails, deleted, broken; /* that were read now */
	size_t families;	       /* that were looked at again */
	size_t rewritten;	       /* epochs that the list wrote anew, or that went */
	bool damaged;		       /* the index was, and has been made anew */
};

/*
 * Bring it up to what the mirror in dir has. Commits in pieces: killed, it goes on where
 * it was. since: mails that came before that time are left out (0: none are). E_LOCKED:
 * another writer; E_INTR.
 */
int listindex_update(struct listindex *x, const char *dir, int64_t since,
		     struct listindex_updated *ret, struct err *err);

/* What rows are asked for; zero or NULL: all. */
struct listindex_query {
	int64_t active_since;	/* last word or posting at or after it */
	const char *message_id; /* the series that a mail of this id is of */
	bool brief; /* without files, funcs, people, to, patch_ids, mail_ids */
};

struct listindex_rows {
	int64_t *key; /* for listindex_thread(); the same as long as the series is */
	struct listed *v;
	size_t n;
};

/* Newest last word first. */
int listindex_rows(struct listindex *x, const struct listindex_query *q,
		   struct listindex_rows *ret, struct err *err);
void listindex_rows_release(struct listindex_rows *r);
/*
 * All mails of the series' family from the mirror in dir, linked (thread_link()).
 * E_NOTFOUND: the index is of another state of the mirror.
 */
int listindex_thread(struct listindex *x, const char *dir, int64_t key,
		     struct thread *ret, struct err *err);
/* Numbers for people: mails, series; 0 for an empty index. */
int listindex_count(struct listindex *x, size_t *ret_mails, size_t *ret_series,
		    struct err *err);
/* When it was last brought up (seconds since 1970), 0: never to the end. */
int listindex_when(struct listindex *x, int64_t *ret, struct err *err);

#endif
