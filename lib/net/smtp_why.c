// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * smtp_why.c - what a transfer came to, and what to do about it.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/sanitize.h"
#include "smtp_priv.h"

void smtp_reply_release(struct smtp_reply *r)
{
	free(r->text);
	free(r->remedy);
	strvec_release(&r->refused);
	*r = (struct smtp_reply){ 0 };
}

/* Was the recipient that stops the mail refused for good? */
static bool refused_for_good(const struct strvec *refused)
{
	for (size_t i = 0; i < refused->n; i++) {
		const char *at = strstr(refused->v[i], ": ");

		if (at && at[2] == '5')
			return true;
	}
	return false;
}

static enum smtp_outcome judge(const struct smtp *s, CURLcode rc)
{
	int code = s->code;

	if (rc == CURLE_OK)
		return SMTP_OK;
	if (s->ended && !s->code_after_end)
		return SMTP_UNSURE;
	if (s->ended && code >= 200 && code < 300)
		return SMTP_OK;
	if (s->must_refused)
		return refused_for_good(&s->out->refused) ? SMTP_REFUSED : SMTP_LATER;
	if (code >= 500)
		return SMTP_REFUSED;
	if (s->ended && code < 400)
		return SMTP_UNSURE;
	return SMTP_LATER;
}

static enum smtp_stage stage_of(const struct smtp *s, CURLcode rc)
{
	if (s->no_login || rc == CURLE_LOGIN_DENIED || s->authing)
		return SMTP_AT_LOGIN;
	if (s->said_mail)
		return SMTP_AT_MAIL;
	switch (rc) {
	case CURLE_USE_SSL_FAILED:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_CERTPROBLEM:
		return SMTP_AT_TLS;
	default:
		return SMTP_AT_CONNECT;
	}
}

static char *certificate_remedy(const struct smtp *s, const char *why)
{
	if (strstr(why, "expired") || strstr(why, "not yet valid"))
		return xasprintf("look at this machine's clock, and tell who runs %s; "
				 "until then an empty sendemail.smtpSSLCertPath switches "
				 "the check off, and the password is anybody's",
				 s->host);
	if (strstr(why, "subject name") || strstr(why, "does not match"))
		return xasprintf("the certificate is for another name than %s: set "
				 "sendemail.smtpServer to the name it is for",
				 s->host);
	return xasprintf("nobody this machine trusts has signed it. If you know it to be "
			 "%s's, keep it and trust it: openssl s_client -connect %s:%d%s "
			 "</dev/null | openssl x509 >~/mail-server.pem; git config "
			 "--global sendemail.smtpSSLCertPath ~/mail-server.pem",
			 s->host, s->host, s->port, s->starttls ? " -starttls smtp" : "");
}

static char *tls_remedy(const struct smtp *s, CURLcode rc, const char *why)
{
	if (rc == CURLE_PEER_FAILED_VERIFICATION)
		return certificate_remedy(s, why);
	if (rc == CURLE_USE_SSL_FAILED)
		return xstrdup("sendemail.smtpEncryption is tls, and nothing goes out "
			       "without it. If the server speaks TLS on a port of its "
			       "own: git config sendemail.smtpEncryption ssl (port 465)");
	if (rc == CURLE_SSL_CACERT_BADFILE)
		return xstrdup("look at sendemail.smtpSSLCertPath: a file in PEM, or a "
			       "directory made by openssl rehash");
	if (s->ssl)
		return xstrdup("does it speak TLS from the start on this port? With "
			       "STARTTLS (port 587 or 25) it is git config "
			       "sendemail.smtpEncryption tls");
	return xstrdup("its TLS and ours have nothing in common; look at "
		       "sendemail.smtpServer and sendemail.smtpServerPort");
}

static char *connect_remedy(const struct smtp *s, CURLcode rc)
{
	if (rc == CURLE_COULDNT_RESOLVE_HOST)
		return xstrdup("look at sendemail.smtpServer, and whether this machine "
			       "has a network");
	if (rc == CURLE_OPERATION_TIMEDOUT && !s->ssl)
		return xstrdup("look at sendemail.smtpServer, sendemail.smtpServerPort "
			       "and sendemail.smtpEncryption: a server that speaks TLS "
			       "from the start (ssl, port 465) waits for us");
	return xstrdup("look at sendemail.smtpServer and sendemail.smtpServerPort "
		       "(587 goes with smtpEncryption tls, 465 with ssl)");
}

