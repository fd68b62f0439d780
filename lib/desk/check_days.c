// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_days.c - reviewers get time between two versions: series.check.days, default 1 (a
 * day is what Documentation/process/maintainer-netdev.rst asks for).
 */
#include "check_priv.h"
#include "series/time.h"

#define DAY 86400
#define MAX_DAYS 36500

int check_days(struct check_ctx *x, struct err *err)
{
	const struct version *last = series_last(x->s);
	char *remedy _cleanup_free_ = NULL;
	struct buf until _cleanup_buf_ = BUF_INIT;
	int64_t days = 1, posted;
	int rc = config_get_int(x->c, "series.check.days", 1, &days, err);

	if (rc || !last || !last->n_postings || x->p->outbox->rehearsal)
		return rc;
	posted = last->postings[last->n_postings - 1].date;
	days = days > MAX_DAYS ? MAX_DAYS : days;
	if (posted > time_now() || time_now() - posted >= days * DAY)
		return 0;
	time_iso(posted + days * DAY, &until);
	remedy = xasprintf("wait until %s; or, for good: git config series.check.days 0 "
			   "(the number of days), git config series.check.too-soon off",
			   buf_cstr(&until));
	check_add(x, "too-soon", NULL, remedy,
		  "v%d went out %lld hours ago; reviewers get %lld day%s",
		  last->n, (long long)((time_now() - posted) / 3600), (long long)days,
		  days == 1 ? "" : "s");
	return 0;
}
