// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * transport.c - the mail server or mail program of git's sendemail.* settings.
 */
#include <stdlib.h>
#include <strings.h>
#include "series/credential.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/post.h"
#include "series/progress.h"
#include "series/sanitize.h"
#include "series/sendmail.h"
#include "series/time.h"
#include "series/transport.h"

struct transport {
	struct repo *repo;
	char *name, *program, *ca, *cred_host;
	struct strvec options;
	bool by_program;
	bool name_sender;	   /* -f: git does it only when envelopeSender is set */
	const char *id_fix;	   /* sendemail.outlookidfix: NULL, auto or a bool */
	struct smtp_conf conf;	   /* by SMTP */
	struct sendmail_conf prog; /* by_program */
	struct credential cred;	   /* when the password came from git */
	struct smtp *smtp;
	int64_t batch, delay_s; /* 0: none */
	int64_t in_batch;
};

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

void sendemail_get_all(const struct config *c, const char *key, struct strvec *ret,
		       char **ret_key)
{
	const char *identity = config_get(c, "sendemail.identity");
	char *full = NULL;

	if (identity) {
		full = xasprintf("sendemail.%s.%s", identity, key);
		config_get_all(c, full, ret);
	}
	if (!ret->n) {
		free(full);
		full = xasprintf("sendemail.%s", key);
		config_get_all(c, full, ret);
	}
	*ret_key = full;
}

static int get_number(const struct config *c, const char *key, const char *shown,
		      int64_t lo, int64_t hi, int64_t *ret, struct err *err)
{
	const char *v = sendemail_get(c, key);

	if (v && !cstr_to_i64(v, lo, hi, ret))
		return err_set(err, E_USAGE,
			       "sendemail.%s: '%s' is no number from %lld "
			       "to %lld",
			       shown, v, (long long)lo, (long long)hi);
	return 0;
}

static int read_batch(struct transport *t, const struct config *c, struct err *err)
{
	int rc = get_number(c, "smtpbatchsize", "smtpBatchSize", 0, INT32_MAX, &t->batch,
			    err);

	if (!rc)
		rc = get_number(c, "smtprelogindelay", "smtpReloginDelay", 0, 86400,
				&t->delay_s, err);
	if (!rc && t->delay_s && !t->batch)
		rc = err_set(err, E_USAGE,
			     "sendemail.smtpReloginDelay is set and smtpBatchSize is "
			     "not; they go together");
	return rc;
}

static int read_program(struct transport *t, const struct config *c, struct err *err)
{
	struct buf name _cleanup_buf_ = BUF_INIT;
	char *key _cleanup_free_ = NULL;

	t->by_program = true;
	sendemail_get_all(c, "smtpserveroption", &t->options, &key);
	t->prog.program = t->program;
	t->prog.command = sendemail_get(c, "sendmailcmd");
	t->prog.options = &t->options;
	t->name_sender = sendemail_get(c, "envelopesender") != NULL;
	if (t->program && (!fs_is_exec(t->program) || fs_is_dir(t->program)))
		return err_set(err, E_USAGE,
			       "sendemail.smtpServer: there is no program %s; it is the "
			       "whole path of a program like sendmail, or a host name",
			       t->program);
	sendmail_name(&t->prog, &name);
	t->name = buf_take(&name);
	return 0;
}

static int read_server(struct transport *t, const struct config *c, struct err *err)
{
	struct smtp_conf *s = &t->conf;
	const char *ca;
	int64_t port = 0;
	int rc = get_number(c, "smtpserverport", "smtpServerPort", 1, 65535, &port, err);

	if (rc)
		return rc;
	s->port = (int)port;
	s->security = sendemail_get(c, "smtpencryption");
	s->user = sendemail_get(c, "smtpuser");
	if (s->user && !s->user[0])
		s->user = NULL;
	s->pass = sendemail_get(c, "smtppass");
	s->auth = sendemail_get(c, "smtpauth");
	if (s->auth && !s->auth[0])
		s->auth = NULL;
	s->domain = sendemail_get(c, "smtpdomain");
	ca = sendemail_get(c, "smtpsslcertpath");
	t->ca = ca ? path_expand_home(ca) : NULL;
	s->ca = t->ca;
	return 0;
}

