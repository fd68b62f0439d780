// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_codeveloped.c - Co-developed-by: is followed by the Signed-off-by: of the same
 * person (Documentation/process/submitting-patches.rst).
 */
#include "check_priv.h"

static bool one_person(struct str a, struct str b)
{
	struct addrs got _cleanup_addrs_ = ADDRS_INIT;

	return addr_trailer(a, &got, NULL) && addr_trailer(b, &got, NULL) &&
	       email_same(got.v[0].email, got.v[1].email);
}

static void look_at(struct check_ctx *x, size_t i)
{
	struct str rest = str_c(x->commits[i].message), line, who, signer, next;

	while (str_line(&rest, &line)) {
		struct str ahead = rest;

		if (!trailer_is(line, "Co-developed-by", &who))
			continue;
		if (!str_line(&ahead, &next) ||
		    !trailer_is(next, "Signed-off-by", &signer) ||
		    !one_person(who, signer)) {
			char *where _cleanup_free_ = check_where(x, i);
			char *remedy _cleanup_free_ = check_rebase(x, i, "reword");

			check_add(x, "co-developed-by", where, remedy,
				  "'" STR_FMT
				  "' is not followed by 'Signed-off-by: " STR_FMT "'",
				  STR_ARG(line), STR_ARG(who));
		}
	}
}

int check_codeveloped(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++)
		look_at(x, i);
	return 0;
}
