// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A status as the document of status --json.
 */
#include <math.h>
#include "series/mem.h"
#include "series/time.h"
#include "status_priv.h"

static struct json *builds_json(const struct status *st, const struct status_patch *p)
{
	struct json *o = json_obj();

	for (size_t a = 0; a < st->archs.n; a++)
		json_set_str(o, st->archs.v[a], build_outcome_name(p->builds[a]));
	return o;
}

static struct json *base_json(const struct status *st)
{
	struct json *o = json_obj();

	json_set_str(o, "commit", st->series->base);
	json_set_str(o, "ref", st->series->base_ref);
	if (st->behind >= 0)
		json_set_int(o, "behind", st->behind);
	else
		json_set_str(o, "behind", NULL);
	json_set(o, "builds", builds_json(st, &st->base));
	return o;
}

static struct json *versions_json(const struct series *s)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < s->n_versions; i++) {
		const struct version *v = &s->versions[i];
		const struct posting *p =
			v->n_postings ? &v->postings[v->n_postings - 1] : NULL;
		struct buf date _cleanup_buf_ = BUF_INIT;
		char *label _cleanup_free_ = version_label(v);
		struct json *o = json_obj();

		if (p)
			time_iso(p->date, &date);
		json_set_int(o, "n", v->n);
		json_set_str(o, "id", label);
		json_set_str(o, "state", version_state(v));
		json_set_str(o, "date", p ? buf_cstr(&date) : NULL);
		json_set_str(o, "message_id", p ? p->message_id : NULL);
		json_set_int(o, "patches", (int64_t)v->n_patches);
		json_set_int(o, "fixups", (int64_t)v->n_fixups);
		json_push(arr, o);
	}
	return arr;
}

static struct json *remarks_json(const struct status_remarks *r)
{
	struct json *o = json_obj();

	json_set_int(o, "open", (int64_t)r->open);
	json_set_int(o, "answered", (int64_t)r->answered);
	return o;
}

static struct json *patches_json(const struct status *st)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < st->series->n_patches; i++) {
		const struct status_patch *sp = &st->patches[i];
		struct json *o = json_obj();

		json_set_int(o, "n", sp->patch->n);
		json_set_str(o, "commit", sp->patch->commit);
		json_set_str(o, "patch_id", sp->patch->patch_id);
		json_set_str(o, "subject", sp->patch->subject);
		json_set_int(o, "since", sp->since);
		json_set_bool(o, "changed", sp->changed);
		json_set(o, "tags", judged_json(&st->tags, i + 1));
		json_set(o, "remarks", remarks_json(&sp->remarks));
		json_set(o, "reports", remarks_json(&sp->reports));
		json_set(o, "builds", builds_json(st, sp));
		json_push(arr, o);
	}
	return arr;
}

static struct json *bench_json(const struct status *st)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < st->n_bench; i++) {
		const struct status_bench *b = &st->bench[i];
		struct json *o = json_obj(), *ci = NULL;

		json_set_str(o, "name", b->name);
		json_set_str(o, "case", b->case_name);
		json_set_str(o, "host", b->host);
		json_set_str(o, "arch", b->arch);
		if (!isnan(b->lo)) {
			ci = json_arr();
			json_push_real(ci, b->lo);
			json_push_real(ci, b->hi);
		}
		json_set_real(o, "effect", b->effect);
		json_set(o, "ci", ci);
		json_set_str(o, "verdict", *b->verdict ? b->verdict : NULL);
		json_set_bool(o, "fresh", b->fresh);
		json_set_bool(o, "emulated", b->emulated);
		json_set_str(o, "why", b->fresh ? NULL : b->why);
		json_push(arr, o);
	}
	return arr;
}

static struct json *outbox_json(const struct status_outbox *b)
{
	struct json *o;

	if (!b->total)
		return NULL;
	o = json_obj();
	json_set_int(o, "mails", (int64_t)b->total);
	json_set_int(o, "accepted", (int64_t)b->accepted);
	json_set_int(o, "unsure", (int64_t)b->unsure);
	return o;
}

struct json *status_json(const struct status *st)
{
	const struct series *s = st->series;
	struct json *j = json_obj(), *outbox = outbox_json(&st->outbox);

	json_set_int(j, "schema", 1);
	json_set_str(j, "name", s->name);
	json_set_str(j, "change_id", s->change_id);
	json_set_str(j, "branch", *s->head ? s->branch : NULL);
	json_set_int(j, "draft", series_draft(s));
	json_set_str(j, "state", st->state);
	json_set(j, "base", base_json(st));
	json_set(j, "versions", versions_json(s));
	json_set(j, "patches", patches_json(st));
	json_set(j, "tags", judged_json(&st->tags, 0));
	json_set(j, "remarks", remarks_json(&st->remarks));
	json_set(j, "reports", remarks_json(&st->reports));
	json_set(j, "bench", bench_json(st));
	json_set(j, "outbox", outbox);
	json_set(j, "findings", findings_json(&st->findings));
	json_set_str(j, "next", st->next);
	return j;
}
