// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_rest.c - what brief rows lack, read by a thread while the user looks at them:
 * the rows whole, and the index of what they have in common. It owns all of that until it
 * is done, and sees of the brief rows their keys alone, which do not change meanwhile.
 */
#include <stdlib.h>

#include "series/mem.h"
#include "series/workers.h"
#include "triage_priv.h"

struct part {
	char *path; /* of the index; NULL: mails, whose rows are whole: these */
	const struct listed_all *whole;
	int64_t since;
	const int64_t *key; /* of the brief rows */
	size_t n, first;    /* how many, and the number of the first of all rows */
	struct listindex_rows full;
	size_t *at; /* of each full row the brief one, or NONE */
};
#define NONE ((size_t)-1)

struct triage_rest {
	struct workers *w;
	struct part *part;
	size_t n, rows;
	struct triage_index *index;
};

struct key {
	int64_t key;
	size_t at;
};

static int by_key(const void *pa, const void *pb)
{
	const struct key *a = pa, *b = pb;

	return (a->key > b->key) - (a->key < b->key);
}

/* Which brief row each full one is: the index may have been written meanwhile. */
static void match(struct part *p)
{
	struct key *keys = xcalloc(p->n + 1, sizeof(*keys));

	for (size_t i = 0; i < p->n; i++)
		keys[i] = (struct key){ p->key[i], i };
	qsort(keys, p->n, sizeof(*keys), by_key);
	p->at = xcalloc(p->full.n + 1, sizeof(*p->at));
	for (size_t i = 0; i < p->full.n; i++) {
		struct key k = { .key = p->full.key[i] };
		struct key *found = bsearch(&k, keys, p->n, sizeof(*keys), by_key);

		p->at[i] = found ? found->at : NONE;
	}
	free(keys);
}

static void read_part(struct part *p, struct triage_index *x)
{
	struct listindex_query q = { .active_since = p->since };
	struct listindex *db _cleanup_listindex_ = NULL;
	char *anew _cleanup_free_ = NULL;

	for (size_t i = 0; !p->path && i < p->whole->n; i++)
		triage_index_add(x, &p->whole->v[i], p->first + i);
	/* What cannot be read now was readable a moment ago: the rows stay brief. */
	if (!p->path || listindex_open(p->path, &db, &anew, NULL) ||
	    listindex_rows(db, &q, &p->full, NULL))
		return;
	match(p);
	for (size_t i = 0; i < p->full.n; i++)
		if (p->at[i] != NONE)
			triage_index_add(x, &p->full.v[i], p->first + p->at[i]);
}

static void read_rest(void *job, size_t thread, void *arg)
{
	struct triage_rest *r = job;

	r->index = triage_index_new(r->rows);
	for (size_t i = 0; i < r->n; i++)
		read_part(&r->part[i], r->index);
	triage_index_sort(r->index);
}

static void release(struct triage_rest *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->part[i].path);
		free(r->part[i].at);
		listindex_rows_release(&r->part[i].full);
	}
	triage_index_free(r->index);
	free(r->part);
	free(r);
}

void rest_free(struct triage *t)
{
	struct triage_rest *r = t->rest;

	if (!r)
		return;
	workers_free(r->w);
	release(r);
	t->rest = NULL;
}

void triage_rest_begin(struct triage *t)
{
	struct triage_rest *r;
	size_t first = 0;

	if (!t->brief || t->rest)
		return;
	r = xcalloc(1, sizeof(*r));
	r->part = xcalloc(t->n_sources + 1, sizeof(*r->part));
	r->n = t->n_sources;
	r->rows = t->n;
	for (size_t i = 0; i < t->n_sources; i++) {
		const struct triage_source *s = &t->source[i];

		r->part[i] = (struct part){ .whole = &s->rows,
					    .since = s->since,
					    .key = s->found.key,
					    .n = s->found.n,
					    .first = first };
		if (s->index)
			r->part[i].path = listindex_path(s->name);
		first += triage_source_rows(s);
	}
	t->rest = r;
	r->w = workers_new(1, 1, read_rest, NULL);
	workers_put(r->w, r);
}

/* The lists of a full row become the brief one's. */
static void move_lists(struct listed *full, struct listed *brief)
{
	struct strvec *from[] = { &full->files, &full->funcs,	  &full->people,
				  &full->to,	&full->patch_ids, &full->mail_ids };
	struct strvec *to[] = { &brief->files, &brief->funcs,	  &brief->people,
				&brief->to,    &brief->patch_ids, &brief->mail_ids };

	for (size_t i = 0; i < ARRAY_SIZE(from); i++) {
		struct strvec swap = *to[i];

		*to[i] = *from[i];
		*from[i] = swap;
	}
}

bool triage_rest_poll(struct triage *t, bool wait)
{
	struct triage_rest *r = t->rest;

	if (!r || (!wait && !workers_done(r->w)))
		return false;
	workers_take(r->w);
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < r->part[i].full.n; k++)
			if (r->part[i].at[k] != NONE)
				move_lists(&r->part[i].full.v[k],
					   &t->source[i].found.v[r->part[i].at[k]]);
	triage_index_free(t->index);
	t->index = r->index;
	r->index = NULL;
	rest_free(t);
	t->brief = false;
	return true;
}
