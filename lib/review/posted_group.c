// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_group.c - what was posted at once: a cover and its patches, patches that reply
 * to the same mail or to each other, patches of one hour that reply to nothing.
 *
 * First each cover, and each run of patches with the same numbers below the same mail, is
 * a posting; then those that belong together are joined, the surest first.
 */
#include <stdlib.h>
#include "posted_priv.h"
#include "series/mem.h"

static bool same_numbers(const struct item *a, const struct item *b)
{
	return a->s.counted == b->s.counted && a->s.total == b->s.total &&
	       a->s.version == b->s.version && a->s.minor == b->s.minor &&
	       a->s.rfc == b->s.rfc && a->s.resend == b->s.resend;
}

size_t posting_of(const struct finder *f, size_t item)
{
	size_t p = item == NONE ? NONE : f->v[item].posting;

	while (p != NONE && f->p[p].merged != p)
		p = f->p[p].merged;
	return p;
}

static void add_repeated(struct posting *p, size_t item)
{
	vec_grow(p->repeated, p->n_repeated, p->cap_repeated);
	p->repeated[p->n_repeated++] = item;
}

/* Put a patch to its place; one that is taken makes it a repeat. False: no room at all.
 */
static bool place_item(struct finder *f, struct posting *p, size_t item)
{
	const struct item *it = &f->v[item];
	size_t k = it->s.counted ? (size_t)it->s.n : 1;

	if (k > p->n_slots) {
		if (f->n_slots + k - p->n_slots > SLOTS_MAX)
			return false;
		f->n_slots += k - p->n_slots;
		p->slot = xreallocarray(p->slot, k, sizeof(*p->slot));
		while (p->n_slots < k)
			p->slot[p->n_slots++] = NONE;
	}
	if (p->slot[k - 1] == NONE) {
		p->slot[k - 1] = item;
		p->present++;
	} else if (it->diff && !f->v[p->slot[k - 1]].diff && p->cover == NONE) {
		/* A cover that bears the number of the last patch. */
		p->cover = p->slot[k - 1];
		f->v[p->cover].cover = true;
		p->slot[k - 1] = item;
	} else {
		add_repeated(p, item);
	}
	return true;
}

static void widen(struct posting *p, int64_t date)
{
	p->begin = MIN(p->begin, date);
	p->end = MAX(p->end, date);
}

static size_t new_posting(struct finder *f, size_t item)
{
	struct item *it = &f->v[item];
	struct posting p = {
		.cover = it->cover ? item : NONE,
		.total = it->s.counted ? (size_t)it->s.total : 1,
		.first = item,
		.person = it->person,
		.up = it->up,
		.version = it->s.version,
		.minor = it->s.minor,
		.lettered = it->s.lettered,
		.rfc = it->s.rfc,
		.resend = it->s.resend,
		.versioned = it->s.versioned,
		.begin = it->date,
		.end = it->date,
		.merged = f->n_postings,
		.follows = NONE,
	};

	vec_grow(f->p, f->n_postings, f->cap_postings);
	f->p[f->n_postings] = p;
	it->posting = f->n_postings;
	return f->n_postings++;
}

static void add_patch(struct finder *f, size_t posting, size_t item)
{
	f->v[item].posting = place_item(f, &f->p[posting], item) ? posting : NONE;
	widen(&f->p[posting], f->v[item].date);
}

bool disjoint(const struct posting *a, const struct posting *b)
{
	if (a->cover != NONE && b->cover != NONE)
		return false;
	for (size_t k = 0; k < MIN(a->n_slots, b->n_slots); k++)
		if (a->slot[k] != NONE && b->slot[k] != NONE)
			return false;
	return true;
}

void join(struct finder *f, size_t a, size_t b)
{
	struct posting *to = &f->p[a], *from = &f->p[b];

	from->merged = a;
	if (!to->change_id)
		to->change_id = from->change_id;
	if (to->cover == NONE)
		to->cover = from->cover;
	else if (from->cover != NONE)
		add_repeated(to, from->cover);
	for (size_t k = 0; k < from->n_slots; k++)
		if (from->slot[k] != NONE)
			place_item(f, to, from->slot[k]);
	for (size_t i = 0; i < from->n_repeated; i++)
		add_repeated(to, from->repeated[i]);
	from->n_repeated = 0;
	f->n_slots -= from->n_slots;
	from->n_slots = 0;
	widen(to, from->begin);
	widen(to, from->end);
}

/* ---- runs of patches ---- */

/* What a patch that begins a run is below: a mail here, or the id of one that is not. */
static const char *below(const struct finder *f, size_t item)
{
	const struct thread_mail *m = &f->t->v[f->v[item].mail];
	const struct thread_mail *parent = &f->t->v[m->parent];

	if (parent != m)
		return parent->id ? parent->id : "";
	return m->parents.n ? m->parents.v[0] : "";
}

