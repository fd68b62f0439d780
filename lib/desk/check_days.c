// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_days.c - reviewers get time between two versions: series.check.days, default 1 (a
 * day is what Documentation/process/maintainer-netdev.rst asks for).
 */
#include "check_priv.h"
#include "series/time.h"

#define DAY 86400

int check_days(struct check_ctx *x, struct err *err)
{
	const struct version *last = series_last(x->s);
	int64_t days = 1, since;
	int rc = config_get_int(x->c, "series.check.days", 1, &days, err);

	if (rc || !last || !last->n_postings || x->p->outbox->rehearsal)
		return rc;
	since = time_now() - last->postings[last->n_postings - 1].date;
	if (since >= 0 && days > 0 && since / DAY < days)
		check_add(x, "too-soon", NULL,
			  "git config series.check.too-soon off  # or wait",
			  "v%d went out %lld hours ago; reviewers get %lld day%s",
			  last->n, (long long)(since / 3600), (long long)days,
			  days == 1 ? "" : "s");
	return 0;
}
