/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_priv.h - what the files of lib/index share: the database and its statements, and
 * what is known of a mail.
 *
 * Mails are put in threads by all Message-IDs that they have or name, and threads in
 * families, which posted_find() looks at, by what hints.h finds (keys). A family depends
 * on the mails that are there and not on the order in which they came, so that an index
 * which was brought up step by step is the one that is made at once.
 *
 *	mail	one row each: its thread, where its text is, its keys
 *	id	hash of a Message-ID, of a mail or named by one: its thread
 *	thread	its mails, its family; `up` where it became part of another one
 *	link	hash of a key and the mails that have it
 *	dirty	threads whose family is to be looked at again
 *	row	the series: of struct listed what every list shows
 *	more	the rest of it, and which mails are of it
 */
#ifndef INDEX_PRIV_H
#define INDEX_PRIV_H

#include <sqlite3.h>
#include "series/listindex.h"
#include "series/mirror.h"

/* Of what is stored; another one is made anew. So is one by another version of us. */
#define SCHEMA 3
/* Threads that read; more would wait for the one that writes. */
#define THREADS_MAX 8

/* What is run often, prepared once (db.c has the text). */
enum stmt {
	S_BEGIN,
	S_COMMIT,
	S_ROLLBACK,
	S_META_GET,
	S_META_SET,
	S_MAIL_ADD,
	S_MAIL_DROP,
	S_MAIL_MOVE,
	S_MAILS_OF,
	S_MAIL_PLACE,
	S_THREADS_OF_EPOCH,
	S_MAIL_IN,
	S_ID_GET,
	S_ID_SET,
	S_UP_OF,
	S_MAILS_IN,
	S_FAMILY_OF,
	S_THREAD_ADD,
	S_THREAD_COUNT,
	S_THREAD_UP,
	S_THREAD_FAMILY,
	S_THREADS_OF,
	S_LINK_ADD,
	S_LINK_DROP,
	S_LINKED,
	S_DIRTY_FAMILY,
	S_FAMILY_CLEAR,
	S_DIRTY_ADD,
	S_DIRTY_DROP,
	S_DIRTY_NEXT,
	S_DIRTY_HAS,
	S_DIRTY_LEFT,
	S_ROW_ADD,
	S_MORE_ADD,
	S_MORE_DROP,
	S_ROWS_DROP,
	S_ROW_FAMILY,
	S_ROWS,
	S_ROWS_OF,
	S_ROWS_BRIEF,
	S_ROWS_COUNT,
	S_EPOCHS,
	S_EPOCH_ADD,
	S_EPOCH_MARK,
	S_EPOCH_FAR,
	S_EPOCHS_FAR,
	S_EPOCH_DROP,
	S_MAX
};

struct listindex {
	sqlite3 *db;
	char *path;
	bool read_only;
	bool damaged; /* that was met */
	sqlite3_stmt *stmt[S_MAX];
	int64_t next; /* number for the next thread or family */
	int64_t mails;
};

/* ---- db.c: the database ---- */

/* The code for what SQLite said last, with the path and what to do about it. */
int db_fail(struct listindex *x, struct err *err);
/*
 * A statement with its integers bound (kinds: 'i' int64_t, 'b' const struct str *, 't'
 * const char *). NULL: db_fail() says why.
 */
sqlite3_stmt *db_bind(struct listindex *x, enum stmt s, const char *kinds, ...);
/* 1: a row, 0: no more (and reset), or an error. */
int db_step(struct listindex *x, sqlite3_stmt *q, struct err *err);
/* Bind, run to the end, forget rows: 0 or an error. */
int db_run(struct listindex *x, struct err *err, enum stmt s, const char *kinds, ...);
/* The first column of the first row: 1, 0 when there is none, or an error. */
int db_one(struct listindex *x, struct err *err, int64_t *ret, enum stmt s,
	   const char *kinds, ...);
struct str db_blob(sqlite3_stmt *q, int column);
int db_begin(struct listindex *x, struct err *err);
int db_commit(struct listindex *x, struct err *err);
void db_rollback(struct listindex *x);
int db_meta_get(struct listindex *x, const char *key, int64_t *ret, struct err *err);
int db_meta_set(struct listindex *x, const char *key, int64_t value, struct err *err);
/* Forget everything, in this file. */
int db_empty(struct listindex *x, struct err *err);
/* Remove the file and make an empty one; the caller has the lock. */
int db_remake(struct listindex *x, struct err *err);

/* ---- light.c: what of a mail makes its family ---- */

enum key_kind {
	KEY_CHANGE_ID, /* the same one */
	KEY_HOUR,      /* unthreaded, the same person and numbers, within an hour */
	KEY_NAMED,     /* a Message-ID: the mail that has it */
	KEY_TITLE,     /* the same person and title, within a year */
};
#define KEY_BYTES 9 /* in mail.keys: kind, then the hash, lowest byte first */

