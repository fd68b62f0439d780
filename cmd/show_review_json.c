// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show_review_json.c - what came back for a series, as JSON. See show_review.h.
 */
#include <math.h>
#include "show_review.h"

static const char *id_of(const struct show_review *r, size_t mail)
{
	return mail == NO_MAIL ? NULL : r->t->v[mail].id;
}

static struct json *said_json(const struct show_review *r, size_t mail, size_t version,
			      size_t patch)
{
	struct json *j = json_obj();

	json_set_str(j, "message_id", id_of(r, mail));
	json_set_str(j, "label", r->p->v[version].label);
	json_set_int(j, "patch", (int64_t)patch);
	return j;
}

static struct json *tag_json(const struct show_review *r, const struct tag *g)
{
	static const char *const kinds[] = { "collected", "offered", "nak", "shown",
					     "retraction" };
	static const char *const scopes[] = { "here", "series", "patches", "part" };
	struct json *j = said_json(r, g->mail, g->version, g->patch);

	json_set_str(j, "kind", kinds[g->kind]);
	json_set_str(j, "type", g->type);
	json_set_str(j, "value", g->value);
	json_set_str(j, "name", g->name);
	json_set_str(j, "email", g->email);
	json_set_str(j, "note", g->note);
	json_set_str(j, "condition", g->condition);
	json_set_str(j, "scope", scopes[g->scope]);
	json_set_str(j, "scope_words", g->scope_words);
	json_set_bool(j, "misspelt", g->misspelt);
	json_set_bool(j, "informal", g->informal);
	json_set_bool(j, "by_sender", g->by_sender);
	json_set_bool(j, "by_author", g->by_author);
	json_set_str(j, "proposal", id_of(r, g->proposal));
	json_set_str(j, "retracted_by", id_of(r, g->retracted_by));
	return j;
}

static struct json *report_json(const struct show_review *r, const struct show_report *f)
{
	struct json *j = said_json(r, f->mail, f->version, f->patch);

	json_set_str(j, "robot", f->r.robot);
	json_set_str(j, "summary", f->r.summary);
	json_set_bool(j, "good", f->r.good);
	return j;
}

/* A line number, null where there is none. */
static void set_line(struct json *j, const char *key, int64_t n)
{
	if (n)
		json_set_int(j, key, n);
	else
		json_set_str(j, key, NULL);
}

static struct json *remark_json(const struct show_review *r, const struct remark *m)
{
	struct json *j = said_json(r, m->mail, m->version, m->patch);

	json_set_str(j, "file", m->file);
	set_line(j, "line", m->new_line);
	set_line(j, "old_line", m->old_line);
	json_set_str(j, "quoted", m->quoted);
	json_set_str(j, "text", m->text);
	json_set_bool(j, "question", m->question);
	json_set_str(j, "answer", id_of(r, m->answer));
	json_set_bool(j, "open",
		      remark_stands(r->t, r->p, m,
				    show_review_version(r, r->p->v[m->version].series)));
	return j;
}

/* A number, null where there is none. */
static void set_real(struct json *j, const char *key, double v)
{
	if (isnan(v))
		json_set_str(j, key, NULL);
	else
		json_set_real(j, key, v);
}

static struct json *claim_json(const struct claim *c)
{
	struct json *j = json_obj();
	bool pair = c->kind == CLAIM_PAIR;

	json_set_str(j, "kind", pair ? "pair" : "said");
	json_set_str(j, "text", c->text);
	json_set_str(j, "unit", *c->unit ? c->unit : NULL);
	set_real(j, "value", pair ? NAN : c->value);
	set_real(j, "before", pair ? c->before : NAN);
	set_real(j, "after", pair ? c->after : NAN);
	set_real(j, "change", c->change);
	set_line(j, "n_before", (int64_t)c->n_before);
	set_line(j, "n_after", (int64_t)c->n_after);
	set_real(j, "p", c->p);
	return j;
}

static void push_spot(void *arg, const struct show_review *r, const struct show_spot *s)
{
	struct json *j = json_obj(), *tags = json_arr(), *reports = json_arr(),
		    *remarks = json_arr(), *claims = json_arr(), *patches = arg;
	struct claims c _cleanup_claims_ = { .n = 0 };
	size_t n = 0;

	show_spot_claims(r, s, &c);
	for (size_t i = 0; i < c.n; i++, n++)
		json_push(claims, claim_json(&c.v[i]));

	for (size_t i = 0; i < r->tags.n; i++) {
		const struct tag *g = &r->tags.v[i];

		if (show_review_at(r, s, g->version, g->patch) && ++n)
			json_push(tags, tag_json(r, g));
	}
	for (size_t i = 0; i < r->n_reports; i++) {
		const struct show_report *f = &r->report[i];

		if (show_review_at(r, s, f->version, f->patch) && ++n)
			json_push(reports, report_json(r, f));
	}
	for (size_t i = 0; i < r->remarks.n; i++) {
		const struct remark *m = &r->remarks.v[i];

		if (show_review_at(r, s, m->version, m->patch) && ++n)
			json_push(remarks, remark_json(r, m));
	}
	json_set_str(j, "label", r->p->v[s->version].label);
	json_set_int(j, "n", (int64_t)s->patch);
	json_set_str(j, "title", show_spot_title(r, s));
	json_set(j, "claims", claims);
	json_set(j, "tags", tags);
	json_set(j, "reports", reports);
	json_set(j, "remarks", remarks);
	if (n)
		json_push(patches, j);
	else
		json_free(j);
}

struct json *show_review_json(const struct show_review *r, size_t series)
{
	struct json *j = json_obj(), *patches = json_arr();
	size_t version = show_review_version(r, series);

	show_review_each(r, series, push_spot, patches);
	json_set_str(j, "label", r->p->v[version].label);
	json_set(j, "patches", patches);
	return j;
}
