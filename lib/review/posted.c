// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted.c - series that were posted: the steps one after the other, and what they found
 * in the form of posted.h.
 */
#include <stdlib.h>
#include "posted_priv.h"
#include "series/mem.h"

static void finder_release(struct finder *f)
{
	for (size_t i = 0; i < f->n; i++)
		item_release(&f->v[i]);
	for (size_t i = 0; i < f->n_postings; i++) {
		free(f->p[i].slot);
		free(f->p[i].repeated);
	}
	for (size_t i = 0; i < f->n_obsoleted; i++)
		free(f->obsoleted[i].by);
	free(f->v);
	free(f->item_of);
	free(f->up_of);
	free(f->p);
	free(f->obsoleted);
}

static char *make_label(const struct posting *p)
{
	struct subject s = { .version = p->version,
			     .minor = p->minor,
			     .lettered = p->lettered,
			     .rfc = p->rfc,
			     .resend = p->resend };
	struct buf label _cleanup_buf_ = BUF_INIT;

	subject_label(&s, &label);
	return buf_take(&label);
}

static void put_patch(struct posted *ret, const struct finder *f, const struct posting *p,
		      size_t version, size_t k)
{
	struct posted_version *v = &ret->v[version];
	struct posted_patch *patch = &v->patch[k];
	size_t item = k < p->n_slots ? p->slot[k] : NONE;

	*patch = (struct posted_patch){ .mail = NO_MAIL, .from = version };
	if (item != NONE) {
		patch->mail = f->v[item].mail;
		patch->title = xstrdup(f->v[item].s.title);
		memcpy(patch->patch_id, f->v[item].patch_id, PATCH_ID_HEX);
		ret->place[patch->mail] = (struct place){ PLACE_PATCH, version, k + 1 };
	} else if (v->partial && k < ret->v[v->follows].total) {
		*patch = ret->v[v->follows].patch[k];
		patch->title = xstrdup(patch->title);
	} else {
		patch->title = xstrdup("");
	}
	v->missing += patch->mail == NO_MAIL;
}

static void put_repeated(struct posted *ret, const struct finder *f,
			 const struct posting *p, size_t version)
{
	struct posted_version *v = &ret->v[version];

	v->repeated = xcalloc(p->n_repeated + 1, sizeof(*v->repeated));
	for (size_t i = 0; i < p->n_repeated; i++) {
		const struct item *it = &f->v[p->repeated[i]];
		size_t k = it->cover ? 0 : it->s.counted ? (size_t)it->s.n : 1;

		v->repeated[v->n_repeated++] = it->mail;
		ret->place[it->mail] =
			(struct place){ k ? PLACE_PATCH : PLACE_COVER, version, k };
	}
}

/* The item that a version is known by: its cover, else its first patch. */
static const struct item *head_item(const struct finder *f, const struct posting *p)
{
	if (p->cover != NONE)
		return &f->v[p->cover];
	for (size_t k = 0; k < p->n_slots; k++)
		if (p->slot[k] != NONE)
			return &f->v[p->slot[k]];
	return &f->v[p->first];
}

static void put_version(struct posted *ret, const struct finder *f, size_t posting,
			const size_t *version_of, size_t *slots)
{
	const struct posting *p = &f->p[posting];
	const struct item *head = head_item(f, p);
	struct posted_version *v = &ret->v[ret->n];

	*v = (struct posted_version){
		.version = p->version,
		.minor = p->minor,
		.rfc = p->rfc,
		.resend = p->resend,
		.label = make_label(p),
		.title = xstrdup(head->s.title),
		.name = xstrdup(head->from.name),
		.email = xstrdup(head->from.email),
		.date = head->date,
		.change_id = xstrdup_null(p->change_id),
		.cover = p->cover == NONE ? NO_MAIL : f->v[p->cover].mail,
		.total = MAX(p->total, p->n_slots),
		.partial = p->partial,
		.link = p->link,
		.uncertain = !p->sure,
		.follows = p->partial ? version_of[p->follows] : NO_MAIL,
	};
	if (*slots + v->total > SLOTS_MAX)
		v->total = p->n_slots;
	*slots += v->total;
	v->patch = xcalloc(v->total + 1, sizeof(*v->patch));
	for (size_t k = 0; k < v->total; k++)
		put_patch(ret, f, p, ret->n, k);
	if (v->cover != NO_MAIL)
		ret->place[v->cover] = (struct place){ PLACE_COVER, ret->n, 0 };
	put_repeated(ret, f, p, ret->n);
	ret->n++;
}

