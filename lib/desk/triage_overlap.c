// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_overlap.c - pending series that touch the same files or functions.
 */
#include <stdlib.h>
#include <string.h>

#include "series/mem.h"
#include "triage_priv.h"

struct touch {
	const char *what; /* borrowed from a row */
	size_t row;
};

struct touches {
	struct touch *v;
	size_t n, cap;
};

struct triage_index {
	struct touches files, funcs;
	/* For one question at a time: what the rows have in common, NULL: nothing. */
	const char **common;
	struct touch *found;
};

void triage_index_free(struct triage_index *x)
{
	if (!x)
		return;
	free(x->files.v);
	free(x->funcs.v);
	free(x->common);
	free(x->found);
	free(x);
}

static int by_what(const void *pa, const void *pb)
{
	const struct touch *a = pa, *b = pb;
	int c = strcmp(a->what, b->what);

	return c ? c : a->row < b->row ? -1 : a->row > b->row;
}

static void add(struct touches *t, const struct strvec *what, size_t row)
{
	for (size_t i = 0; i < what->n; i++) {
		vec_grow(t->v, t->n, t->cap);
		t->v[t->n++] = (struct touch){ what->v[i], row };
	}
}

struct triage_index *triage_index_new(size_t rows)
{
	struct triage_index *x = xcalloc(1, sizeof(*x));

	x->common = xcalloc(rows + 1, sizeof(*x->common));
	x->found = xcalloc(rows + 1, sizeof(*x->found));
	return x;
}

void triage_index_add(struct triage_index *x, const struct listed *l, size_t row)
{
	add(&x->files, &l->files, row);
	add(&x->funcs, &l->funcs, row);
}

void triage_index_sort(struct triage_index *x)
{
	if (x->files.n)
		qsort(x->files.v, x->files.n, sizeof(*x->files.v), by_what);
	if (x->funcs.n)
		qsort(x->funcs.v, x->funcs.n, sizeof(*x->funcs.v), by_what);
}

static struct triage_index *make_index(const struct triage *t)
{
	struct triage_index *x = triage_index_new(t->n);

	for (size_t i = 0; i < t->n; i++)
		triage_index_add(x, t->row[i].l, i);
	triage_index_sort(x);
	return x;
}

/* The first entry of what, or where it would stand. */
static size_t first_of(const struct touches *t, const char *what)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(t->v[mid].what, what) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Pending rows that have one of these in common with row, each once. */
static size_t collect(const struct triage *all, struct triage_index *x,
		      const struct touches *t, const struct strvec *what, size_t row,
		      size_t n)
{
	for (size_t i = 0; i < what->n; i++)
		for (size_t k = first_of(t, what->v[i]);
		     k < t->n && !strcmp(t->v[k].what, what->v[i]); k++) {
			size_t other = t->v[k].row;

			if (other == row || x->common[other] || all->row[other].landed)
				continue;
			x->common[other] = what->v[i];
			x->found[n++] = (struct touch){ what->v[i], other };
		}
	return n;
}

/* "mm/rmap.c<TAB>unmap" is "mm/rmap.c: unmap()" for people. */
static void put(const struct triage *t, const struct touch *f, struct strvec *ret)
{
	const char *title = t->row[f->row].l->title, *tab = strchr(f->what, '\t');

	if (tab)
		strvec_pushf(ret, "%s: %.*s: %s()", title, (int)(tab - f->what), f->what,
			     tab + 1);
	else
		strvec_pushf(ret, "%s: %s", title, f->what);
}

size_t triage_overlaps(struct triage *t, const struct triage_row *row, struct strvec *ret)
{
	size_t at = (size_t)(row - t->row), n;

	if (row->landed || t->brief)
		return 0;
	if (!t->index)
		t->index = make_index(t);
	n = collect(t, t->index, &t->index->funcs, &row->l->funcs, at, 0);
	n = collect(t, t->index, &t->index->files, &row->l->files, at, n);
	for (size_t i = 0; i < n; i++) {
		if (ret)
			put(t, &t->index->found[i], ret);
		t->index->common[t->index->found[i].row] = NULL;
	}
	return n;
}
