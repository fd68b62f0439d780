// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reply.c - replies to remarks: the form for the editor, the mail, and what the state
 * says once it is out.
 */
#include <stdlib.h>
#include "prep.h"
#include "reply_priv.h"
#include "series/mem.h"
#include "series/reply.h"
#include "series/store.h"
#include "series/time.h"

static int by_line(const void *a, const void *b)
{
	const struct review_remark *x = *(const struct review_remark *const *)a;
	const struct review_remark *y = *(const struct review_remark *const *)b;

	return (x->line > y->line) - (x->line < y->line);
}

int reply_to_one(struct remark_list *l, struct err *err)
{
	for (size_t i = 1; i < l->n; i++)
		if (strcmp(l->v[i]->message_id, l->v[0]->message_id))
			return err_set(err, E_USAGE,
				       "%.8s and %.8s are remarks of two mails; a reply "
				       "answers one",
				       l->v[0]->id, l->v[i]->id);
	if (l->n)
		qsort(l->v, l->n, sizeof(const struct review_remark *), by_line);
	return 0;
}

/* --- the form --- */

static void put_quoted(const char *text, const char *mark, struct buf *out)
{
	struct str rest = str_c(text), line;

	while (str_line(&rest, &line))
		buf_printf(out, "%s%s" STR_FMT "\n", mark,
			   line.len && line.p[0] != '>' ? " " : "", STR_ARG(line));
}

static void put_names(const char *field, const struct strvec *who, struct buf *out)
{
	for (size_t i = 0; i < who->n; i++)
		buf_printf(out, "# %s: %s\n", field, who->v[i]);
}

void reply_form(const struct remark_list *l, struct buf *out)
{
	const struct review_remark *first = l->v[0];

	buf_printf(out, "# A reply to %s <%s>, and to whom that mail went:\n",
		   first->name, first->email);
	put_names("To", &first->to, out);
	put_names("Cc", &first->cc, out);
	buf_puts(out, "# These lines go. Without a line of yours nothing is sent.\n");
	buf_puts(out, "On ");
	time_rfc5322(first->date, out);
	buf_printf(out, ", %s wrote:\n", *first->name ? first->name : first->email);
	for (size_t i = 0; i < l->n; i++) {
		put_quoted(l->v[i]->quoted, "> >", out);
		if (*l->v[i]->quoted)
			buf_puts(out, ">\n");
		put_quoted(l->v[i]->text, ">", out);
		buf_puts(out, "\n");
	}
}

bool reply_has_text(struct str text)
{
	struct str line;

	while (str_line(&text, &line)) {
		line = str_trim(line);
		if (line.len && line.p[0] != '>' &&
		    !(str_starts(line, "On ") && str_ends(line, " wrote:")))
			return true;
	}
	return false;
}

/* --- the mail --- */

int reply_add_others(struct prep *q, const struct strvec *shown, const char *reviewer,
		     struct err *err)
{
	const char *own = config_get(q->c, "user.email");
	struct addrs all _cleanup_addrs_ = ADDRS_INIT;
	int rc = 0;

	for (size_t i = 0; i < shown->n && !rc; i++)
		rc = addrs_parse(&all, shown->v[i], err);
	for (size_t i = 0; i < all.n && !rc; i++) {
		const struct addr *a = &all.v[i];

		if (!email_same(a->email, reviewer) &&
		    !email_same(a->email, q->p->from.email) &&
		    !(own && email_same(a->email, own)) &&
		    !addrs_find(&q->p->to.cc, a->email))
			addrs_add(&q->p->to.cc, a->name, a->email);
	}
	return rc;
}

static int take_recipients(struct prep *q, const struct review_remark *r, struct err *err)
{
	struct outbox *o = q->p->outbox;
	int rc;

	addrs_add(&q->p->to.to, r->name, r->email);
	if (!addr_ok(&q->p->to.to.v[0]))
		return err_set(err, E_FAIL,
			       "'%s' of <%s> is no address that can be "
			       "answered",
			       r->email, r->message_id);
	rc = reply_add_others(q, &r->to, r->email, err);
	if (!rc)
		rc = reply_add_others(q, &r->cc, r->email, err);
	prep_show_recipients(q, &o->to, &o->cc);
	return rc;
}