struct start {
	size_t item;
	const char *below;
	const struct item *it;
};

static int by_numbers(const struct item *a, const struct item *b)
{
	int order = (a->person > b->person) - (a->person < b->person);

	if (!order)
		order = a->s.version - b->s.version;
	if (!order)
		order = a->s.minor - b->s.minor;
	if (!order)
		order = a->s.total - b->s.total;
	if (!order)
		order = a->s.rfc - b->s.rfc;
	return order ? order : a->s.resend - b->s.resend;
}

static int by_date(const struct item *a, const struct item *b)
{
	if (a->date != b->date)
		return a->date < b->date ? -1 : 1;
	return (a > b) - (a < b);
}

static int by_start(const void *a, const void *b)
{
	const struct start *x = a, *y = b;
	int order = strcmp(x->below, y->below);

	if (!order)
		order = by_numbers(x->it, y->it);
	return order ? order : by_date(x->it, y->it);
}

static bool same_run(const struct start *a, const struct start *b)
{
	return !strcmp(a->below, b->below) && !by_numbers(a->it, b->it) &&
	       (*a->below || b->it->date - a->it->date <= A_HOUR);
}

/* Patches k/n that reply to a patch of the same numbers go on its run. */
static bool goes_on(const struct finder *f, size_t item)
{
	const struct item *it = &f->v[item], *up = it->up == NONE ? NULL : &f->v[it->up];

	return up && !up->cover && it->s.counted && up->person == it->person &&
	       same_numbers(it, up) && (it->s.n != up->s.n || (it->diff && !up->diff));
}

static bool is_free(const struct finder *f, size_t posting, const struct item *it)
{
	const struct posting *p = &f->p[posting];
	size_t k = (size_t)it->s.n;

	return k > p->n_slots || !k || p->slot[k - 1] == NONE;
}

static void start_runs(struct finder *f, struct start *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_start);
	for (size_t i = 0; i < n; i++) {
		if (i && v[i].it->s.counted && same_run(&v[i - 1], &v[i]) &&
		    f->v[v[i - 1].item].posting != NONE &&
		    (*v[i].below || is_free(f, f->v[v[i - 1].item].posting, v[i].it)))
			f->v[v[i].item].posting = f->v[v[i - 1].item].posting;
		else
			new_posting(f, v[i].item);
		add_patch(f, f->v[v[i].item].posting, v[i].item);
	}
}

static void find_runs(struct finder *f)
{
	struct start *v = xcalloc(f->n + 1, sizeof(*v));
	bool *on = xcalloc(f->n + 1, sizeof(*on));
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		on[i] = !f->v[i].cover && goes_on(f, i);
		if (f->v[i].cover)
			new_posting(f, i);
		else if (!on[i])
			v[n++] = (struct start){ i, below(f, i), &f->v[i] };
	}
	start_runs(f, v, n);
	/* Parents stand before their replies. */
	for (size_t i = 0; i < f->n; i++)
		if (on[i] && f->v[f->v[i].up].posting != NONE)
			add_patch(f, f->v[f->v[i].up].posting, i);
	free(on);
	free(v);
}

/* ---- covers ---- */

static bool near(const struct posting *a, const struct posting *b, int64_t seconds)
{
	return b->begin - a->end <= seconds && a->begin - b->end <= seconds;
}

static bool same_version(const struct posting *a, const struct posting *b)
{
	return a->version == b->version && a->minor == b->minor;
}

/* Numbers as the cover has them. */
static bool fits_exactly(const struct finder *f, size_t a, size_t b)
{
	const struct posting *c = &f->p[a], *p = &f->p[b];

	return c->total == p->total && same_version(c, p) &&
	       (c->person == p->person || near(c, p, A_HOUR)) && disjoint(c, p);
}

/* A cover that has no patches: other numbers by mistake ("[v3,0/4]", then "[1/4]"). */
static bool fits_loosely(const struct finder *f, size_t a, size_t b)
{
	const struct posting *c = &f->p[a], *p = &f->p[b];

	return !c->present && c->person == p->person && near(c, p, A_DAY) &&
	       (f->v[p->first].s.counted || c->total == 1);
}

/* A patch of a series whose n is wrong. */
static bool fits_wrong_n(const struct finder *f, size_t a, size_t b)
{
	const struct posting *c = &f->p[a], *p = &f->p[b];

	return c->person == p->person && f->v[p->first].s.counted &&
	       c->present < MAX(c->total, 1) && near(c, p, A_HOUR) && disjoint(c, p) &&
	       (same_version(c, p) || !p->versioned);
}

