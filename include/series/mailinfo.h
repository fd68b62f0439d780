/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mailinfo.h - the commit in a mail: author, title, message, patch, as git mailinfo
 * (2.39) reads them and git am applies them.
 *
 * Where the two differ, ours loses less: a charset that lies costs no letter, base64 may
 * break its lines anywhere, a boundary is a whole line, text/html is no message, and a
 * name of one letter is a name.
 */
#ifndef SERIES_MAILINFO_H
#define SERIES_MAILINFO_H

#include "series/mail.h"

struct mailinfo {
	char *name, *email; /* of the author, "" if unknown */
	char *subject;	    /* one line; without "Re:" and what stands in brackets */
	char *date;	    /* as the field has it, "" if there is none */
	struct buf message; /* UTF-8; below in-body fields, above the patch */
	struct buf patch;   /* bytes, from the line that begins it ("---", "diff ") on */
	unsigned flags;	    /* TEXT_ */
};

/* Read it; patch is empty when the mail has none. */
void mailinfo_read(const struct mail *m, struct mailinfo *ret);
void mailinfo_release(struct mailinfo *i);
#define _cleanup_mailinfo_ __attribute__((cleanup(mailinfo_release)))

/* Does a patch begin with this line, without its line end? "diff -", "Index: ", "---". */
bool mailinfo_patch_begins(struct str line);
/* Name and address of a From as text, as git has them: see struct mailinfo. Fresh memory. */
void mailinfo_author(struct str from, char **ret_name, char **ret_email);
/* Bytes at the start of a title that go first: "Re:", a colon, a blank, "[...]"; else 0. */
size_t mailinfo_title_cut(struct str title);
/* Append a title without "Re:", colons, blanks and "[...]" at its start, on one line. */
void mailinfo_subject(struct str subject, struct buf *out);

#endif
