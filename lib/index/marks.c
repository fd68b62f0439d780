// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * marks.c - see marks.h. The schema's number is PRAGMA user_version; a step of the table
 * below leads from one to the next and is never changed once it was released.
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "series/fs.h"
#include "series/marks.h"
#include "series/mem.h"
#include "series/time.h"
#include "series/xdg.h"

#define BUSY_MS 3000
/* "srtg" in the file's header: whose it is. */
#define APPLICATION "1936880743"

static const char *const steps[] = {
	/* 0 -> 1 */
	"CREATE TABLE mark (key TEXT PRIMARY KEY NOT NULL, flagged INTEGER NOT NULL "
	"DEFAULT 0,"
	" note TEXT, assigned TEXT, until INTEGER NOT NULL DEFAULT 0,"
	" version INTEGER NOT NULL DEFAULT 0, tag TEXT, changed INTEGER NOT NULL)"
	" WITHOUT ROWID;"
	"PRAGMA application_id = " APPLICATION,
};

struct entry {
	char *key;
	struct triage_mark mark;
};

struct marks {
	char *path;
	sqlite3 *db; /* NULL: there is no file yet */
	struct entry *v;
	size_t n, cap;
	int64_t seen; /* PRAGMA data_version */
};

void triage_mark_release(struct triage_mark *m)
{
	free(m->note);
	free(m->assigned);
	free(m->snoozed_tag);
}

char *marks_path(void)
{
	return xdg_data("triage.db");
}

static void forget(struct marks *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->v[i].key);
		triage_mark_release(&m->v[i].mark);
	}
	m->n = 0;
}

void marks_close(struct marks *m)
{
	if (!m)
		return;
	forget(m);
	free(m->v);
	sqlite3_close(m->db);
	free(m->path);
	free(m);
}

void marks_closep(struct marks **m)
{
	marks_close(*m);
}

/* What SQLite said, with what to do about it. */
static int failed(struct marks *m, struct err *err)
{
	int code = m->db ? sqlite3_errcode(m->db) & 0xff : SQLITE_NOMEM;
	const char *why = m->db ? sqlite3_errmsg(m->db) : "out of memory";

	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, E_LOCKED,
			       "%s: another program writes to it; try again", m->path);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return err_set(
			err, E_CORRUPT,
			"%s: damaged (%s). It has your marks and notes and is left "
			"as it is: restore it from a backup, or move it away to "
			"begin anew",
			m->path, why);
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return err_set(
			err, E_FAIL,
			"%s: cannot be read and written (%s); look at its owner and "
			"mode",
			m->path, why);
	default:
		return err_set(err, E_FAIL, "%s: %s", m->path, why);
	}
}

