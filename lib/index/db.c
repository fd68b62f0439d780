// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * db.c - the database of an index: opened, made, made anew, and its statements.
 *
 * A write-ahead log lets readers see the last commit while one writes. What a power cut
 * may leave is met as damage, and the file is made anew; so is another schema.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include "index_priv.h"
#include "series/fs.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/xdg.h"

#define APPLICATION 0x53657249 /* "SerI", for file(1) */
/* How long a writer waits for another one's commit. */
#define BUSY_MS 10000
#define LOCK_MS 2000

static const char schema[] =
	"CREATE TABLE meta (key TEXT PRIMARY KEY, value INT) WITHOUT ROWID;"
	"CREATE TABLE epoch (e INTEGER PRIMARY KEY, bookmark TEXT, far INT);"
	"CREATE TABLE mail (n INTEGER PRIMARY KEY, thread INT, id INT, date INT, epoch "
	"INT,"
	" size INT, item INT, blob BLOB, keys BLOB);"
	"CREATE INDEX mail_thread ON mail (thread);"
	"CREATE TABLE id (hash INTEGER PRIMARY KEY, thread INT);"
	"CREATE TABLE thread (t INTEGER PRIMARY KEY, family INT, mails INT, up INT);"
	"CREATE INDEX thread_family ON thread (family) WHERE family;"
	"CREATE TABLE link (key INT, n INT, PRIMARY KEY (key, n)) WITHOUT ROWID;"
	"CREATE TABLE dirty (t INTEGER PRIMARY KEY);"
	"CREATE TABLE row (key INTEGER PRIMARY KEY, family INT, last INT, brief BLOB);"
	"CREATE TABLE more (key INTEGER PRIMARY KEY, rest BLOB, mails BLOB);"
	"CREATE INDEX row_family ON row (family);"
	"CREATE INDEX row_last ON row (last, key);";

#define MAIL "n, thread, id, date, epoch, size, item, blob, keys"

static const char *const texts[S_MAX] = {
	[S_BEGIN] = "BEGIN IMMEDIATE",
	[S_COMMIT] = "COMMIT",
	[S_ROLLBACK] = "ROLLBACK",
	[S_META_GET] = "SELECT value FROM meta WHERE key = ?",
	[S_META_SET] = "INSERT OR REPLACE INTO meta VALUES (?, ?)",
	[S_MAIL_ADD] =
		"INSERT INTO mail (thread, id, date, epoch, size, item, blob, keys)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[S_MAIL_DROP] = "DELETE FROM mail WHERE n = ?",
	[S_MAIL_MOVE] = "UPDATE mail SET thread = ? WHERE thread = ?",
	[S_MAILS_OF] = "SELECT " MAIL " FROM mail WHERE thread = ? ORDER BY n",
	[S_MAIL_PLACE] = "UPDATE mail SET thread = ? WHERE n = ?",
	[S_THREADS_OF_EPOCH] = "SELECT DISTINCT thread FROM mail WHERE epoch = ?",
	[S_MAIL_IN] = "SELECT n FROM mail WHERE thread = ? AND id = ? AND item LIMIT 1",
	[S_ID_GET] = "SELECT thread FROM id WHERE hash = ?",
	[S_ID_SET] = "INSERT OR REPLACE INTO id VALUES (?, ?)",
	[S_UP_OF] = "SELECT up FROM thread WHERE t = ?",
	[S_MAILS_IN] = "SELECT mails FROM thread WHERE t = ?",
	[S_FAMILY_OF] = "SELECT family FROM thread WHERE t = ?",
	[S_THREAD_ADD] = "INSERT INTO thread VALUES (?, 0, 0, 0)",
	[S_THREAD_COUNT] = "UPDATE thread SET mails = mails + ? WHERE t = ?",
	[S_THREAD_UP] = "UPDATE thread SET up = ?, family = 0, mails = 0 WHERE t = ?",
	[S_THREAD_FAMILY] = "UPDATE thread SET family = ? WHERE t = ?",
	[S_THREADS_OF] = "SELECT t FROM thread WHERE family = ? AND family",
	[S_LINK_ADD] = "INSERT OR IGNORE INTO link VALUES (?, ?)",
	[S_LINK_DROP] = "DELETE FROM link WHERE key = ? AND n = ?",
	[S_LINKED] = "SELECT mail.n, mail.thread, mail.date, mail.id FROM link"
		     " CROSS JOIN mail ON mail.n = link.n WHERE link.key = ?",
	[S_DIRTY_FAMILY] = "INSERT OR IGNORE INTO dirty SELECT t FROM thread"
			   " WHERE family = ? AND family",
	[S_FAMILY_CLEAR] = "UPDATE thread SET family = 0 WHERE family = ? AND family",
	[S_DIRTY_ADD] = "INSERT OR IGNORE INTO dirty VALUES (?)",
	[S_DIRTY_DROP] = "DELETE FROM dirty WHERE t = ?",
	[S_DIRTY_NEXT] = "SELECT t FROM dirty WHERE t > ? ORDER BY t LIMIT 1",
	[S_DIRTY_HAS] = "SELECT t FROM dirty WHERE t = ?",
	[S_DIRTY_LEFT] = "SELECT count(*) FROM dirty",
	[S_ROW_ADD] = "INSERT OR REPLACE INTO row VALUES (?, ?, ?, ?)",
	[S_MORE_ADD] = "INSERT OR REPLACE INTO more VALUES (?, ?, ?)",
	[S_MORE_DROP] = "DELETE FROM more WHERE key IN"
			" (SELECT key FROM row WHERE family = ?)",
	[S_ROWS_DROP] = "DELETE FROM row WHERE family = ?",
	[S_ROW_FAMILY] = "SELECT family FROM row WHERE key = ?",
	[S_ROWS] = "SELECT key, brief, rest FROM row CROSS JOIN more USING (key)"
		   " WHERE last >= ? ORDER BY last DESC, key",
	[S_ROWS_OF] = "SELECT key, brief, rest, mails FROM row CROSS JOIN more"
		      " USING (key) WHERE family = ? AND last >= ?"
		      " ORDER BY last DESC, key",
	[S_ROWS_BRIEF] = "SELECT key, brief FROM row WHERE last >= ?"
			 " ORDER BY last DESC, key",
	[S_ROWS_COUNT] = "SELECT count(*) FROM row",
	[S_EPOCHS] = "SELECT e, bookmark FROM epoch ORDER BY e",
	[S_EPOCH_ADD] = "INSERT OR IGNORE INTO epoch VALUES (?, NULL, 0)",
	[S_EPOCH_MARK] = "UPDATE epoch SET bookmark = ? WHERE e = ?",
	/* It took mails out of other ones. */
	[S_EPOCH_FAR] = "UPDATE epoch SET far = 1 WHERE e = ?",
	[S_EPOCHS_FAR] = "SELECT e FROM epoch WHERE e >= ? AND far LIMIT 1",
	[S_EPOCH_DROP] = "DELETE FROM epoch WHERE e = ?",
};