/* The server would not talk to us as we are (RFC 3207, RFC 4954: 530). */
static char *mail_remedy(const struct smtp *s)
{
	if (s->code == 530 && strstr(buf_cstr(&s->reply), "STARTTLS"))
		return xstrdup("it wants to be spoken to in TLS: git config "
			       "sendemail.smtpEncryption tls");
	if (s->code == 530 && !s->user)
		return xstrdup("it wants a login: git config sendemail.smtpUser NAME");
	return NULL;
}

/* No word of the server, or none that says what is wrong. */
static char *own_text(const struct smtp *s, CURLcode rc, enum smtp_stage stage)
{
	if (rc == CURLE_USE_SSL_FAILED)
		return xstrdup("the server offers no STARTTLS");
	if (s->out->login == SMTP_LOGIN_REFUSED && s->code < 400)
		return xstrdup("the token was refused");
	if (stage == SMTP_AT_LOGIN && s->code < 400 && !s->offered.len)
		return xasprintf("the server offers no login, and "
				 "sendemail.smtpUser is %s",
				 s->user);
	if (stage == SMTP_AT_LOGIN && s->code < 400)
		return xasprintf("none of the server's ways to log in (%s) may be used",
				 buf_cstr(&s->offered));
	return NULL;
}

static void set_text(struct smtp *s, CURLcode rc, struct smtp_reply *out)
{
	const char *why = s->error[0] ? s->error : curl_easy_strerror(rc);
	bool at_server = out->stage == SMTP_AT_MAIL || out->stage == SMTP_AT_LOGIN ||
			 s->code >= 400;
	char *own _cleanup_free_ = own_text(s, rc, out->stage);

	if (own)
		out->text = sanitize_line_dup(own);
	else if (s->must_refused && out->refused.n)
		out->text = xstrdup(out->refused.v[out->refused.n - 1]);
	else if (at_server && s->reply.len && s->code)
		out->text = sanitize_line_dup(buf_cstr(&s->reply));
	else
		out->text = sanitize_line_dup(why);
	if (out->outcome == SMTP_OK || out->outcome == SMTP_UNSURE)
		return;
	if (out->stage == SMTP_AT_CONNECT && s->code < 400)
		out->remedy = connect_remedy(s, rc);
	else if (out->stage == SMTP_AT_TLS)
		out->remedy = tls_remedy(s, rc, why);
	else if (out->stage == SMTP_AT_MAIL && !s->must_refused)
		out->remedy = mail_remedy(s);
	else if (own)
		out->remedy = xstrdup(
			s->starttls || s->ssl
				? "look at sendemail.smtpAuth; without a login it is git "
				  "config "
				  "sendemail.smtpAuth none"
				: "many servers offer a login only in TLS: git config "
				  "sendemail.smtpEncryption tls. Else look at "
				  "sendemail.smtpAuth (none: no login)");
}

void smtp_explain(struct smtp *s, CURLcode rc, struct smtp_reply *out)
{
	long connects = 0;

	out->outcome = judge(s, rc);
	out->code = s->code;
	out->stage = out->outcome == SMTP_OK ? SMTP_AT_MAIL : stage_of(s, rc);
	out->must_refused = s->must_refused;
	/* A refused XOAUTH2 is a 334 with a reason in JSON; libcurl waits for no 535. */
	if (rc == CURLE_LOGIN_DENIED && s->token && s->authing && s->code == 334)
		out->login = SMTP_LOGIN_REFUSED;
	set_text(s, rc, out);
	curl_easy_getinfo(s->h, CURLINFO_NUM_CONNECTS, &connects);
	out->fresh_may_help = rc != CURLE_OK && !s->ended && !s->must_refused &&
			      connects == 0 && (s->code == 0 || s->code == 421);
}
