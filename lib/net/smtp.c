// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * smtp.c - SMTP by libcurl: one easy handle, so one connection for all mails.
 *
 * libcurl says little about where a transfer ended, so the dialogue is watched: commands
 * and replies come through its debug callback, and the read callback knows when the last
 * bytes are given away.
 */
#include <ctype.h>
#include <curl/curl.h>
#include <stdlib.h>
#include "series/fs.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/smtp.h"
#include "series/time.h"

#define TIMEOUT_S 300		      /* RFC 5321 section 4.5.3.2 asks for five minutes */
#define REPLY_MAX 2000		      /* bytes kept of one reply */
#define GRACE_NS  (20 * 1000000000LL) /* for the last reply once we are interrupted */

struct smtp {
	CURL *h;
	char *name;
	char error[CURL_ERROR_SIZE];
	/* The mail at hand. */
	const struct smtp_mail *m;
	struct err *err;
	struct buf wire; /* with CRLF */
	size_t at;
	bool ended;   /* before_end said yes: the last bytes are out of our hands */
	bool stopped; /* before_end failed */
	bool must_refused;
	int64_t intr_ns;
	/* The dialogue. */
	struct buf reply; /* lines of the reply to the last command */
	int code;	  /* of a complete reply, 0 before */
	bool code_after_end;
	bool quit;  /* the dialogue is over; what was said before counts */
	char *rcpt; /* address of the RCPT that waits for its reply */
	struct smtp_reply *out;
};

void smtp_reply_release(struct smtp_reply *r)
{
	free(r->text);
	strvec_release(&r->refused);
	*r = (struct smtp_reply){ 0 };
}

/* A reply to RCPT: remember who was refused, and whether the mail can go without him. */
static void rcpt_answered(struct smtp *s)
{
	char *line _cleanup_free_ = NULL;

	if (s->code >= 400) {
		line = sanitize_line_dup(buf_cstr(&s->reply));
		strvec_pushf(&s->out->refused, "%s: %s", s->rcpt, line);
		s->must_refused |= strvec_has(s->m->must, s->rcpt);
	}
	free(s->rcpt);
	s->rcpt = NULL;
}

static void saw_reply(struct smtp *s, struct str line)
{
	line = str_trim(line);
	if (s->quit || line.len < 3 || !isdigit((unsigned char)line.p[0]))
		return;
	if (s->code)
		buf_reset(&s->reply);
	if (s->reply.len)
		buf_putc(&s->reply, ' ');
	if (s->reply.len < REPLY_MAX)
		buf_addstr(&s->reply, str_n(line.p, MIN(line.len, (size_t)REPLY_MAX)));
	if (line.len > 3 && line.p[3] == '-')
		return;
	s->code = atoi(line.p);
	s->code_after_end = s->ended;
	if (s->rcpt)
		rcpt_answered(s);
}

static void saw_command(struct smtp *s, struct str line)
{
	if (s->quit || str_starts(line, "QUIT")) {
		s->quit = true;
		return;
	}
	s->code = 0;
	s->code_after_end = false;
	buf_reset(&s->reply);
	if (str_skip(&line, "RCPT TO:<")) {
		ptrdiff_t end = str_chr(line, '>');

		free(s->rcpt);
		s->rcpt = str_dup(str_n(line.p, end < 0 ? 0 : (size_t)end));
	}
}

static int on_debug(CURL *h, curl_infotype type, char *data, size_t size, void *arg)
{
	struct smtp *s = arg;

	if (!s->out)
		return 0;
	if (type == CURLINFO_HEADER_IN)
		saw_reply(s, str_n(data, size));
	else if (type == CURLINFO_HEADER_OUT)
		saw_command(s, str_n(data, size));
	return 0;
}

static size_t on_read(char *dst, size_t size, size_t n, void *arg)
{
	struct smtp *s = arg;
	size_t room = size * n, left = s->wire.len - s->at;

	if (s->must_refused)
		return CURL_READFUNC_ABORT;
	if (left && left <= room && !s->ended) {
		if (s->m->before_end && s->m->before_end(s->m->arg, s->err)) {
			s->stopped = true;
			return CURL_READFUNC_ABORT;
		}
		s->ended = true;
		s->code = 0;
		buf_reset(&s->reply);
	}
	room = MIN(room, left);
	memcpy(dst, s->wire.p + s->at, room);
	s->at += room;
	return room;
}

