// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * update_docs.c - tags and robots' reports of mails as documents of the state.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/robot.h"
#include "mailmap.h"
#include "update_priv.h"

/* --- tags --- */

static const struct review_tag *known_tag(const struct review *r, const char *id)
{
	for (size_t i = 0; i < r->n_tags; i++)
		if (!strcmp(r->tags[i].id, id))
			return &r->tags[i];
	return NULL;
}

static void describe(const struct update *u, const char *what, const char *name,
		     size_t version, size_t patch)
{
	const struct posted_version *v = &u->p->v[version];

	if (patch)
		strvec_pushf(&u->to->news, "%s from %s for %s %zu/%zu: %s", what, name,
			     v->label, patch, v->total, v->patch[patch - 1].title);
	else
		strvec_pushf(&u->to->news, "%s from %s for %s", what, name, v->label);
}

static enum tag_kind kind_of(const struct tag *t)
{
	/* The author's own opinion of the patches counts for nothing. */
	return t->kind == TAG_COLLECTED && t->by_author && t->by_sender ? TAG_SHOWN
									: t->kind;
}

static void fill_tag(const struct update *u, const struct tag *t, size_t patch,
		     struct review_tag *ret)
{
	const struct thread_mail *m = &u->t->v[t->mail];
	const struct posted_version *v = &u->p->v[t->version];
	const char *usual = tag_type(str_c(t->type), NULL);

	*ret = (struct review_tag){
		.type = xstrdup(usual ? usual : t->type),
		.line = tag_line(t),
		.name = xstrdup(t->name ? t->name : ""),
		.email = xstrdup(t->email ? t->email : ""),
		.message_id = xstrdup(m->id ? m->id : ""),
		.date = m->date,
		.version = v->version,
		.label = xstrdup(v->label),
		.patch = patch,
		.kind = kind_of(t),
		.condition = xstrdup_null(t->condition),
		.scope = t->scope == SCOPE_PART ? xstrdup_null(t->scope_words) : NULL,
		.doubtful = !t->by_sender,
		.retracted = t->retracted_by != NO_MAIL,
		.misspelt = t->misspelt,
	};
	review_tag_id(ret);
}

static void put_tag(struct update *u, const struct tag *t, size_t patch)
{
	struct review_tag doc _cleanup_(review_tag_release) = { .patch = 0 };
	const struct review_tag *known;

	fill_tag(u, t, patch, &doc);
	known = known_tag(u->known, doc.id);
	if (known && (known->retracted || !doc.retracted))
		return;
	if (known) {
		tag_copy_decisions(known, &doc);
		u->to->changed++;
		strvec_pushf(&u->to->news, "%s takes back %s for %s", doc.name, doc.type,
			     doc.label);
	} else if (doc.kind != TAG_SHOWN) {
		u->to->tags++;
		describe(u,
			 doc.kind == TAG_RETRACTION ? "a retraction"
			 : *doc.type		    ? doc.type
						    : "a NAK",
			 *doc.name ? doc.name : doc.email, t->version, patch);
	}
	review_put_tag(u->store, &doc);
}

void update_tags(struct update *u)
{
	struct tags tags _cleanup_tags_ = { NULL };

	tags_collect(u->t, u->p, same_by_mailmap, u->s->repo, &tags);
	for (size_t i = 0; i < tags.n; i++) {
		const struct tag *t = &tags.v[i];

		put_tag(u, t, t->patch <= u->p->v[t->version].total ? t->patch : 0);
	}
}

/* --- robots --- */

static bool known_report(const struct review *r, const char *id)
{
	for (size_t i = 0; i < r->n_reports; i++)
		if (!strcmp(r->reports[i].id, id))
			return true;
	return false;
}

static bool reported_before(const struct review *r, const struct review_report *p)
{
	for (size_t i = 0; i < r->n_reports; i++)
		if (report_same(&r->reports[i], p))
			return true;
	return false;
}

static void put_report(struct update *u, size_t mail, const struct place *at,
		       const struct robot_report *r)
{
	const struct thread_mail *m = &u->t->v[mail];
	const struct posted_version *v = &u->p->v[at->version];
	struct review_report doc _cleanup_(review_report_release) = {
		.robot = xstrdup(r->robot),
		.summary = xstrdup(r->summary ? r->summary : ""),
		.message_id = xstrdup(m->id ? m->id : ""),
		.date = m->date,
		.version = v->version,
		.label = xstrdup(v->label),
		.patch = at->patch,
	};
	char *where _cleanup_free_ = NULL;

	review_report_id(&doc);
	if (known_report(u->known, doc.id))
		return;
	u->to->reports++;
	where = at->patch ? xasprintf("%s %zu/%zu", v->label, at->patch, v->total)
			  : xstrdup(v->label);
	strvec_pushf(&u->to->news, "a report from %s for %s%s: %s", doc.robot, where,
		     reported_before(u->known, &doc) ? ", again" : "", doc.summary);
	review_put_report(u->store, &doc);
}

void update_reports(struct update *u)
{
	for (size_t i = 0; i < u->t->n; i++) {
		struct robot_report r;
		struct place at;

		if (u->p->place[i].kind != PLACE_OTHER ||
		    !posted_target(u->t, u->p->place, i, &at) ||
		    !robot_read(&u->t->v[i].mail, &r))
			continue;
		if (!r.good)
			put_report(u, i, &at, &r);
		robot_report_release(&r);
	}
}
