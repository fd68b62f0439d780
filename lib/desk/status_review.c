// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * status_review.c - tags, remarks and robots' reports of a status.
 */
#include "follow.h"
#include "series/mem.h"
#include "status_priv.h"

/* The patch that patch of that version has become; 0: the cover, or it is gone. */
static int place_now(struct series *s, struct follow *f, const char *label, size_t patch,
		     size_t *ret, struct err *err)
{
	const struct version *v = series_version_named(s, label);

	*ret = 0;
	if (!v || !patch || patch > v->n_patches)
		return 0;
	return follow_patch(f, v, patch, ret, err);
}

static void count(struct status_remarks *to, bool open)
{
	to->open += open;
	to->answered += !open;
}

/* Each to the patch that the one it was about has become. */
static int count_remarks(struct status *st, struct series *s, struct err *err)
{
	const struct review *r = &st->review;
	struct follow f _cleanup_follow_ = { NULL };
	size_t patch;
	int rc = 0;

	if (!r->n_remarks && !r->n_reports)
		return 0;
	follow_init(s, &f);
	for (size_t i = 0; i < r->n_remarks && !rc; i++) {
		const struct review_remark *m = &r->remarks[i];

		/* It is counted as the NAK. */
		if (remark_of_nak(r, m, true))
			continue;
		rc = place_now(s, &f, m->label, m->patch, &patch, err);
		if (!rc)
			count(patch ? &st->patches[patch - 1].remarks : &st->remarks,
			      remark_is_open(m));
	}
	for (size_t i = 0; i < r->n_reports && !rc; i++) {
		const struct review_report *p = &r->reports[i];

		if (report_repeated(r, p))
			continue;
		rc = place_now(s, &f, p->label, p->patch, &patch, err);
		if (!rc)
			count(patch ? &st->patches[patch - 1].reports : &st->reports,
			      report_is_open(r, p));
	}
	return rc;
}

int status_review(struct status *st, struct series *s, const struct config *c,
		  struct err *err)
{
	struct strvec bad _cleanup_strvec_ = STRVEC_INIT;
	int rc = review_load_good(s, &st->review, &bad, err);

	for (size_t i = 0; i < bad.n; i++)
		findings_add(&st->findings, "review-corrupt", SEVERITY_ERROR, "review",
			     NULL, "%s", bad.v[i]);
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

static void find_reports(struct status *st)
{
	const struct review *r = &st->review;
	const struct review_report *last = NULL;
	size_t open = reports_open(r);

	for (size_t i = 0; i < r->n_reports; i++)
		if (report_is_open(r, &r->reports[i]))
			last = &r->reports[i];
	if (open)
		findings_add(&st->findings, "reports-open", SEVERITY_WARNING, NULL,
			     "series remarks",
			     "%zu report%s of robots, the last by %s on %s: %s", open,
			     open == 1 ? "" : "s", last->robot, last->label,
			     last->summary);
}

static void find_naks(struct status *st)
{
	int digits = review_digits(&st->review);

	for (size_t i = 0; i < st->tags.n; i++) {
		const struct judged_tag *e = &st->tags.v[i];
		char *where _cleanup_free_ = NULL, *remedy _cleanup_free_ = NULL;

		if (e->state != TAG_NAKED)
			continue;
		if (e->patch)
			where = xasprintf("patch %zu/%zu", e->patch,
					  st->series->n_patches);
		remedy = judged_nak_remedy(e, digits);
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
	find_reports(st);
}
