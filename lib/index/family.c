// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family.c - threads in families: those that posted_find() has to see together.
 *
 * Threads are joined by keys that their mails have in common. What all of them would make
 * may be as large as a list (people who post stable kernels), so they are joined the
 * surest and oldest first, and none that would make a family too large. That depends on
 * the mails alone, not on the order in which they came.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/mem.h"

#define FAMILY_MAILS 5000
#define FAMILY_BYTES ((int64_t)64 << 20)
#define AN_HOUR	     3600
#define A_YEAR	     (366 * 86400)

void family_release(struct family *f)
{
	for (size_t i = 0; i < f->n; i++)
		buf_release(&f->v[i].keys);
	free(f->v);
	free(f->thread);
	*f = (struct family){ .n = 0 };
}

void families_release(struct families *f)
{
	for (size_t i = 0; i < f->n; i++)
		family_release(&f->v[i]);
	free(f->v);
	*f = (struct families){ .n = 0 };
}

int family_drop(struct listindex *x, int64_t family, struct err *err)
{
	int rc = db_run(x, err, S_MORE_DROP, "i", family);

	if (!rc)
		rc = db_run(x, err, S_ROWS_DROP, "i", family);
	if (!rc)
		rc = db_run(x, err, S_DIRTY_FAMILY, "i", family);
	return rc ? rc : db_run(x, err, S_FAMILY_CLEAR, "i", family);
}

int member_load(struct listindex *x, int64_t thread, struct family *ret, struct err *err)
{
	sqlite3_stmt *q = db_bind(x, S_MAILS_OF, "i", thread);
	int rc;

	while ((rc = db_step(x, q, err)) == 1) {
		struct member m = { .n = sqlite3_column_int64(q, 0),
				    .thread = sqlite3_column_int64(q, 1),
				    .id = sqlite3_column_int64(q, 2),
				    .date = sqlite3_column_int64(q, 3),
				    .epoch = sqlite3_column_int64(q, 4),
				    .size = sqlite3_column_int64(q, 5),
				    .item = sqlite3_column_int64(q, 6) };
		struct str blob = db_blob(q, 7), keys = db_blob(q, 8);

		if (blob.len != OID_BYTES || keys.len % KEY_BYTES) {
			sqlite3_reset(q);
			x->damaged = true;
			return err_set(err, E_CORRUPT, "%s is damaged: a mail", x->path);
		}
		memcpy(m.blob, blob.p, OID_BYTES);
		if (keys.len)
			buf_addstr(&m.keys, keys);
		ret->has_item |= m.item;
		vec_grow(ret->v, ret->n, ret->cap);
		ret->v[ret->n++] = m;
	}
	return rc;
}

static void push_thread(struct family *f, int64_t t)
{
	vec_grow(f->thread, f->n_threads, f->cap_threads);
	f->thread[f->n_threads++] = t;
}

static int by_coming(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->epoch != y->epoch)
		return x->epoch < y->epoch ? -1 : 1;
	return (x->n > y->n) - (x->n < y->n);
}

static void sort_members(struct family *f)
{
	if (f->n)
		qsort(f->v, f->n, sizeof(*f->v), by_coming);
}

static int threads_of(struct listindex *x, int64_t family, struct family *ret,
		      struct err *err)
{
	sqlite3_stmt *q = db_bind(x, S_THREADS_OF, "i", family);
	int rc;

	while ((rc = db_step(x, q, err)) == 1)
		push_thread(ret, sqlite3_column_int64(q, 0));
	return rc;
}

int family_load(struct listindex *x, int64_t family, struct family *ret, struct err *err)
{
	int rc = threads_of(x, family, ret, err);

	for (size_t i = 0; !rc && i < ret->n_threads; i++)
		rc = member_load(x, ret->thread[i], ret, err);
	sort_members(ret);
	return rc;
}

/* ---- numbers in a hash table ---- */

