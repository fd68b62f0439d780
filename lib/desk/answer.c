// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * answer.c - see answer.h.
 */
#include <stdlib.h>
#include <string.h>

#include "reply_priv.h"
#include "series/answer.h"
#include "series/compose.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/time.h"

#define QUOTED 8 /* lines above a tag */

/* No commit is of such a mail; the document of a version wants two. */
#define NO_COMMIT "0000000000000000000000000000000000000000"

/* ---- what stands in them ---- */

static void get_text(const struct mail *m, const char *name, struct buf *out)
{
	struct str v = field_get(m->head, name);

	if (v.p)
		field_text(v, out);
}

/* "On DATE, NAME wrote:" */
static void put_attribution(const struct thread_mail *m, struct buf *out)
{
	struct buf from _cleanup_buf_ = BUF_INIT;
	char *name _cleanup_free_ = NULL, *email _cleanup_free_ = NULL;

	get_text(&m->mail, "From", &from);
	mailinfo_author(buf_str(&from), &name, &email);
	buf_puts(out, "On ");
	time_rfc5322(m->date, out);
	buf_printf(out, ", %s wrote:\n", *name ? name : email);
}

static void put_quoted(struct str line, struct buf *out)
{
	line = str_trim_end(line);
	buf_printf(out, ">%s" STR_FMT "\n", line.len && line.p[0] != '>' ? " " : "",
		   STR_ARG(line));
}

void answer_form(const struct thread *t, size_t mail, struct buf *out)
{
	static const char *const names[] = { "From", "To", "Cc" };
	struct buf own _cleanup_buf_ = BUF_INIT;
	struct str text = thread_text(t, mail, &own), line;

	buf_puts(out, "# A reply to this mail, and to whom it went:\n");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		get_text(&t->v[mail].mail, names[i], &b);
		if (b.len)
			buf_printf(out, "# %s: %s\n", names[i], buf_cstr(&b));
	}
	buf_puts(out, "# These lines go. Without a line of yours nothing is sent.\n");
	put_attribution(&t->v[mail], out);
	while (str_line(&text, &line))
		put_quoted(line, out);
}

int answer_tag_text(const struct config *c, const struct thread *t, size_t mail,
		    const char *type, struct buf *out, struct err *err)
{
	const char *name = config_get(c, "user.name"),
		   *email = config_get(c, "user.email");
	struct mailinfo i _cleanup_mailinfo_ = { 0 };
	struct str text, line;
	size_t n = 0;

	if (!name || !email)
		return err_set(
			err, E_USAGE,
			"who gives it? run git config user.name 'YOUR NAME' and git "
			"config user.email YOU@HOST");
	mailinfo_read(&t->v[mail].mail, &i);
	text = buf_str(&i.message);
	put_attribution(&t->v[mail], out);
	while (n < QUOTED && str_line(&text, &line)) {
		put_quoted(line, out);
		n++;
	}
	if (text.len)
		buf_puts(out, "> [...]\n");
	buf_printf(out, "\n%s: %s <%s>\n", type, name, email);
	return 0;
}

/* ---- the mails ---- */

static int take_people(struct prep *q, const struct thread_mail *m, struct err *err)
{
	static const char *const names[] = { "Reply-To", "From", "To", "Cc" };
	const char *first = q->p->to.to.n ? q->p->to.to.v[0].email : "";
	int rc = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !rc; i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;
		struct strvec all _cleanup_strvec_ = STRVEC_INIT;

		get_text(&m->mail, names[i], &b);
		if (!b.len)
			continue;
		if (i < 2 && !q->p->to.to.n) {
			/* What is no address is said below. */
			addrs_parse(&q->p->to.to, buf_cstr(&b), NULL);
			first = q->p->to.to.n ? q->p->to.to.v[0].email : "";
			continue;
		}
		strvec_push(&all, buf_cstr(&b));
		rc = reply_add_others(q, &all, first, err);
	}
	if (!rc && (!q->p->to.to.n || !addr_ok(&q->p->to.to.v[0])))
		return err_set(err, E_FAIL, "<%s> has no sender that can be answered",
			       m->id ? m->id : "");
	return rc;
}

/* One posting of nothing: what an outbox has to say of its first mail. */
static void fill_version(struct prep *q)
{
	struct version *v = &q->p->outbox->version;
	struct posting *p = xcalloc(1, sizeof(*p));

	v->n = 1;
	memcpy(v->base, NO_COMMIT, OID_HEX);
	memcpy(v->head, NO_COMMIT, OID_HEX);
	v->postings = p;
	v->n_postings = 1;
	p->state = xstrdup("sending");
	p->prefix = xstrdup("");
	p->date = q->now;
	p->message_id = message_id(q->now, q->random, 1, 1, q->p->from.email);
}

