// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * status_review.c - tags and remarks of a status.
 */
#include "follow.h"
#include "series/mem.h"
#include "status_priv.h"

static struct status_remarks *remarks_of(struct status *st, size_t patch)
{
	return patch ? &st->patches[patch - 1].remarks : &st->remarks;
}

/* Each to the patch that the one it was about has become. */
static int count_remarks(struct status *st, struct series *s, struct err *err)
{
	struct follow f _cleanup_follow_ = { NULL };
	int rc = 0;

	if (!st->review.n_remarks)
		return 0;
	follow_init(s, &f);
	for (size_t i = 0; i < st->review.n_remarks && !rc; i++) {
		const struct review_remark *m = &st->review.remarks[i];
		const struct version *v = series_version_named(s, m->label);
		struct status_remarks *to;
		size_t patch = 0;

		if (v && m->patch && m->patch <= v->n_patches)
			rc = follow_patch(&f, v, m->patch, &patch, err);
		to = remarks_of(st, patch);
		to->open += remark_is_open(m);
		to->answered += !remark_is_open(m);
	}
	return rc;
}

int status_review(struct status *st, struct series *s, const struct config *c,
		  struct err *err)
{
	int rc = review_load(s, &st->review, err);

	if (!rc)
		rc = tags_judge(s, c, &st->review, &st->tags, err);
	return rc ? rc : count_remarks(st, s, err);
}

size_t status_remarks_open(const struct status *st)
{
	size_t n = st->remarks.open;

	for (size_t i = 0; i < st->series->n_patches; i++)
		n += st->patches[i].remarks.open;
	return n;
}

static void find_naks(struct status *st)
{
	int digits = review_digits(&st->review);

	for (size_t i = 0; i < st->tags.n; i++) {
		const struct judged_tag *e = &st->tags.v[i];
		char *where _cleanup_free_ = NULL, *remedy _cleanup_free_ = NULL;
		char *name _cleanup_free_ = NULL;

		if (e->state != TAG_NAKED)
			continue;
		if (e->patch)
			where = xasprintf("patch %zu/%zu", e->patch,
					  st->series->n_patches);
		name = judged_name(e, digits);
		remedy = xasprintf("answer it, then say how it was settled: series tags "
				   "--drop %s --reason TEXT",
				   name);
		findings_add(&st->findings, "nak-open", SEVERITY_WARNING, where, remedy,
			     "%s is against it (%s)",
			     *e->tag->name ? e->tag->name : e->tag->email, e->tag->label);
	}
}

void status_review_findings(struct status *st)
{
	size_t open = status_remarks_open(st),
	       ask = judged_count(&st->tags, judged_is_open),
	       ready = judged_count(&st->tags, judged_is_ready),
	       stale = judged_count(&st->tags, judged_is_stale);

	find_naks(st);
	if (ready)
		findings_add(&st->findings, "tags-ready", SEVERITY_WARNING, NULL,
			     "series tags --apply", "%zu tag%s not in the commits yet",
			     ready, ready == 1 ? " is" : "s are");
	if (stale)
		findings_add(&st->findings, "tags-stale", SEVERITY_WARNING, NULL,
			     "series tags --apply",
			     "%zu tag%s in the commits, and no longer hold%s", stale,
			     stale == 1 ? " is" : "s are", stale == 1 ? "s" : "");
	if (ask)
		findings_add(&st->findings, "tags-undecided", SEVERITY_WARNING, NULL,
			     "series tags", "%zu tag%s for you to decide", ask,
			     ask == 1 ? " is" : "s are");
	if (open)
		findings_add(&st->findings, "remarks-open", SEVERITY_WARNING, NULL,
			     "series remarks", "%zu remark%s without an answer", open,
			     open == 1 ? " is" : "s are");
}