struct numbers {
	int64_t *key; /* 0: free */
	size_t *value;
	size_t n, cap;
};

static size_t slot_of(const struct numbers *s, int64_t key)
{
	size_t i = (size_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 20) & (s->cap - 1);

	while (s->key[i] && s->key[i] != key)
		i = (i + 1) & (s->cap - 1);
	return i;
}

/* The value of a key, which is put there when it is not; *ret_new. */
static size_t numbers_put(struct numbers *s, int64_t key, size_t value, bool *ret_new)
{
	size_t i;

	if (2 * s->n >= s->cap) {
		struct numbers more = { .cap = s->cap ? 2 * s->cap : 64, .n = s->n };

		more.key = xcalloc(more.cap, sizeof(*more.key));
		more.value = xcalloc(more.cap, sizeof(*more.value));
		for (i = 0; i < s->cap; i++) {
			size_t to = s->key[i] ? slot_of(&more, s->key[i]) : 0;

			if (!s->key[i])
				continue;
			more.key[to] = s->key[i];
			more.value[to] = s->value[i];
		}
		free(s->key);
		free(s->value);
		*s = more;
	}
	i = slot_of(s, key);
	*ret_new = !s->key[i];
	if (*ret_new) {
		s->key[i] = key;
		s->value[i] = value;
		s->n++;
	}
	return s->value[i];
}

static void numbers_release(struct numbers *s)
{
	free(s->key);
	free(s->value);
}

/* ---- what hangs together ---- */

struct edge {
	size_t a, b; /* indices of threads */
	enum key_kind kind;
	int64_t date, low, high; /* for the order: nothing of it is a number of ours */
};

struct linked {
	int64_t n, thread, date, id;
};

struct reached {
	size_t from, n; /* its mails in all.v */
	int64_t family;
	bool item, dirty;
};

struct closure {
	struct listindex *x;
	struct family *all; /* threads in the order in which they were found; mails */
	struct reached *v;  /* the same threads */
	size_t n_v, cap_v;
	struct numbers index;	/* of threads */
	struct numbers covered; /* mails whose key was looked at */
	struct edge *edge;
	size_t n_edges, cap_edges;
	struct linked *linked; /* with the key that is looked at */
	size_t n_linked, cap_linked;
};

static size_t reach(struct closure *c, int64_t thread)
{
	bool new;
	size_t i = numbers_put(&c->index, thread, c->all->n_threads, &new);

	if (new)
		push_thread(c->all, thread);
	return i;
}

static void join(struct closure *c, enum key_kind kind, const struct linked *a,
		 const struct linked *b)
{
	struct edge e = { .kind = kind,
			  .date = MAX(a->date, b->date),
			  .low = MIN(a->id, b->id),
			  .high = MAX(a->id, b->id) };

	if (a->thread == b->thread)
		return;
	e.a = reach(c, a->thread);
	e.b = reach(c, b->thread);
	vec_grow(c->edge, c->n_edges, c->cap_edges);
	c->edge[c->n_edges++] = e;
}

static int by_date(const void *a, const void *b)
{
	const struct linked *x = a, *y = b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->n > y->n) - (x->n < y->n);
}

static int load_linked(struct closure *c, int64_t key, struct err *err)
{
	sqlite3_stmt *q = db_bind(c->x, S_LINKED, "i", key);
	int rc;

	c->n_linked = 0;
	while ((rc = db_step(c->x, q, err)) == 1) {
		vec_grow(c->linked, c->n_linked, c->cap_linked);
		c->linked[c->n_linked++] = (struct linked){ sqlite3_column_int64(q, 0),
							    sqlite3_column_int64(q, 1),
							    sqlite3_column_int64(q, 2),
							    sqlite3_column_int64(q, 3) };
	}
	return rc;
}

