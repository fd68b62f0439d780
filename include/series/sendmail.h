/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sendmail.h - hand mails to a program that is called like sendmail(8), as git send-email
 * does: PROGRAM OPTIONS... [-f SENDER] -i RECIPIENT..., the mail on standard input.
 *
 * Nobody knows how far a program got that did not say so. Exit status 0 is a yes. A no are
 * those of sysexits.h that say that nothing was begun: USAGE, DATAERR, NOINPUT,
 * UNAVAILABLE, OSFILE, CANTCREAT, NOPERM, CONFIG; and 126 and 127 of a shell that found no
 * such program. Everything else is unsure: 1 to 63 (a script may fail after the program it
 * called has sent), TEMPFAIL (sendmail has queued it, msmtp has not), NOUSER and NOHOST
 * (sendmail still delivers to the other recipients), IOERR and PROTOCOL (msmtp lost its
 * server somewhere), SOFTWARE, OSERR, a signal, a deadline.
 */
#ifndef SERIES_SENDMAIL_H
#define SERIES_SENDMAIL_H

#include "series/smtp.h"

struct sendmail_conf {
	const char *program;	/* whole path */
	const char *command;	/* a shell command of the user's own settings; goes first */
	const struct strvec *options; /* in front of the others; may be NULL */
	const char *sender;	/* for -f; NULL: the program knows */
	int64_t timeout_ms;	/* 0: 15 minutes */
};

/* /usr/sbin/sendmail, /usr/lib/sendmail or sendmail on PATH, in fresh memory; NULL. */
char *sendmail_find(void);
/* "program NAME" or "sendmailCmd", for the record: no arguments, they may hold secrets. */
void sendmail_name(const struct sendmail_conf *c, struct buf *out);
/*
 * Send one mail (m->from is not used, see sender). before_end is called before the program
 * starts. *ret as of smtp_send(), stage AT_CONNECT when the program did not start. The
 * program has the terminal, for it may ask for a password. An error of before_end as it
 * is; E_USAGE for a recipient that would be read as an option.
 */
int sendmail_send(const struct sendmail_conf *c, const struct smtp_mail *m,
		  struct smtp_reply *ret, struct err *err);

#endif
