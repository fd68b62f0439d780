// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * version.c - the document of one posted version: versions/N.json and back.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/mem.h"

void version_release(struct version *v)
{
	for (size_t i = 0; i < v->n_patches; i++) {
		free(v->patches[i].subject);
		free(v->patches[i].author_name);
		free(v->patches[i].author_email);
		free(v->patches[i].message_id);
	}
	free(v->patches);
	for (size_t i = 0; i < v->n_postings; i++) {
		free(v->postings[i].state);
		free(v->postings[i].prefix);
		free(v->postings[i].message_id);
	}
	free(v->postings);
	strvec_release(&v->to);
	strvec_release(&v->cc);
	free(v->transport);
	*v = (struct version){ 0 };
}

const char *version_state(const struct version *v)
{
	return v->n_postings ? v->postings[v->n_postings - 1].state : NULL;
}

struct json *version_json(const struct version *v)
{
	struct json *j = json_obj(), *postings = json_arr(), *patches = json_arr();

	json_set_int(j, "schema", 1);
	json_set_int(j, "n", v->n);
	json_set_str(j, "base", v->base);
	json_set_str(j, "head", v->head);
	json_set_strvec(j, "to", &v->to);
	json_set_strvec(j, "cc", &v->cc);
	json_set_str(j, "transport", v->transport);
	for (size_t i = 0; i < v->n_postings; i++) {
		const struct posting *p = &v->postings[i];
		struct json *o = json_obj();

		json_set_str(o, "state", p->state);
		json_set_str(o, "prefix", p->prefix);
		json_set_str(o, "message_id", p->message_id);
		json_set_int(o, "date", p->date);
		json_set_bool(o, "resend", p->resend);
		json_push(postings, o);
	}
	for (size_t i = 0; i < v->n_patches; i++) {
		const struct patch *p = &v->patches[i];
		struct json *o = json_obj();

		json_set_int(o, "n", p->n);
		json_set_str(o, "commit", p->commit);
		json_set_str(o, "tree", p->tree);
		json_set_str(o, "patch_id", p->patch_id);
		json_set_str(o, "subject", p->subject);
		json_set_str(o, "author_name", p->author_name);
		json_set_str(o, "author_email", p->author_email);
		json_set_str(o, "message_id", p->message_id);
		json_push(patches, o);
	}
	json_set(j, "postings", postings);
	json_set(j, "patches", patches);
	return j;
}

void oid_copy(const char *from, char to[OID_HEX])
{
	to[0] = '\0';
	if (from && strlen(from) == OID_HEX - 1 &&
	    strspn(from, "0123456789abcdef") == OID_HEX - 1)
		memcpy(to, from, OID_HEX);
}

int version_number(int64_t n)
{
	return n >= 1 && n <= SERIES_MAX_VERSION ? (int)n : 0;
}

static void get_oid(const struct json *j, const char *key, char ret[OID_HEX])
{
	oid_copy(json_get_str(j, key), ret);
}

/* A word that this program does not know must not be taken for "sent". */
static bool posting_state_ok(const char *state)
{
	return state && (!strcmp(state, "sending") || !strcmp(state, "partial") ||
			 !strcmp(state, "sent"));
}

static char *get_str(const struct json *j, const char *key)
{
	return xstrdup_null(json_get_str(j, key));
}

static void parse_postings(const struct json *arr, struct version *v)
{
	size_t n = json_len(arr);

	v->postings = xcalloc(n + 1, sizeof(*v->postings));
	for (size_t i = 0; i < n; i++) {
		const struct json *o = json_at(arr, i);
		struct posting *p = &v->postings[v->n_postings++];

		p->state = get_str(o, "state");
		if (!posting_state_ok(p->state)) {
			free(p->state);
			p->state = xstrdup("sending");
		}
		p->prefix = get_str(o, "prefix");
		p->message_id = get_str(o, "message_id");
		p->date = json_get_int(o, "date", 0);
		p->resend = json_get_bool(o, "resend", false);
	}
}

static void parse_patches(const struct json *arr, struct version *v)
{
	size_t n = json_len(arr);

	v->patches = xcalloc(n + 1, sizeof(*v->patches));
	for (size_t i = 0; i < n; i++) {
		const struct json *o = json_at(arr, i);
		struct patch *p = &v->patches[v->n_patches++];

		p->n = (int)i + 1;
		get_oid(o, "commit", p->commit);
		get_oid(o, "tree", p->tree);
		get_oid(o, "patch_id", p->patch_id);
		p->subject = get_str(o, "subject");
		if (!p->subject)
			p->subject = xstrdup("");
		p->author_name = get_str(o, "author_name");
		p->author_email = get_str(o, "author_email");
		p->message_id = get_str(o, "message_id");
	}
}

int version_parse(const struct json *j, const char *what, struct version *ret,
		  struct err *err)
{
	struct version v = { 0 };

	v.n = version_number(json_get_int(j, "n", 0));
	if (!v.n || json_len(json_get(j, "patches")) > SERIES_MAX_PATCHES)
		return err_set(err, E_CORRUPT, "%s: no document of a version", what);
	get_oid(j, "base", v.base);
	get_oid(j, "head", v.head);
	json_get_strvec(j, "to", &v.to);
	json_get_strvec(j, "cc", &v.cc);
	v.transport = get_str(j, "transport");
	parse_postings(json_get(j, "postings"), &v);
	parse_patches(json_get(j, "patches"), &v);
	if (!v.base[0] || !v.head[0]) {
		version_release(&v);
		return err_set(err, E_CORRUPT, "%s: no document of a version", what);
	}
	*ret = v;
	return 0;
}