/* Mails with one key, each joined to the next one when that is near enough. */
static int follow_key(struct closure *c, const struct member *m, enum key_kind kind,
		      int64_t key, struct err *err)
{
	const int64_t gap = kind == KEY_HOUR ? AN_HOUR : kind == KEY_TITLE ? A_YEAR : 0;
	size_t lo, hi;
	bool new;
	int rc;

	numbers_put(&c->covered, key ^ m->n, 0, &new);
	if (!new)
		return 0;
	rc = load_linked(c, key, err);
	if (rc || c->n_linked < 2)
		return rc;
	qsort(c->linked, c->n_linked, sizeof(*c->linked), by_date);
	for (lo = 0; lo < c->n_linked && c->linked[lo].n != m->n; lo++)
		;
	for (hi = lo; hi + 1 < c->n_linked &&
		      (!gap || c->linked[hi + 1].date - c->linked[hi].date <= gap);
	     hi++)
		;
	while (lo > 0 && (!gap || c->linked[lo].date - c->linked[lo - 1].date <= gap))
		lo--;
	for (size_t i = lo; i <= hi && i < c->n_linked; i++) {
		numbers_put(&c->covered, key ^ c->linked[i].n, 0, &new);
		if (i > lo)
			join(c, kind, &c->linked[i - 1], &c->linked[i]);
	}
	return 0;
}

/* A mail names another: that must be here, and a cover or patch. */
static int follow_named(struct closure *c, const struct member *m, int64_t id,
			struct err *err)
{
	struct linked a = { m->n, m->thread, m->date, m->id }, b = { .id = id };
	int rc = graph_thread(c->x, id, &b.thread, err);

	if (!rc && b.thread)
		rc = db_one(c->x, err, &b.n, S_MAIL_IN, "ii", b.thread, id);
	if (rc == 1)
		join(c, KEY_NAMED, &a, &b);
	return MIN(rc, 0);
}

/* Those that name this one. */
static int follow_namers(struct closure *c, const struct member *m, struct err *err)
{
	struct linked b = { m->n, m->thread, 0, m->id };
	int rc = load_linked(c, m->id, err);

	for (size_t i = 0; !rc && i < c->n_linked; i++)
		join(c, KEY_NAMED, &c->linked[i], &b);
	return rc;
}

static int follow_mail(struct closure *c, const struct member *m, struct err *err)
{
	int rc = m->item ? follow_namers(c, m, err) : 0;

	for (size_t i = 0; !rc && i < m->keys.len / KEY_BYTES; i++) {
		int64_t key;
		enum key_kind kind = light_key(buf_str(&m->keys), i, &key);

		rc = kind == KEY_NAMED ? follow_named(c, m, key, err)
				       : follow_key(c, m, kind, key, err);
	}
	return rc;
}

/* Load the next thread that was reached, and reach what it has a key in common with. */
static int follow_thread(struct closure *c, size_t i, struct err *err)
{
	struct family *all = c->all;
	int64_t t = all->thread[i], dirty;
	struct reached *r;
	int rc;

	vec_grow(c->v, c->n_v, c->cap_v);
	r = &c->v[c->n_v++];
	*r = (struct reached){ .from = all->n };
	rc = db_one(c->x, err, &dirty, S_DIRTY_HAS, "i", t);
	r->dirty = rc == 1;
	if (rc >= 0)
		rc = db_one(c->x, err, &r->family, S_FAMILY_OF, "i", t);
	if (rc >= 0)
		rc = member_load(c->x, t, all, err);
	r->n = all->n - r->from;
	for (size_t k = r->from; k < all->n; k++)
		r->item |= all->v[k].item;
	if (!r->item)
		return rc;
	for (size_t k = 0; !rc && k < r->n; k++)
		rc = follow_mail(c, &all->v[r->from + k], err);
	return rc;
}

/* ---- what is one family ---- */

static int by_order(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->high > y->high) - (x->high < y->high);
}

