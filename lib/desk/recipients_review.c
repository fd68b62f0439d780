// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recipients_review.c - the people who said something about a version: what they asked
 * for is in the next one, so that they get it.
 */
#include "recipients_priv.h"
#include "series/mem.h"

static void add(struct recipients *found, const char *name, const char *email,
		const char *label)
{
	const struct addr who = { (char *)name, (char *)email };
	char *why _cleanup_free_ = xasprintf("commented on %s", label);

	if (email && *email && addr_ok(&who))
		recipients_add(found, SIDE_CC, &who, why);
}

void commenters_find(const struct review *r, struct recipients *found)
{
	for (size_t i = 0; i < r->n_remarks; i++)
		add(found, r->remarks[i].name, r->remarks[i].email, r->remarks[i].label);
	for (size_t i = 0; i < r->n_tags; i++)
		if (!r->tags[i].doubtful &&
		    (r->tags[i].kind == TAG_COLLECTED || r->tags[i].kind == TAG_NAK))
			add(found, r->tags[i].name, r->tags[i].email, r->tags[i].label);
}
