// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagcount.c - how many people tagged a series, by type: told from the documents alone.
 */
#include <strings.h>
#include "series/addr.h"
#include "series/mem.h"
#include "series/reviewdoc.h"

enum { REVIEWED, ACKED, TESTED, N_TYPES };

static const char *const types[] = {
	[REVIEWED] = "Reviewed-by",
	[ACKED] = "Acked-by",
	[TESTED] = "Tested-by",
};

size_t *tag_counts_of(struct tag_counts *c, const char *type)
{
	size_t *const to[] = { &c->reviewed, &c->acked, &c->tested };

	for (size_t k = 0; k < N_TYPES; k++)
		if (!strcasecmp(types[k], type))
			return to[k];
	return NULL;
}

void tag_counts_show(const struct tag_counts *c, struct buf *out)
{
	const size_t n[] = { c->reviewed, c->acked, c->tested, c->doubtful, c->naks };
	size_t before = out->len;

	for (size_t k = 0; k < ARRAY_SIZE(n); k++)
		if (n[k])
			buf_printf(out, "%s%c%zu", out->len > before ? " " : "",
				   "RAT?N"[k], n[k]);
}

/* Did the person take it back, in whatever mail came later? */
static bool taken_back(const struct review *r, const struct review_tag *t)
{
	if (t->retracted)
		return true;
	for (size_t i = 0; i < r->n_tags; i++) {
		const struct review_tag *b = &r->tags[i];

		if (b->kind == TAG_RETRACTION && b->date >= t->date &&
		    email_same(b->email, t->email) &&
		    (!*b->type || !strcasecmp(b->type, t->type)) &&
		    (!b->patch || (b->patch == t->patch && !strcmp(b->label, t->label))))
			return true;
	}
	return false;
}

enum claim { CLAIM_NONE, CLAIM_DOUBTFUL, CLAIM_CLEAR };

static enum claim claim_of(const struct review *r, const struct review_tag *t)
{
	if ((t->kind != TAG_COLLECTED && t->kind != TAG_NAK) ||
	    t->decision == DECIDED_DROP || taken_back(r, t))
		return CLAIM_NONE;
	if (t->kind == TAG_COLLECTED && t->decision != DECIDED_KEEP &&
	    (t->doubtful || t->condition || t->scope))
		return CLAIM_DOUBTFUL;
	return CLAIM_CLEAR;
}

/* Of what a person says of one kind the clearest counts, of those the first. */
static bool counts(const struct review *r, size_t i, enum claim claim)
{
	const struct review_tag *t = &r->tags[i];

	for (size_t k = 0; k < r->n_tags; k++) {
		const struct review_tag *o = &r->tags[k];
		enum claim other;

		if (k == i || o->kind != t->kind || strcasecmp(o->type, t->type) != 0 ||
		    !email_same(o->email, t->email))
			continue;
		other = claim_of(r, o);
		if (other > claim || (other == claim && k < i))
			return false;
	}
	return true;
}

void review_count_tags(const struct review *r, struct tag_counts *ret)
{
	struct tag_counts n = { 0 };

	for (size_t i = 0; i < r->n_tags; i++) {
		const struct review_tag *t = &r->tags[i];
		enum claim claim = claim_of(r, t);
		size_t *to = t->kind == TAG_NAK ? &n.naks : tag_counts_of(&n, t->type);

		if (claim == CLAIM_NONE || !to || !counts(r, i, claim))
			continue;
		if (claim == CLAIM_DOUBTFUL)
			to = &n.doubtful;
		++*to;
	}
	*ret = n;
}
