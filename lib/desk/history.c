// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * history.c - see history.h. Range-diffs are made only when a step is asked for.
 */
#include <stdlib.h>
#include "history.h"
#include "series/mem.h"
#include "series/store.h"
#include "suggest.h"

void history_release(struct history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		changelog_release(&h->v[i].log);
		comparison_release(&h->v[i].cmp);
	}
	free(h->v);
	*h = (struct history){ 0 };
}

static int read_log(const struct history *h, struct step *st, bool restart,
		    struct err *err)
{
	const struct series *s = h->s;
	int draft = series_changelog_number(s, h->v[0].n, restart);
	bool first = st == h->v && !st->v;
	/* RFCs keep their names until the series has begun again. */
	char *path _cleanup_free_ =
		xasprintf("changes/%s%d.txt", st->v && st->v->rfc ? "rfc" : "v",
			  first ? draft : st->n);
	struct buf text _cleanup_buf_ = BUF_INIT;
	/* A number that is left out has none: its text is what the draft says. */
	bool none = !first && !st->v && st->n == draft;
	int rc = none ? 0 : store_read(s->repo, s->name, path, &text, err);

	if (rc && rc != E_NOTFOUND)
		return rc;
	if (rc)
		err_release(err);
	changelog_parse(buf_str(&text), &st->log);
	changelog_match(&st->log, st->patches, st->n_patches);
	return 0;
}

static int add_step(struct history *h, int n, const struct version *v, bool rfc,
		    bool restart, struct err *err)
{
	const struct series *s = h->s;
	struct step *st = &h->v[h->n];

	*st = (struct step){ .n = n, .v = v, .rfc = rfc, .newer = -1 };
	if (v) {
		st->patches = v->patches;
		st->n_patches = v->n_patches;
	} else if (!h->n) {
		st->patches = s->patches;
		st->n_patches = s->n_patches;
	}
	for (size_t i = h->n; i-- > 0 && st->newer < 0;)
		if (!i || h->v[i].v)
			st->newer = (int)i;
	h->n++;
	return read_log(h, st, restart, err);
}

int history_read(const struct series *s, int version, bool restart, struct history *ret,
		 struct err *err)
{
	struct history h = { .s = s };
	int rc = 0;

	h.v = xcalloc((size_t)version + s->n_versions + 1, sizeof(*h.v));
	for (int n = version; n > 0 && !rc; n--)
		rc = add_step(&h, n, restart ? NULL : series_version(s, n), false,
			      restart, err);
	for (size_t i = s->n_versions; i-- > 0 && !rc;)
		if (s->versions[i].rfc || restart)
			rc = add_step(&h, s->versions[i].n, &s->versions[i], true,
				      restart, err);
	if (rc)
		history_release(&h);
	else
		*ret = h;
	return rc;
}

struct step *history_older(struct history *h, const struct step *st)
{
	for (size_t i = (size_t)(st - h->v) + 1; i < h->n; i++)
		if (h->v[i].v)
			return &h->v[i];
	return NULL;
}

static int compare_step(struct history *h, struct step *older, struct err *err)
{
	const struct step *newer = &h->v[older->newer];
	struct side a = { 0 }, b = { 0 };
	int rc = 0;

	older->compared = true;
	side_version(older->v, &a);
	if (newer->v)
		side_version(newer->v, &b);
	else
		rc = side_branch(h->s, &b, err);
	if (!rc)
		rc = compare_make(h->s->repo, &a, &b, 0, &older->cmp, err);
	side_release(&a);
	/* Versions that came from another machine may lack their commits. */
	if (rc && rc != E_INTR) {
		err_release(err);
		rc = 0;
	}
	return rc;
}

static int same_words(struct repo *r, const struct range_pair *p, bool *ret,
		      struct err *err)
{
	struct commit a, b;
	int rc = repo_commit(r, p->from_id, &a, err);

	if (rc)
		return rc;
	rc = repo_commit(r, p->to_id, &b, err);
	if (!rc) {
		*ret = taglines_same_text(&a, &b);
		commit_release(&b);
	}
	commit_release(&a);
	return rc;
}

static int is_same(struct history *h, const struct compared *p, bool *ret,
		   struct err *err)
{
	*ret = p->pair->mark == RANGE_SAME;
	if (*ret || p->retitled || p->code_changed)
		return 0;
	return same_words(h->s->repo, p->pair, ret, err);
}

static int by_title(const struct step *older, const struct step *newer, int k)
{
	for (size_t i = 0; i < older->n_patches && (size_t)k <= newer->n_patches; i++)
		if (!strcmp(older->patches[i].subject, newer->patches[k - 1].subject))
			return (int)i + 1;
	return 0;
}

int history_follow(struct history *h, struct step *older, int k, int *ret, bool *ret_same,
		   struct err *err)
{
	int rc = older->compared ? 0 : compare_step(h, older, err);

	*ret_same = false;
	if (rc)
		return rc;
	*ret = older->cmp.n ? 0 : by_title(older, &h->v[older->newer], k);
	for (size_t i = 0; i < older->cmp.n; i++) {
		const struct compared *p = &older->cmp.v[i];

		if (p->pair->to != (size_t)k)
			continue;
		*ret = (int)p->pair->from;
		return *ret ? is_same(h, p, ret_same, err) : 0;
	}
	return 0;
}

bool step_has_patches(const struct step *st)
{
	for (size_t i = 1; i < st->log.n; i++)
		if (st->log.v[i].found && st->log.v[i].n)
			return true;
	return false;
}

bool history_has_patches(const struct history *h, const struct step *st)
{
	for (; st < h->v + h->n; st++)
		if (step_has_patches(st))
			return true;
	return false;
}