static void join_loosely(struct finder *f, size_t a, size_t b)
{
	struct posting *c = &f->p[a], *p = &f->p[b];

	if (!c->versioned || (p->versioned && p->version > c->version)) {
		c->version = p->version;
		c->minor = p->minor;
		c->lettered = p->lettered;
		c->versioned = p->versioned;
	}
	c->total = p->total;
	c->rfc = c->rfc || p->rfc;
	c->resend = c->resend || p->resend;
	join(f, a, b);
}

typedef bool fits(const struct finder *f, size_t a, size_t b);

/* Runs whose first patch replies to a posting that they fit to. */
static void join_below(struct finder *f, fits *fit, bool to_covers,
		       void (*put)(struct finder *f, size_t a, size_t b))
{
	for (size_t i = 0; i < f->n_postings; i++) {
		size_t up = f->p[i].up, a = posting_of(f, up);

		if (f->p[i].merged != i || f->p[i].cover != NONE || a == NONE || a == i ||
		    (to_covers && !f->v[up].cover))
			continue;
		if (fit(f, a, i))
			put(f, a, i);
	}
}

/* "Re: [PATCH v3 00/13]": with patches below it is a cover all the same. */
static bool says_cover(const struct mail *m, const struct item *patch)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct subject s;
	bool is;

	field_text(field_get(m->head, "Subject"), &text);
	subject_read(buf_str(&text), &s);
	is = s.patch && s.counted && !s.n && s.total == patch->s.total;
	subject_release(&s);
	return is;
}

/* A root in prose, by the one whose numbered patches reply to it within the hour. */
static bool is_naked_cover(const struct finder *f, size_t mail, const struct item *patch)
{
	const struct thread_mail *m = &f->t->v[mail];
	struct sender from;
	bool is;

	if (f->item_of[mail] != NONE || patch->date - m->date > A_HOUR ||
	    m->date - patch->date > A_HOUR ||
	    (m->parents.n && !says_cover(&m->mail, patch)))
		return false;
	sender_read(&m->mail, &from);
	is = same_sender(&from, &patch->from);
	sender_release(&from);
	return is;
}

static void find_naked_covers(struct finder *f)
{
	for (size_t i = 0; i < f->n_postings; i++) {
		const struct item *first = &f->v[f->p[i].first];
		size_t mail = f->t->v[first->mail].parent, c, person = first->person;

		if (f->p[i].merged != i || f->p[i].cover != NONE || !first->s.counted ||
		    mail == first->mail)
			continue;
		if (f->item_of[mail] != NONE && f->v[f->item_of[mail]].cover) {
			/* It was found for the patch before. */
			c = posting_of(f, f->item_of[mail]);
			if (c != i && fits_wrong_n(f, c, i))
				join(f, c, i);
			continue;
		}
		if (!is_naked_cover(f, mail, first))
			continue;
		c = add_cover(f, mail);
		f->v[c].person = person;
		join_loosely(f, new_posting(f, c), i);
	}
}

/* ---- without threads ---- */

static int by_posting(const void *a, const void *b)
{
	const struct posting *x = *(struct posting *const *)a;
	const struct posting *y = *(struct posting *const *)b;
	int order = (x->person > y->person) - (x->person < y->person);

	if (!order)
		order = x->version - y->version;
	if (!order)
		order = x->minor - y->minor;
	if (!order)
		order = x->rfc - y->rfc;
	if (!order)
		order = (x->total > y->total) - (x->total < y->total);
	if (!order)
		order = (x->begin > y->begin) - (x->begin < y->begin);
	return order ? order : (x > y) - (x < y);
}

static bool full(const struct posting *p)
{
	return p->cover != NONE && p->present >= p->total;
}

/* The same numbers of the same person within an hour, and none of them twice. */
static void join_hours(struct finder *f)
{
	struct posting **v = xcalloc(f->n_postings + 1, sizeof(*v));
	size_t n = 0, last = 0;

	for (size_t i = 0; i < f->n_postings; i++)
		if (f->p[i].merged == i && f->v[f->p[i].first].s.counted)
			v[n++] = &f->p[i];
	qsort(v, n, sizeof(struct posting *), by_posting);
	for (size_t i = 1; i < n; i++) {
		struct posting *a = v[last], *b = v[i];

		if (a->person == b->person && same_version(a, b) && a->rfc == b->rfc &&
		    a->total == b->total && near(a, b, A_HOUR) && !full(a) && !full(b) &&
		    disjoint(a, b))
			join(f, (size_t)(a - f->p), (size_t)(b - f->p));
		else
			last = i;
	}
	free(v);
}

void find_postings(struct finder *f)
{
	find_runs(f);
	join_below(f, fits_exactly, true, join);
	join_hours(f);
	join_below(f, fits_loosely, true, join_loosely);
	join_below(f, fits_wrong_n, false, join);
	find_naked_covers(f);
	find_ups(f);
	for (size_t i = 0; i < f->n_postings; i++)
		f->p[i].up = f->v[f->p[i].first].up;
	join_hours(f);
}