static int read_settings(struct transport *t, const struct config *c, struct err *err)
{
	const char *server = sendemail_get(c, "smtpserver");
	int rc = read_batch(t, c, err);

	if (rc)
		return rc;
	if (sendemail_get(c, "sendmailcmd"))
		return read_program(t, c, err);
	if (!server)
		t->program = sendmail_find();
	else if (server[0] == '/')
		t->program = xstrdup(server);
	if (t->program)
		return read_program(t, c, err);
	if (!server || !server[0])
		return err_set(
			err, E_USAGE,
			"no mail server is set; run git config sendemail.smtpServer "
			"HOST (see git-send-email(1) for port, encryption and user)");
	t->conf.host = server;
	t->id_fix = sendemail_get(c, "outlookidfix");
	return read_server(t, c, err);
}

int transport_open(struct repo *repo, const struct config *c, struct transport **ret,
		   struct err *err)
{
	struct transport *t _cleanup_transport_ = xcalloc(1, sizeof(*t));
	struct smtp *smtp _cleanup_smtp_ = NULL;
	int rc = read_settings(t, c, err);

	t->repo = repo;
	if (!rc && !t->by_program) {
		rc = smtp_open(&t->conf, &smtp, err);
		if (!rc)
			t->name = xstrdup(smtp_name(smtp));
	}
	if (rc)
		return rc;
	*ret = t;
	t = NULL;
	return 0;
}

void transport_free(struct transport *t)
{
	if (!t)
		return;
	smtp_close(t->smtp);
	credential_release(&t->cred);
	strvec_release(&t->options);
	free(t->name);
	free(t->program);
	free(t->ca);
	free(t->cred_host);
	free(t);
}

void transport_freep(struct transport **t)
{
	transport_free(*t);
	*t = NULL;
}

const char *transport_name(const struct transport *t)
{
	return t->name;
}

/* A command may hold a password among its words: the first one is enough. */
void transport_describe(const struct transport *t, struct buf *out)
{
	struct str rest, word = STR_NULL;

	if (!t->by_program) {
		smtp_describe(&t->conf, out);
		return;
	}
	if (!t->prog.command) {
		buf_puts(out, "program ");
		sanitize_line(str_c(t->program), out);
		return;
	}
	buf_puts(out, "sendemail.sendmailCmd");
	rest = str_c(t->prog.command);
	if (str_word(&rest, &word) && str_chr(word, '=') < 0) {
		buf_puts(out, " (");
		sanitize_line(word, out);
		buf_puts(out, rest.len ? " ...)" : ")");
	}
}

/* The same of a reply's text alone; any: whoever it comes from. */
static char *reply_new_id(const char *text, bool any)
{
	struct str rest = str_c(text ? text : ""), id;
	bool exchange;

	if (!str_cut(&rest, '<', &id) || !str_cut(&rest, '>', &id))
		return NULL;
	exchange = str_find(rest, "Hostname=") >= 0;
	if (!any && !exchange)
		return NULL;
	for (size_t i = 0; i < id.len; i++)
		if (id.p[i] <= ' ' || id.p[i] > '~' || id.p[i] == '<')
			return NULL;
	return str_chr(id, '@') > 0 ? str_dup(id) : NULL;
}

char *transport_new_id(const struct transport *t, const struct smtp_reply *r)
{
	const char *host = t->conf.host;
	bool any;

	if (t->by_program)
		return NULL;
	if (t->id_fix && strcmp(t->id_fix, "auto")) {
		any = config_bool(t->id_fix, false);
		return any ? reply_new_id(r->text, true) : NULL;
	}
	any = !strcasecmp(host, "smtp.office365.com") ||
	      !strcasecmp(host, "smtp-mail.outlook.com");
	return reply_new_id(r->text, any);
}

