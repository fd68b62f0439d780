// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_subject.c - subjects as "subsystem: what it does", up to 75 columns, without a
 * full stop (Documentation/process/submitting-patches.rst, "The canonical patch format").
 */
#include "check_priv.h"
#include "series/utf8.h"

#define SUBJECT_COLUMNS 75

/* "mm/rmap: ...", "x86, kexec: ..."; git's own "Revert "..."" has its prefix within. */
static bool has_prefix(struct str s)
{
	ptrdiff_t colon = str_find(s, ": ");

	return colon > 0 || str_starts(s, "Revert \"") || str_starts(s, "Reapply \"");
}

int check_subject(struct check_ctx *x, struct err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		struct str s = str_c(x->commits[i].subject);
		char *where _cleanup_free_ = check_where(x, i);
		char *remedy _cleanup_free_ = check_rebase(x, i, "reword");
		size_t width = utf8_width(s);

		if (check_is_fixup(&x->commits[i]))
			continue;
		if (width > SUBJECT_COLUMNS)
			check_add(x, "subject-long", where, remedy,
				  "the subject has %zu columns; up to %d are usual",
				  width, SUBJECT_COLUMNS);
		if (s.len && !has_prefix(s))
			check_add(x, "subject-prefix", where, remedy,
				  "the subject does not begin with a subsystem (\"mm: "
				  "...\")");
		if (str_ends(s, ".") && !str_ends(s, "..") && !str_ends(s, " etc."))
			check_add(x, "subject-dot", where, remedy,
				  "the subject ends with a full stop");
	}
	return 0;
}
