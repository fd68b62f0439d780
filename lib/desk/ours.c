// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ours.c - see ours.h.
 */
#include <stdlib.h>
#include "ours.h"
#include "series/addr.h"
#include "series/mem.h"
#include "series/store.h"

/* --- what of it is missing in the archive --- */

/* Take over a mail of the state, unless the thread has it. */
static int add_mail(struct series *s, struct thread *t, const char *path, struct err *err)
{
	struct buf raw _cleanup_buf_ = BUF_INIT;
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct mail m;
	int rc = store_read(s->repo, s->name, path, &raw, err);

	if (rc)
		return rc;
	mail_scan(buf_str(&raw), FROM_PLAIN, &m);
	field_ids(field_get(m.head, "Message-ID"), &ids);
	if (ids.n && thread_find(t, ids.v[0]) == t->n)
		thread_add(t, &m);
	return 0;
}

int ours_add(struct series *s, struct thread *t, struct err *err)
{
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT;
	int rc = store_list(s->repo, s->name, "sent", &paths, err);

	for (size_t i = 0; i < paths.n && !rc; i++)
		if (str_ends(str_c(paths.v[i]), ".eml"))
			rc = add_mail(s, t, paths.v[i], err);
	if (!rc)
		thread_link(t);
	return rc;
}

/* --- which mail is what --- */

static void push_id(struct strvec *to, const char *id)
{
	if (id && *id && !strvec_has(to, id))
		strvec_push(to, id);
}

void ours_ids(const struct series *s, struct strvec *ret)
{
	for (size_t i = 0; i < s->n_versions; i++) {
		const struct version *v = &s->versions[i];

		for (size_t k = 0; k < v->n_postings; k++) {
			push_id(ret, v->postings[k].message_id);
			for (size_t n = 0; n < v->postings[k].ids.n; n++)
				push_id(ret, v->postings[k].ids.v[n]);
		}
		for (size_t k = 0; k < v->n_patches; k++)
			push_id(ret, v->patches[k].message_id);
		for (size_t k = 0; k < v->n_fixups; k++)
			push_id(ret, v->fixups[k].posting.message_id);
	}
}

struct placing {
	const struct thread *t;
	struct posted *p;
};

/* The mail with this id is patch k of a version; the first such is the patch's own. */
static void place(struct placing *q, size_t version, size_t k, const char *id, bool more)
{
	struct posted_version *v = &q->p->v[version];
	size_t at = id && *id ? thread_find(q->t, id) : q->t->n;
	size_t *own = k ? &v->patch[k - 1].mail : &v->cover;

	if (at == q->t->n || q->p->place[at].kind != PLACE_OTHER)
		return;
	q->p->place[at] = (struct place){ k ? PLACE_PATCH : PLACE_COVER, version, k };
	if (*own == NO_MAIL && !more) {
		*own = at;
		return;
	}
	v->repeated = xreallocarray(v->repeated, v->n_repeated + 1, sizeof(*v->repeated));
	v->repeated[v->n_repeated++] = at;
}

static void place_version(struct placing *q, size_t i, const struct version *v)
{
	for (size_t k = 0; k < v->n_patches; k++)
		place(q, i, k + 1, v->patches[k].message_id, false);
	for (size_t n = 0; n < v->n_postings; n++) {
		const struct posting *p = &v->postings[n];

		for (size_t k = 0; k < p->ids.n && k < v->n_patches; k++)
			place(q, i, k + 1, p->ids.v[k], false);
		/* A single patch has no cover: the id is its own, and taken. */
		place(q, i, 0, p->message_id, false);
		place(q, i, 0, p->prepared_id, false);
	}
	for (size_t k = 0; k < v->n_fixups; k++)
		place(q, i, (size_t)v->fixups[k].patch, v->fixups[k].posting.message_id,
		      true);
}