char *listindex_path(const char *name)
{
	char *file _cleanup_free_ = xasprintf("index/%s.db", name);

	return xdg_cache(file);
}

int db_fail(struct listindex *x, struct err *err)
{
	int code = x->db ? sqlite3_extended_errcode(x->db) : SQLITE_NOMEM;
	const char *text = x->db ? sqlite3_errmsg(x->db) : "out of memory";
	int saved = x->db ? sqlite3_system_errno(x->db) : 0;

	switch (code & 0xff) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_SCHEMA:
	case SQLITE_ERROR: /* a table is missing */
		x->damaged = true;
		return err_set(err, E_CORRUPT, "%s is damaged: %s", x->path, text);
	case SQLITE_FULL:
		return err_set(
			err, E_FAIL,
			"%s: the disk is full; make room and run the command again",
			x->path);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, E_LOCKED,
			       "%s: another series is writing it; wait for it and run "
			       "the command again",
			       x->path);
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return err_set(err, E_FAIL, "%s cannot be written: %s", x->path,
			       saved ? strerror(saved) : text);
	default:
		return err_set(err, E_FAIL, "%s: %s%s%s", x->path, text,
			       saved ? ": " : "", saved ? strerror(saved) : "");
	}
}

static int prepare(struct listindex *x, enum stmt s)
{
	if (x->stmt[s])
		return 0;
	return sqlite3_prepare_v3(x->db, texts[s], -1, SQLITE_PREPARE_PERSISTENT,
				  &x->stmt[s], NULL);
}

static sqlite3_stmt *bind(struct listindex *x, enum stmt s, const char *kinds, va_list ap)
{
	sqlite3_stmt *q;

	if (prepare(x, s))
		return NULL;
	q = x->stmt[s];
	sqlite3_reset(q);
	for (int i = 1; *kinds; kinds++, i++) {
		const struct str *b;

		if (*kinds == 'i') {
			sqlite3_bind_int64(q, i, va_arg(ap, int64_t));
		} else if (*kinds == 't') {
			sqlite3_bind_text(q, i, va_arg(ap, const char *), -1,
					  SQLITE_STATIC);
		} else {
			b = va_arg(ap, const struct str *);
			sqlite3_bind_blob64(q, i, b->len ? b->p : "", b->len,
					    SQLITE_STATIC);
		}
	}
	return q;
}

