// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * listed_tags.c - how many people gave tags to the newest version of a series, and which
 * patches have one.
 */
#include "listed_priv.h"
#include "series/mailinfo.h"
#include "series/mem.h"

enum { REVIEWED, ACKED, TESTED, NAKED, N_COUNTS };

/* Of one series, while it is counted. */
struct count {
	struct strvec people[N_COUNTS]; /* addresses, names where there is none */
	bool *covered;			/* patch k at [k - 1] */
	size_t total;
};

static int kind_of(const char *type)
{
	static const char *const types[] = { "Reviewed-by", "Acked-by", "Tested-by" };

	for (int i = 0; i < (int)ARRAY_SIZE(types); i++)
		if (!strcmp(type, types[i]))
			return i;
	return N_COUNTS;
}

static void count_person(struct count *c, int kind, const struct tag *g)
{
	if (kind < N_COUNTS)
		push_lower(&c->people[kind], *g->email ? g->email : g->name);
}

/* Does it hold for patch k (from 1) as it is? */
static void count_patch(struct count *c, int kind, size_t k)
{
	if ((kind == REVIEWED || kind == ACKED) && k && k <= c->total)
		c->covered[k - 1] = true;
}

/* ---- what the messages have ---- */

static bool of_author(const struct listed *row, const struct tag *g)
{
	return (*g->email && !strcasecmp(g->email, row->email)) ||
	       (*g->name && title_same(g->name, row->name));
}

static void count_message(const struct lister *l, const struct listed *row,
			  struct count *c, size_t mail, size_t k)
{
	struct mailinfo info _cleanup_mailinfo_;
	struct tags found _cleanup_tags_ = { 0 };

	mailinfo_read(&l->t->v[mail].mail, &info);
	tags_find(buf_str(&info.message), &found);
	for (size_t i = 0; i < found.n; i++) {
		const struct tag *g = &found.v[i];

		if (g->kind != TAG_COLLECTED || of_author(row, g))
			continue;
		count_person(c, kind_of(g->type), g);
		count_patch(c, kind_of(g->type), k);
	}
}

/* ---- what replies gave ---- */

/* The patch of the newest version that this one of another is, unchanged; 0: none. */
static size_t unchanged(const struct lister *l, size_t version, size_t patch,
			size_t newest)
{
	size_t k = posted_became(l->p, version, patch, newest);
	const struct posted_patch *a, *b;

	if (k == NO_MAIL || !k || patch > l->p->v[version].total)
		return 0;
	a = &l->p->v[version].patch[patch - 1];
	b = &l->p->v[newest].patch[k - 1];
	return a->mail == b->mail || (*a->patch_id && !strcmp(a->patch_id, b->patch_id))
		       ? k
		       : 0;
}

/* How many patches of the newest version it counts for. */
static size_t count_given(const struct lister *l, struct count *c, const struct tag *g,
			  size_t newest)
{
	size_t from = g->patch ? g->patch : 1;
	size_t to = g->patch ? g->patch : l->p->v[g->version].total, n = 0;

	for (size_t k = from; k <= to; k++) {
		size_t at = unchanged(l, g->version, k, newest);

		if (at)
			count_patch(c, kind_of(g->type), at);
		n += !!at;
	}
	return n;
}

static void count_reply(const struct lister *l, struct count *c, const struct tag *g,
			struct listed *row, size_t newest)
{
	bool gone = posted_became(l->p, g->version, g->patch, newest) == NO_MAIL;

	if (g->retracted_by != NO_MAIL || g->by_author || gone)
		return;
	if (g->kind == TAG_NAK) {
		count_person(c, NAKED, g);
		return;
	}
	if (g->kind != TAG_COLLECTED)
		return;
	if (g->condition || g->scope == SCOPE_PART || g->proposal != NO_MAIL ||
	    !g->by_sender || !count_given(l, c, g, newest))
		row->doubtful++;
	else
		count_person(c, kind_of(g->type), g);
}

static void settle(struct count *c, struct listed *row)
{
	size_t *to[N_COUNTS] = { &row->reviewed, &row->acked, &row->tested, &row->naks };

	for (int i = 0; i < N_COUNTS; i++) {
		sort_once(&c->people[i]);
		*to[i] = c->people[i].n;
		strvec_release(&c->people[i]);
	}
	for (size_t k = 0; k < c->total; k++)
		row->covered += c->covered[k];
	free(c->covered);
}

void list_tags(struct lister *l)
{
	struct count *all = xcalloc(l->p->n_series + 1, sizeof(*all));

	for (size_t s = 0; s < l->p->n_series; s++) {
		const struct posted_version *v = &l->p->v[l->newest[s]];

		all[s].total = v->total;
		all[s].covered = xcalloc(v->total + 1, sizeof(bool));
		for (size_t k = 0; k < v->total; k++)
			if (v->patch[k].mail != NO_MAIL)
				count_message(l, &l->all->v[s], &all[s], v->patch[k].mail,
					      k + 1);
	}
	for (size_t i = 0; i < l->tags.n; i++) {
		size_t s = l->p->v[l->tags.v[i].version].series;

		count_reply(l, &all[s], &l->tags.v[i], &l->all->v[s], l->newest[s]);
	}
	for (size_t s = 0; s < l->p->n_series; s++)
		settle(&all[s], &l->all->v[s]);
	free(all);
}