/* Who posted it, as the mail has it. */
static void fill_sender(const struct thread *t, struct posted_version *v)
{
	size_t mail = v->cover;
	struct addrs from _cleanup_addrs_ = ADDRS_INIT;
	struct buf value _cleanup_buf_ = BUF_INIT;

	for (size_t k = 0; mail == NO_MAIL && k < v->total; k++)
		mail = v->patch[k].mail;
	if (mail == NO_MAIL)
		return;
	v->date = t->v[mail].date;
	buf_addstr(&value, field_get(t->v[mail].mail.head, "From"));
	if (addrs_parse(&from, buf_cstr(&value), NULL) || !from.n)
		return;
	free(v->name);
	free(v->email);
	v->name = xstrdup(from.v[0].name);
	v->email = xstrdup(from.v[0].email);
}

static void fill_version(const struct version *from, struct posted_version *v)
{
	*v = (struct posted_version){
		.version = from->n,
		.rfc = from->rfc || version_is_rfc(from),
		.label = version_label(from),
		.title = xstrdup(from->n_patches ? from->patches[0].subject : ""),
		.name = xstrdup(""),
		.email = xstrdup(""),
		.cover = NO_MAIL,
		.patch = xcalloc(from->n_patches + 1, sizeof(*v->patch)),
		.total = from->n_patches,
		.link = LINK_CHANGE_ID,
		.follows = NO_MAIL,
	};
	for (size_t k = 0; k < v->total; k++) {
		struct posted_patch *p = &v->patch[k];

		p->mail = NO_MAIL;
		p->title = xstrdup(from->patches[k].subject);
		memcpy(p->patch_id, from->patches[k].patch_id, PATCH_ID_HEX);
	}
}

/* What a mail that is none of ours speaks of: the nearest of ours above it. */
static void place_reply(const struct thread *t, size_t mail, struct place *v)
{
	const struct thread_mail *m = &t->v[mail];
	size_t at = mail, steps = 0;
	bool named = !m->parents.n || thread_find(t, m->parents.v[0]) < t->n;
	struct subject s;

	while (v[at].kind == PLACE_OTHER && t->v[at].parent != at && steps++ < t->n)
		at = t->v[at].parent;
	if (v[at].kind == PLACE_OTHER)
		return;
	v[mail].version = v[at].version;
	v[mail].patch = v[at].patch;
	if (named || v[at].kind == PLACE_PATCH)
		return;
	/* By References alone: a cover may be further than what was meant. */
	{
		struct buf text _cleanup_buf_ = BUF_INIT;

		field_text(field_get(m->mail.head, "Subject"), &text);
		subject_read(buf_str(&text), &s);
	}
	if (s.counted && s.n >= 0)
		v[mail].patch = (size_t)s.n;
	subject_release(&s);
}

void ours_place(const struct series *s, const struct thread *t, struct posted *ret)
{
	struct posted p = { .n = s->n_versions, .n_places = t->n, .n_series = 1 };
	struct placing q = { t, &p };

	p.v = xcalloc(p.n + 1, sizeof(*p.v));
	p.place = xcalloc(t->n + 1, sizeof(*p.place));
	p.series = xcalloc(1, sizeof(*p.series));
	p.series[0].v = xcalloc(p.n + 1, sizeof(*p.series[0].v));
	for (size_t i = 0; i < t->n; i++)
		p.place[i] = (struct place){ PLACE_OTHER, NO_MAIL, 0 };
	for (size_t i = 0; i < p.n; i++) {
		fill_version(&s->versions[i], &p.v[i]);
		p.v[i].follows = i ? i - 1 : NO_MAIL;
		p.series[0].v[p.series[0].n++] = i;
		place_version(&q, i, &s->versions[i]);
		fill_sender(t, &p.v[i]);
		for (size_t k = 0; k < p.v[i].total; k++)
			p.v[i].missing += p.v[i].patch[k].mail == NO_MAIL;
	}
	for (size_t i = 0; i < t->n; i++)
		if (p.place[i].kind == PLACE_OTHER)
			place_reply(t, i, p.place);
	for (size_t i = 0; i < t->n; i++) {
		struct place *e = &p.place[i];

		if (e->version != NO_MAIL && e->patch > p.v[e->version].total)
			e->patch = 0;
	}
	*ret = p;
}
