// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_body.c - a message says why, not trailers alone.
 */
#include "check_priv.h"
#include "series/compose.h"

bool check_person_trailer(struct str line)
{
	ptrdiff_t colon = str_chr(line, ':');

	return colon > 3 && check_is_trailer(line) &&
	       str_istarts(str_n(line.p + colon - 3, 3), "-by");
}

bool check_known_trailer(struct str line)
{
	static const char *const words[] = {
		"Bug",	     "BugLink",	   "Bugzilla",	"Cc",	      "Change-Id",
		"Closes",    "Depends-on", "Fixes",	"Link",	      "Message-ID",
		"Patchwork", "Ref",	   "Reference", "References", "Stable-dep-of",
	};
	struct str value;

	if (!check_is_trailer(line))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (check_trailer(line, words[i], &value))
			return true;
	return check_person_trailer(line);
}

int check_body(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		struct str rest = message_body(x->commits[i].message), line;
		bool says = check_is_fixup(&x->commits[i]);

		while (!says && str_line(&rest, &line))
			says = str_trim(line).len && !check_known_trailer(line);
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
