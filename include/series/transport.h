/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * transport.h - the way mails leave: the server or the program that git's sendemail.*
 * settings name, as git-send-email(1) reads them.
 *
 * sendemail.IDENTITY.KEY goes before sendemail.KEY when sendemail.identity is set. A
 * sendmailCmd goes before smtpServer; an smtpServer that begins with a slash is a program;
 * without both a sendmail of this machine is taken, and without one it is an error.
 */
#ifndef SERIES_TRANSPORT_H
#define SERIES_TRANSPORT_H

#include "series/git.h"
#include "series/smtp.h"

struct transport;

/*
 * Look at the settings; connects to nothing and asks for nothing. E_USAGE names a setting
 * that is missing or wrong. repo and config are borrowed.
 */
int transport_open(struct repo *repo, const struct config *c, struct transport **ret,
		   struct err *err);
/* Says goodbye to the server, and frees. */
void transport_free(struct transport *t);
void transport_freep(struct transport **t);
#define _cleanup_transport_ __attribute__((cleanup(transport_freep)))

/* "smtp://HOST:PORT", "program NAME" or "sendmailCmd": for the record. Borrowed. */
const char *transport_name(const struct transport *t);
/*
 * For a person, before anything is sent: "smtp://HOST:PORT (STARTTLS, user NAME)",
 * "program /usr/bin/msmtp". Nothing of it is secret.
 */
void transport_describe(const struct transport *t, struct buf *out);
/*
 * Get the password, if one is needed: sendemail.smtpPass, else git's credential helpers,
 * which may ask at the terminal. Before the first mail.
 */
int transport_login(struct transport *t, struct err *err);
/*
 * Send one mail: smtp_send() or sendmail_send(). After smtpBatchSize mails the connection
 * is closed and smtpReloginDelay seconds go by first. The credential helper hears whether
 * the login worked.
 */
int transport_send(struct transport *t, const struct smtp_mail *m, struct smtp_reply *ret,
		   struct err *err);
/* The same mail once more, on a new connection (smtp_reply.fresh_may_help). */
int transport_again(struct transport *t, const struct smtp_mail *m,
		    struct smtp_reply *ret, struct err *err);
/*
 * The Message-ID that the server says it gave the mail, without <>; NULL: it says nothing
 * of one. sendemail.outlookidfix is true: any <ID> in its reply; false: none; auto or not
 * set: one of smtp.office365.com and smtp-mail.outlook.com, as with git send-email, or of a
 * reply like Exchange's, "250 2.0.0 OK <ID> [Hostname=NAME]". Caller frees.
 */
char *transport_new_id(const struct transport *t, const struct smtp_reply *r);

#endif
