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
 * and end nothing. E_NOTFOUND when there were commits and none is of such a mirror;
 * E_INTR.
 */
int epoch_next(struct epoch *e, struct epoch_mail *ret, struct err *err);
void epoch_close(struct epoch *e);
void epoch_closep(struct epoch **e);
#define _cleanup_epoch_ __attribute__((cleanup(epoch_closep)))

/* ---- the same in steps, so that several threads can read ---- */

#define OID_BYTES 20

struct epoch_step {
	unsigned char commit[OID_BYTES], tree[OID_BYTES];
};

/*
 * epoch_open() without what was committed before `after` (seconds since 1970; 0: no
 * limit): commits stand in the order in which mails came, so looking back ends where
 * many in a row are older.
 */
int epoch_open_after(const char *path, const char *since, int64_t after,
		     struct epoch **ret, struct err *err);
/* The next commit, oldest first, without reading what it brings; false at the end. */
bool epoch_step(struct epoch *e, struct epoch_step *ret);
/*
 * Open an epoch for epoch_read() and epoch_blob() alone; no commit is looked at. Each
 * thread has its own, and the first one of a process is opened before there are threads.
 */
int epoch_reader(const char *path, struct epoch **ret, struct err *err);
/* 1 with what a commit brings, as epoch_next() has it; 0: nothing. */
int epoch_read(struct epoch *reader, const struct epoch_step *s, struct epoch_mail *ret);
/* The error of epoch_next() for an epoch whose commits are of something else. */
int epoch_no_mails(const char *path, struct err *err);
/*
 * A mail that epoch_read() gave before, by its blob, until the next call: its size is not
 * looked at again. False: missing or damaged.
 */
bool epoch_blob(struct epoch *reader, const unsigned char id[OID_BYTES], struct str *ret);

#endif
