// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reply_mail.c - see reply_priv.h.
 */
#include <stdlib.h>
#include "reply_priv.h"
#include "series/mem.h"
#include "series/time.h"

/* --- the text --- */

void reply_intro(const struct reply_to *a, struct buf *out)
{
	buf_puts(out, "On ");
	time_rfc5322(a->date, out);
	buf_printf(out, ", %s wrote:\n", *a->name ? a->name : a->email);
}

void reply_quote(const char *text, const char *mark, struct buf *out)
{
	struct str rest = str_c(text), line;

	while (str_line(&rest, &line))
		buf_printf(out, "%s%s" STR_FMT "\n", mark,
			   line.len && line.p[0] != '>' ? " " : "", STR_ARG(line));
}

/* --- the mail --- */

void reply_begin(struct prep *q, const char *name)
{
	struct buf random _cleanup_buf_ = BUF_INIT;

	q->p->outbox = outbox_new(name);
	q->now = time_now();
	rand_letters(&random, 8);
	q->random = buf_take(&random);
}

/* Those of shown that are neither the user nor there already. */
int reply_add_others(struct prep *q, const struct strvec *shown, const char *answered,
		     struct err *err)
{
	const char *own = config_get(q->c, "user.email");
	struct addrs all _cleanup_addrs_ = ADDRS_INIT;
	int rc = 0;

	for (size_t i = 0; i < shown->n && !rc; i++)
		rc = addrs_parse(&all, shown->v[i], err);
	for (size_t i = 0; i < all.n && !rc; i++) {
		const struct addr *a = &all.v[i];

		if (!email_same(a->email, answered) &&
		    !email_same(a->email, q->p->from.email) &&
		    !(own && email_same(a->email, own)) &&
		    !addrs_find(&q->p->to.cc, a->email))
			addrs_add(&q->p->to.cc, a->name, a->email);
	}
	return rc;
}

int reply_recipients(struct prep *q, const struct reply_to *r, struct err *err)
{
	struct outbox *o = q->p->outbox;
	int rc;

	addrs_add(&q->p->to.to, r->name, r->email);
	if (!addr_ok(&q->p->to.to.v[0]))
		return err_set(err, E_FAIL,
			       "'%s' of <%s> is no address that can be "
			       "answered",
			       r->email, r->message_id);
	rc = reply_add_others(q, r->to, r->email, err);
	if (!rc)
		rc = reply_add_others(q, r->cc, r->email, err);
	prep_show_recipients(q, &o->to, &o->cc);
	return rc;
}

char *reply_subject(const char *subject)
{
	struct str s = str_trim(str_c(subject));

	while (str_istarts(s, "re:"))
		s = str_trim(str_n(s.p + 3, s.len - 3));
	return xasprintf("Re: " STR_FMT, STR_ARG(s));
}

/* The text with a line end at its end and no empty lines there. */
void reply_body(struct str text, struct buf *out)
{
	buf_addstr(out, str_trim_end(text));
	while (out->len && out->p[0] == '\n') {
		memmove(out->p, out->p + 1, out->len);
		out->len--;
	}
	buf_putc(out, '\n');
}

int reply_mail(struct prep *q, const struct reply_to *r, struct str text, struct err *err)
{
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	struct buf body _cleanup_buf_ = BUF_INIT, mail _cleanup_buf_ = BUF_INIT;
	char *subject _cleanup_free_ = reply_subject(r->subject);
	struct mail_spec m = { .from = &q->p->from,
			       .to = &q->p->to.to,
			       .cc = &q->p->to.cc,
			       .tag = "",
			       .title = str_c(subject),
			       .message_id = outbox_posting(q->p->outbox)->message_id,
			       .in_reply_to = r->message_id,
			       .references = &refs,
			       .date = q->now };
	int rc;

	reply_body(text, &body);
	m.body = buf_str(&body);
	strvec_extend(&refs, r->references);
	strvec_push(&refs, r->message_id);
	rc = mail_compose(&m, &mail, err);
	if (!rc)
		outbox_add(q->p->outbox, m.message_id, subject, buf_str(&mail));
	return rc;
}