/* A version goes to the series of the one before it, or opens one. */
static void put_in_series(struct posted *ret, size_t version, bool opens)
{
	struct posted_version *v = &ret->v[version];
	struct posted_series *s;

	if (opens) {
		v->link = LINK_NONE;
		v->uncertain = false;
		s = &ret->series[ret->n_series++];
		s->v = xcalloc(ret->n - version + 1, sizeof(*s->v));
	} else {
		s = &ret->series[ret->n_series - 1];
		if (v->follows == NO_MAIL)
			v->follows = version - 1;
		if (v->link == LINK_NONE)
			v->link = LINK_TITLE;
	}
	v->series = ret->n_series - 1;
	s->v[s->n++] = version;
}

static void put_versions(struct posted *ret, struct finder *f)
{
	size_t n, slots = 0, *v = settle_versions(f, &n);
	size_t *version_of = xcalloc(f->n_postings + 1, sizeof(*version_of));

	ret->v = xcalloc(n + 1, sizeof(*ret->v));
	ret->series = xcalloc(n + 1, sizeof(*ret->series));
	for (size_t i = 0; i < n; i++)
		version_of[v[i]] = i;
	/* A posting that others followed may have become part of another. */
	for (size_t i = 0; i < n; i++) {
		struct posting *p = &f->p[v[i]];

		while (p->follows != NONE && f->p[p->follows].merged != p->follows)
			p->follows = f->p[p->follows].merged;
	}
	for (size_t i = 0; i < n; i++)
		put_version(ret, f, v[i], version_of, &slots);
	for (size_t i = 0; i < n; i++)
		put_in_series(ret, i, !i || f->p[v[i]].series != f->p[v[i - 1]].series);
	free(version_of);
	free(v);
}

/* What the others speak of. Parents stand before their replies. */
static void put_targets(struct posted *ret, const struct thread *t,
			const struct finder *f)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t mail = t->order[i], parent = t->v[mail].parent;
		struct place *p = &ret->place[mail];
		struct buf text _cleanup_buf_ = BUF_INIT;
		struct subject s;

		if (p->kind != PLACE_OTHER || parent == mail)
			continue;
		p->version = ret->place[parent].version;
		p->patch = ret->place[parent].patch;
		if (p->version == NO_MAIL || p->patch || !t->v[parent].id ||
		    !strcmp(t->v[mail].parents.v[0], t->v[parent].id))
			continue;
		field_text(field_get(t->v[mail].mail.head, "Subject"), &text);
		subject_read(buf_str(&text), &s);
		if (!s.counted || (size_t)s.n > ret->v[p->version].total ||
		    s.version != ret->v[p->version].version)
			p->version = NO_MAIL;
		else
			p->patch = (size_t)s.n;
		subject_release(&s);
	}
}

void posted_find(const struct thread *t, struct posted *ret)
{
	struct finder f = { .t = t };

	*ret = (struct posted){ .n_places = t->n };
	ret->place = xcalloc(t->n + 1, sizeof(*ret->place));
	for (size_t i = 0; i < t->n; i++)
		ret->place[i].version = NO_MAIL;
	f.item_of = xcalloc(t->n + 1, sizeof(*f.item_of));
	f.up_of = xcalloc(t->n + 1, sizeof(*f.up_of));
	find_items(&f);
	find_people(&f);
	find_postings(&f);
	find_series(&f);
	put_versions(ret, &f);
	put_targets(ret, t, &f);
	ret->possible = f.possible;
	ret->n_possible = f.n_possible;
	finder_release(&f);
}

void posted_release(struct posted *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct posted_version *v = &p->v[i];

		for (size_t k = 0; k < v->total; k++)
			free(v->patch[k].title);
		free(v->patch);
		free(v->label);
		free(v->title);
		free(v->name);
		free(v->email);
		free(v->change_id);
		free(v->repeated);
	}
	for (size_t i = 0; i < p->n_series; i++)
		free(p->series[i].v);
	free(p->v);
	free(p->series);
	free(p->place);
	free(p->possible);
	*p = (struct posted){ 0 };
}

size_t posted_newest(const struct posted *p, size_t series)
{
	const struct posted_series *s = &p->series[series];

	for (size_t i = s->n; i-- > 0;)
		if (!p->v[s->v[i]].missing)
			return s->v[i];
	return s->v[s->n - 1];
}

bool posted_target(const struct thread *t, const struct place *place, size_t mail,
		   struct place *ret)
{
	if (mail >= t->n || place[mail].version == NO_MAIL)
		return false;
	*ret = place[mail];
	ret->kind = ret->patch ? PLACE_PATCH : PLACE_COVER;
	return true;
}
