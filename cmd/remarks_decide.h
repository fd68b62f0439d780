/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remarks_decide.h - which remarks and reports are meant, and what is said of them.
 */
#ifndef CMD_REMARKS_DECIDE_H
#define CMD_REMARKS_DECIDE_H

#include "cmd.h"
#include "series/reply.h"

/* What ids mean; remarks and reports are borrowed. */
struct remarks_chosen {
	struct remark_list remarks;
	const struct review_report **report;
	size_t n_reports, cap_reports;
};

void remarks_chosen_release(struct remarks_chosen *l);
/* The remarks and reports of the ids, each once. */
int remarks_choose(const struct review *r, const struct strvec *ids,
		   struct remarks_chosen *l, struct err *err);

struct remarks_decision {
	bool answered, open, done;
	const char *in; /* of done: "v3"; NULL: the version that is being prepared */
};

/* One state commit for all of them. */
int remarks_decide(struct ctx *c, const struct remarks_decision *q,
		   const struct remarks_chosen *chosen, int digits, struct err *err);

#endif
