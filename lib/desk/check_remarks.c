// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_remarks.c - nothing that reviewers said is left without an answer.
 */
#include "check_priv.h"
#include "series/reviewdoc.h"

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
		if (!remark_is_open(&r.remarks[i]))
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
	return 0;
}
