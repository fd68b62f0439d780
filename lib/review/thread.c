// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * thread.c - the tree of replies. Nothing here is recursive: a chain of replies may be as
 * long as somebody likes to make it.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/thread.h"

/* Of longer threads and mails no text is kept: 128 MB at most are. */
#define KEEP_MAILS 2000
#define KEEP_BYTES 65536

static void take_ids(struct thread_mail *m)
{
	static const char *const names[] = { "Message-ID", "In-Reply-To", "References",
					     "Date" };
	struct strvec own _cleanup_strvec_ = STRVEC_INIT,
			  refs _cleanup_strvec_ = STRVEC_INIT;
	struct str v[ARRAY_SIZE(names)];

	field_get_all(m->mail.head, names, ARRAY_SIZE(names), v);
	if (v[0].p)
		field_ids(v[0], &own);
	m->id = own.n ? xstrdup(own.v[0]) : NULL;
	if (v[1].p)
		field_ids(v[1], &m->parents);
	if (v[2].p)
		field_ids(v[2], &refs);
	for (size_t i = refs.n; i-- > 0;)
		strvec_push(&m->parents, refs.v[i]);
	m->dated = v[3].p && field_date(v[3], &m->date, &m->zone);
}

static void mail_release(struct thread_mail *m)
{
	free(m->copy);
	free(m->id);
	strvec_release(&m->parents);
	buf_release(&m->text);
}

/* The views stay valid; copy: what they point into, if that is the thread's own. */
static void add_view(struct thread *t, const struct mail *m, char *copy)
{
	struct thread_mail new = { .mail = *m, .copy = copy };

	take_ids(&new);
	vec_grow(t->v, t->n, t->cap);
	t->v[t->n++] = new;
}

void thread_add(struct thread *t, const struct mail *m)
{
	char *copy = xmemdup0(m->raw.p, m->raw.len);
	struct mail view;

	mail_scan(str_n(copy, m->raw.len), m->quoting, &view);
	add_view(t, &view, copy);
}

int thread_read(struct thread *t, struct mailsrc *s, struct err *err)
{
	struct mailsrc *shared = mailsrc_share(s);
	struct mail m;
	int rc;

	if (shared) {
		vec_grow(t->sources, t->n_sources, t->cap_sources);
		t->sources[t->n_sources++] = shared;
	}
	while ((rc = mailsrc_next(s, &m, err)) > 0) {
		if (shared)
			add_view(t, &m, NULL);
		else
			thread_add(t, &m);
	}
	return rc;
}

struct known {
	const char *id;
	size_t index;
};

static int by_id(const void *a, const void *b)
{
	const struct known *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Ids in order, for finding; *ret_n of them. */
static struct known *sorted_ids(const struct thread *t, size_t *ret_n)
{
	struct known *k = xcalloc(t->n + 1, sizeof(*k));
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].id)
			k[n++] = (struct known){ t->v[i].id, i };
	qsort(k, n, sizeof(*k), by_id);
	*ret_n = n;
	return k;
}

/* The first mail with that id, or none. */
static size_t find_sorted(const struct known *k, size_t n, const char *id, size_t none)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(k[mid].id, id) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && !strcmp(k[lo].id, id) ? k[lo].index : none;
}

static int by_id_and_text(const void *a, const void *b)
{
	const struct thread_mail *x = *(struct thread_mail *const *)a;
	const struct thread_mail *y = *(struct thread_mail *const *)b;
	struct str tx = x->mail.body, ty = y->mail.body;
	int order = strcmp(x->id, y->id);

	if (!order)
		order = (tx.len > ty.len) - (tx.len < ty.len);
	if (!order && tx.len)
		order = memcmp(tx.p, ty.p, tx.len);
	return order ? order : (x > y) - (x < y);
}

/* Lists deliver twice: of mails with one id and one text the first stays. */
static void drop_doubles(struct thread *t)
{
	struct thread_mail **k = xcalloc(t->n + 1, sizeof(*k));
	bool *gone = xcalloc(t->n + 1, sizeof(*gone));
	size_t n = 0, to = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].id)
			k[n++] = &t->v[i];
	qsort(k, n, sizeof(struct thread_mail *), by_id_and_text);
	for (size_t i = 1; i < n; i++)
		gone[k[i] - t->v] = !strcmp(k[i]->id, k[i - 1]->id) &&
				    str_eq(k[i]->mail.body, k[i - 1]->mail.body);
	for (size_t i = 0; i < t->n; i++) {
		if (gone[i])
			mail_release(&t->v[i]);
		else
			t->v[to++] = t->v[i];
	}
	t->n = to;
	free(gone);
	free(k);
}

