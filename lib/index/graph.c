// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * graph.c - mails in threads: a mail is of the thread of every Message-ID that it has or
 * replies to. Threads that turn out to be one are joined, the smaller one into the other,
 * and point to it; when a mail goes, the thread is put together anew from what is left.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/mem.h"

int graph_root(struct listindex *x, int64_t *t, struct err *err)
{
	int rc = 1;

	while (*t) {
		int64_t up = 0;

		rc = db_one(x, err, &up, S_UP_OF, "i", *t);
		if (rc < 0)
			return rc;
		if (rc && !up)
			return 0;
		*t = rc && up > 0 ? up : 0;
	}
	return 0;
}

int graph_thread(struct listindex *x, int64_t id, int64_t *ret, struct err *err)
{
	int64_t t = 0;
	int rc = db_one(x, err, &t, S_ID_GET, "i", id);

	if (rc >= 0)
		rc = graph_root(x, &t, err);
	if (!rc)
		*ret = t;
	return rc;
}

/* Rows of a family that is no longer what it was go, and its threads are looked at. */
static int spoil(struct listindex *x, int64_t t, struct err *err)
{
	int64_t family = 0;
	int rc = db_one(x, err, &family, S_FAMILY_OF, "i", t);

	return rc < 0 || !family ? MIN(rc, 0) : family_drop(x, family, err);
}

static int new_thread(struct listindex *x, int64_t *ret, struct err *err)
{
	*ret = x->next++;
	return db_run(x, err, S_THREAD_ADD, "i", *ret);
}

/* Make one of two; *t is what it is then. */
static int unite(struct listindex *x, int64_t *t, int64_t other, struct err *err)
{
	int64_t from = other, to = *t, n[2] = { 0, 0 };
	int rc;

	if (from == to)
		return 0;
	rc = db_one(x, err, &n[0], S_MAILS_IN, "i", to);
	if (rc >= 0)
		rc = db_one(x, err, &n[1], S_MAILS_IN, "i", from);
	if (n[1] > n[0]) {
		from = *t;
		to = other;
	}
	if (rc >= 0)
		rc = spoil(x, from, err);
	if (!rc)
		rc = db_run(x, err, S_MAIL_MOVE, "ii", to, from);
	if (!rc)
		rc = db_run(x, err, S_THREAD_UP, "ii", to, from);
	if (!rc)
		rc = db_run(x, err, S_DIRTY_DROP, "i", from);
	if (!rc)
		rc = db_run(x, err, S_THREAD_COUNT, "ii", MIN(n[0], n[1]), to);
	*t = to;
	return rc;
}

/* The thread of all these ids, which is made of theirs. */
static int thread_of(struct listindex *x, const struct light *l, int64_t *ret,
		     struct err *err)
{
	bool *here = xcalloc(l->n_refs + 1, sizeof(*here));
	int64_t t = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i <= l->n_refs; i++) {
		int64_t found = 0;

		rc = graph_thread(x, i ? l->refs[i - 1] : l->id, &found, err);
		here[i] = found;
		if (!rc && found && t)
			rc = unite(x, &t, found, err);
		else if (found)
			t = found;
	}
	if (!rc && !t)
		rc = new_thread(x, &t, err);
	for (size_t i = 0; !rc && i <= l->n_refs; i++)
		if (!here[i])
			rc = db_run(x, err, S_ID_SET, "ii", i ? l->refs[i - 1] : l->id,
				    t);
	free(here);
	*ret = t;
	return rc;
}

static int put_links(struct listindex *x, struct str keys, int64_t n, bool add,
		     struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < keys.len / KEY_BYTES; i++) {
		int64_t hash;

		light_key(keys, i, &hash);
		rc = db_run(x, err, add ? S_LINK_ADD : S_LINK_DROP, "ii", hash, n);
	}
	return rc;
}

int graph_add(struct listindex *x, int64_t epoch, const struct light *l, struct err *err)
{
	struct str blob = str_n((const char *)l->blob, OID_BYTES);
	struct str keys = buf_str(&l->keys);
	int64_t t = 0;
	int rc = thread_of(x, l, &t, err);

	if (!rc)
		rc = db_run(x, err, S_MAIL_ADD, "iiiiiibb", t, l->id, l->date, epoch,
			    l->size, (int64_t)l->item, &blob, &keys);
	if (!rc)
		rc = put_links(x, keys, sqlite3_last_insert_rowid(x->db), true, err);
	if (!rc)
		rc = db_run(x, err, S_THREAD_COUNT, "ii", (int64_t)1, t);
	if (!rc)
		rc = db_run(x, err, S_DIRTY_ADD, "i", t);
	x->mails++;
	return rc;
}

