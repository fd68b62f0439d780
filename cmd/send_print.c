// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * send_print.c - what series send says before and after, and the question between.
 */
#include "ask.h"
#include "send_print.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/transport.h"

static void put_addrs(const char *head, const struct addrs *a, struct buf *out)
{
	for (size_t i = 0; i < a->n; i++) {
		buf_printf(out, "%s: ", head);
		addr_show(&a->v[i], out);
		buf_putc(out, '\n');
	}
}

/* "Sent by: smtp://HOST:PORT (STARTTLS, user NAME)", or what is wrong with the settings.
 */
static void put_server(const struct ctx *c, struct buf *out)
{
	struct transport *t _cleanup_transport_ = NULL;
	struct err e _cleanup_err_ = ERR_INIT;

	buf_puts(out, "Sent by: ");
	if (transport_open(c->repo, c->config, &t, &e))
		buf_puts(out, err_msg(&e));
	else
		transport_describe(t, out);
	buf_putc(out, '\n');
}

void send_summary(const struct ctx *c, const struct post *p, struct buf *out)
{
	const struct strvec *to = outbox_to(p->outbox);

	for (size_t i = 0; i < p->outbox->n_mails; i++)
		buf_printf(out, "%s\n", p->outbox->mails[i].subject);
	buf_puts(out, "From: ");
	addr_show(&p->from, out);
	buf_putc(out, '\n');
	put_addrs("To", &p->to.to, out);
	put_addrs("Cc", &p->to.cc, out);
	put_server(c, out);
	if (p->outbox->rehearsal)
		for (size_t i = 0; i < to->n; i++)
			buf_printf(out, "Sent to %s only; nothing is recorded\n",
				   to->v[i]);
}

void send_show_mails(const struct post *p, struct buf *out)
{
	for (size_t i = 0; i < p->outbox->n_mails; i++) {
		buf_addstr(out, buf_str(&p->outbox->mails[i].data));
		buf_putc(out, '\n');
	}
}

void send_report(struct ctx *c, const struct outbox *o, const struct delivery *d)
{
	const struct version *v = &o->version;
	const struct posting *p = outbox_posting(o);
	char *what _cleanup_free_ = outbox_what(o);
	const char *how = o->rehearsal ? "shown: "
			  : p->resend  ? "sent again: "
				       : "sent: ";

	out_printf(&c->out, "%s %s%zu mail%s to %s\n", what, how, o->n_mails,
		   o->n_mails == 1 ? "" : "s",
		   v->transport ? v->transport : "the server");
	if (!o->rehearsal)
		out_printf(&c->out, "Message-ID: <%s>\n",
			   outbox_real_id(o, p->message_id));
	for (size_t i = 0; i < d->refused.n; i++) {
		out_puts(&c->out, "a copy was refused: ");
		out_foreign(&c->out, str_c(d->refused.v[i]));
		out_puts(&c->out, "\n");
	}
}

/* sendemail.confirm=never: no question, unless there is something to say. */
static bool never_asks(const struct ctx *c, const struct post *p)
{
	const char *v = sendemail_get(c->config, "confirm");

	return v && !strcmp(v, "never") && !p->findings.n;
}

int send_confirm(const struct ctx *c, const struct post *p, struct err *err)
{
	struct buf text _cleanup_buf_ = BUF_INIT, question _cleanup_buf_ = BUF_INIT;

	if (!ask_possible())
		return err_set(err, E_FAIL,
			       "nothing was sent: there is no terminal to ask on; --yes "
			       "sends without asking, --dry-run shows what would go out");
	if (never_asks(c, p))
		return 0;
	send_summary(c, p, &text);
	/* A text of ours that nobody has seen. */
	if (p->outbox->thanks.n)
		send_show_mails(p, &text);
	findings_show(&p->findings, &text);
	buf_printf(&question, "Send %zu mail%s?", p->outbox->n_mails,
		   p->outbox->n_mails == 1 ? "" : "s");
	if (ask_yes(&text, buf_cstr(&question)))
		return 0;
	return err_set(err, intr_pending() ? E_INTR : E_FAIL, "nothing was sent");
}

int send_busy(const struct outbox *o, struct err *err)
{
	char *what _cleanup_free_ = outbox_what(o);

	return err_set(err, E_CONFLICT,
		       "%s is on its way (%zu of %zu mails were accepted); end that "
		       "first: series send --resume, or series send --give-up",
		       what, outbox_count(o, OUTBOX_OK), o->n_mails);
}
