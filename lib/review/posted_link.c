// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_link.c - which postings are versions of one series.
 *
 * Things that two postings have in common (a change-id, a Message-ID that both name, a
 * title, a patch-id) are sorted, so that neighbours are candidates; nothing is compared
 * with everything.
 */
#include <stdlib.h>
#include <strings.h>
#include "posted_priv.h"
#include "series/mem.h"

enum key_kind { KEY_CHANGE_ID, KEY_NAMED, KEY_TITLE, KEY_PATCH, KEY_PATCH_ID, KEY_REPLY };

struct key {
	enum key_kind kind;
	const char *text;
	size_t person, posting;
	const struct posting *p;
};

/* Two postings, a before b, and what they have in common. */
struct pair {
	size_t a, b;
	enum key_kind kind;
};

struct linker {
	struct finder *f;
	struct key *key;
	size_t n_keys, cap_keys;
	struct pair *pair;
	size_t n_pairs, cap_pairs;
	size_t *up;	 /* union-find: series */
	const char **id; /* of each root: the change-id in its series, NULL */
};

static void push_key(struct linker *l, enum key_kind kind, const char *text, size_t p)
{
	const struct posting *posting = &l->f->p[p];

	if (!text || !*text)
		return;
	vec_grow(l->key, l->n_keys, l->cap_keys);
	l->key[l->n_keys++] =
		(struct key){ kind, text, kind <= KEY_NAMED ? 0 : posting->person, p,
			      posting };
}

static const char *change_id(const struct finder *f, const struct posting *p)
{
	for (size_t k = 0; k <= p->n_slots; k++) {
		size_t item = k ? p->slot[k - 1] : p->cover;

		if (item != NONE && f->v[item].change_id)
			return f->v[item].change_id;
	}
	return NULL;
}

static void push_keys(struct linker *l, size_t i)
{
	const struct finder *f = l->f;
	struct posting *p = &f->p[i];
	size_t title;

	p->change_id = change_id(f, p);
	push_key(l, KEY_CHANGE_ID, p->change_id, i);
	/* Without a cover the first patch gives the title; alone, it may grow. */
	title = p->cover != NONE ? p->cover : p->n_slots ? p->slot[0] : NONE;
	if (title != NONE)
		push_key(l, KEY_TITLE, f->v[title].s.title, i);
	for (size_t k = 0; k <= p->n_slots; k++) {
		size_t item = k ? p->slot[k - 1] : p->cover;

		if (item == NONE)
			continue;
		for (size_t n = 0; n < f->v[item].named.n; n++)
			push_key(l, KEY_NAMED, f->v[item].named.v[n], i);
		if (!k)
			continue;
		push_key(l, KEY_PATCH, f->v[item].s.title, i);
		push_key(l, KEY_PATCH_ID, f->v[item].patch_id, i);
	}
}

static int before(const struct posting *a, const struct posting *b)
{
	int order = (a->begin > b->begin) - (a->begin < b->begin);

	return order ? order : (a > b) - (a < b);
}

static int by_key(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = (int)x->kind - (int)y->kind;

	if (!order)
		order = (x->person > y->person) - (x->person < y->person);
	if (!order)
		order = strcasecmp(x->text, y->text);
	return order ? order : before(x->p, y->p);
}

static void push_pair(struct linker *l, size_t a, size_t b, enum key_kind kind)
{
	if (a == b || a == NONE || b == NONE)
		return;
	if (before(&l->f->p[a], &l->f->p[b]) > 0) {
		size_t c = a;

		a = b;
		b = c;
	}
	vec_grow(l->pair, l->n_pairs, l->cap_pairs);
	l->pair[l->n_pairs++] = (struct pair){ a, b, kind };
}

static void find_pairs(struct linker *l)
{
	if (l->n_keys)
		qsort(l->key, l->n_keys, sizeof(*l->key), by_key);
	for (size_t i = 1; i < l->n_keys; i++) {
		struct key *x = &l->key[i - 1], *y = &l->key[i];

		if (x->kind == y->kind && x->person == y->person &&
		    !strcasecmp(x->text, y->text))
			push_pair(l, x->posting, y->posting, x->kind);
	}
}