/* Interrupted: at once before the hand-over, after it only when no reply comes. */
static int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct smtp *s = arg;

	if (!intr_pending() || !s->out)
		return 0;
	if (!s->ended)
		return 1;
	if (!s->intr_ns)
		s->intr_ns = time_mono_ns();
	return time_mono_ns() - s->intr_ns > GRACE_NS;
}

static int conf_check(const struct smtp_conf *c, struct err *err)
{
	const char *sec = c->security ? c->security : "";

	if (!c->host || !c->host[0])
		return err_set(
			err, E_USAGE,
			"no mail server is set; run git config sendemail.smtpServer "
			"HOST");
	for (const char *p = c->host; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr(".-_:[]", *p))
			return err_set(err, E_USAGE,
				       "sendemail.smtpServer: '%s' is no host name",
				       c->host);
	if (c->port < 0 || c->port > 65535)
		return err_set(err, E_USAGE, "sendemail.smtpServerPort: %d is no port",
			       c->port);
	if (strcmp(sec, "") && strcmp(sec, "none") && strcmp(sec, "tls") &&
	    strcmp(sec, "ssl"))
		return err_set(err, E_USAGE,
			       "sendemail.smtpEncryption: '%s' is neither tls nor ssl",
			       sec);
	return 0;
}

static void set_auth(struct smtp *s, const struct smtp_conf *c)
{
	struct strvec mechs _cleanup_strvec_ = STRVEC_INIT;
	struct buf options _cleanup_buf_ = BUF_INIT;

	if (!c->user || (c->auth && !strcmp(c->auth, "none")))
		return;
	curl_easy_setopt(s->h, CURLOPT_USERNAME, c->user);
	if (c->pass)
		curl_easy_setopt(s->h, CURLOPT_PASSWORD, c->pass);
	if (!c->auth)
		return;
	strvec_split(&mechs, str_c(c->auth), ' ');
	for (size_t i = 0; i < mechs.n; i++)
		buf_printf(&options, "%sAUTH=%s", i ? ";" : "", mechs.v[i]);
	curl_easy_setopt(s->h, CURLOPT_LOGIN_OPTIONS, buf_cstr(&options));
}

static void set_tls(struct smtp *s, const struct smtp_conf *c)
{
	if (c->security && c->security[0] && strcmp(c->security, "none"))
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
	curl_easy_setopt(h, CURLOPT_FTP_RESPONSE_TIMEOUT,
			 (long)(c->timeout_s ? c->timeout_s : TIMEOUT_S));
	curl_easy_setopt(h, CURLOPT_ERRORBUFFER, s->error);
	curl_easy_setopt(h, CURLOPT_READFUNCTION, on_read);
	curl_easy_setopt(h, CURLOPT_READDATA, s);
	curl_easy_setopt(h, CURLOPT_DEBUGFUNCTION, on_debug);
	curl_easy_setopt(h, CURLOPT_DEBUGDATA, s);
	curl_easy_setopt(h, CURLOPT_VERBOSE, 1L);
	curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(h, CURLOPT_XFERINFODATA, s);
	curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
	set_tls(s, c);
	set_auth(s, c);
}