static bool wants_password(const struct transport *t)
{
	return !t->by_program && t->conf.user && !t->conf.pass &&
	       (!t->conf.auth || strcasecmp(t->conf.auth, "none"));
}

int transport_login(struct transport *t, struct err *err)
{
	int port = t->conf.port;
	int rc;

	if (!wants_password(t))
		return 0;
	if (!port)
		port = t->conf.security && !strcmp(t->conf.security, "ssl") ? 465 : 25;
	free(t->cred_host);
	t->cred_host = xasprintf("%s:%d", t->conf.host, port);
	t->cred.protocol = "smtp";
	t->cred.host = t->cred_host;
	t->cred.username = t->conf.user;
	rc = credential_fill(t->repo, &t->cred, err);
	if (rc == E_FAIL)
		return err_set(err, rc,
			       "no password for user %s at %s (%s). Set a "
			       "credential.helper that has it (gitcredentials(7)), or "
			       "sendemail.smtpPass in a file that only you can read",
			       t->conf.user, t->name, err_msg(err));
	if (!rc)
		t->conf.pass = t->cred.password;
	return rc;
}

/* From here on libcurl alone has the password. */
static void forget(struct transport *t)
{
	t->conf.pass = NULL;
	credential_release(&t->cred);
}

/* The helper hears it once; what it does with it is its own affair. */
static void tell_helper(struct transport *t, struct smtp_reply *r)
{
	bool from_git = t->cred.answer.len > 0;

	if (r->login == SMTP_LOGIN_OK && from_git) {
		credential_approve(t->repo, &t->cred, NULL);
		forget(t);
	}
	if (r->login != SMTP_LOGIN_REFUSED)
		return;
	if (from_git) {
		credential_reject(t->repo, &t->cred, NULL);
		forget(t);
	}
	free(r->remedy);
	r->remedy = xasprintf(
		"the server does not know user %s with this password: look at "
		"sendemail.smtpUser and %s",
		t->conf.user,
		from_git ? "try again, for git's credential helper was told to forget "
			   "the password"
			 : "sendemail.smtpPass (without it git's credential helper is "
			   "asked)");
}

static int pause_for(int64_t seconds, struct err *err)
{
	int64_t end = time_mono_ns() + seconds * 1000000000;
	int rc = intr_check(err);

	if (seconds > 1)
		progress_note("waiting for %lld seconds (sendemail.smtpReloginDelay)",
			      (long long)seconds);
	while (!rc && time_mono_ns() < end) {
		time_sleep_ms(50);
		rc = intr_check(err);
	}
	return rc;
}

static int end_batch(struct transport *t, struct err *err)
{
	int rc = 0;

	if (!t->batch || t->in_batch < t->batch)
		return 0;
	t->in_batch = 0;
	if (t->smtp)
		rc = smtp_hang_up(t->smtp, err);
	return rc ? rc : pause_for(t->delay_s, err);
}

int transport_again(struct transport *t, const struct smtp_mail *m,
		    struct smtp_reply *ret, struct err *err)
{
	int rc = 0;

	if (t->by_program) {
		t->prog.sender = t->name_sender ? m->from : NULL;
		return sendmail_send(&t->prog, m, ret, err);
	}
	if (!t->smtp)
		rc = smtp_open(&t->conf, &t->smtp, err);
	if (!rc)
		rc = smtp_send(t->smtp, m, ret, err);
	if (!rc)
		tell_helper(t, ret);
	return rc;
}

int transport_send(struct transport *t, const struct smtp_mail *m, struct smtp_reply *ret,
		   struct err *err)
{
	int rc = end_batch(t, err);

	t->in_batch++;
	return rc ? rc : transport_again(t, m, ret, err);
}
