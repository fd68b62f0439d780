/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * smtp.h - hand mails to a server (RFC 5321), all of them on one connection.
 *
 * What matters here is to know what happened. A mail is accepted, refused, to be tried
 * again later, or unsure: once the last bytes of the text have been handed to the network
 * and no reply came, the server may have it or not. before_end is called right before that
 * moment, so that the caller can write it down first; as long as it has not been called,
 * the server cannot have accepted the mail.
 */
#ifndef SERIES_SMTP_H
#define SERIES_SMTP_H

#include <stdbool.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/strvec.h"

struct smtp_conf {
	const char *host;
	int port;		/* 0: 25, with "ssl" 465 */
	const char *security;	/* "" or NULL: none; "tls": STARTTLS demanded; "ssl" */
	const char *user, *pass; /* user NULL: no AUTH */
	/*
	 * SASL mechanisms as sendemail.smtpAuth has them, NULL: any; "none": no AUTH. When
	 * all of them take a token (XOAUTH2, OAUTHBEARER), pass is that token.
	 */
	const char *auth;
	const char *domain;	/* for EHLO, NULL: this host's name */
	const char *ca;		/* file or directory; "": do not verify; NULL: the system's */
	int timeout_s;		/* for each reply, 0: 300 */
};

struct smtp_mail {
	const char *from;	/* envelope, without <> */
	const struct strvec *must; /* recipients without whom the mail does not go */
	const struct strvec *may;  /* those that may be refused; may be NULL */
	struct str data;	/* the mail with LF line ends; no bare CR */
	/* Called once, right before the last bytes go; an error stops the mail. */
	int (*before_end)(void *arg, struct err *err);
	void *arg;
};

enum smtp_outcome {
	SMTP_OK,		/* accepted with a 2xx reply */
	SMTP_REFUSED,		/* 5xx: will not be better next time */
	SMTP_LATER,		/* 4xx, or no connection: nothing was accepted */
	SMTP_UNSURE,		/* may have been accepted */
};

/* How far the dialogue got. */
enum smtp_stage { SMTP_AT_CONNECT, SMTP_AT_TLS, SMTP_AT_LOGIN, SMTP_AT_MAIL };
/* What became of a login that was tried for this mail. REFUSED: 535, a wrong password. */
enum smtp_login { SMTP_LOGIN_NONE, SMTP_LOGIN_OK, SMTP_LOGIN_REFUSED };

struct smtp_reply {
	enum smtp_outcome outcome;
	enum smtp_stage stage;
	enum smtp_login login;
	int code;		/* of the server's last reply, 0: there was none */
	char *text;		/* on one line, sanitised: "451 4.3.0 try again" */
	char *remedy;		/* what to do about it, or NULL */
	bool must_refused;	/* a recipient was refused without whom the mail does not go */
	struct strvec refused;	/* recipients that were refused: "a@x: 550 no such user" */
	bool fresh_may_help;	/* an open connection had gone away: a new one may work */
};

void smtp_reply_release(struct smtp_reply *r);
#define _cleanup_smtp_reply_ __attribute__((cleanup(smtp_reply_release)))

struct smtp;
/* Check the settings; connects with the first mail. E_USAGE names a wrong setting. */
int smtp_open(const struct smtp_conf *c, struct smtp **ret, struct err *err);
/*
 * Send one mail. 0: *ret says what happened. E_INTR: interrupted before the hand-over;
 * an error of before_end as it is. After both the mail was not accepted.
 */
int smtp_send(struct smtp *s, const struct smtp_mail *m, struct smtp_reply *ret,
	      struct err *err);
/* QUIT; the next mail makes a new connection and logs in again. */
int smtp_hang_up(struct smtp *s, struct err *err);
/* QUIT, and free. */
void smtp_close(struct smtp *s);
void smtp_closep(struct smtp **s);
#define _cleanup_smtp_ __attribute__((cleanup(smtp_closep)))
/* "smtp://HOST:PORT", for the record. Borrowed. */
const char *smtp_name(const struct smtp *s);
/* "smtp://HOST:PORT (STARTTLS, user NAME)" for a person; the host must be set. */
void smtp_describe(const struct smtp_conf *c, struct buf *out);

#endif
