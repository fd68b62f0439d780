/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.h - what the user noted of posted series: flags, notes, who looks after it, until
 * when it may sleep. The user's own: kept in SQLite, migrated, never dropped.
 *
 * A mark belongs to a key that outlives versions (triage.h makes it). Several programs
 * may read and write at a time; each change is one transaction of single fields, so that
 * none takes back another's.
 */
#ifndef SERIES_MARKS_H
#define SERIES_MARKS_H

#include <stdbool.h>
#include <stdint.h>
#include "series/err.h"
#include "series/strvec.h"

struct triage_mark {
	bool flagged;
	char *note;	       /* NULL */
	char *assigned;	       /* an address or name; NULL */
	int64_t snoozed_until; /* seconds since 1970; 0: not by a date */
	int snoozed_version;   /* until a version from this on; 0 */
	char *snoozed_tag; /* until this tag is in the repository, "v6.13-rc1"; NULL */
};

void triage_mark_release(struct triage_mark *m);

/* The fields that a change is about. */
enum { MARK_FLAG = 1, MARK_NOTE = 2, MARK_ASSIGNED = 4, MARK_SNOOZE = 8 };

struct marks;

/* $XDG_DATA_HOME/series/triage.db in fresh memory. */
char *marks_path(void);
/*
 * Open and read all marks. No file is no error: it is made by the first change. One of an
 * earlier schema is migrated. E_CORRUPT for a file that is damaged, of a newer program or
 * none of ours: it is named and left as it is; E_LOCKED: another program writes for long.
 */
int marks_open(const char *path, struct marks **ret, struct err *err);
void marks_close(struct marks *m);
void marks_closep(struct marks **m);
#define _cleanup_marks_ __attribute__((cleanup(marks_closep)))
/* What was read for a key; NULL: nothing. Borrowed until the next change or reload. */
const struct triage_mark *marks_get(const struct marks *m, const char *key);
/* Set the fields `what` of all keys to those of v, in one transaction. */
int marks_set(struct marks *m, const struct strvec *keys, unsigned what,
	      const struct triage_mark *v, struct err *err);
/* Read anew if another program changed something. *ret_changed (may be NULL). */
int marks_reload(struct marks *m, bool *ret_changed, struct err *err);

#endif
