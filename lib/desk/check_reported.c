// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_reported.c - Reported-by:, or Reported-and-tested-by:, is followed by Closes: or
 * Link: with the report (Documentation/process/submitting-patches.rst). Several people
 * may have one report: robots ask for their own line, that of who passed it on, Closes:.
 */
#include "check_priv.h"

static bool is_report(struct str line)
{
	struct str value;

	return trailer_is(line, "Reported-by", &value) ||
	       trailer_is(line, "Reported-and-tested-by", &value);
}

static void look_at(struct check_ctx *x, size_t i)
{
	struct str rest = str_c(x->commits[i].message), line, value, next;

	while (str_line(&rest, &line)) {
		struct str ahead = rest;

		if (!is_report(line))
			continue;
		if (!str_line(&ahead, &next) ||
		    (!is_report(next) && !trailer_is(next, "Closes", &value) &&
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
