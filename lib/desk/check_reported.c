// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_reported.c - Reported-by:, or Reported-and-tested-by:, is followed by Closes: or
 * Link: with the report (Documentation/process/submitting-patches.rst).
 */
#include "check_priv.h"

static void look_at(struct check_ctx *x, size_t i)
{
	struct str rest = str_c(x->commits[i].message), line, value, next;

	while (str_line(&rest, &line)) {
		struct str ahead = rest;

		if (!trailer_is(line, "Reported-by", &value) &&
		    !trailer_is(line, "Reported-and-tested-by", &value))
			continue;
		if (!str_line(&ahead, &next) || (!trailer_is(next, "Closes", &value) &&
						 !trailer_is(next, "Link", &value))) {
			char *where _cleanup_free_ = check_where(x, i);
			char *remedy _cleanup_free_ = check_rebase(x, i, "reword");

			check_add(x, "reported-by", where, remedy,
				  "'" STR_FMT "' is not followed by Closes: with the "
				  "address of the report",
				  STR_ARG(line));
		}
	}
}

int check_reported(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++)
		look_at(x, i);
	return 0;
}