static size_t root(size_t *up, size_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

/* up[] of each thread leads to one of its family. */
static void unite(struct closure *c, size_t *up)
{
	size_t n = c->n_v, *mails = xcalloc(n + 1, sizeof(*mails));
	int64_t *bytes = xcalloc(n + 1, sizeof(*bytes));

	for (size_t i = 0; i < n; i++) {
		up[i] = i;
		mails[i] = c->v[i].n;
		for (size_t k = 0; k < c->v[i].n; k++)
			bytes[i] += c->all->v[c->v[i].from + k].size;
	}
	if (c->n_edges)
		qsort(c->edge, c->n_edges, sizeof(*c->edge), by_order);
	for (size_t i = 0; i < c->n_edges; i++) {
		size_t a = root(up, c->edge[i].a), b = root(up, c->edge[i].b);

		if (a == b || !c->v[a].item || !c->v[b].item ||
		    mails[a] + mails[b] > FAMILY_MAILS ||
		    bytes[a] + bytes[b] > FAMILY_BYTES)
			continue;
		up[b] = a;
		mails[a] += mails[b];
		bytes[a] += bytes[b];
	}
	free(mails);
	free(bytes);
}

/* Is the family of thread i, with all of its threads, the one that it was? */
static int as_before(struct closure *c, const size_t *roots, size_t i, bool *ret,
		     struct err *err)
{
	struct family old = { .n = 0 };
	size_t n = 0;
	int rc = 0;

	*ret = true;
	for (size_t k = 0; k < c->n_v; k++) {
		if (roots[k] != roots[i])
			continue;
		n++;
		*ret = *ret && c->v[k].family == c->v[i].family && !c->v[k].dirty;
	}
	if (*ret && c->v[i].family)
		rc = threads_of(c->x, c->v[i].family, &old, err);
	if (!rc && *ret)
		*ret = c->v[i].family ? old.n_threads == n : !c->v[i].item;
	family_release(&old);
	return rc;
}

static void put_thread(struct closure *c, size_t i, struct family *f)
{
	const struct reached *r = &c->v[i];

	push_thread(f, c->all->thread[i]);
	f->has_item |= r->item;
	for (size_t k = 0; k < r->n; k++) {
		struct member m = c->all->v[r->from + k];

		m.keys = (struct buf)BUF_INIT;
		vec_grow(f->v, f->n, f->cap);
		f->v[f->n++] = m;
	}
}

static int put_families(struct closure *c, struct families *ret, struct err *err)
{
	size_t n = c->n_v, *up = xcalloc(n + 1, sizeof(*up));
	size_t *place = xcalloc(n + 1, sizeof(*place)); /* of a root's family, plus 1 */
	bool *same = xcalloc(n + 1, sizeof(*same));
	int rc = 0;

	unite(c, up);
	for (size_t i = 0; i < n; i++)
		up[i] = root(up, i);
	for (size_t i = 0; !rc && i < n; i++) {
		size_t r = up[i];

		if (!place[r]) {
			rc = n > 1 ? as_before(c, up, i, &same[r], err) : 0;
			place[r] = same[r] ? 1 : ret->n + 1;
			if (!same[r]) {
				vec_grow(ret->v, ret->n, ret->cap);
				ret->v[ret->n++] = (struct family){ .n = 0 };
			}
		}
		if (!same[r])
			put_thread(c, i, &ret->v[place[r] - 1]);
	}
	for (size_t i = 0; i < ret->n; i++)
		sort_members(&ret->v[i]);
	free(same);
	free(place);
	free(up);
	return rc;
}

int families_of(struct listindex *x, int64_t thread, struct families *ret,
		struct family *all, struct err *err)
{
	struct closure c = { .x = x, .all = all };
	int rc = 0;

	reach(&c, thread);
	for (size_t i = 0; !rc && i < all->n_threads; i++)
		rc = follow_thread(&c, i, err);
	if (!rc)
		rc = put_families(&c, ret, err);
	free(c.v);
	free(c.edge);
	free(c.linked);
	numbers_release(&c.index);
	numbers_release(&c.covered);
	return rc;
}
