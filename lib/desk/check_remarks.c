// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_remarks.c - nothing that reviewers said or robots reported is left as it is.
 */
#include "check_priv.h"
#include "series/reviewdoc.h"

/* The last of the reports that nobody dealt with. */
static void add_reports(struct check_ctx *x, const struct review *r)
{
	const struct review_report *last = NULL;
	size_t open = reports_open(r);

	for (size_t i = 0; i < r->n_reports; i++)
		if (report_is_open(r, &r->reports[i]))
			last = &r->reports[i];
	if (open)
		check_add(x, "remarks-open", NULL,
			  "series remarks shows them; --done says that the draft "
			  "mends it, --answered that nothing is left to do",
			  "%zu report%s of robots %s open, the last by %s on %s: %s",
			  open, open == 1 ? "" : "s", open == 1 ? "is" : "are",
			  last->robot, last->label, last->summary);
}

int check_remarks(struct check_ctx *x, struct err *err)
{
	static const char remedy[] =
		"series remarks shows what is open; --reply answers, "
		"--done says that the draft does it";
	struct review r _cleanup_review_ = { .n_tags = 0 };
	const struct review_remark *first = NULL;
	size_t open = 0;
	int rc = review_load(x->s, &r, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < r.n_remarks; i++) {
		if (!remark_is_open(&r.remarks[i]) ||
		    remark_of_nak(&r, &r.remarks[i], true))
			continue;
		first = first ? first : &r.remarks[i];
		open++;
	}
	if (open == 1)
		check_add(x, "remarks-open", NULL, remedy,
			  "a remark of %s on %s has no answer",
			  *first->name ? first->name : first->email, first->label);
	else if (open)
		check_add(x, "remarks-open", NULL, remedy,
			  "%zu remarks have no answer, the first by %s on %s", open,
			  *first->name ? first->name : first->email, first->label);
	add_reports(x, &r);
	return 0;
}
