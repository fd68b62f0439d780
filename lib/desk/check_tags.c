// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_tags.c - the tags of reviewers: none in the commits that no longer holds, none
 * that holds left out, no NAK passed over.
 */
#include "check_priv.h"

static const char *who(const struct review_tag *t)
{
	return *t->name ? t->name : t->email;
}

static void look_at(struct check_ctx *x, const struct judged_tag *e, int digits)
{
	const struct review_tag *t = e->tag;
	char *where _cleanup_free_ =
		e->patch && e->patch <= x->n ? check_where(x, e->patch - 1) : NULL;
	char *remedy _cleanup_free_ = NULL;

	if (e->state == TAG_NAKED) {
		remedy = xasprintf("answer it, then say how it was settled: series tags "
				   "--drop %.*s --reason TEXT",
				   digits, t->id);
		check_add(x, "nak-open", where, remedy, "%s is against it (%s)", who(t),
			  t->label);
	} else if (judged_stale(e) && e->state == TAG_CHANGED) {
		remedy = xasprintf(
			"keep it: series tags --keep %.*s; or take it out of the "
			"commit: git rebase -i %.12s",
			digits, t->id, x->base);
		check_add(x, "tag-stale", where, remedy, "%s of %s may not hold: %s",
			  t->type, who(t), e->why);
	} else if (judged_stale(e)) {
		remedy = check_rebase(x, e->patch - 1, "reword");
		check_add(x, "tag-stale", where, remedy, "%s of %s does not hold: %s",
			  t->type, who(t), e->why);
	} else if (e->state == TAG_HOLDS && !e->applied && e->patch) {
		check_add(x, "tag-missing", where, "series tags --apply",
			  "%s of %s (%s) is not in the commit", t->type, who(t),
			  t->label);
	}
}

int check_tags(struct check_ctx *x, struct err *err)
{
	const struct status *st;
	int rc = check_status(x, &st, err), digits;

	if (rc)
		return rc;
	digits = review_digits(&st->review);
	for (size_t i = 0; i < st->tags.n; i++)
		look_at(x, &st->tags.v[i], digits);
	return 0;
}