static int make_mail(struct prep *q, const struct answer *a, size_t k, struct err *err)
{
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	struct buf body _cleanup_buf_ = BUF_INIT, mail _cleanup_buf_ = BUF_INIT;
	struct buf title _cleanup_buf_ = BUF_INIT;
	char *id _cleanup_free_ = message_id(q->now, q->random, 1, k, q->p->from.email);
	char *subject _cleanup_free_ = NULL;
	struct mail_spec m = { .from = &q->p->from,
			       .to = &q->p->to.to,
			       .cc = &q->p->to.cc,
			       .tag = "",
			       .message_id = id,
			       .in_reply_to = a->to->id,
			       .references = &refs,
			       .date = q->now + (int64_t)k - 1 };
	struct str before = field_get(a->to->mail.head, "References");
	int rc;

	if (!message_id_ok(a->to->id))
		return err_set(err, E_FAIL,
			       "a mail without Message-ID cannot be answered");
	get_text(&a->to->mail, "Subject", &title);
	subject = reply_subject(buf_cstr(&title));
	m.title = str_c(subject);
	if (!before.p)
		before = field_get(a->to->mail.head, "In-Reply-To");
	if (before.p)
		field_ids(before, &refs);
	for (size_t i = refs.n; i-- > 0;)
		if (!message_id_ok(refs.v[i]))
			strvec_remove(&refs, i);
	strvec_push(&refs, a->to->id);
	reply_body(a->text, &body);
	m.body = buf_str(&body);
	rc = mail_compose(&m, &mail, err);
	if (!rc)
		outbox_add(q->p->outbox, id, subject, buf_str(&mail));
	return rc;
}

static int prepare(struct prep *q, const struct answer *v, size_t n, struct err *err)
{
	struct buf random _cleanup_buf_ = BUF_INIT;
	int rc;

	q->p->outbox = outbox_new(outbox_loose_name());
	q->p->outbox->loose = true;
	q->now = time_now();
	rand_letters(&random, 8);
	q->random = buf_take(&random);
	rc = prep_sender(q, err);
	if (!rc)
		rc = prep_envelope(q, err);
	for (size_t i = 0; i < n && !rc; i++)
		rc = take_people(q, v[i].to, err);
	if (rc)
		return rc;
	prep_show_recipients(q, &q->p->outbox->to, &q->p->outbox->cc);
	fill_version(q);
	for (size_t i = 0; i < n && !rc; i++)
		rc = make_mail(q, &v[i], i + 1, err);
	return rc;
}

int answer_prepare(struct repo *r, const struct config *c, const struct answer *v,
		   size_t n, struct post **ret, struct err *err)
{
	struct post_opts none = { .to = NULL };
	struct post *p _cleanup_post_ = xcalloc(1, sizeof(*p));
	struct series s = { .name = (char *)outbox_loose_name(), .repo = r };
	struct prep q = { .s = &s, .c = c, .o = &none, .p = p };
	int rc = prepare(&q, v, n, err);

	free(q.random);
	if (rc)
		return rc;
	*ret = p;
	p = NULL;
	return 0;
}

/* ---- on their way: what knows series knows one without a state here ---- */

int answer_send(struct repo *r, const struct config *c, struct outbox *o,
		struct delivery *ret, struct err *err)
{
	struct series s = { .name = (char *)outbox_loose_name(), .repo = r };
	struct delivery_opts how = { .unsure = NULL };
	int rc = post_start(&s, c, o, err);

	return rc ? rc : post_deliver(&s, c, o, &how, ret, err);
}

int answer_find(struct repo *r, struct outbox **ret, struct err *err)
{
	return outbox_find(repo_common_dir(r), outbox_loose_name(), ret, err);
}

int answer_resume(struct repo *r, const struct config *c, struct outbox *o,
		  const struct delivery_opts *how, struct delivery *ret, struct err *err)
{
	struct series s = { .name = (char *)outbox_loose_name(), .repo = r };

	return post_deliver(&s, c, o, how, ret, err);
}

int answer_give_up(struct repo *r, struct outbox *o, struct err *err)
{
	struct series s = { .name = (char *)outbox_loose_name(), .repo = r };

	return post_give_up(&s, o, err);
}
