/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * posted_mails.h - the mails of one series that was posted, whatever an argument names
 * them by, and the choice of the series.
 */
#ifndef CMD_POSTED_MAILS_H
#define CMD_POSTED_MAILS_H

#include "cmd.h"
#include "series/posted.h"
#include "source.h"

struct posted_mails {
	struct thread thread;
	struct posted posted;
	size_t series; /* of posted.series */
	char *id;      /* the Message-ID that was asked for; NULL: a file */
};

/*
 * MESSAGE-ID, LINK, MBOX, MAILDIR or "-". Of a Message-ID the threads that covers link to
 * come along. A single mail on standard input, as a mail reader pipes it, stands for its
 * thread, where the archive has that. which: the Message-ID of a mail of the series that
 * is meant, in a file that has several; NULL. E_FAIL: there is no series in it; E_USAGE: several
 * are, and none is named. *ret keeps its place: nothing may be copied.
 */
int posted_mails_load(struct ctx *c, const char *arg, const char *which,
		      const struct source_opts *o, struct posted_mails *ret,
		      struct err *err);
void posted_mails_release(struct posted_mails *m);
#define _cleanup_posted_mails_ __attribute__((cleanup(posted_mails_release)))

#endif