/* ---- Message-IDs ---- */

static int by_mail_id(const void *a, const void *b, void *arg)
{
	const struct thread *t = arg;

	return strcmp(t->v[*(const size_t *)a].id, t->v[*(const size_t *)b].id);
}

/* Postings that are named: by links, by "Obsoleted-by:". */
static void pair_named(struct linker *l, const size_t *ids, size_t n, const char *id,
		       size_t from)
{
	const struct thread *t = l->f->t;
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(t->v[ids[mid]].id, id) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < n && !strcmp(t->v[ids[lo]].id, id))
		push_pair(l, posting_of(l->f, l->f->item_of[ids[lo]]), from, KEY_NAMED);
}

static void find_replies(struct linker *l)
{
	const struct finder *f = l->f;

	for (size_t i = 0; i < f->n_postings; i++)
		if (f->p[i].merged == i)
			push_pair(l, posting_of(f, f->p[i].up), i, KEY_REPLY);
}

static void find_named(struct linker *l)
{
	const struct finder *f = l->f;
	size_t *ids = xcalloc(f->t->n + 1, sizeof(*ids)), n = 0;

	for (size_t i = 0; i < f->t->n; i++)
		if (f->t->v[i].id && f->item_of[i] != NONE)
			ids[n++] = i;
	qsort_r(ids, n, sizeof(*ids), by_mail_id, (void *)f->t);
	for (size_t i = 0; i < l->n_keys; i++)
		if (l->key[i].kind == KEY_NAMED)
			pair_named(l, ids, n, l->key[i].text, l->key[i].posting);
	for (size_t i = 0; i < f->n_obsoleted; i++)
		pair_named(l, ids, n, f->obsoleted[i].by,
			   posting_of(f, f->obsoleted[i].item));
	free(ids);
}

/* ---- links ---- */

static bool rising(const struct posting *a, const struct posting *b)
{
	if (b->resend || (a->rfc && !b->rfc))
		return true;
	return b->version != a->version ? b->version > a->version : b->minor > a->minor;
}

/* What a pair has in common, in all. */
struct common {
	size_t a, b;
	bool change_id, named, title, reply;
	size_t patches, patch_ids;
	enum posted_link link; /* what follows */
};

/* One title in common. Neighbours in the order of titles were paired, others not. */
static bool akin(const struct finder *f, const struct posting *a, const struct posting *b)
{
	if (a->cover != NONE && b->cover != NONE &&
	    title_same(f->v[a->cover].s.title, f->v[b->cover].s.title))
		return true;
	for (size_t k = 0; k < MIN(a->n_slots, b->n_slots); k++)
		if (a->slot[k] != NONE && b->slot[k] != NONE &&
		    title_same(f->v[a->slot[k]].s.title, f->v[b->slot[k]].s.title))
			return true;
	return false;
}

/* Sending broke off behind the cover, and began anew. */
static bool cover_again(const struct posting *a, const struct posting *b)
{
	return a->total == b->total && (!a->present || !b->present) &&
	       b->begin - a->end <= A_DAY;
}

/* Has one a change-id, or a series with it, and the other another one? */
static bool other_id(const char *a, const char *b)
{
	return a && b && strcasecmp(a, b);
}

static enum posted_link judge(const struct finder *f, const struct common *c)
{
	const struct posting *a = &f->p[c->a], *b = &f->p[c->b];
	size_t same = MAX(c->patches, c->patch_ids);
	bool own = a->person == b->person;

	if (f->v[a->first].fix != f->v[b->first].fix)
		return LINK_NONE;
	if (c->change_id)
		return LINK_CHANGE_ID;
	if (other_id(a->change_id, b->change_id))
		return LINK_NONE;
	if (c->named && (own || same || c->title))
		return LINK_NAMED;
	/* Others repost, too: "[PATCH v2 3/5]" below that patch, with its title. */
	if (!own && !(c->reply && rising(a, b) && akin(f, a, b)))
		return LINK_NONE;
	if (c->reply && (c->title || same || akin(f, a, b)))
		return LINK_NAMED;
	if (c->title && (rising(a, b) || same || cover_again(a, b)))
		return LINK_TITLE;
	if (!same)
		return LINK_NONE;
	return same * 2 >= (rising(a, b) ? MIN(a->present, b->present)
					 : MAX(a->present, b->present))
		       ? LINK_TITLE
		       : LINK_NONE;
}

