/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * triage.h - what a maintainer sees of lists: rows of series in groups, with what he
 * noted of them; which rows a query means, and in which order they stand. The full-screen
 * view (cmd/tui), the text and `series triage --json` show the same structs.
 *
 * A struct triage owns the mails or rows it was given; rows borrow from it.
 */
#ifndef SERIES_TRIAGE_H
#define SERIES_TRIAGE_H

#include "series/git.h"
#include "series/json.h"
#include "series/listed.h"
#include "series/marks.h"

enum triage_group {
	GROUP_READY, /* whole, no RFC, each patch has a Reviewed-by or Acked-by, and
			nothing stands against it */
	GROUP_NEEDS_REVIEW,
	GROUP_WAITS_ME,	    /* assigned to me; the author's last word answers me, or is
			       a new version of what I take part in; mine, and something
			       stands against it */
	GROUP_WAITS_AUTHOR, /* open remarks, a NAK, a robot's finding, missing patches */
	GROUP_SNOOZED,
	GROUP_LANDED,
	N_GROUPS
};

/* "ready", "needs-review", "waits-me", ...: for queries and JSON. */
const char *triage_group_name(enum triage_group g);
/* "Ready", "Needs review", ...: for people. */
const char *triage_group_title(enum triage_group g);

/* Does it apply to series.triage.base? */
enum triage_applies {
	APPLIES_UNKNOWN,
	APPLIES_YES,
	APPLIES_NO,
	APPLIES_FAILED, /* it could not be tried: patches that are missing, ... */
};
/* "+", "-", "?", "": for people. "yes", "no", "failed", "unknown": for queries, JSON. */
const char *triage_applies_mark(enum triage_applies a);
const char *triage_applies_name(enum triage_applies a);

struct triage_row {
	const struct listed *l;
	const char *list; /* name of the mirror, or NULL: of a file */
	size_t source;	  /* who has its mails, and which series of it */
	int64_t key;
	enum triage_group group;
	char *mark_key;
	const struct triage_mark *mark; /* never NULL */
	bool landed;			/* its patches are in a branch that takes them */
	bool away;			/* snoozed, and what it waits for has not come */
	enum triage_applies applies;
	const char *applies_why; /* of APPLIES_NO and APPLIES_FAILED; borrowed or NULL */
};

struct triage_source;
struct triage_index;
struct tried;
struct triage_rest;

struct triage {
	struct triage_row *row;
	size_t n;
	struct marks *marks; /* NULL: they cannot be read, marks_why says why */
	char *marks_why;
	struct strvec me; /* my addresses, in lower case */
	int64_t now;
	struct repo *repo; /* borrowed; NULL: no tags are known */
	struct triage_source *source;
	size_t n_sources, cap_sources;
	/* Of branches that take patches, sorted: Message-IDs, and "TITLE\tAUTHOR". */
	struct strvec landed_ids, landed_titles;
	/* What was tried on the commit of series.triage.base, once triage_tried() read it. */
	struct tried *tried;
	struct triage_index *index; /* files and functions of all rows, once asked for */
	/* Rows of indexes come without what few look at (listindex_query.brief) until
	   triage_rest_poll(): set it before triage_add_index(). */
	bool brief;
	struct triage_rest *rest; /* who reads that, or NULL */
};

/*
 * Nothing in it yet. Who I am: user.email and series.triage.me (may be repeated). The
 * marks are read; c and r may be NULL.
 */
void triage_init(struct triage *t, const struct config *c, struct repo *r);
void triage_release(struct triage *t);
#define _cleanup_triage_ __attribute__((cleanup(triage_release)))
/* All series of these mails; the thread is linked and is taken over. */
void triage_take_thread(struct triage *t, struct thread *take);
/*
 * The series of the mirror `name` in dir, from its index, that were active since then (0:
 * all). *ret_note (may be NULL) is what the user should know: the index is empty or was
 * made anew; NULL: nothing.
 */
int triage_add_index(struct triage *t, const char *name, const char *dir, int64_t since,
		     char **ret_note, struct err *err);
/* Read the indexes again; row indices are others afterwards. Then triage_settle(). */
int triage_reread(struct triage *t, struct err *err);
/*
 * Read what brief rows lack, beside us: files, functions, people, recipients, Message-IDs. Till
 * then queries by these find nothing, nothing overlaps, and a group may be another. Nothing to
 * do where rows are whole.
 */
void triage_rest_begin(struct triage *t);
/* Has it come? Then rows are whole: triage_settle(). Waits for it if wait. */
bool triage_rest_poll(struct triage *t, bool wait);
/* All rows are there: marks, groups. To be called again after marks have changed. */
void triage_settle(struct triage *t);

