// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_json.c - a row as JSON.
 */
#include "series/mem.h"
#include "series/time.h"
#include "triage_priv.h"

static void set_time(struct json *j, const char *key, int64_t t)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (t)
		time_iso(t, &b);
	json_set_str(j, key, t ? buf_cstr(&b) : NULL);
}

static struct json *tags_json(const struct listed *l)
{
	struct json *j = json_obj();

	json_set_int(j, "reviewed", (int64_t)l->reviewed);
	json_set_int(j, "acked", (int64_t)l->acked);
	json_set_int(j, "tested", (int64_t)l->tested);
	json_set_int(j, "naks", (int64_t)l->naks);
	json_set_int(j, "doubtful", (int64_t)l->doubtful);
	json_set_int(j, "covered", (int64_t)l->covered);
	return j;
}

/* Of so many mails. Nobody verified them. */
static struct json *signed_json(const struct listed *l)
{
	struct json *j = json_obj();

	json_set_int(j, "mails", (int64_t)l->mails);
	json_set_int(j, "dkim", (int64_t)l->dkim);
	json_set_int(j, "developer", (int64_t)l->developer);
	return j;
}

static struct json *last_json(const struct listed *l)
{
	static const char *const who[] = { "author", "reviewer", "robot" };
	struct json *j = json_obj();

	json_set_str(j, "by", who[l->last_word]);
	set_time(j, "date", l->last);
	json_set_str(j, "name", l->last_name);
	json_set_str(j, "email", l->last_email);
	json_set_str(j, "message_id", l->last_id);
	return j;
}

static struct json *mark_json(const struct triage_row *r)
{
	struct json *j = json_obj();

	json_set_bool(j, "flagged", r->mark->flagged);
	json_set_str(j, "note", r->mark->note);
	json_set_str(j, "assigned", r->mark->assigned);
	json_set_bool(j, "snoozed", r->away);
	set_time(j, "until_date", r->mark->snoozed_until);
	json_set_int(j, "until_version", r->mark->snoozed_version);
	json_set_str(j, "until_tag", r->mark->snoozed_tag);
	return j;
}

struct json *triage_row_json(struct triage *t, const struct triage_row *row)
{
	const struct listed *l = row->l;
	struct strvec overlaps _cleanup_strvec_ = STRVEC_INIT;
	struct json *j = json_obj(), *who = json_obj();

	triage_overlaps(t, row, &overlaps);
	json_set_str(j, "group", triage_group_name(row->group));
	json_set_str(j, "list", row->list);
	json_set_str(j, "message_id", l->message_id);
	json_set_str(j, "change_id", l->change_id);
	json_set_str(j, "label", l->label);
	json_set_str(j, "title", l->title);
	json_set_str(who, "name", l->name);
	json_set_str(who, "email", l->email);
	json_set(j, "author", who);
	json_set_int(j, "version", l->version);
	json_set_int(j, "versions", (int64_t)l->versions);
	json_set_bool(j, "rfc", l->rfc);
	json_set_bool(j, "partial", l->partial);
	json_set_bool(j, "uncertain", l->uncertain);
	json_set_int(j, "patches", (int64_t)l->total);
	json_set_int(j, "missing", (int64_t)l->missing);
	json_set_int(j, "claims", (int64_t)l->claims);
	json_set_str(j, "claim", l->claim);
	json_set(j, "signed", signed_json(l));
	set_time(j, "first", l->first);
	set_time(j, "posted", l->posted);
	json_set(j, "tags", tags_json(l));
	json_set_int(j, "open", (int64_t)l->open);
	json_set_int(j, "answered", (int64_t)l->answered);
	json_set_int(j, "reports", (int64_t)l->reports);
	json_set(j, "last", last_json(l));
	json_set_strvec(j, "files", &l->files);
	json_set_str(j, "applies",
		     t->tried ? triage_applies_name(row->applies) : NULL);
	json_set_strvec(j, "overlaps", &overlaps);
	json_set_str(j, "base_commit", l->base_commit);
	json_set_bool(j, "landed", row->landed);
	json_set(j, "mark", mark_json(row));
	return j;
}