/* The same title, half of the patches and a higher number: nobody would doubt it. */
static bool is_sure(const struct posting *a, const struct posting *b,
		    const struct common *c, enum posted_link kind)
{
	return kind != LINK_TITLE ||
	       (c->title && rising(a, b) &&
		MAX(c->patches, c->patch_ids) * 2 >= MIN(a->present, b->present));
}

/* Unless two change-ids would be in one series, by whatever stands between them. */
static void link_pair(struct linker *l, const struct common *c, enum posted_link kind)
{
	struct posting *b = &l->f->p[c->b];
	size_t ra = uf_root(l->up, c->a), rb = uf_root(l->up, c->b);

	if (other_id(l->id[ra], l->id[rb]))
		return;
	if (b->link == LINK_NONE || kind < b->link)
		b->link = kind;
	b->sure = b->sure || is_sure(&l->f->p[c->a], b, c, kind);
	if (!l->id[ra])
		l->id[ra] = l->id[rb];
	l->up[rb] = ra;
}

static int by_pair(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	if (x->b != y->b)
		return x->b < y->b ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

/* Each pair once, with all that it has in common; the caller frees. */
static struct common *judge_pairs(struct linker *l, size_t *ret_n)
{
	struct common *v = xcalloc(l->n_pairs + 1, sizeof(*v));
	size_t n = 0;

	if (l->n_pairs)
		qsort(l->pair, l->n_pairs, sizeof(*l->pair), by_pair);
	for (size_t i = 0; i < l->n_pairs; n++) {
		struct common *c = &v[n];

		c->a = l->pair[i].a;
		c->b = l->pair[i].b;
		for (; i < l->n_pairs && l->pair[i].a == c->a && l->pair[i].b == c->b;
		     i++) {
			c->change_id |= l->pair[i].kind == KEY_CHANGE_ID;
			c->named |= l->pair[i].kind == KEY_NAMED;
			c->title |= l->pair[i].kind == KEY_TITLE;
			c->reply |= l->pair[i].kind == KEY_REPLY;
			c->patches += l->pair[i].kind == KEY_PATCH;
			c->patch_ids += l->pair[i].kind == KEY_PATCH_ID;
		}
		c->link = judge(l->f, c);
	}
	*ret_n = n;
	return v;
}

/* The surest first: where two series could have a posting, the better reason decides. */
static void link_pairs(struct linker *l)
{
	size_t n;
	struct common *v = judge_pairs(l, &n);

	for (enum posted_link kind = LINK_CHANGE_ID; kind <= LINK_TITLE; kind++)
		for (size_t i = 0; i < n; i++)
			if (v[i].link == kind)
				link_pair(l, &v[i], kind);
	free(v);
	/* A new version below an old one, where nothing tells of another old one. */
	for (size_t b = 0; b < l->f->n_postings; b++) {
		const struct posting *p = &l->f->p[b];
		struct common c = { .a = posting_of(l->f, p->up), .b = b };

		if (p->merged == b && c.a != NONE && c.a != b && p->link == LINK_NONE &&
		    l->f->p[c.a].person == p->person && !l->f->v[p->first].fix &&
		    l->f->p[c.a].version < p->version)
			link_pair(l, &c, LINK_TITLE);
	}
}

void find_series(struct finder *f)
{
	struct linker l = { .f = f };

	l.up = xcalloc(f->n_postings + 1, sizeof(*l.up));
	l.id = xcalloc(f->n_postings + 1, sizeof(*l.id));
	for (size_t i = 0; i < f->n_postings; i++) {
		l.up[i] = i;
		if (f->p[i].merged == i)
			push_keys(&l, i);
		l.id[i] = f->p[i].change_id;
	}
	find_pairs(&l);
	find_named(&l);
	find_replies(&l);
	link_pairs(&l);
	for (size_t i = 0; i < f->n_postings; i++)
		f->p[i].series = uf_root(l.up, i);
	free(l.key);
	free(l.pair);
	free(l.up);
	free(l.id);
}
