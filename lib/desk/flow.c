// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flow.c - patches that were folded into others or split out of them: judged by where
 * their lines are now, or were before.
 */
#include <stdlib.h>
#include "patchlines.h"
#include "series/mem.h"
#include "suggest.h"

void flow_release(struct flow *w)
{
	free(w->last);
	free(w->base);
	free(w->taken);
	free(w->other);
	*w = (struct flow){ 0 };
}

/* Lines of every pair: in the old patch and in the new one, empty where it is not. */
struct bags {
	struct strvec *v; /* as patchlines_read() gave them */
	size_t n;
	struct strvec *from, *to; /* of each pair, borrowed from v; NULL if not there */
	struct strvec *gained, *lost; /* to without from, from without to */
};

static void bags_release(struct bags *b, size_t pairs)
{
	for (size_t i = 0; i < b->n; i++)
		strvec_release(&b->v[i]);
	for (size_t i = 0; i < pairs && b->gained; i++) {
		strvec_release(&b->gained[i]);
		strvec_release(&b->lost[i]);
	}
	free(b->v);
	free(b->gained);
	free(b->lost);
}

static int read_bags(struct repo *r, const struct comparison *c, struct bags *b,
		     struct err *err)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	int rc;

	for (size_t i = 0; i < c->n; i++) {
		const struct range_pair *p = c->v[i].pair;

		if (p->mark == RANGE_SAME)
			continue;
		if (p->from)
			strvec_push(&ids, p->from_id);
		if (p->to)
			strvec_push(&ids, p->to_id);
	}
	rc = patchlines_read(r, &ids, &b->v, err);
	if (rc)
		return rc;
	b->n = ids.n;
	b->gained = xcalloc(c->n + 1, sizeof(*b->gained));
	b->lost = xcalloc(c->n + 1, sizeof(*b->lost));
	for (size_t i = 0, at = 0; i < c->n; i++) {
		const struct range_pair *p = c->v[i].pair;
		static const struct strvec none;
		const struct strvec *from = &none, *to = &none;

		if (p->mark == RANGE_SAME)
			continue;
		if (p->from)
			from = &b->v[at++];
		if (p->to)
			to = &b->v[at++];
		patchlines_minus(to, from, &b->gained[i]);
		patchlines_minus(from, to, &b->lost[i]);
	}
	return 0;
}

/* Where at least half of what is in bag turned up: of the pairs that qualify the best. */
static size_t best_of(const struct comparison *c, const struct strvec *bag,
		      const struct strvec *in, bool dropped_too)
{
	size_t best = NOWHERE, most = 0;

	for (size_t i = 0; i < c->n; i++) {
		enum range_mark m = c->v[i].pair->mark;
		size_t n;

		if (m != RANGE_CHANGED && !(dropped_too && m == RANGE_DROPPED))
			continue;
		n = patchlines_shared(bag, &in[i]);
		if (n && 2 * n >= bag->n && n > most) {
			most = n;
			best = i;
		}
	}
	return best;
}

int flow_find(struct repo *r, const struct comparison *c, struct flow *ret,
	      struct err *err)
{
	struct bags b = { 0 };
	struct flow w = { .c = c };
	int rc = 0;

	w.last = xstrdup(c->from.name);
	w.other = xcalloc(c->n + 1, sizeof(*w.other));
	w.taken = xcalloc(c->n + 1, sizeof(*w.taken));
	for (size_t i = 0; i < c->n; i++)
		w.other[i] = NOWHERE;
	if (c->counts[RANGE_NEW] + c->counts[RANGE_DROPPED])
		rc = read_bags(r, c, &b, err);
	for (size_t i = 0; i < c->n && b.gained; i++) {
		enum range_mark m = c->v[i].pair->mark;

		if (m == RANGE_DROPPED)
			w.other[i] = best_of(c, &b.lost[i], b.gained, false);
		else if (m == RANGE_NEW)
			w.other[i] = best_of(c, &b.gained[i], b.lost, true);
	}
	bags_release(&b, c->n);
	if (rc)
		flow_release(&w);
	else
		*ret = w;
	return rc;
}
