// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * smtp_conf.c - the settings of a mail server: checked, said in a line, and handed to
 * libcurl.
 */
#include <ctype.h>
#include <stdlib.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "smtp_priv.h"

#define TIMEOUT_S 300 /* RFC 5321 section 4.5.3.2 asks for five minutes */

/* Names of SASL mechanisms that libcurl knows (CURLOPT_LOGIN_OPTIONS). */
static const char *const mechanisms[] = {
	"PLAIN", "LOGIN",  "CRAM-MD5", "DIGEST-MD5", "SCRAM-SHA-1", "SCRAM-SHA-256",
	"NTLM",	 "GSSAPI", "EXTERNAL", "XOAUTH2",    "OAUTHBEARER",
};

static bool is_security(const struct smtp_conf *c, const char *what)
{
	return c->security && !strcmp(c->security, what);
}

static bool wants_login(const struct smtp_conf *c)
{
	return c->user && (!c->auth || strcasecmp(c->auth, "none"));
}

static bool is_token(const char *mechanism)
{
	return !strcmp(mechanism, "XOAUTH2") || !strcmp(mechanism, "OAUTHBEARER");
}

/* Those of sendemail.smtpAuth that we can use, in upper case. */
static void usable(const char *auth, struct strvec *ret)
{
	struct str rest = str_c(auth), word;

	while (str_word(&rest, &word))
		for (size_t i = 0; i < ARRAY_SIZE(mechanisms); i++)
			if (str_ieqc(word, mechanisms[i]))
				strvec_push(ret, mechanisms[i]);
}

/* An IPv6 address has several colons and gets brackets. */
static char *url_host(const char *host)
{
	const char *colon = strchr(host, ':');

	if (host[0] != '[' && colon && strchr(colon + 1, ':'))
		return xasprintf("[%s]", host);
	return xstrdup(host);
}

static int port_of(const struct smtp_conf *c)
{
	return c->port ? c->port : is_security(c, "ssl") ? 465 : 25;
}

static char *name_of(const struct smtp_conf *c)
{
	char *host _cleanup_free_ = url_host(c->host);

	return xasprintf("%s://%s:%d", is_security(c, "ssl") ? "smtps" : "smtp", host,
			 port_of(c));
}

void smtp_describe(const struct smtp_conf *c, struct buf *out)
{
	char *name _cleanup_free_ = name_of(c);

	buf_printf(out, "%s (%s", name,
		   is_security(c, "ssl")   ? "TLS"
		   : is_security(c, "tls") ? "STARTTLS"
					   : "not encrypted");
	if (wants_login(c)) {
		buf_puts(out, ", user ");
		sanitize_line(str_c(c->user), out);
	}
	buf_putc(out, ')');
}

static int check_host(const struct smtp_conf *c, struct err *err)
{
	const char *colon;

	if (!c->host || !c->host[0])
		return err_set(
			err, E_USAGE,
			"no mail server is set; run git config sendemail.smtpServer "
			"HOST");
	colon = strchr(c->host, ':');
	for (const char *p = c->host; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr(".-_:[]", *p))
			return err_set(err, E_USAGE,
				       "sendemail.smtpServer: '%s' is no host name",
				       c->host);
	if (colon && c->host[0] != '[' && !strchr(colon + 1, ':'))
		return err_set(err, E_USAGE,
			       "sendemail.smtpServer: '%s' is no host name; a port goes "
			       "into sendemail.smtpServerPort",
			       c->host);
	return 0;
}

static int conf_check(const struct smtp_conf *c, struct err *err)
{
	const char *sec = c->security ? c->security : "";
	struct strvec mechs _cleanup_strvec_ = STRVEC_INIT;
	int rc = check_host(c, err);

	if (rc)
		return rc;
	if (c->port < 0 || c->port > 65535)
		return err_set(err, E_USAGE, "sendemail.smtpServerPort: %d is no port",
			       c->port);
	if (sec[0] && strcmp(sec, "none") && strcmp(sec, "tls") && strcmp(sec, "ssl"))
		return err_set(err, E_USAGE,
			       "sendemail.smtpEncryption: '%s' is none of tls, ssl and "
			       "none",
			       sec);
	if (c->ca && c->ca[0] && !fs_exists(c->ca))
		return err_set(err, E_USAGE,
			       "sendemail.smtpSSLCertPath: there is no %s; it is a file "
			       "or a directory of certificates of authorities",
			       c->ca);
	if (!wants_login(c) || !c->auth)
		return 0;
	usable(c->auth, &mechs);
	if (!mechs.n)
		return err_set(err, E_USAGE,
			       "sendemail.smtpAuth: '%s' names no mechanism that can be "
			       "used (PLAIN, LOGIN, CRAM-MD5, XOAUTH2, OAUTHBEARER, ...; "
			       "none switches the login off)",
			       c->auth);
	return 0;
}

