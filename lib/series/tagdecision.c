// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagdecision.c - what the user decided about a tag: for all patches, and for single ones.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/reviewdoc.h"

static struct tag_decision *own_decision(const struct review_tag *t, size_t patch)
{
	for (size_t i = 0; i < t->n_each; i++)
		if (t->each[i].patch == patch)
			return &t->each[i];
	return NULL;
}

enum decision tag_decision(const struct review_tag *t, size_t patch,
			   const char **ret_reason)
{
	const struct tag_decision *own = own_decision(t, patch);

	*ret_reason = own ? own->reason : t->reason;
	return own ? own->decision : t->decision;
}

void tag_decide(struct review_tag *t, size_t patch, enum decision d, const char *reason)
{
	struct tag_decision *own = own_decision(t, patch);

	if (!patch) {
		for (size_t i = 0; i < t->n_each; i++)
			free(t->each[i].reason);
		t->n_each = 0;
		t->decision = d;
		free(t->reason);
		t->reason = xstrdup_null(reason);
		return;
	}
	if (!own) {
		vec_grow(t->each, t->n_each, t->cap_each);
		own = &t->each[t->n_each++];
		*own = (struct tag_decision){ .patch = patch };
	}
	own->decision = d;
	free(own->reason);
	own->reason = xstrdup_null(reason);
}

void tag_copy_decisions(const struct review_tag *from, struct review_tag *to)
{
	tag_decide(to, 0, from->decision, from->reason);
	for (size_t i = 0; i < from->n_each; i++)
		tag_decide(to, from->each[i].patch, from->each[i].decision,
			   from->each[i].reason);
}