sqlite3_stmt *db_bind(struct listindex *x, enum stmt s, const char *kinds, ...)
{
	sqlite3_stmt *q;
	va_list ap;

	va_start(ap, kinds);
	q = bind(x, s, kinds, ap);
	va_end(ap);
	return q;
}

int db_step(struct listindex *x, sqlite3_stmt *q, struct err *err)
{
	int rc = q ? sqlite3_step(q) : SQLITE_ERROR;

	if (rc == SQLITE_ROW)
		return 1;
	rc = rc == SQLITE_DONE ? 0 : db_fail(x, err);
	if (q)
		sqlite3_reset(q);
	return rc;
}

int db_run(struct listindex *x, struct err *err, enum stmt s, const char *kinds, ...)
{
	sqlite3_stmt *q;
	va_list ap;
	int rc;

	va_start(ap, kinds);
	q = bind(x, s, kinds, ap);
	va_end(ap);
	while ((rc = db_step(x, q, err)) == 1)
		;
	return rc;
}

int db_one(struct listindex *x, struct err *err, int64_t *ret, enum stmt s,
	   const char *kinds, ...)
{
	sqlite3_stmt *q;
	va_list ap;
	int rc;

	va_start(ap, kinds);
	q = bind(x, s, kinds, ap);
	va_end(ap);
	rc = db_step(x, q, err);
	if (rc == 1) {
		*ret = sqlite3_column_int64(q, 0);
		sqlite3_reset(q);
	}
	return rc;
}

struct str db_blob(sqlite3_stmt *q, int column)
{
	const char *p = sqlite3_column_blob(q, column);

	return str_n(p, p ? (size_t)sqlite3_column_bytes(q, column) : 0);
}

int db_meta_get(struct listindex *x, const char *key, int64_t *ret, struct err *err)
{
	int rc = db_one(x, err, ret, S_META_GET, "t", key);

	if (!rc)
		*ret = 0;
	return rc < 0 ? rc : 0;
}

int db_meta_set(struct listindex *x, const char *key, int64_t value, struct err *err)
{
	return db_run(x, err, S_META_SET, "ti", key, value);
}

int db_begin(struct listindex *x, struct err *err)
{
	int rc = db_run(x, err, S_BEGIN, "");

	if (!rc)
		rc = db_meta_get(x, "next", &x->next, err);
	if (!rc)
		rc = db_meta_get(x, "mails", &x->mails, err);
	if (!x->next)
		x->next = 1;
	return rc;
}

int db_commit(struct listindex *x, struct err *err)
{
	int rc = db_meta_set(x, "next", x->next, err);

	if (!rc)
		rc = db_meta_set(x, "mails", x->mails, err);
	if (!rc)
		rc = db_run(x, err, S_COMMIT, "");
	return rc;
}

void db_rollback(struct listindex *x)
{
	if (x->db && !sqlite3_get_autocommit(x->db))
		db_run(x, NULL, S_ROLLBACK, "");
}

static int exec(struct listindex *x, const char *sql, struct err *err)
{
	return sqlite3_exec(x->db, sql, NULL, NULL, NULL) ? db_fail(x, err) : 0;
}

static int64_t pragma(struct listindex *x, const char *sql, int *ret_rc)
{
	sqlite3_stmt *q = NULL;
	int64_t value = 0;

	*ret_rc = sqlite3_prepare_v2(x->db, sql, -1, &q, NULL);
	if (!*ret_rc && (*ret_rc = sqlite3_step(q)) == SQLITE_ROW) {
		value = sqlite3_column_int64(q, 0);
		*ret_rc = 0;
	}
	sqlite3_finalize(q);
	return value;
}

/* Which program made it: SCHEMA, and a hash of our version. */
static int64_t maker(void)
{
	return (light_id(str_c(SERIES_VERSION)) & 0x3fffff) << 8 | SCHEMA;
}

static int make(struct listindex *x, struct err *err)
{
	char *sql _cleanup_free_ = xasprintf("PRAGMA application_id = %d; PRAGMA "
					     "user_version = %lld; BEGIN; %s COMMIT",
					     APPLICATION, (long long)maker(), schema);

	return exec(x, sql, err);
}

static void forget(struct listindex *x)
{
	for (size_t i = 0; i < S_MAX; i++) {
		sqlite3_finalize(x->stmt[i]);
		x->stmt[i] = NULL;
	}
	sqlite3_close(x->db);
	x->db = NULL;
}

