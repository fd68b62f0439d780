// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_body.c - a message says why, not trailers alone.
 */
#include "check_priv.h"
#include "series/compose.h"

int check_body(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		struct str rest = message_body(x->commits[i].message), line;
		bool says = check_is_fixup(&x->commits[i]);

		while (!says && str_line(&rest, &line))
			says = str_trim(line).len && !trailer_is_known(line);
		if (!says && x->commits[i].subject[0]) {
			char *where _cleanup_free_ = check_where(x, i);
			char *remedy _cleanup_free_ = check_rebase(x, i, "reword");

			check_add(x, "message-body", where, remedy,
				  "below its title the message says nothing: why is this "
				  "wanted?");
		}
	}
	return 0;
}
