// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_fields.c - what a row has, by name: the one table for queries and for sorting.
 */
#include "series/mem.h"
#include "triage_priv.h"

#define ROW const struct triage_row *r

static const char *one(size_t i, const char *s)
{
	return i ? NULL : s;
}

static const char *of_vec(size_t i, const struct strvec *v)
{
	return i < v->n ? v->v[i] : NULL;
}

static const char *get_author(ROW, size_t i)
{
	return i == 0 ? r->l->name : i == 1 ? r->l->email : NULL;
}

static const char *get_subject(ROW, size_t i)
{
	return one(i, r->l->title);
}

static const char *get_file(ROW, size_t i)
{
	return of_vec(i, &r->l->files);
}

static const char *get_func(ROW, size_t i)
{
	return of_vec(i, &r->l->funcs);
}

static const char *get_list(ROW, size_t i)
{
	return one(i, r->list);
}

static const char *get_group(ROW, size_t i)
{
	return one(i, triage_group_name(r->group));
}

static const char *get_last(ROW, size_t i)
{
	return i == 0 && r->l->last_name ? r->l->last_name
	       : i < 2			 ? r->l->last_email
					 : NULL;
}

static const char *get_person(ROW, size_t i)
{
	return of_vec(i, &r->l->people);
}

static const char *get_to(ROW, size_t i)
{
	return of_vec(i, &r->l->to);
}

static const char *get_note(ROW, size_t i)
{
	return one(i, r->mark->note);
}

static const char *get_assigned(ROW, size_t i)
{
	return one(i, r->mark->assigned);
}

static const char *get_id(ROW, size_t i)
{
	return i == 0	? r->l->message_id
	       : i == 1 ? (r->l->change_id ? r->l->change_id : "")
			: of_vec(i - 2, &r->l->mail_ids);
}

static const char *get_applies(ROW, size_t i)
{
	return one(i, triage_applies_name(r->applies));
}

#define NUMBER(name, expression)                                                         \
	static int64_t name(struct triage *t, ROW)                                       \
	{                                                                                \
		return (int64_t)(expression);                                            \
	}

NUMBER(n_age, t->now - r->l->last)
NUMBER(n_posted, t->now - r->l->posted)
NUMBER(n_first, t->now - r->l->first)
NUMBER(n_version, r->l->version)
NUMBER(n_versions, r->l->versions)
NUMBER(n_patches, r->l->total)
NUMBER(n_missing, r->l->missing)
NUMBER(n_reviewed, r->l->reviewed)
NUMBER(n_acked, r->l->acked)
NUMBER(n_tested, r->l->tested)
NUMBER(n_covered, r->l->total ? r->l->covered * 100 / r->l->total : 0)
NUMBER(n_doubtful, r->l->doubtful)
NUMBER(n_naks, r->l->naks)
NUMBER(n_open, r->l->open)
NUMBER(n_answered, r->l->answered)
NUMBER(n_reports, r->l->reports)
NUMBER(n_claims, r->l->claims)
NUMBER(n_signed, r->l->mails ? r->l->developer * 100 / r->l->mails : 0)
NUMBER(n_dkim, r->l->mails ? r->l->dkim * 100 / r->l->mails : 0)
NUMBER(n_overlaps, triage_overlaps(t, r, NULL))

const struct triage_field triage_fields[] = {
	{ "author", get_author, NULL, false, "author:rita",
	  "name or address of who posted it" },
	{ "subject", get_subject, NULL, false, "subject:\"page table\"",
	  "words of the title" },
	{ "file", get_file, NULL, false, "file:mm/rmap",
	  "path of a file that it touches" },
	{ "func", get_func, NULL, false, "func:try_to_unmap",
	  "function that it touches" },
	{ "list", get_list, NULL, false, "list:linux-mm", "name of the mirror" },
	{ "group", get_group, NULL, false, "group:ready",
	  "ready, needs-review, waits-me, waits-author, snoozed, landed" },
	{ "last", get_last, NULL, false, "last:bob", "who had the last word" },
	{ "person", get_person, NULL, false, "person:bob@",
	  "address of anybody who wrote about it" },
	{ "to", get_to, NULL, false, "to:linux-mm@", "address that it was sent to" },
	{ "note", get_note, NULL, false, "note:later", "words of your note" },
	{ "assigned", get_assigned, NULL, false, "assigned:rita", "who looks after it" },
	{ "id", get_id, NULL, false, "id:20260101",
	  "part of its Message-IDs or change-id" },
	{ "applies", get_applies, NULL, false, "applies:no",
	  "to series.triage.base, as it was tried: yes, no, failed, unknown" },
	{ "age", NULL, n_age, true, "age<30d",
	  "time since the last word: h, d, w, m, y" },
	{ "posted", NULL, n_posted, true, "posted>2w", "time since the newest version" },
	{ "first", NULL, n_first, true, "first>1y", "time since the first version" },
	{ "version", NULL, n_version, false, "version>3",
	  "number of the newest version" },
	{ "versions", NULL, n_versions, false, "versions=1",
	  "how many versions are here" },
	{ "patches", NULL, n_patches, false, "patches<5",
	  "patches of the newest version" },
	{ "missing", NULL, n_missing, false, "missing>0",
	  "of those, how many are not here" },
	{ "R", NULL, n_reviewed, false, "R>0", "people who gave a Reviewed-by" },
	{ "A", NULL, n_acked, false, "A>0", "people who gave an Acked-by" },
	{ "T", NULL, n_tested, false, "T>0", "people who gave a Tested-by" },
	{ "covered", NULL, n_covered, false, "covered=100",
	  "per cent of the patches that have an R or A" },
	{ "doubtful", NULL, n_doubtful, false, "doubtful>0",
	  "tags that want a decision" },
	{ "nak", NULL, n_naks, false, "nak>0", "people who are against it" },
	{ "open", NULL, n_open, false, "open>0", "remarks that nobody answered" },
	{ "answered", NULL, n_answered, false, "answered>0",
	  "remarks that were answered" },
	{ "reports", NULL, n_reports, false, "reports>0", "findings of robots" },
	{ "claims", NULL, n_claims, false, "claims>0",
	  "what the cover says that it gains or costs" },
	{ "signed", NULL, n_signed, false, "signed=100",
	  "per cent of the mails signed by the developer; not verified" },
	{ "dkim", NULL, n_dkim, false, "dkim<100",
	  "per cent of the mails signed by a server; not verified" },
	{ "overlaps", NULL, n_overlaps, false, "overlaps>0",
	  "other pending series on the same files" },
};
const size_t n_triage_fields = ARRAY_SIZE(triage_fields);

const struct triage_field *triage_field_find(struct str name)
{
	for (size_t i = 0; i < n_triage_fields; i++)
		if (str_eqc(name, triage_fields[i].name))
			return &triage_fields[i];
	/* "r>0" is as good as "R>0". */
	for (size_t i = 0; i < n_triage_fields; i++)
		if (str_ieqc(name, triage_fields[i].name))
			return &triage_fields[i];
	return NULL;
}