static int run(struct marks *m, const char *sql, struct err *err)
{
	return sqlite3_exec(m->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
								       : failed(m, err);
}

static int number(struct marks *m, const char *sql, int64_t *ret, struct err *err)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(m->db, sql, -1, &s, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	if (rc == SQLITE_ROW)
		*ret = sqlite3_column_int64(s, 0);
	else
		failed(m, err);
	sqlite3_finalize(s);
	return rc == SQLITE_ROW ? 0 : E_FAIL;
}

/* Nothing is written to a file of another kind, or that is not sound. */
static int look(struct marks *m, int64_t *ret_version, struct err *err)
{
	int64_t version = 0, tables = 0, app = 0;
	sqlite3_stmt *s = NULL;
	bool sound;

	if (number(m, "PRAGMA user_version", &version, err) ||
	    number(m, "SELECT count(*) FROM sqlite_master", &tables, err) ||
	    number(m, "PRAGMA application_id", &app, err))
		return err ? err->code : E_FAIL;
	if (version > (int64_t)ARRAY_SIZE(steps))
		return err_set(
			err, E_CORRUPT,
			"%s: written by a newer series (schema %lld); update series",
			m->path, (long long)version);
	if (version ? app != atoll(APPLICATION) : tables > 0)
		return err_set(err, E_CORRUPT,
			       "%s: not made by series; move it away to begin anew",
			       m->path);
	if (sqlite3_prepare_v2(m->db, "PRAGMA quick_check(1)", -1, &s, NULL) != SQLITE_OK)
		return failed(m, err);
	sound = sqlite3_step(s) == SQLITE_ROW &&
		!strcmp((const char *)sqlite3_column_text(s, 0), "ok");
	sqlite3_finalize(s);
	*ret_version = version;
	return sound ? 0
		     : err_set(err, E_CORRUPT,
			       "%s: damaged. It has your marks and notes and is left as "
			       "it "
			       "is: restore it from a backup, or move it away to begin "
			       "anew",
			       m->path);
}

/* From its schema to ours; of two programs that start the second finds it done. */
static int migrate(struct marks *m, struct err *err)
{
	int64_t version;
	int rc = look(m, &version, err);

	if (rc || version == (int64_t)ARRAY_SIZE(steps))
		return rc;
	rc = run(m, "BEGIN IMMEDIATE", err);
	if (!rc)
		rc = look(m, &version, err);
	for (size_t i = (size_t)version; !rc && i < ARRAY_SIZE(steps); i++) {
		char *sql _cleanup_free_ =
			xasprintf("%s; PRAGMA user_version = %zu", steps[i], i + 1);

		rc = run(m, sql, err);
	}
	if (!rc)
		return run(m, "COMMIT", err);
	sqlite3_exec(m->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

static int open_file(struct marks *m, struct err *err)
{
	int rc = sqlite3_open_v2(m->path, &m->db, SQLITE_OPEN_READWRITE, NULL);

	if (rc != SQLITE_OK)
		return failed(m, err);
	sqlite3_busy_timeout(m->db, BUSY_MS);
	rc = run(m, "PRAGMA synchronous = FULL", err);
	return rc ? rc : migrate(m, err);
}

static char *text_of(sqlite3_stmt *s, int column)
{
	return xstrdup_null((const char *)sqlite3_column_text(s, column));
}

static int read_all(struct marks *m, struct err *err)
{
	sqlite3_stmt *s = NULL;
	int rc = number(m, "PRAGMA data_version", &m->seen, err);

	if (rc)
		return rc;
	forget(m);
	rc = sqlite3_prepare_v2(
		m->db,
		"SELECT key, flagged, note, assigned, until, version, tag "
		"FROM mark ORDER BY key",
		-1, &s, NULL);
	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(s);
		if (rc != SQLITE_ROW)
			break;
		vec_grow(m->v, m->n, m->cap);
		m->v[m->n++] = (struct entry){
			.key = text_of(s, 0),
			.mark = { .flagged = sqlite3_column_int(s, 1),
				  .note = text_of(s, 2),
				  .assigned = text_of(s, 3),
				  .snoozed_until = sqlite3_column_int64(s, 4),
				  .snoozed_version = sqlite3_column_int(s, 5),
				  .snoozed_tag = text_of(s, 6) },
		};
	}
	if (rc != SQLITE_DONE)
		failed(m, err);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? 0 : err ? err->code : E_FAIL;
}

int marks_open(const char *path, struct marks **ret, struct err *err)
{
	struct marks *m _cleanup_marks_ = xcalloc(1, sizeof(*m));
	int rc = 0;

	m->path = xstrdup(path);
	if (fs_exists(path)) {
		rc = open_file(m, err);
		if (!rc)
			rc = read_all(m, err);
	}
	if (rc)
		return rc;
	*ret = m;
	m = NULL;
	return 0;
}

static int by_key(const void *key, const void *entry)
{
	return strcmp(key, ((const struct entry *)entry)->key);
}

const struct triage_mark *marks_get(const struct marks *m, const char *key)
{
	const struct entry *e =
		m->n ? bsearch(key, m->v, m->n, sizeof(*m->v), by_key) : NULL;

	return e ? &e->mark : NULL;
}

/* The first change makes the file, which nobody else may read. */
static int make_file(struct marks *m, struct err *err)
{
	char *dir _cleanup_free_ = path_dir(m->path);
	int rc = fs_mkdirs(dir, err), fd;

	if (rc)
		return rc;
	fd = open(m->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_errno(err, errno, "%s", m->path);
	close(fd);
	return open_file(m, err);
}

static const char change_sql[] =
	"INSERT INTO mark (key, flagged, note, assigned, until, version, tag, changed)"
	" VALUES (?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (key) DO UPDATE SET"
	" flagged = CASE WHEN ?2 & 1 THEN ?3 ELSE flagged END,"
	" note = CASE WHEN ?2 & 2 THEN ?4 ELSE note END,"
	" assigned = CASE WHEN ?2 & 4 THEN ?5 ELSE assigned END,"
	" until = CASE WHEN ?2 & 8 THEN ?6 ELSE until END,"
	" version = CASE WHEN ?2 & 8 THEN ?7 ELSE version END,"
	" tag = CASE WHEN ?2 & 8 THEN ?8 ELSE tag END, changed = ?9";

static int change(struct marks *m, const struct strvec *keys, unsigned what,
		  const struct triage_mark *v, struct err *err)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(m->db, change_sql, -1, &s, NULL);
	bool nap = what & MARK_SNOOZE;

	for (size_t i = 0; i < keys->n && rc == SQLITE_OK; i++) {
		sqlite3_bind_text(s, 1, keys->v[i], -1, SQLITE_STATIC);
		sqlite3_bind_int(s, 2, (int)what);
		sqlite3_bind_int(s, 3, (what & MARK_FLAG) && v->flagged);
		sqlite3_bind_text(s, 4, what & MARK_NOTE ? v->note : NULL, -1,
				  SQLITE_STATIC);
		sqlite3_bind_text(s, 5, what & MARK_ASSIGNED ? v->assigned : NULL, -1,
				  SQLITE_STATIC);
		sqlite3_bind_int64(s, 6, nap ? v->snoozed_until : 0);
		sqlite3_bind_int(s, 7, nap ? v->snoozed_version : 0);
		sqlite3_bind_text(s, 8, nap ? v->snoozed_tag : NULL, -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 9, time_now());
		rc = sqlite3_step(s) == SQLITE_DONE ? sqlite3_reset(s) : SQLITE_ERROR;
	}
	if (rc != SQLITE_OK)
		failed(m, err);
	sqlite3_finalize(s);
	return rc == SQLITE_OK ? 0 : err ? err->code : E_FAIL;
}

int marks_set(struct marks *m, const struct strvec *keys, unsigned what,
	      const struct triage_mark *v, struct err *err)
{
	int rc = m->db ? 0 : make_file(m, err);

	if (!rc)
		rc = run(m, "BEGIN IMMEDIATE", err);
	if (rc)
		return rc;
	rc = change(m, keys, what, v, err);
	if (!rc)
		rc = run(
			m,
			"DELETE FROM mark WHERE NOT flagged AND note IS NULL AND assigned"
			" IS NULL AND NOT until AND NOT version AND tag IS NULL",
			err);
	if (!rc)
		rc = run(m, "COMMIT", err);
	if (rc) {
		sqlite3_exec(m->db, "ROLLBACK", NULL, NULL, NULL);
		return rc;
	}
	return read_all(m, err);
}

int marks_reload(struct marks *m, bool *ret_changed, struct err *err)
{
	int64_t now;
	int rc = 0;

	if (ret_changed)
		*ret_changed = false;
	if (!m->db) {
		if (!fs_exists(m->path))
			return 0;
		rc = open_file(m, err);
		now = m->seen - 1;
	} else {
		rc = number(m, "PRAGMA data_version", &now, err);
	}
	if (rc || now == m->seen)
		return rc;
	if (ret_changed)
		*ret_changed = true;
	return read_all(m, err);
}
