// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_settle.c - the versions of a series, oldest first: what was posted twice becomes
 * one version, and rerolls of some patches find the version that they are part of.
 */
#include <stdlib.h>
#include "posted_priv.h"
#include "series/mem.h"

/* How far back a version looks for the one that it repeats or follows. */
#define LOOK_BACK 20

static bool same_number(const struct posting *a, const struct posting *b)
{
	return a->version == b->version && a->minor == b->minor &&
	       (a->rfc == b->rfc || b->resend);
}

static bool same_title(const struct finder *f, const struct posting *a,
		       const struct posting *b)
{
	return a->cover != NONE && b->cover != NONE &&
	       title_same(f->v[a->cover].s.title, f->v[b->cover].s.title);
}

/* Patches that stand in both, by title or by what they change. */
static size_t alike(const struct finder *f, const struct posting *a,
		    const struct posting *b, bool by_diff)
{
	size_t n = 0;

	for (size_t k = 0; k < MIN(a->n_slots, b->n_slots); k++) {
		const struct item *x, *y;

		if (a->slot[k] == NONE || b->slot[k] == NONE)
			continue;
		x = &f->v[a->slot[k]];
		y = &f->v[b->slot[k]];
		n += (*x->patch_id && !strcmp(x->patch_id, y->patch_id)) ||
		     (!by_diff && title_same(x->s.title, y->s.title));
	}
	return n;
}

/* Is b the same once more? Marked, or the same changes, or a cover that stands alone. */
static bool repeats(const struct finder *f, const struct posting *a,
		    const struct posting *b)
{
	size_t both = MIN(a->present, b->present);

	if (!same_number(a, b))
		return false;
	if (!both)
		return same_title(f, a, b) || (a->total == b->total && disjoint(a, b));
	return alike(f, a, b, !b->resend && !a->resend) * 2 >= both;
}

static size_t absent(const struct posting *p)
{
	return MAX(p->total, p->n_slots) - p->present;
}

/* Patches of a version that came one by one, or what was still missing. */
static bool completes(const struct posting *a, const struct posting *b)
{
	return same_number(a, b) && a->total == b->total && b->cover == NONE &&
	       disjoint(a, b) && a->partial == b->partial && a->present < a->total;
}

/* The place of an unnumbered patch in a version, by its title; 0: none. */
static size_t place_by_title(const struct finder *f, const struct posting *a,
			     const struct posting *b)
{
	const char *title = f->v[b->first].s.title;

	for (size_t k = 0; k < a->n_slots; k++)
		if (a->slot[k] != NONE && title_same(f->v[a->slot[k]].s.title, title))
			return k + 1;
	return 0;
}

/* "[PATCH v2] TITLE" in reply to "[PATCH 3/5] TITLE" is that patch's place. */
static void number_patch(struct finder *f, const struct posting *a, struct posting *b)
{
	struct item *it = &f->v[b->first];
	size_t k = place_by_title(f, a, b);

	if (!k || it->s.counted || it->fix || a->total < 2 || b->cover != NONE)
		return;
	it->s.counted = true;
	it->s.n = (int)k;
	it->s.total = (int)a->total;
	b->total = a->total;
	b->slot = xreallocarray(b->slot, k, sizeof(*b->slot));
	for (size_t i = 0; i < k; i++)
		b->slot[i] = NONE;
	b->slot[k - 1] = b->first;
	b->n_slots = k;
}

/* Has a the higher number? v5.1 belongs to v5, though v6 may be older. */
static bool later(const struct posting *a, const struct posting *b)
{
	return a->version != b->version ? a->version > b->version : a->minor > b->minor;
}

/* Does b replace some patches of a? It replies to one of the series, or has a ".1". */
static bool rerolls(const struct finder *f, const struct posting *a,
		    const struct posting *b)
{
	size_t up = posting_of(f, b->up);

	return b->cover == NONE && b->total == a->total && !later(a, b) &&
	       b->present < b->total &&
	       ((up != NONE && f->p[up].series == b->series) || b->minor) && a->n_slots &&
	       a->present + a->partial * a->total >= b->present;
}

static void be_repeated(struct finder *f, size_t *v, size_t i, size_t b)
{
	if (absent(&f->p[b]) >= absent(&f->p[v[i]])) {
		join(f, v[i], b);
		return;
	}
	/* The first attempt broke off. */
	join(f, b, v[i]);
	v[i] = b;
}

/*
 * Put posting b behind the n versions of its series so far, or into one of them. Returns
 * how many there are now.
 */
static size_t settle(struct finder *f, size_t *v, size_t n, size_t b)
{
	struct posting *p = &f->p[b];
	size_t least = n > LOOK_BACK ? n - LOOK_BACK : 0;

	if (n && p->resend && !p->versioned) {
		p->version = f->p[v[n - 1]].version;
		p->minor = f->p[v[n - 1]].minor;
		p->rfc = f->p[v[n - 1]].rfc;
	}
	for (size_t i = n; i-- > least && p->up != NONE;)
		number_patch(f, &f->p[v[i]], p);
	for (size_t i = n; i-- > least;)
		if (repeats(f, &f->p[v[i]], p)) {
			be_repeated(f, v, i, b);
			return n;
		}
	for (size_t i = n; i-- > least && !p->partial;)
		if (rerolls(f, &f->p[v[i]], p) &&
		    !(same_number(&f->p[v[i]], p) && disjoint(&f->p[v[i]], p))) {
			p->partial = true;
			p->follows = v[i];
		}
	for (size_t i = n; i-- > least;)
		if (completes(&f->p[v[i]], p)) {
			join(f, v[i], b);
			return n;
		}
	v[n] = b;
	return n + 1;
}

struct entry {
	size_t posting, first; /* first: the earliest item of its series */
	const struct posting *p;
};

static int by_series(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->p->begin != y->p->begin)
		return x->p->begin < y->p->begin ? -1 : 1;
	return (x->posting > y->posting) - (x->posting < y->posting);
}

size_t *settle_versions(struct finder *f, size_t *ret_n)
{
	size_t *v = xcalloc(f->n_postings + 1, sizeof(*v)), n = 0, m = 0, begin = 0;
	size_t *first = xcalloc(f->n_postings + 1, sizeof(*first));
	struct entry *e = xcalloc(f->n_postings + 1, sizeof(*e));

	for (size_t i = 0; i < f->n; i++) {
		size_t p = posting_of(f, i);

		if (p != NONE && !first[f->p[p].series])
			first[f->p[p].series] = i + 1;
	}
	for (size_t i = 0; i < f->n_postings; i++)
		if (f->p[i].merged == i && (f->p[i].cover != NONE || f->p[i].present))
			e[m++] = (struct entry){ i, first[f->p[i].series], &f->p[i] };
	qsort(e, m, sizeof(*e), by_series);
	for (size_t i = 0; i < m; i++) {
		if (i && e[i].first != e[i - 1].first)
			begin = n;
		n = begin + settle(f, v + begin, n - begin, e[i].posting);
	}
	free(first);
	free(e);
	*ret_n = n;
	return v;
}
