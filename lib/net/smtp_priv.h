/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * smtp_priv.h - a connection to a mail server, shared by smtp.c (the dialogue), smtp_conf.c
 * (the settings) and smtp_why.c (what a transfer came to).
 */
#ifndef SERIES_SMTP_PRIV_H
#define SERIES_SMTP_PRIV_H

#include <curl/curl.h>
#include "series/buf.h"
#include "series/smtp.h"

struct smtp {
	CURL *h;
	char *name;	/* "smtp://HOST:PORT" */
	char *host, *user; /* user: NULL when no login is wanted */
	int port, timeout_s;
	bool starttls, ssl;
	bool token; /* the password is one (XOAUTH2, OAUTHBEARER) */
	char error[CURL_ERROR_SIZE];
	/* The mail at hand. */
	const struct smtp_mail *m;
	struct err *err;
	struct buf wire; /* with CRLF */
	size_t at;
	bool ended;   /* before_end said yes: the last bytes are out of our hands */
	bool stopped; /* before_end failed */
	bool must_refused;
	bool said_mail;	 /* the dialogue got as far as MAIL */
	bool no_login;	 /* and that without the login we were told to make */
	int64_t intr_ns;
	/* The connection. */
	bool greeting;	 /* the reply that comes is to EHLO */
	bool authing;	 /* between AUTH and its last reply */
	bool logged_in;
	struct buf offered; /* mechanisms the server has: "PLAIN LOGIN" */
	/* The dialogue. */
	struct buf reply; /* lines of the reply to the last command */
	int code;	  /* of a complete reply, 0 before */
	bool code_after_end;
	bool quit;  /* the dialogue is over; what was said before counts */
	char *rcpt; /* address of the RCPT that waits for its reply */
	struct smtp_reply *out;
};

/* libcurl's callbacks (smtp.c); arg is the struct smtp. */
int smtp_on_debug(CURL *h, curl_infotype type, char *data, size_t size, void *arg);
size_t smtp_on_read(char *dst, size_t size, size_t n, void *arg);
int smtp_on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d);
/* Outcome, text, stage and remedy from libcurl's code and what was seen. */
void smtp_explain(struct smtp *s, CURLcode rc, struct smtp_reply *out);

#endif
