// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * smtp.c - SMTP by libcurl: one easy handle, so one connection for all mails.
 *
 * libcurl says little about where a transfer ended, so the dialogue is watched: commands
 * and replies come through its debug callback, and the read callback knows when the last
 * bytes are given away.
 */
#include <ctype.h>
#include <stdlib.h>
#include "series/intr.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/sanitize.h"
#include "series/time.h"
#include "smtp_priv.h"

#define REPLY_MAX 2000		      /* bytes kept of one reply */
#define OFFER_MAX 200		      /* of its list of ways to log in */
#define GRACE_NS  (20 * 1000000000LL) /* for the last reply once we are interrupted */

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

/* "250-AUTH PLAIN LOGIN" among the server's extensions (RFC 4954 section 3). */
static void saw_extension(struct smtp *s, struct str line)
{
	struct str word = str_n(line.p + MIN(line.len, (size_t)4),
				line.len - MIN(line.len, (size_t)4));

	if (str_istarts(word, "AUTH ") || str_istarts(word, "AUTH=")) {
		buf_reset(&s->offered);
		word = str_trim(str_n(word.p + 5, word.len - 5));
		buf_addstr(&s->offered, str_n(word.p, MIN(word.len, (size_t)OFFER_MAX)));
	}
}

/* The last word of a login (RFC 4954 section 6); 334 asks for more. */
static void login_answered(struct smtp *s)
{
	if (s->code == 334)
		return;
	s->authing = false;
	s->logged_in = s->code == 235;
	if (s->logged_in)
		s->out->login = SMTP_LOGIN_OK;
	else if (s->code == 535)
		s->out->login = SMTP_LOGIN_REFUSED;
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
	if (s->greeting)
		saw_extension(s, line);
	if (line.len > 3 && line.p[3] == '-')
		return;
	s->code = atoi(line.p);
	s->code_after_end = s->ended;
	s->greeting = false;
	if (s->authing)
		login_answered(s);
	if (s->rcpt)
		rcpt_answered(s);
}

static void saw_command(struct smtp *s, struct str line)
{
	/* Secrets pass by here: between AUTH and its end nothing is looked at. */
	if (!s->authing && (s->quit || str_starts(line, "QUIT"))) {
		s->quit = true;
		return;
	}
	s->code = 0;
	s->code_after_end = false;
	buf_reset(&s->reply);
	if (s->authing)
		return;
	s->authing = str_starts(line, "AUTH ");
	s->greeting = str_starts(line, "EHLO") || str_starts(line, "HELO");
	if (s->greeting) {
		s->logged_in = false;
		buf_reset(&s->offered);
	} else if (str_starts(line, "MAIL ")) {
		s->said_mail = true;
		s->no_login = s->user && !s->logged_in;
	}
	if (str_skip(&line, "RCPT TO:<")) {
		ptrdiff_t end = str_chr(line, '>');

		free(s->rcpt);
		s->rcpt = str_dup(str_n(line.p, end < 0 ? 0 : (size_t)end));
	}
}

int smtp_on_debug(CURL *h, curl_infotype type, char *data, size_t size, void *arg)
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

size_t smtp_on_read(char *dst, size_t size, size_t n, void *arg)
{
	struct smtp *s = arg;
	size_t room = size * n, left = s->wire.len - s->at;

	if (s->must_refused || s->no_login)
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

/*
 * Interrupted: at once before the hand-over, after it only when no reply comes. And
 * libcurl goes on without a login when the server offers none; we do not.
 */
int smtp_on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct smtp *s = arg;

	progress_tick();
	if (s->out && s->no_login && !s->ended)
		return 1;
	if (!intr_pending() || !s->out)
		return 0;
	if (!s->ended)
		return 1;
	if (!s->intr_ns)
		s->intr_ns = time_mono_ns();
	return time_mono_ns() - s->intr_ns > GRACE_NS;
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
	s->said_mail = s->no_login = s->authing = s->greeting = false;
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
	if (s->stopped || (rc == CURLE_ABORTED_BY_CALLBACK && !s->ended &&
			   !s->must_refused && !s->no_login)) {
		s->out = NULL;
		smtp_reply_release(&out);
		if (s->stopped)
			return err && err->code ? err->code : E_FAIL;
		return err_set(err, E_INTR, "interrupted");
	}
	smtp_explain(s, rc, &out);
	s->out = NULL;
	*ret = out;
	return 0;
}
