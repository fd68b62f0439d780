// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_trailers.c - sign-offs and reviews stand in the last paragraph: git reads
 * trailers nowhere else (git-interpret-trailers(1)).
 */
#include "check_priv.h"
#include "series/compose.h"

/*
 * Goes past a paragraph; false at the end. *ret_first: the first line with a person of
 * one that has trailers alone, which may go on in indented lines; else empty.
 */
static bool next_paragraph(struct str *rest, struct str *ret_first)
{
	struct str first = { 0 }, line;
	bool any = false, only = true;

	while (str_line(rest, &line)) {
		if (!str_trim(line).len) {
			if (any)
				break;
			continue;
		}
		if (trailer_is_person(line))
			first = first.len ? first : line;
		else if (!trailer_is_known(line))
			only = only && any && strchr(" \t", line.p[0]);
		any = true;
	}
	*ret_first = only ? first : (struct str){ 0 };
	return any;
}

/* The first trailer that git does not see, else empty. */
static struct str split_off(const char *message)
{
	struct str rest = message_body(message), first = { 0 }, next;

	while (next_paragraph(&rest, &next)) {
		if (first.len)
			return first;
		first = next;
	}
	return (struct str){ 0 };
}

int check_trailers(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		struct str line = split_off(x->commits[i].message);
		char *where _cleanup_free_ = check_where(x, i);
		char *remedy _cleanup_free_ = check_rebase(x, i, "reword");

		if (line.len)
			check_add(x, "trailers-split", where, remedy,
				  "'" STR_FMT "' is not in the last paragraph, where git "
				  "looks for trailers: put them into one block",
				  STR_ARG(line));
	}
	return 0;
}
