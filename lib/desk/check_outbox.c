// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_outbox.c - a posting that has not ended.
 */
#include "check_priv.h"

int check_outbox(struct check_ctx *x, struct err *err)
{
	const struct status *st;
	int rc;

	if (x->p->outbox->rehearsal)
		return 0;
	rc = check_status(x, &st, err);
	for (size_t i = 0; !rc && i < st->findings.n; i++) {
		const struct finding *f = &st->findings.v[i];

		if (str_starts(str_c(f->id), "mail-") || !strcmp(f->id, "outbox-corrupt"))
			check_add(x, f->id, f->where, f->remedy, "%s", f->message);
	}
	return rc;
}
