/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mirror.h - mails of a git mirror of a mailing list (public-inbox-v2-format(5)).
 *
 * A mirror is a folder of epochs, bare repositories 0.git, 1.git ... in it or in its
 * git/. Each commit of an epoch brings one mail (`m`) or takes one out (`d`). A list that
 * takes a mail out for good, or changes one, writes the epoch anew from there on.
 */
#ifndef SERIES_MIRROR_H
#define SERIES_MIRROR_H

#include "series/git.h"

/*
 * Paths of a mirror's epochs, oldest first, appended to *ret; dir may be an epoch itself.
 * E_NOTFOUND: no mirror.
 */
int mirror_epochs(const char *dir, struct strvec *ret, struct err *err);

struct epoch;

enum epoch_what {
	EPOCH_MAIL,    /* a mail that came */
	EPOCH_DELETED, /* a mail that came before, and is to be forgotten */
	EPOCH_BROKEN,  /* a mail that cannot be read: why says how */
};

struct epoch_mail {
	enum epoch_what what;
	struct str raw; /* as it was sent, without From_ line (FROM_PLAIN) */
	const char *why;
	char commit[OID_HEX]; /* the bookmark: with it as since the next one comes first
			       */
	char blob[OID_HEX];   /* for repo_blob(); "" when not even that is known */
};

/*
 * Open an epoch to read what came after the commit since; NULL: everything. Only the
 * names of commits are held, 40 bytes each. An epoch without commits has no mails.
 * E_CORRUPT when a commit is missing (behind the end of a shallow clone is no such
 * thing).
 */
int epoch_open(const char *path, const char *since, struct epoch **ret, struct err *err);
/*
 * The epoch was written anew: since is gone from it, everything comes, and what was
 * remembered of it is void.
 */
bool epoch_rewritten(const struct epoch *e);
/* How many are still to come, at most. */
size_t epoch_left(const struct epoch *e);
/*
 * Oldest first: 1 with a mail whose views are valid until the next call, 0 at the end.
 * Objects that are missing or damaged, and mails of more than 512 MB, are EPOCH_BROKEN
 * and end nothing. E_FAIL when there were commits and none is of such a mirror; E_INTR.
 */
int epoch_next(struct epoch *e, struct epoch_mail *ret, struct err *err);
void epoch_close(struct epoch *e);
void epoch_closep(struct epoch **e);
#define _cleanup_epoch_ __attribute__((cleanup(epoch_closep)))

#endif