static int remove_files(const char *path, struct err *err)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	int rc = 0;

	for (size_t i = 0; !rc && i < ARRAY_SIZE(ends); i++) {
		char *file _cleanup_free_ = xasprintf("%s%s", path, ends[i]);

		rc = fs_unlink(file, err);
	}
	return rc;
}

/* Open what is there, whatever it is; 1: it is ours, 0: it is empty. */
static int open_file(struct listindex *x, struct err *err)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	char *uri _cleanup_free_ = NULL;
	int64_t version;
	int rc;

	x->read_only = access(x->path, W_OK) < 0 && errno != ENOENT;
	if (x->read_only) {
		uri = xasprintf("file:%s?immutable=1", x->path);
		flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
	}
	if (sqlite3_open_v2(uri ? uri : x->path, &x->db, flags, NULL))
		return db_fail(x, err);
	sqlite3_busy_timeout(x->db, BUSY_MS);
	version = pragma(x, "PRAGMA user_version", &rc);
	if (rc)
		return db_fail(x, err);
	if (!version && !pragma(x, "SELECT count(*) FROM sqlite_schema", &rc) && !rc)
		return 0;
	if (rc)
		return db_fail(x, err);
	if (version != maker())
		return err_set(err, E_EXISTS, "made by another version of series");
	return 1;
}

static int settings(struct listindex *x, struct err *err)
{
	return exec(x,
		    x->read_only
			    ? "PRAGMA cache_size = -32768"
			    : "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
			      "PRAGMA cache_size = -49152; PRAGMA temp_store = MEMORY;"
			      "PRAGMA wal_autocheckpoint = 4000",
		    err);
}

/*
 * Make it, in place of what is there: unless somebody writes that, or has just made it.
 */
static int make_anew(struct listindex *x, struct err *err)
{
	char *name _cleanup_free_ = xasprintf("%s.lock", x->path);
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	struct err why _cleanup_err_ = ERR_INIT;
	int rc;

	if (x->read_only)
		return err_set(err, E_FAIL,
			       "%s is no index of this version of series, and cannot be "
			       "written",
			       x->path);
	forget(x);
	rc = lock_take(&lock, name, "index", LOCK_MS, err);
	if (rc)
		return rc;
	rc = open_file(x, &why);
	if (rc == E_CORRUPT || rc == E_EXISTS) {
		forget(x);
		rc = remove_files(x->path, err);
		if (!rc)
			rc = open_file(x, err);
	} else if (rc < 0) {
		return err_set(err, rc, "%s", err_msg(&why));
	}
	return rc ? MIN(rc, 0) : make(x, err);
}

int db_remake(struct listindex *x, struct err *err)
{
	int rc;

	forget(x);
	x->damaged = false;
	rc = remove_files(x->path, err);
	if (!rc)
		rc = open_file(x, err);
	if (!rc)
		rc = settings(x, err);
	return rc < 0 ? rc : make(x, err);
}

int db_empty(struct listindex *x, struct err *err)
{
	x->mails = 0;
	return exec(x,
		    "DELETE FROM epoch; DELETE FROM mail; DELETE FROM id;"
		    "DELETE FROM thread; DELETE FROM link; DELETE FROM dirty;"
		    "DELETE FROM row; DELETE FROM more",
		    err);
}

int listindex_open(const char *path, struct listindex **ret, char **ret_anew,
		   struct err *err)
{
	struct listindex *x _cleanup_listindex_ = xcalloc(1, sizeof(*x));
	char *dir _cleanup_free_ = path_dir(path), *why _cleanup_free_ = NULL;
	struct err first _cleanup_err_ = ERR_INIT;
	int rc = fs_is_dir(dir) ? 0 : fs_mkdirs(dir, err);

	x->path = xstrdup(path);
	if (rc)
		return rc;
	rc = open_file(x, &first);
	if (rc == E_CORRUPT || rc == E_EXISTS) {
		why = xstrdup(rc == E_EXISTS ? err_msg(&first) : "damaged");
		rc = make_anew(x, err);
	} else if (rc < 0) {
		return err_set(err, first.code, "%s", err_msg(&first));
	} else {
		rc = rc ? 0 : make_anew(x, err);
	}
	if (!rc)
		rc = settings(x, err);
	if (rc)
		return rc;
	if (ret_anew) {
		*ret_anew = why;
		why = NULL;
	}
	*ret = x;
	x = NULL;
	return 0;
}

void listindex_close(struct listindex *x)
{
	if (!x)
		return;
	db_rollback(x);
	forget(x);
	free(x->path);
	free(x);
}

void listindex_closep(struct listindex **x)
{
	listindex_close(*x);
	*x = NULL;
}