/*
 * What has landed: series.triage.branch (may be repeated) names branches that take
 * patches, and git log of them runs beside us. Found by Link: or Message-ID: of all
 * patches, a single patch also by title and author. *ret NULL: nobody has to be asked.
 */
struct triage_landing;
int triage_landing_begin(struct triage *t, const struct config *c,
			 struct triage_landing **ret, struct err *err);
/* Wait up to wait_ms; true when it ended: triage_settle(), and free it. */
bool triage_landing_poll(struct triage_landing *l, struct triage *t, int wait_ms);
void triage_landing_free(struct triage_landing *l);

/*
 * What was found of series on series.triage.base is kept below the repository until that
 * is another commit. Read it; rows have it after triage_settle(). 0 also where no base is
 * configured, or nothing was kept; E_NOTFOUND: the base is no commit here.
 */
int triage_tried(struct triage *t, const struct config *c, struct err *err);
/* The name of the base, or NULL: none is configured. */
const char *triage_base(const struct triage *t);
/* Note what was found of a row (why may be NULL), keep it, and set it in the row. */
int triage_note_tried(struct triage *t, struct triage_row *row, enum triage_applies a,
		      const char *why, struct err *err);

/* What the group of a row depends on, beside its mails and the mark. */
struct triage_facts {
	int64_t now;
	const struct strvec *me;
	bool landed;
	bool tagged; /* the tag that it sleeps until is there */
};
bool triage_away(const struct listed *l, const struct triage_mark *m,
		 const struct triage_facts *f);
enum triage_group triage_group_of(const struct listed *l, const struct triage_mark *m,
				  const struct triage_facts *f);
/* Is this one of my addresses? */
bool triage_is_me(const struct strvec *me, const char *email);

/* The row with this change-id, or that has a mail of this Message-ID; NULL: none. */
const struct triage_row *triage_find(const struct triage *t, const char *id);

/* The mails of a row's series alone; series is its index in p. */
struct triage_mails {
	struct thread *t; /* linked */
	struct posted *p;
	size_t series;
	struct thread own_t;
	struct posted own_p;
};
/* ret must not be moved afterwards. E_NOTFOUND: they are no longer there. */
int triage_mails(const struct triage *t, const struct triage_row *row,
		 struct triage_mails *ret, struct err *err);
void triage_mails_release(struct triage_mails *m);
#define _cleanup_triage_mails_ __attribute__((cleanup(triage_mails_release)))

/*
 * Other pending series that touch the same files: "TITLE: FILE: FUNCTION" where a
 * function is the same, else "TITLE: FILE"; one line for each series. Appended to *ret
 * (may be NULL). Returns how many.
 */
size_t triage_overlaps(struct triage *t, const struct triage_row *row,
		       struct strvec *ret);

/*
 * A query: words and terms, all of which must hold; "-" or "!" in front negates one, "|"
 * between two means either. Terms are in a table: see triage_terms().
 */
struct query;
int query_parse(const char *text, struct query **ret, struct err *err);
bool query_match(const struct query *q, struct triage *t, const struct triage_row *row);
void query_free(struct query *q);
void query_freep(struct query **q);
#define _cleanup_query_ __attribute__((cleanup(query_freep)))
/* A line for each term: "age<30d        days since the last word". */
void triage_terms(struct buf *out);

/* Columns to sort by, the first counts most; "-" in front turns one round. */
struct triage_order;
int triage_order_parse(const char *text, struct triage_order **ret, struct err *err);
void triage_order_free(struct triage_order *o);
/* Sort indices of rows: by group, then by these columns. */
void triage_sort(struct triage *t, const struct triage_order *o, size_t *v, size_t n);

/*
 * "2027-01-10" (the start of that day), "3d", "2w", "v4" (a version), "v6.13-rc1" (a
 * tag),
 * "" (wake it): what a snooze waits for, to the fields of m. E_USAGE.
 */
int triage_until(const char *text, int64_t now, struct triage_mark *m, struct err *err);
/* "until 2027-01-10", "until v4"; nothing when it does not sleep. */
void triage_until_words(const struct triage_mark *m, struct buf *out);
/* Change the marks of rows and settle. E_FAIL also when the marks could not be read. */
int triage_mark_rows(struct triage *t, const size_t *rows, size_t n, unsigned what,
		     const struct triage_mark *v, struct err *err);

/* "12m", "5h", "3d", "7w": at most three columns, four above 99 weeks. */
void triage_age(int64_t seconds, struct buf *out);
struct json *triage_row_json(struct triage *t, const struct triage_row *row);

#endif
