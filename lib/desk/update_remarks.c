// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * update_remarks.c - remarks of mails as documents of the state.
 */
#include "series/addr.h"
#include "series/mem.h"
#include "series/remark.h"
#include "update_priv.h"

static const struct review_remark *known_remark(const struct review *r, const char *id)
{
	for (size_t i = 0; i < r->n_remarks; i++)
		if (!strcmp(r->remarks[i].id, id))
			return &r->remarks[i];
	return NULL;
}

/* The mail that a remark's answer came with, NULL: none. */
static char *answer_of(const struct update *u, const struct remark *m)
{
	return m->answer == NO_MAIL ? NULL : xstrdup_null(u->t->v[m->answer].id);
}

static char *field_dup(const struct mail *m, const char *name)
{
	struct buf b = BUF_INIT;

	field_text(field_get(m->head, name), &b);
	return buf_take(&b);
}

/* All addresses of all such fields, each as people write it. */
static void fill_addrs(const struct mail *m, const char *field, struct strvec *ret)
{
	struct str rest = m->head;
	struct mail_field f;

	while (field_next(&rest, &f)) {
		struct addrs a _cleanup_addrs_ = ADDRS_INIT;
		char *value _cleanup_free_ = NULL;

		if (!str_ieqc(f.name, field))
			continue;
		value = str_dup(f.value);
		if (addrs_parse(&a, value, NULL))
			continue;
		for (size_t i = 0; i < a.n; i++)
			strvec_take(ret, addr_show_dup(&a.v[i]));
	}
}

static void fill_remark(const struct update *u, const struct remark *m,
			struct review_remark *ret)
{
	const struct thread_mail *mail = &u->t->v[m->mail];
	const struct posted_version *v = &u->p->v[m->version];

	*ret = (struct review_remark){
		.name = xstrdup(m->name),
		.email = xstrdup(m->email),
		.message_id = xstrdup(mail->id ? mail->id : ""),
		.subject = field_dup(&mail->mail, "Subject"),
		.date = mail->date,
		.version = v->version,
		.label = xstrdup(v->label),
		.patch = m->patch,
		.line = m->line,
		.quoted = xstrdup(m->quoted ? m->quoted : ""),
		.text = xstrdup(m->text ? m->text : ""),
		.file = xstrdup_null(m->file),
		.code = xstrdup_null(m->code),
		.file_line = m->new_line,
		.question = m->question,
		.answer = answer_of(u, m),
	};
	fill_addrs(&mail->mail, "To", &ret->to);
	fill_addrs(&mail->mail, "Cc", &ret->cc);
	field_ids(field_get(mail->mail.head, "References"), &ret->references);
	review_remark_id(ret);
}

static void put_remark(struct update *u, const struct remark *m)
{
	struct review_remark doc _cleanup_(review_remark_release) = { .patch = 0 };
	const struct review_remark *known;

	fill_remark(u, m, &doc);
	known = known_remark(u->known, doc.id);
	if (known && (known->answer || !doc.answer))
		return;
	if (known) {
		doc.done_in = known->done_in;
		doc.answered = known->answered;
		u->to->changed++;
	} else {
		u->to->remarks++;
	}
	review_put_remark(u->store, &doc);
}

void update_remarks(struct update *u)
{
	struct remarks all _cleanup_remarks_ = { NULL };

	remarks_find(u->t, u->p, &all);
	for (size_t i = 0; i < all.n; i++)
		put_remark(u, &all.v[i]);
}
