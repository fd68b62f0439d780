// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tags_ask.c - see tags_ask.h.
 */
#include <stdlib.h>
#include <strings.h>

#include "ask.h"
#include "series/mem.h"
#include "tags_ask.h"
#include "tags_print.h"

/* A Tested-by is about the series, so that one question is about all its patches. */
static bool asked_with(const struct judged_tag *a, const struct judged_tag *b)
{
	return a == b || (b->state == TAG_CHANGED && a->tag == b->tag &&
			  !strcasecmp(a->tag->type, "Tested-by"));
}

/* What is asked with tag i, from there on, with the diffs of the patches; "ID:N" each. */
static int show_changed(struct ctx *c, const struct judged *j, size_t first,
			struct strvec *ids, struct buf *out, struct err *err)
{
	int rc = 0;

	for (size_t i = first; i < j->n && !rc; i++) {
		const struct judged_tag *e = &j->v[i];

		if (!asked_with(&j->v[first], e))
			continue;
		strvec_pushf(ids, "%s:%zu", e->tag->id, e->patch);
		buf_putc(out, '\n');
		tags_describe(c->series, e, out);
		buf_printf(out, ": %s\n", e->why);
		if (e->lines)
			rc = judged_diff(c->series, e, out, err);
	}
	return rc;
}

int tags_ask(struct ctx *c, const struct judged *j, bool *ret_decided, struct err *err)
{
	bool *asked _cleanup_free_ = xcalloc(j->n + 1, sizeof(*asked));

	for (size_t i = 0; i < j->n; i++) {
		const struct judged_tag *e = &j->v[i];
		struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
		struct tag_wishes w = { .reason = e->why };
		struct buf text _cleanup_buf_ = BUF_INIT;
		char letter;
		int rc;

		if (e->state != TAG_CHANGED || asked[i])
			continue;
		for (size_t k = i; k < j->n; k++)
			asked[k] |= asked_with(e, &j->v[k]);
		rc = show_changed(c, j, i, &ids, &text, err);
		if (rc)
			return rc;
		letter = ask_letter(&text, "Keep the tag? (y: yes, n: drop it for good)",
				    "y/n/LATER");
		if (letter != 'y' && letter != 'n')
			continue;
		*(letter == 'y' ? &w.keep : &w.drop) = ids;
		rc = tags_decide(c->series, c->config, &w, err);
		if (rc)
			return rc;
		*ret_decided = true;
	}
	return 0;
}