/* ---- mails that go ---- */

static int drop_mail(struct listindex *x, const struct member *m, struct err *err)
{
	int rc = put_links(x, buf_str(&m->keys), m->n, false, err);

	if (!rc)
		rc = db_run(x, err, S_MAIL_DROP, "i", m->n);
	x->mails--;
	return rc;
}

/* A mail that stays, put into a thread once more, with the ids that its text has. */
static int put_again(struct listindex *x, struct readers *r, const struct member *m,
		     struct err *err)
{
	struct epoch_mail mail = { .what = EPOCH_MAIL };
	struct light l = { .id = m->id };
	struct epoch *e = readers_get(r, m->epoch);
	int64_t t;
	int rc;

	/* What cannot be read any more is a thread of its own. */
	if (e && epoch_blob(e, m->blob, &mail.raw))
		light_read(&mail, &l);
	l.id = m->id;
	rc = thread_of(x, &l, &t, err);
	if (!rc)
		rc = db_run(x, err, S_MAIL_PLACE, "ii", t, m->n);
	if (!rc)
		rc = db_run(x, err, S_THREAD_COUNT, "ii", (int64_t)1, t);
	if (!rc)
		rc = db_run(x, err, S_DIRTY_ADD, "i", t);
	light_release(&l);
	return rc;
}

typedef bool goes(const struct member *m, void *arg);

/* Take mails out of a thread, and put together anew what is left of it. */
static int tear(struct listindex *x, struct readers *r, int64_t t, goes *gone, void *arg,
		size_t *ret, struct err *err)
{
	struct family f = { .n = 0 };
	size_t n = 0;
	int rc = member_load(x, t, &f, err);

	for (size_t i = 0; i < f.n; i++)
		n += gone(&f.v[i], arg);
	*ret += n;
	if (!rc && n)
		rc = spoil(x, t, err);
	if (!rc && n)
		rc = db_run(x, err, S_THREAD_UP, "ii", (int64_t)-1, t);
	if (!rc && n)
		rc = db_run(x, err, S_DIRTY_DROP, "i", t);
	for (size_t i = 0; !rc && n && i < f.n; i++)
		if (gone(&f.v[i], arg))
			rc = drop_mail(x, &f.v[i], err);
	for (size_t i = 0; !rc && n && i < f.n; i++)
		if (!gone(&f.v[i], arg))
			rc = put_again(x, r, &f.v[i], err);
	family_release(&f);
	return rc;
}

/* What goes, and whether any of it was of another epoch. */
struct deletion {
	const struct light *l;
	int64_t epoch;
	bool far;
};

static bool same_blob(const struct member *m, void *arg)
{
	struct deletion *d = arg;

	if (memcmp(m->blob, d->l->blob, OID_BYTES) != 0)
		return false;
	d->far |= m->epoch != d->epoch;
	return true;
}

static bool same_id(const struct member *m, void *arg)
{
	struct deletion *d = arg;

	if (m->id != d->l->id)
		return false;
	d->far |= m->epoch != d->epoch;
	return true;
}

int graph_delete(struct listindex *x, struct readers *r, int64_t epoch,
		 const struct light *l, size_t *ret, struct err *err)
{
	struct deletion d = { l, epoch, false };
	int64_t t = 0;
	size_t n = 0;
	int rc = graph_thread(x, l->id, &t, err);

	if (!rc && t)
		rc = tear(x, r, t, same_blob, &d, &n, err);
	if (!rc && t && !n)
		rc = tear(x, r, t, same_id, &d, &n, err);
	if (!rc && d.far)
		rc = db_run(x, err, S_EPOCH_FAR, "i", epoch);
	*ret += n;
	return rc;
}

static bool of_epoch(const struct member *m, void *arg)
{
	return m->epoch == *(const int64_t *)arg;
}

int graph_drop_epoch(struct listindex *x, struct readers *r, int64_t epoch,
		     struct err *err)
{
	int64_t *thread = NULL;
	size_t n = 0, cap = 0, gone = 0;
	sqlite3_stmt *q = db_bind(x, S_THREADS_OF_EPOCH, "i", epoch);
	int rc;

	while ((rc = db_step(x, q, err)) == 1) {
		vec_grow(thread, n, cap);
		thread[n++] = sqlite3_column_int64(q, 0);
	}
	for (size_t i = 0; !rc && i < n; i++)
		rc = tear(x, r, thread[i], of_epoch, &epoch, &gone, err);
	free(thread);
	return rc;
}
