// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * transport.c - the mail server as git's sendemail.* settings name it.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/post.h"

const char *sendemail_get(const struct config *c, const char *key)
{
	const char *identity = config_get(c, "sendemail.identity"), *v = NULL;

	if (identity) {
		char *full _cleanup_free_ = xasprintf("sendemail.%s.%s", identity, key);

		v = config_get(c, full);
	}
	if (!v) {
		char *full _cleanup_free_ = xasprintf("sendemail.%s", key);

		v = config_get(c, full);
	}
	return v;
}

static int get_port(const struct config *c, int *ret, struct err *err)
{
	const char *v = sendemail_get(c, "smtpserverport");
	int64_t n = 0;

	if (v && !cstr_to_i64(v, 1, 65535, &n))
		return err_set(err, E_USAGE,
			       "sendemail.smtpServerPort: '%s' is no port number", v);
	*ret = (int)n;
	return 0;
}

int transport_conf(const struct config *c, struct smtp_conf *ret, struct err *err)
{
	struct smtp_conf s = { 0 };
	int rc;

	if (sendemail_get(c, "sendmailcmd"))
		return err_set(
			err, E_USAGE,
			"sendemail.sendmailCmd is set, but mails go out by SMTP only; "
			"set sendemail.smtpServer to a host name instead");
	s.host = sendemail_get(c, "smtpserver");
	if (!s.host)
		return err_set(
			err, E_USAGE,
			"no mail server is set; run git config sendemail.smtpServer "
			"HOST (see git-send-email(1) for port, encryption and user)");
	if (s.host[0] == '/')
		return err_set(
			err, E_USAGE,
			"sendemail.smtpServer is a program (%s), but mails go out by "
			"SMTP only; set it to a host name",
			s.host);
	rc = get_port(c, &s.port, err);
	if (rc)
		return rc;
	s.security = sendemail_get(c, "smtpencryption");
	s.user = sendemail_get(c, "smtpuser");
	s.pass = sendemail_get(c, "smtppass");
	s.auth = sendemail_get(c, "smtpauth");
	s.domain = sendemail_get(c, "smtpdomain");
	s.ca = sendemail_get(c, "smtpsslcertpath");
	if (s.user && !s.pass && (!s.auth || strcmp(s.auth, "none")))
		return err_set(
			err, E_USAGE,
			"sendemail.smtpUser is set, but there is no password; set "
			"sendemail.smtpPass in a configuration file that only you can "
			"read");
	*ret = s;
	return 0;
}