/* Mails that reply to each other in a ring: one of them begins the thread. */
static void open_rings(struct thread *t)
{
	size_t *seen = xcalloc(t->n + 1,
			       sizeof(*seen)); /* in the walk from which mail, plus 1 */

	for (size_t i = 0; i < t->n; i++) {
		size_t at = i;

		while (!seen[at]) {
			seen[at] = i + 1;
			if (t->v[at].parent == at)
				break;
			if (seen[t->v[at].parent] == i + 1)
				t->v[at].parent = at;
			else
				at = t->v[at].parent;
		}
	}
	free(seen);
}

static void find_parents(struct thread *t)
{
	size_t n;
	struct known *k = sorted_ids(t, &n);

	for (size_t i = 0; i < t->n; i++) {
		struct thread_mail *m = &t->v[i];

		m->parent = i;
		for (size_t p = 0; p < m->parents.n && m->parent == i; p++)
			m->parent = find_sorted(k, n, m->parents.v[p], i);
	}
	free(k);
	open_rings(t);
}

struct place {
	int64_t date;
	size_t index, parent;
};

/* Beginnings first, then by parent; within one parent by date, latest first. */
static int by_parent(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	bool bx = x->parent == x->index, by = y->parent == y->index;

	if (bx != by)
		return bx ? -1 : 1;
	if (!bx && x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->date != y->date)
		return x->date > y->date ? -1 : 1;
	return x->index > y->index ? -1 : 1;
}

/*
 * Depth first by a stack: a mail goes out when it is popped, and its replies are pushed
 * latest first, so that the earliest comes next.
 */
static void make_order(struct thread *t)
{
	struct place *place = xcalloc(t->n + 1, sizeof(*place));
	size_t *first =
		xcalloc(t->n + 1, sizeof(*first)); /* of a mail's replies, plus 1 */
	size_t *stack = xcalloc(t->n + 1, sizeof(*stack)), depth = 0, out = 0;

	for (size_t i = 0; i < t->n; i++)
		place[i] = (struct place){ t->v[i].date, i, t->v[i].parent };
	qsort(place, t->n, sizeof(*place), by_parent);
	for (size_t i = 0; i < t->n; i++) {
		if (place[i].parent == place[i].index)
			stack[depth++] = place[i].index;
		else if (!first[place[i].parent])
			first[place[i].parent] = i + 1;
	}
	while (depth) {
		size_t m = stack[--depth];

		t->order[out++] = m;
		t->v[m].depth = t->v[m].parent == m ? 0 : t->v[t->v[m].parent].depth + 1;
		for (size_t i = first[m]; i && i <= t->n && place[i - 1].parent == m; i++)
			stack[depth++] = place[i - 1].index;
	}
	free(place);
	free(first);
	free(stack);
}

void thread_link(struct thread *t)
{
	free(t->order);
	drop_doubles(t);
	t->order = xcalloc(t->n + 1, sizeof(*t->order));
	find_parents(t);
	make_order(t);
}

size_t thread_find(const struct thread *t, const char *id)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].id && !strcmp(t->v[i].id, id))
			return i;
	return t->n;
}

struct str thread_text(const struct thread *t, size_t index, struct buf *own)
{
	struct thread_mail *m = &t->v[index];

	if (t->n > KEEP_MAILS || m->mail.body.len > KEEP_BYTES) {
		buf_reset(own);
		mail_text(&m->mail, own);
		return buf_str(own);
	}
	if (!m->has_text)
		mail_text(&m->mail, &m->text);
	m->has_text = true;
	return buf_str(&m->text);
}

void thread_keep(struct thread *t, size_t index)
{
	struct thread_mail kept = t->v[index];

	for (size_t i = 0; i < t->n; i++)
		if (i != index)
			mail_release(&t->v[i]);
	t->v[0] = kept;
	t->n = 1;
	thread_link(t);
}

void thread_release(struct thread *t)
{
	for (size_t i = 0; i < t->n; i++)
		mail_release(&t->v[i]);
	for (size_t i = 0; i < t->n_sources; i++)
		mailsrc_close(t->sources[i]);
	free(t->sources);
	free(t->v);
	free(t->order);
	*t = (struct thread){ 0 };
}
