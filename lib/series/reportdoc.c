// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reportdoc.c - reports of robots: which say the same, which are settled; and what an id
 * of the review means.
 */
#include <ctype.h>
#include "series/reviewdoc.h"

/* An RFC comes before v1. */
static int rank(const struct review_report *p)
{
	return p->label[0] == 'r' ? 0 : p->version;
}

/* Equal but for the numbers of lines and columns (":12:3:"). */
static bool same_words(const char *a, const char *b)
{
	bool colon = false;

	while (*a || *b) {
		if (colon && isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			a += strspn(a, "0123456789");
			b += strspn(b, "0123456789");
			colon = false;
			continue;
		}
		if (*a != *b)
			return false;
		colon = *a == ':';
		a++;
		b++;
	}
	return true;
}

bool report_same(const struct review_report *a, const struct review_report *b)
{
	/* A title says nothing of what is below it. */
	if (a == b || str_istarts(str_c(a->summary), "re:"))
		return a == b;
	return !strcmp(a->robot, b->robot) && same_words(a->summary, b->summary);
}

/* The one whose word counts for it, NULL: it is open. */
static const struct review_report *settled_by(const struct review *r,
					      const struct review_report *p)
{
	for (size_t i = 0; i < r->n_reports; i++) {
		const struct review_report *q = &r->reports[i];

		if (((q->answered || q->done_in) && rank(q) >= rank(p) &&
		     report_same(p, q)) ||
		    (q->done_in > rank(p) && report_same(p, q)))
			return q;
	}
	return NULL;
}

bool report_is_open(const struct review *r, const struct review_report *p)
{
	return !settled_by(r, p);
}

void report_state(const struct review *r, const struct review_report *p, struct buf *out)
{
	const struct review_report *by = settled_by(r, p);

	if (by && by->done_in)
		buf_printf(out, "done in v%d", by->done_in);
	else
		buf_puts(out, by ? "answered" : "open");
}

bool report_repeated(const struct review *r, const struct review_report *p)
{
	for (size_t i = 0; i < r->n_reports; i++) {
		const struct review_report *q = &r->reports[i];

		if ((rank(q) > rank(p) || (rank(q) == rank(p) && q > p)) &&
		    report_same(p, q))
			return true;
	}
	return false;
}

size_t reports_open(const struct review *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_reports; i++)
		n += !report_repeated(r, &r->reports[i]) &&
		     report_is_open(r, &r->reports[i]);
	return n;
}

int review_find(const struct review *r, const char *id,
		const struct review_remark **ret_remark,
		const struct review_report **ret_report, struct err *err)
{
	const struct review_remark *remark = NULL;
	const struct review_report *report = NULL;
	size_t found = 0;

	for (size_t i = 0; *id && i < r->n_remarks; i++)
		if (str_starts(str_c(r->remarks[i].id), id)) {
			remark = &r->remarks[i];
			found++;
		}
	for (size_t i = 0; *id && i < r->n_reports; i++)
		if (str_starts(str_c(r->reports[i].id), id)) {
			report = &r->reports[i];
			found++;
		}
	if (found > 1)
		return err_set(err, E_USAGE,
			       "the ids of several remarks begin with '%s'; give more "
			       "digits",
			       id);
	if (!found)
		return err_set(err, E_NOTFOUND,
			       "no remark has the id '%s'; series remarks --all lists "
			       "them",
			       id);
	*ret_remark = remark;
	*ret_report = report;
	return 0;
}