int smtp_open(const struct smtp_conf *c, struct smtp **ret, struct err *err)
{
	bool ssl = c->security && !strcmp(c->security, "ssl");
	int port = c->port ? c->port : ssl ? 465 : 25, rc;
	char *url _cleanup_free_ = NULL;
	struct smtp *s;

	rc = conf_check(c, err);
	if (rc)
		return rc;
	s = xcalloc(1, sizeof(*s));
	s->name = xasprintf("%s://%s:%d", ssl ? "smtps" : "smtp", c->host, port);
	url = xasprintf("%s/%s", s->name, c->domain ? c->domain : "");
	s->h = curl_easy_init();
	if (!s->h) {
		smtp_close(s);
		return err_set(err, E_FAIL,
			       "libcurl.so.4 could not be loaded; install libcurl "
			       "(package libcurl4, libcurl or curl)");
	}
	set_options(s, c, url);
	*ret = s;
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
	free(s->rcpt);
	free(s->name);
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

static void to_wire(struct str data, struct buf *wire)
{
	struct str line;

	buf_reset(wire);
	while (str_line(&data, &line)) {
		buf_addstr(wire, line);
		buf_puts(wire, "\r\n");
	}
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

/* What the transfer came to, from libcurl's code and what was seen of the dialogue. */
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

static void fill_reply(struct smtp *s, CURLcode rc, struct smtp_reply *out)
{
	const char *why = s->error[0] ? s->error : curl_easy_strerror(rc);
	long connects = 0;

	out->outcome = judge(s, rc);
	out->code = s->code;
	if (s->must_refused && out->refused.n)
		out->text = xstrdup(out->refused.v[out->refused.n - 1]);
	else if (s->reply.len && s->code)
		out->text = sanitize_line_dup(buf_cstr(&s->reply));
	else
		out->text = sanitize_line_dup(why);
	if (rc == CURLE_COULDNT_CONNECT || rc == CURLE_COULDNT_RESOLVE_HOST) {
		char *bare = out->text;

		out->text = xasprintf("%s; look at sendemail.smtpServer and "
				      "sendemail.smtpServerPort",
				      bare);
		free(bare);
	}
	curl_easy_getinfo(s->h, CURLINFO_NUM_CONNECTS, &connects);
	out->fresh_may_help = rc != CURLE_OK && !s->ended && !s->must_refused &&
			      connects == 0 && (s->code == 0 || s->code == 421);
}

static struct curl_slist *recipients(const struct smtp_mail *m)
{
	struct curl_slist *l = NULL;

	for (size_t i = 0; i < m->must->n; i++)
		l = curl_slist_append(l, m->must->v[i]);
	for (size_t i = 0; m->may && i < m->may->n; i++)
		l = curl_slist_append(l, m->may->v[i]);
	return l;
}

/* Forget the mail before. */
static void start_mail(struct smtp *s, const struct smtp_mail *m, struct smtp_reply *out,
		       struct err *err)
{
	s->m = m;
	s->err = err;
	s->out = out;
	s->at = 0;
	s->ended = s->stopped = s->must_refused = s->code_after_end = s->quit = false;
	s->intr_ns = 0;
	s->code = 0;
	s->error[0] = 0;
	buf_reset(&s->reply);
	to_wire(m->data, &s->wire);
}

int smtp_send(struct smtp *s, const struct smtp_mail *m, struct smtp_reply *ret,
	      struct err *err)
{
	struct curl_slist *to = recipients(m);
	struct smtp_reply out = { 0 };
	CURLcode rc;

	start_mail(s, m, &out, err);
	curl_easy_setopt(s->h, CURLOPT_MAIL_FROM, m->from);
	curl_easy_setopt(s->h, CURLOPT_MAIL_RCPT, to);
	curl_easy_setopt(s->h, CURLOPT_MAIL_RCPT_ALLLOWFAILS,
			 m->may && m->may->n ? 1L : 0L);
	curl_easy_setopt(s->h, CURLOPT_INFILESIZE_LARGE, (curl_off_t)s->wire.len);
	rc = curl_easy_perform(s->h);
	curl_easy_setopt(s->h, CURLOPT_MAIL_RCPT, NULL);
	curl_slist_free_all(to);
	if (s->stopped ||
	    (rc == CURLE_ABORTED_BY_CALLBACK && !s->ended && !s->must_refused)) {
		s->out = NULL;
		smtp_reply_release(&out);
		if (s->stopped)
			return err && err->code ? err->code : E_FAIL;
		return err_set(err, E_INTR, "interrupted");
	}
	fill_reply(s, rc, &out);
	s->out = NULL;
	*ret = out;
	return 0;
}
