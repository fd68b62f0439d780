// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_leftover.c - commits that were meant for git rebase --autosquash.
 */
#include "check_priv.h"

bool check_is_fixup(const struct commit *c)
{
	struct str s = str_c(c->subject);

	return str_starts(s, "fixup! ") || str_starts(s, "squash! ") ||
	       str_starts(s, "amend! ");
}

int check_leftover(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		char *where _cleanup_free_ = NULL, *remedy _cleanup_free_ = NULL;

		if (!check_is_fixup(&x->commits[i]))
			continue;
		where = check_where(x, i);
		remedy = xasprintf("git rebase -i --autosquash %.12s", x->base);
		check_add(x, "fixup-left", where, remedy,
			  "this commit was to be squashed into another");
	}
	return 0;
}
