// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sendmail.c - mails by a program, and what its exit status means.
 */
#include <stdlib.h>
#include <sysexits.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/proc.h"
#include "series/sanitize.h"
#include "series/sendmail.h"

#define TIMEOUT_MS (15 * 60 * 1000)
#define WORDS_MAX  ((size_t)500) /* of the program's own words */

char *sendmail_find(void)
{
	static const char *const paths[] = { "/usr/sbin/sendmail", "/usr/lib/sendmail" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (fs_is_exec(paths[i]) && !fs_is_dir(paths[i]))
			return xstrdup(paths[i]);
	return fs_find_program("sendmail");
}

void sendmail_name(const struct sendmail_conf *c, struct buf *out)
{
	if (c->command)
		buf_puts(out, "sendmailCmd");
	else
		buf_printf(out, "program %s", path_base(c->program));
}

static int add_recipients(struct strvec *argv, const struct strvec *l, struct err *err)
{
	for (size_t i = 0; l && i < l->n; i++) {
		if (l->v[i][0] == '-')
			return err_set(err, E_USAGE,
				       "%s: a mail program would read this recipient as "
				       "an option; it can only get mail by SMTP",
				       l->v[i]);
		strvec_push(argv, l->v[i]);
	}
	return 0;
}

static int make_argv(const struct sendmail_conf *c, const struct smtp_mail *m,
		     struct strvec *argv, struct err *err)
{
	int rc;

	if (c->command) {
		strvec_pushl(argv, "sh", "-c", NULL);
		strvec_pushf(argv, "%s \"$@\"", c->command);
		strvec_push(argv, "-");
	} else {
		strvec_push(argv, c->program);
	}
	if (c->options)
		strvec_extend(argv, c->options);
	if (c->sender)
		strvec_pushl(argv, "-f", c->sender, NULL);
	strvec_push(argv, "-i");
	rc = add_recipients(argv, m->must, err);
	return rc ? rc : add_recipients(argv, m->may, err);
}

static enum smtp_outcome outcome_of(const struct proc_result *r)
{
	if (r->signal || r->timed_out || r->interrupted)
		return SMTP_UNSURE;
	switch (r->status) {
	case EX_OK:
		return SMTP_OK;
	case EX_USAGE:
	case EX_DATAERR:
	case EX_NOINPUT:
	case EX_UNAVAILABLE:
	case EX_OSFILE:
	case EX_CANTCREAT:
	case EX_NOPERM:
	case EX_CONFIG:
	case 126:
	case 127:
		return SMTP_REFUSED;
	default:
		return SMTP_UNSURE;
	}
}

/* The program's last line that says something, fit for a terminal. */
static void last_words(const struct buf *text, struct buf *out)
{
	struct str rest = buf_str(text), line, last = STR_NULL;

	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (line.len)
			last = line;
	}
	if (!last.len)
		return;
	buf_puts(out, ": ");
	sanitize_line(str_n(last.p, MIN(last.len, WORDS_MAX)), out);
}

static void fill_reply(const struct sendmail_conf *c, const struct proc_result *r,
		       struct smtp_reply *out)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	out->outcome = outcome_of(r);
	out->stage = SMTP_AT_MAIL;
	sendmail_name(c, &b);
	if (r->timed_out)
		buf_puts(&b, ": not done in time, so it was ended");
	else if (r->interrupted)
		buf_puts(&b, ": interrupted");
	else if (r->signal)
		buf_printf(&b, ": ended by signal %d (%s)", r->signal,
			   strsignal(r->signal));
	else
		buf_printf(&b, ": exit status %d", r->status);
	if (out->outcome != SMTP_OK)
		last_words(&r->out, &b);
	out->text = buf_take(&b);
	if (out->outcome == SMTP_REFUSED)
		out->remedy = xstrdup(c->command ? "look at sendemail.sendmailCmd"
						 : "look at the settings of the program "
						   "that sendemail.smtpServer names");
}

int sendmail_send(const struct sendmail_conf *c, const struct smtp_mail *m,
		  struct smtp_reply *ret, struct err *err)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = {
		.input = m->data,
		.foreground = true,
		.err = PROC_MERGE,
		.max_output = 1 << 20,
		.timeout_ms = c->timeout_ms ? c->timeout_ms : TIMEOUT_MS,
	};
	struct err e _cleanup_err_ = ERR_INIT;
	struct smtp_reply out = { 0 };
	int rc = make_argv(c, m, &argv, err);

	if (!rc && m->before_end)
		rc = m->before_end(m->arg, err);
	if (rc)
		return rc;
	o.argv = strvec_argv(&argv);
	rc = proc_run(&o, &res, &e);
	if (rc && rc != E_TIMEOUT && rc != E_INTR) {
		out.outcome = SMTP_REFUSED;
		out.stage = SMTP_AT_CONNECT;
		out.text = xstrdup(err_msg(&e));
		out.remedy = xstrdup("look at sendemail.smtpServer");
	} else {
		fill_reply(c, &res, &out);
	}
	*ret = out;
	return 0;
}