static void set_auth(struct smtp *s, const struct smtp_conf *c)
{
	struct strvec mechs _cleanup_strvec_ = STRVEC_INIT;
	struct buf options _cleanup_buf_ = BUF_INIT;
	CURL *h = s->h;

	if (!wants_login(c))
		return;
	if (c->auth)
		usable(c->auth, &mechs);
	s->token = mechs.n > 0;
	for (size_t i = 0; i < mechs.n; i++) {
		buf_printf(&options, "%sAUTH=%s", i ? ";" : "", mechs.v[i]);
		s->token &= is_token(mechs.v[i]);
	}
	curl_easy_setopt(h, CURLOPT_USERNAME, c->user);
	if (c->pass)
		curl_easy_setopt(h, s->token ? CURLOPT_XOAUTH2_BEARER : CURLOPT_PASSWORD,
				 c->pass);
	if (options.len)
		curl_easy_setopt(h, CURLOPT_LOGIN_OPTIONS, buf_cstr(&options));
}

static void set_tls(struct smtp *s, const struct smtp_conf *c)
{
	if (s->starttls || s->ssl)
		curl_easy_setopt(s->h, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
	if (!c->ca)
		return;
	if (!c->ca[0]) {
		curl_easy_setopt(s->h, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(s->h, CURLOPT_SSL_VERIFYHOST, 0L);
	} else {
		curl_easy_setopt(s->h, fs_is_dir(c->ca) ? CURLOPT_CAPATH : CURLOPT_CAINFO,
				 c->ca);
	}
}

static void set_options(struct smtp *s, const struct smtp_conf *c, const char *url)
{
	CURL *h = s->h;

	curl_easy_setopt(h, CURLOPT_URL, url);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
	curl_easy_setopt(h, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
	/* A proxy of the web is none for mail. */
	curl_easy_setopt(h, CURLOPT_PROXY, "");
	curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(h, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT, 30L);
	curl_easy_setopt(h, CURLOPT_FTP_RESPONSE_TIMEOUT, (long)s->timeout_s);
	curl_easy_setopt(h, CURLOPT_ERRORBUFFER, s->error);
	curl_easy_setopt(h, CURLOPT_READFUNCTION, smtp_on_read);
	curl_easy_setopt(h, CURLOPT_READDATA, s);
	curl_easy_setopt(h, CURLOPT_DEBUGFUNCTION, smtp_on_debug);
	curl_easy_setopt(h, CURLOPT_DEBUGDATA, s);
	curl_easy_setopt(h, CURLOPT_VERBOSE, 1L);
	curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, smtp_on_progress);
	curl_easy_setopt(h, CURLOPT_XFERINFODATA, s);
	curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
	set_tls(s, c);
	set_auth(s, c);
}

int smtp_open(const struct smtp_conf *c, struct smtp **ret, struct err *err)
{
	struct smtp *s _cleanup_smtp_ = NULL;
	char *url _cleanup_free_ = NULL;
	int rc = conf_check(c, err);

	if (rc)
		return rc;
	s = xcalloc(1, sizeof(*s));
	s->name = name_of(c);
	s->host = xstrdup(c->host);
	s->port = port_of(c);
	s->ssl = is_security(c, "ssl");
	s->starttls = is_security(c, "tls");
	s->user = xstrdup_null(wants_login(c) ? c->user : NULL);
	s->timeout_s = c->timeout_s ? c->timeout_s : TIMEOUT_S;
	url = xasprintf("%s/%s", s->name, c->domain ? c->domain : "");
	s->h = curl_easy_init();
	if (!s->h)
		return err_set(err, E_FAIL,
			       "libcurl.so.4 could not be loaded; install libcurl "
			       "(package libcurl4, libcurl or curl)");
	set_options(s, c, url);
	*ret = s;
	s = NULL;
	return 0;
}

int smtp_hang_up(struct smtp *s, struct err *err)
{
	/* The copy has the settings and no connection. */
	CURL *h = curl_easy_duphandle(s->h);

	if (!h)
		return err_set(err, E_FAIL, "libcurl could not be started");
	curl_easy_cleanup(s->h);
	s->h = h;
	s->logged_in = false;
	return 0;
}

void smtp_close(struct smtp *s)
{
	if (!s)
		return;
	if (s->h)
		curl_easy_cleanup(s->h);
	buf_release(&s->wire);
	buf_release(&s->reply);
	buf_release(&s->offered);
	free(s->rcpt);
	free(s->name);
	free(s->host);
	free(s->user);
	free(s);
}

void smtp_closep(struct smtp **s)
{
	smtp_close(*s);
	*s = NULL;
}

const char *smtp_name(const struct smtp *s)
{
	return s->name;
}
