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
	bool here = e->patch && e->patch <= x->n; /* else it is of no patch */
	char *where _cleanup_free_ = here ? check_where(x, e->patch - 1) : NULL;
	char *name _cleanup_free_ = judged_name(e, digits);
	char *remedy _cleanup_free_ = NULL;

	if (e->state == TAG_NAKED) {
		remedy = judged_nak_remedy(e, digits);
		check_add(x, "nak-open", where, remedy, "%s is against it (%s)", who(t),
			  t->label);
	} else if (e->applied && judged_is_open(e)) {
		remedy =
			xasprintf("keep it: series tags --keep %s; or take it out of the "
				  "commit: series tags --apply --drop %s",
				  name, name);
		check_add(x, "tag-stale", where, remedy, "%s of %s may not hold: %s",
			  t->type, who(t), e->why);
	} else if (judged_is_stale(e)) {
		check_add(x, "tag-stale", where, "series tags --apply",
			  "%s of %s does not hold: %s", t->type, who(t), e->why);
	} else if (here && e->applied && e->state == TAG_RETRACTED) {
		/* Of a kind that was never taken from a reply, a Signed-off-by. */
		remedy = check_rebase(x, e->patch - 1, "reword");
		check_add(x, "tag-stale", where, remedy, "%s of %s does not hold: %s",
			  t->type, who(t), e->why);
	} else if (judged_is_ready(e)) {
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