struct light {
	enum epoch_what what;
	unsigned char blob[OID_BYTES], commit[OID_BYTES];
	int64_t id;   /* hash of its Message-ID, or of the blob's name */
	int64_t date; /* 0: unknown */
	int64_t size;
	bool item;
	size_t n_refs; /* hashes of ids it names as what it replies to */
	int64_t *refs;
	struct buf keys;
	char *text; /* of size bytes, for kept.c; NULL: not asked for */
};

/* m is as epoch_read() left it. */
void light_read(const struct epoch_mail *m, struct light *ret);
void light_release(struct light *l);
int64_t light_hash(enum key_kind kind, struct str text);
int64_t light_id(struct str message_id);
enum key_kind light_key(struct str keys, size_t i, int64_t *ret_hash);

/* ---- graph.c: threads ---- */

int graph_add(struct listindex *x, int64_t epoch, const struct light *l, struct err *err);
struct readers;
/* Forget the mail that an epoch says is deleted; *ret grows by how many went. */
int graph_delete(struct listindex *x, struct readers *r, int64_t epoch,
		 const struct light *l, size_t *ret, struct err *err);
/* Forget all mails of an epoch. */
int graph_drop_epoch(struct listindex *x, struct readers *r, int64_t epoch,
		     struct err *err);
/* The thread that a number stands for by now: *t; 0 when it is gone. */
int graph_root(struct listindex *x, int64_t *t, struct err *err);
/* The thread of a Message-ID's hash, 0 when there is none. */
int graph_thread(struct listindex *x, int64_t id, int64_t *ret, struct err *err);

/* ---- family.c: threads that belong together ---- */

struct member {
	int64_t n, id, date, thread, epoch, size;
	bool item;
	unsigned char blob[OID_BYTES];
	struct buf keys;
};

struct family {
	int64_t *thread;
	size_t n_threads, cap_threads;
	struct member *v; /* in the order of epochs, then of coming */
	size_t n, cap;
	bool has_item;
};

struct families {
	struct family *v;
	size_t n, cap;
};

/* Append the mails of a thread. */
int member_load(struct listindex *x, int64_t thread, struct family *ret, struct err *err);
/*
 * The families that a thread and all that hangs together with it make, but those that are
 * as they were. *all: every thread that was looked at.
 */
int families_of(struct listindex *x, int64_t thread, struct families *ret,
		struct family *all, struct err *err);
void families_release(struct families *f);
/* The mails of one family by its number. */
int family_load(struct listindex *x, int64_t family, struct family *ret, struct err *err);
void family_release(struct family *f);
/* A family is no longer one: its rows go, its threads are dirty. */
int family_drop(struct listindex *x, int64_t family, struct err *err);

/* ---- kept.c: texts that were just read ---- */

#define KEPT_BYTES ((size_t)64 << 20)
struct kept_text {
	unsigned char blob[OID_BYTES];
	char *text;
	size_t len;
};
struct kept {
	struct kept_text *v; /* hashed by blob */
	size_t slots, n, bytes;
};

/* Is there room for more? */
bool kept_wants(const struct kept *k);
void kept_add(struct kept *k, const unsigned char *blob, char *text_take, size_t len);
/* The text of a blob, as long as none is added. */
bool kept_get(const struct kept *k, const unsigned char *blob, struct str *ret);
void kept_release(struct kept *k);

/* ---- reader.c: handles of a thread on the epochs ---- */

struct readers {
	const struct strvec *paths; /* of the epochs */
	const int64_t *number;	    /* of each in the index */
	struct epoch **open;
	size_t last; /* which of them was asked for last */
	size_t broken; /* mails that could not be read */
	const struct kept *kept; /* looked at first; may be NULL */
	bool stops; /* at a ^C: who reads wants all or nothing */
};

void readers_init(struct readers *r, const struct strvec *paths, const int64_t *number);
void readers_release(struct readers *r);
/* The number of an epoch, by its name. */
int64_t epoch_number_of(const char *path);
/* NULL: that epoch is not there, or cannot be opened. */
struct epoch *readers_get(struct readers *r, int64_t epoch);
/* Read all mails of a family and link them; those that cannot be read are counted. */
void readers_thread(struct readers *r, const struct family *f, struct thread *ret);

/* ---- pack.c: struct listed as bytes ---- */

/* What every list shows, and what only a few look at. */
void pack_listed(const struct listed *l, struct buf *brief, struct buf *rest);
/* rest may be STR_NULL. False: damaged; *ret is to be released all the same. */
bool unpack_listed(struct str brief, struct str rest, struct listed *ret);

/* ---- scan.c, analyse.c: the two halves of an update ---- */

struct update {
	struct listindex *x;
	struct strvec paths; /* epochs */
	int64_t *number;
	int64_t since;
	struct listindex_updated done;
	int64_t committed_ns;
	struct kept kept; /* of the mails that update_scan() read */
};

/* New mails of all epochs into threads. */
int update_scan(struct update *u, struct err *err);
/* Families of dirty threads into rows. */
int update_analyse(struct update *u, struct err *err);
/* Is it time to commit? */
bool update_is_time(const struct update *u);
/* Between two steps that may be a state on disk: commit when it is time; E_INTR. */
int update_pause(struct update *u, struct err *err);

#endif
