// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * query.c - what is asked of an index.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/intr.h"
#include "series/mem.h"

static int damaged_row(struct listindex *x, struct err *err)
{
	return err_set(err, E_CORRUPT, "%s is damaged: a row of a series", x->path);
}

/* Is the mail one of those whose hashes a row has? */
static bool has_mail(struct str mails, int64_t id)
{
	for (; mails.len >= sizeof(id);
	     mails = str_n(mails.p + sizeof(id), mails.len - sizeof(id)))
		if (!memcmp(mails.p, &id, sizeof(id)))
			return true;
	return false;
}

static int read_rows(struct listindex *x, sqlite3_stmt *q, bool brief, int64_t id,
		     struct listindex_rows *ret, struct err *err)
{
	size_t cap_key = 0, cap = 0;
	int rc;

	while ((rc = db_step(x, q, err)) == 1) {
		struct str rest = brief ? STR_NULL : db_blob(q, 2);

		if (id && !has_mail(db_blob(q, 3), id))
			continue;
		vec_grow(ret->key, ret->n, cap_key);
		vec_grow(ret->v, ret->n, cap);
		ret->key[ret->n] = sqlite3_column_int64(q, 0);
		if (!unpack_listed(db_blob(q, 1), rest, &ret->v[ret->n++])) {
			sqlite3_reset(q);
			return damaged_row(x, err);
		}
	}
	return rc;
}

/* The family of a Message-ID, 0: none. */
static int family_of(struct listindex *x, int64_t id, int64_t *ret, struct err *err)
{
	int64_t t = 0;
	int rc = graph_thread(x, id, &t, err);

	*ret = 0;
	if (!rc && t)
		rc = db_one(x, err, ret, S_FAMILY_OF, "i", t);
	return MIN(rc, 0);
}

int listindex_rows(struct listindex *x, const struct listindex_query *q,
		   struct listindex_rows *ret, struct err *err)
{
	struct listindex_rows rows = { .n = 0 };
	int64_t since = q->active_since ? q->active_since : INT64_MIN, family = 0, id = 0;
	sqlite3_stmt *s;
	int rc = 0;

	if (q->message_id) {
		id = light_id(str_c(q->message_id));
		rc = family_of(x, id, &family, err);
		s = db_bind(x, S_ROWS_OF, "ii", family, since);
	} else {
		s = db_bind(x, q->brief ? S_ROWS_BRIEF : S_ROWS, "i", since);
	}
	if (!rc)
		rc = read_rows(x, s, q->brief && !id, id, &rows, err);
	if (rc)
		listindex_rows_release(&rows);
	else
		*ret = rows;
	return rc;
}

void listindex_rows_release(struct listindex_rows *r)
{
	for (size_t i = 0; i < r->n; i++)
		listed_release(&r->v[i]);
	free(r->v);
	free(r->key);
	*r = (struct listindex_rows){ .n = 0 };
}

int listindex_thread(struct listindex *x, const char *dir, int64_t key,
		     struct thread *ret, struct err *err)
{
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	int64_t *number = NULL, family = 0;
	struct family f = { .n = 0 };
	struct readers r;
	int rc = mirror_epochs(dir, &paths, err);

	if (!rc)
		rc = db_one(x, err, &family, S_ROW_FAMILY, "i", key);
	if (rc >= 0)
		rc = family_load(x, family, &f, err);
	number = xcalloc(paths.n + 1, sizeof(*number));
	for (size_t i = 0; i < paths.n; i++)
		number[i] = epoch_number_of(paths.v[i]);
	readers_init(&r, &paths, number);
	r.stops = true;
	if (!rc && f.n)
		readers_thread(&r, &f, ret);
	if (!rc)
		rc = intr_check(err);
	if (!rc && (!f.n || r.broken == f.n))
		rc = err_set(err, E_NOTFOUND,
			     "%s is of another state of the mirror %s; series mirror "
			     "update",
			     x->path, dir);
	readers_release(&r);
	family_release(&f);
	free(number);
	return rc;
}

int listindex_count(struct listindex *x, size_t *ret_mails, size_t *ret_series,
		    struct err *err)
{
	int64_t mails = 0, series = 0;
	int rc = db_meta_get(x, "mails", &mails, err);

	if (!rc)
		rc = db_one(x, err, &series, S_ROWS_COUNT, "");
	if (rc < 0)
		return rc;
	*ret_mails = (size_t)mails;
	*ret_series = (size_t)series;
	return 0;
}

int listindex_when(struct listindex *x, int64_t *ret, struct err *err)
{
	return db_meta_get(x, "updated", ret, err);
}
