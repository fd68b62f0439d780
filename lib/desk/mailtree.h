/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mailtree.h - commits made of mails as git am makes them, without a work tree: git apply
 * in an index of our own, git commit-tree. The objects go to the repository.
 */
#ifndef DESK_MAILTREE_H
#define DESK_MAILTREE_H

#include "series/git.h"
#include "series/mail.h"

struct mailtree;
int mailtree_open(struct repo *r, struct mailtree **ret, struct err *err);
/* What is in its folder goes; the commits stay. */
void mailtree_close(struct mailtree **t);
#define _cleanup_mailtree_ __attribute__((cleanup(mailtree_close)))

/*
 * The patch of a mail on top of a commit: author, date and message are the mail's. Where
 * lines moved, files that the patch names and the repository has are merged. E_CONFLICT:
 * it does not apply, with git's words, or there is no patch in it.
 */
int mailtree_apply(struct mailtree *t, const struct mail *m, const char *on,
		   char ret[OID_HEX], struct err *err);

#endif
