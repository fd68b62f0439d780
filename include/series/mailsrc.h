/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mailsrc.h - files and folders that mails are read from: mbox, gzipped mbox, Maildir, a
 * single mail, standard input.
 *
 * A source owns the mapping that its mails point into; a file is mapped, never read
 * whole, and pages behind the reader are given back, so that memory does not grow with
 * the file.
 */
#ifndef SERIES_MAILSRC_H
#define SERIES_MAILSRC_H

#include "series/err.h"
#include "series/mail.h"

/* mails of an mbox, in memory: a cursor. */
struct mbox {
	struct str rest;
	enum from_quoting quoting;
};

/*
 * Is this line, without its line end, a From_ line? "From ", something, and a time with a
 * year behind 1990, as git mailsplit has it.
 */
bool mbox_from_line(struct str line);
/*
 * Next mail, false at the end. A mail begins at a From_ line that is the first line or
 * stands below an empty one (which belongs to the mbox, not to the mail before). Text
 * before the first From_ line is passed over. *ret_line (may be NULL): the From_ line.
 */
bool mbox_next(struct mbox *m, struct mail *ret, struct str *ret_line);

struct mailsrc;

/*
 * path: a file (gzipped or not), a Maildir (a folder with cur/ and new/), a folder whose
 * files *.patch and *.eml are a mail each, in the order of their names, "-" for standard
 * input. A file that begins with a From_ line is an mbox whose quoting is as
 * told (public- inbox and git write mboxrd); else it is one mail. E_NOTFOUND; E_CORRUPT
 * for gzip that ends early or is damaged, when what came before the damage has been read.
 * E_INTR.
 */
int mailsrc_open(const char *path, enum from_quoting quoting, struct mailsrc **ret,
		 struct err *err);
/*
 * Next mail, 0 at the end, 1 with a mail that is valid until the next call, or an error.
 * In a Maildir the order is that of arrival, told by the names; what is no plain file is
 * passed over, one that cannot be read is an error when all others have been. E_CORRUPT
 * also for a file that was cut short meanwhile: the last mail has zeros then. E_FAIL for
 * a mail of more than 512 MB, E_INTR.
 */
int mailsrc_next(struct mailsrc *s, struct mail *ret, struct err *err);
/*
 * E_CORRUPT when the file was cut short since, so that the mails that were read have
 * zeros: for who keeps them.
 */
int mailsrc_check(const struct mailsrc *s, struct err *err);
/*
 * Another holder: the mails of s stay valid until all have closed it. NULL for a Maildir,
 * whose mails do not.
 */
struct mailsrc *mailsrc_share(struct mailsrc *s);
void mailsrc_close(struct mailsrc *s);
void mailsrc_closep(struct mailsrc **s);
#define _cleanup_mailsrc_ __attribute__((cleanup(mailsrc_closep)))

#endif
