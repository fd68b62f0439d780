// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * listed.c - a posted series as one row: who spoke last, what is open, who had to do with
 * it. See listed.h; tags are in listed_tags.c, what patches touch in listed_patches.c.
 */
#include <ctype.h>
#include "listed_priv.h"
#include "sender.h"
#include "series/addr.h"
#include "series/claim.h"
#include "series/mem.h"
#include "series/robot.h"

void sort_once(struct strvec *v)
{
	size_t n = 0;

	strvec_sort(v);
	for (size_t i = 0; i < v->n; i++) {
		if (n && !strcmp(v->v[n - 1], v->v[i]))
			free(v->v[i]);
		else
			v->v[n++] = v->v[i];
	}
	if (v->v)
		v->v[n] = NULL;
	v->n = n;
}

void push_lower(struct strvec *v, const char *email)
{
	char *s = xstrdup(email);

	for (char *c = s; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	strvec_take(v, s);
}

/* ---- who spoke last ---- */

static char *answered(const struct thread *t, size_t mail)
{
	struct sender s _cleanup_sender_ = { 0 };
	char *email;

	if (t->v[mail].parent == mail)
		return NULL;
	sender_read(&t->v[t->v[mail].parent].mail, &s);
	email = s.email;
	s.email = NULL;
	return email;
}

static void take_word(struct listed *row, const struct thread *t, size_t mail,
		      const struct sender *s, bool author)
{
	const struct thread_mail *m = &t->v[mail];

	row->last = m->date;
	row->last_word = author ? WORD_AUTHOR : WORD_REVIEWER;
	free(row->last_name);
	free(row->last_email);
	free(row->last_id);
	row->last_name = xstrdup(*s->name ? s->name : s->email);
	row->last_email = xstrdup(s->email);
	row->last_id = xstrdup(m->id ? m->id : "");
	free(row->last_answers);
	row->last_answers = answered(t, mail);
}

static bool is_author(const struct listed *row, const struct sender *s)
{
	struct sender author = { row->name, row->email, false };

	return same_sender(&author, s) || name_like(row->name, s->name);
}

static void list_mail(struct lister *l, size_t mail)
{
	const struct thread_mail *m = &l->t->v[mail];
	struct sender s _cleanup_sender_ = { 0 };
	struct robot_report r;
	struct listed *row;
	struct place at;
	size_t series;

	if (!posted_target(l->t, l->p->place, mail, &at))
		return;
	series = l->p->v[at.version].series;
	row = &l->all->v[series];
	if (robot_name(&m->mail)) {
		if (!robot_read(&m->mail, &r))
			return;
		row->reports += !r.good && at.version == l->newest[series];
		robot_report_release(&r);
		return;
	}
	sender_read(&m->mail, &s);
	push_lower(&row->people, s.email);
	if (m->dated && (!row->last_id || m->date >= row->last))
		take_word(row, l->t, mail, &s, is_author(row, &s));
}

/* ---- what is open ---- */

static void list_remarks(struct lister *l)
{
	for (size_t i = 0; i < l->remarks.n; i++) {
		const struct remark *m = &l->remarks.v[i];
		size_t series = l->p->v[m->version].series;
		size_t newest = l->newest[series];
		struct listed *row = &l->all->v[series];

		if (posted_became(l->p, m->version, m->patch, newest) == NO_MAIL)
			continue;
		if (remark_stands(l->t, l->p, m, newest))
			row->open++;
		else
			row->answered++;
	}
}

/* ---- the rows ---- */

/* The mail that stands for a version: its cover, else its first patch. */
static size_t first_mail(const struct posted_version *v)
{
	for (size_t k = 0; v->cover == NO_MAIL && k < v->total; k++)
		if (v->patch[k].mail != NO_MAIL)
			return v->patch[k].mail;
	return v->cover;
}

static void list_recipients(const struct mail *m, struct strvec *to)
{
	static const char *const names[] = { "To", "Cc" };
	struct str v[ARRAY_SIZE(names)];

	field_get_all(m->head, names, ARRAY_SIZE(names), v);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct buf text _cleanup_buf_ = BUF_INIT;
		struct addrs all _cleanup_addrs_ = ADDRS_INIT;

		if (!v[i].p)
			continue;
		field_text(v[i], &text);
		addrs_parse(&all, buf_cstr(&text), NULL);
		for (size_t k = 0; k < all.n; k++)
			push_lower(to, all.v[k].email);
	}
	sort_once(to);
}

