/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alias.h - short names for addresses, from the files of other mail programs.
 *
 * The types are those of sendemail.aliasFileType in git-send-email(1): mutt, mailrc,
 * pine, elm, gnus and sendmail, with the parts of each format that git reads. A short
 * name may stand for several addresses and for other short names.
 */
#ifndef SERIES_ALIAS_H
#define SERIES_ALIAS_H

#include <stdbool.h>
#include "series/addr.h"

struct alias_entry {
	char *name;
	struct strvec to; /* addresses or short names, one each */
};

struct aliases {
	struct alias_entry *v; /* in the order of the files; the last of a name counts */
	size_t n, cap;
	/* Lines that could mean somebody and are not understood: "FILE:LINE: why", 20 of
	 * them. */
	struct strvec notes;
};

#define ALIASES_INIT                                                                     \
	{                                                                                \
		NULL, 0, 0, STRVEC_INIT                                                  \
	}

void aliases_release(struct aliases *a);
#define _cleanup_aliases_ __attribute__((cleanup(aliases_release)))
/*
 * Add what text, of a file of that type, defines; what stands for the file in notes. The
 * last definition of a name counts. E_USAGE for a type that is none.
 */
int aliases_parse(struct aliases *a, const char *type, struct str text, const char *what,
		  struct err *err);
/* The same from a file. */
int aliases_read(struct aliases *a, const char *type, const char *path, struct err *err);
/*
 * A mailbox list in which short names may stand, all through. E_USAGE names what is no
 * address, or a name that stands for itself. a may be NULL.
 */
int aliases_expand(const struct aliases *a, const char *list, struct addrs *out,
		   struct err *err);

#endif