/* The version that was spoken of, whose only posting is this mail. */
static int fill_version(struct prep *q, const struct review_remark *r, struct err *err)
{
	const struct version *v = series_version_named(q->s, r->label);
	struct version *mine = &q->p->outbox->version;
	struct posting *p;

	if (!v)
		return err_set(err, E_NOTFOUND,
			       "the remark is about '%s', which is not "
			       "known here",
			       r->label);
	version_copy(v, mine);
	for (size_t i = 0; i < mine->n_postings; i++)
		posting_release(&mine->postings[i]);
	free(mine->postings);
	mine->postings = p = xcalloc(1, sizeof(*p));
	mine->n_postings = 1;
	p->state = xstrdup("sending");
	p->prefix = xstrdup("");
	p->date = q->now;
	p->message_id =
		message_id(q->now, q->random, v->n, v->n_patches + 1, q->p->from.email);
	return 0;
}

char *reply_subject(const char *subject)
{
	struct str s = str_trim(str_c(subject));

	while (str_istarts(s, "re:"))
		s = str_trim(str_n(s.p + 3, s.len - 3));
	return xasprintf("Re: " STR_FMT, STR_ARG(s));
}

void reply_body(struct str text, struct buf *out)
{
	buf_addstr(out, str_trim_end(text));
	while (out->len && out->p[0] == '\n') {
		memmove(out->p, out->p + 1, out->len);
		out->len--;
	}
	buf_putc(out, '\n');
}

static int make_mail(struct prep *q, const struct review_remark *r, struct str text,
		     struct err *err)
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
	strvec_extend(&refs, &r->references);
	strvec_push(&refs, r->message_id);
	rc = mail_compose(&m, &mail, err);
	if (!rc)
		outbox_add(q->p->outbox, m.message_id, subject, buf_str(&mail));
	return rc;
}

static int prepare(struct prep *q, const struct remark_list *l, struct str text,
		   struct err *err)
{
	char *name _cleanup_free_ = outbox_reply_name(q->s->name);
	struct buf random _cleanup_buf_ = BUF_INIT;
	int rc;

	q->p->outbox = outbox_new(name);
	q->now = time_now();
	rand_letters(&random, 8);
	q->random = buf_take(&random);
	for (size_t i = 0; i < l->n; i++)
		strvec_push(&q->p->outbox->reply, l->v[i]->id);
	rc = prep_sender(q, err);
	if (!rc)
		rc = prep_envelope(q, err);
	if (!rc)
		rc = take_recipients(q, l->v[0], err);
	if (!rc)
		rc = fill_version(q, l->v[0], err);
	return rc ? rc : make_mail(q, l->v[0], text, err);
}

int reply_prepare(struct series *s, const struct config *c, const struct remark_list *l,
		  struct str text, struct post **ret, struct err *err)
{
	struct post_opts none = { .to = NULL };
	struct post *p _cleanup_post_ = xcalloc(1, sizeof(*p));
	struct prep q = { .s = s, .c = c, .o = &none, .p = p };
	int rc = prepare(&q, l, text, err);

	free(q.random);
	if (rc)
		return rc;
	*ret = p;
	p = NULL;
	return 0;
}

/* --- the state --- */

int reply_record(struct series *s, const struct outbox *o, struct err *err)
{
	const struct outbox_mail *m = &o->mails[0];
	char *dir _cleanup_free_ = version_reply_mails(&o->version, outbox_posting(o));
	char *path _cleanup_free_ = xasprintf("%s/%s", dir, m->file);
	bool sent = m->state == OUTBOX_OK || m->state == OUTBOX_SKIPPED;
	struct remark_word word = { .answer = outbox_real_id(o, m->message_id) };
	char *what _cleanup_free_ = outbox_what(o);
	struct buf data _cleanup_buf_ = BUF_INIT;
	struct store *t _cleanup_store_ = NULL;
	int rc;

	if (m->state == OUTBOX_TODO && !m->left)
		return 0;
	rc = outbox_read_sent(o, 0, &data, err);
	if (!rc)
		rc = store_begin(s->repo, s->name, false, &t, err);
	if (rc)
		return rc;
	store_put(t, path, data.p, data.len);
	for (size_t i = 0; i < o->reply.n && sent; i++) {
		rc = review_say(t, o->reply.v[i], &word, err);
		/* Another machine may have taken it away; the mail is out all the same.
		 */
		if (rc && rc != E_NOTFOUND)
			return rc;
		if (rc && err)
			err_release(err);
	}
	return store_commit(t, what, err);
}