static void list_claims(const struct lister *l, const struct posted_version *v,
			struct listed *row)
{
	struct claims c _cleanup_claims_ = { .n = 0 };
	struct buf own _cleanup_buf_ = BUF_INIT, brief _cleanup_buf_ = BUF_INIT;
	size_t mail = v->cover != NO_MAIL || v->total != 1 ? v->cover : v->patch[0].mail;

	if (mail == NO_MAIL)
		return;
	claims_find(thread_text(l->t, mail, &own), &c);
	claims_brief(&c, &brief);
	row->claims = c.n;
	row->claim = brief.len ? buf_take(&brief) : NULL;
}

static void list_signatures(const struct lister *l, size_t mail, struct listed *row)
{
	static const char *const names[] = { "DKIM-Signature", "X-Developer-Signature" };
	struct str v[ARRAY_SIZE(names)];

	if (mail == NO_MAIL)
		return;
	field_get_all(l->t->v[mail].mail.head, names, ARRAY_SIZE(names), v);
	row->mails++;
	row->dkim += v[0].p != NULL;
	row->developer += v[1].p != NULL;
}

static char *mail_id(const struct lister *l, size_t mail)
{
	return xstrdup(mail != NO_MAIL && l->t->v[mail].id ? l->t->v[mail].id : "");
}

static void list_series(struct lister *l, size_t series)
{
	const struct posted_series *s = &l->p->series[series];
	const struct posted_version *v;
	struct listed *row = &l->all->v[series];
	size_t mail;

	l->newest[series] = posted_newest(l->p, series);
	v = &l->p->v[l->newest[series]];
	mail = first_mail(v);
	row->message_id = mail_id(l, mail);
	row->first_id = mail_id(l, first_mail(&l->p->v[s->v[0]]));
	row->change_id = xstrdup_null(v->change_id);
	row->label = xstrdup(v->label);
	row->title = xstrdup(v->title);
	row->name = xstrdup(v->name);
	row->email = xstrdup(v->email);
	row->version = v->version;
	row->minor = v->minor;
	row->rfc = v->rfc;
	row->resend = v->resend;
	row->partial = v->partial;
	row->uncertain = v->uncertain;
	row->versions = s->n;
	row->total = v->total;
	row->missing = v->missing;
	row->first = l->p->v[s->v[0]].date;
	row->posted = v->date;
	row->last_word = WORD_ROBOT;
	row->base_commit = posted_base(l->t, v);
	if (mail != NO_MAIL)
		list_recipients(&l->t->v[mail].mail, &row->to);
	list_claims(l, v, row);
	list_signatures(l, v->cover, row);
	for (size_t k = 0; k < v->total; k++)
		if (v->patch[k].from == l->newest[series])
			list_signatures(l, v->patch[k].mail, row);
	list_patches(l, series);
}

void listed_find(const struct thread *t, const struct posted *p, struct listed_all *ret)
{
	struct lister l = { .t = t, .p = p, .all = ret };

	ret->n = p->n_series;
	ret->v = xcalloc(p->n_series + 1, sizeof(*ret->v));
	l.newest = xcalloc(p->n_series + 1, sizeof(*l.newest));
	tags_collect(t, p, NULL, NULL, &l.tags);
	remarks_find(t, p, &l.remarks);
	for (size_t i = 0; i < p->n_series; i++)
		list_series(&l, i);
	for (size_t i = 0; i < t->n; i++)
		list_mail(&l, i);
	list_remarks(&l);
	list_tags(&l);
	for (size_t i = 0; i < ret->n; i++) {
		sort_once(&ret->v[i].people);
		if (!ret->v[i].last_id)
			ret->v[i].last = ret->v[i].posted;
	}
	tags_release(&l.tags);
	remarks_release(&l.remarks);
	free(l.newest);
}

void listed_release(struct listed *l)
{
	char *owned[] = { l->message_id, l->first_id,	l->last_answers, l->change_id,
			  l->label,	 l->title,	l->name,	 l->email,
			  l->last_name,	 l->last_email, l->last_id,	 l->base_commit,
			  l->claim };
	struct strvec *lists[] = { &l->files, &l->funcs,     &l->people,
				   &l->to,    &l->patch_ids, &l->mail_ids };

	for (size_t i = 0; i < ARRAY_SIZE(owned); i++)
		free(owned[i]);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		strvec_release(lists[i]);
	*l = (struct listed){ 0 };
}

void listed_all_release(struct listed_all *a)
{
	for (size_t i = 0; i < a->n; i++)
		listed_release(&a->v[i]);
	free(a->v);
	a->v = NULL;
	a->n = 0;
}
