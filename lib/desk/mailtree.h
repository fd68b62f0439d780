/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mailtree.h - commits made of mails as git am makes them, without a work tree: git apply
 * in an index of our own, git commit-tree. The objects go to the repository.
 */
#ifndef DESK_MAILTREE_H
#define DESK_MAILTREE_H

#include "apart.h"
#include "series/mail.h"

struct mailtree;
/* objects: whether what is made stays (apart.h). */
int mailtree_open(struct repo *r, enum apart_objects objects, struct mailtree **ret,
		  struct err *err);
/* What is in its folder goes; commits stay if they were to. */
void mailtree_close(struct mailtree **t);
#define _cleanup_mailtree_ __attribute__((cleanup(mailtree_close)))

/*
 * The patch of a mail on top of a commit: author, date and message are the mail's. Where
 * lines moved, files that the patch names and the repository has are merged. E_CONFLICT:
 * it does not apply, with git's words, or there is no patch in it.
 */
int mailtree_apply(struct mailtree *t, const struct mail *m, const char *on,
		   char ret[OID_HEX], struct err *err);

/* Without commits: the index becomes that of a commit. */
int mailtree_stand(struct mailtree *t, const char *on, struct err *err);
enum mailtree_how {
	PUT_DONE,
	PUT_THERE,	/* the change is there already, nothing was done */
	PUT_WITHOUT_CR, /* it applies without the CRs at the ends of its lines */
};
/* The patch of a mail into the index, on what is there by now. E_CONFLICT as above; the
 * index is lost then. */
int mailtree_put(struct mailtree *t, const struct mail *m, enum mailtree_how *ret,
		 struct err *err);
/* Is the one object of that name (abbreviated or not) here, or made of mails before? */
bool mailtree_has(struct mailtree *t, const char *name);
/* Text without a CR in front of each LF, appended to *out. */
void mailtree_strip_cr(struct str text, struct buf *out);

#endif
