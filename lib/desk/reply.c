// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reply.c - replies to remarks: the form for the editor, the mail, and what the state
 * says once it is out.
 */
#include <stdlib.h>
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
	reply_intro(&(struct reply_to){ .name = first->name,
					.email = first->email,
					.date = first->date },
		    out);
	for (size_t i = 0; i < l->n; i++) {
		reply_quote(l->v[i]->quoted, "> >", out);
		if (*l->v[i]->quoted)
			buf_puts(out, ">\n");
		reply_quote(l->v[i]->text, ">", out);
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

static int prepare(struct prep *q, const struct remark_list *l, struct str text,
		   struct err *err)
{
	char *name _cleanup_free_ = outbox_reply_name(q->s->name);
	const struct review_remark *r = l->v[0];
	struct reply_to a = { .name = r->name,
			      .email = r->email,
			      .subject = r->subject,
			      .message_id = r->message_id,
			      .to = &r->to,
			      .cc = &r->cc,
			      .references = &r->references };
	int rc;

	reply_begin(q, name);
	for (size_t i = 0; i < l->n; i++)
		strvec_push(&q->p->outbox->reply, l->v[i]->id);
	rc = prep_sender(q, err);
	if (!rc)
		rc = prep_envelope(q, err);
	if (!rc)
		rc = reply_recipients(q, &a, err);
	if (!rc)
		rc = fill_version(q, l->v[0], err);
	return rc ? rc : reply_mail(q, &a, text, err);
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
