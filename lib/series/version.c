// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * version.c - the document of one posted version: versions/N.json and back.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/compose.h"
#include "series/mem.h"

void posting_release(struct posting *p)
{
	free(p->state);
	free(p->prefix);
	free(p->message_id);
	free(p->prepared_id);
	strvec_release(&p->ids);
	strvec_release(&p->to);
	strvec_release(&p->cc);
	free(p->transport);
	*p = (struct posting){ 0 };
}

void fixup_release(struct fixup *f)
{
	free(f->subject);
	strvec_release(&f->parts);
	posting_release(&f->posting);
	*f = (struct fixup){ 0 };
}

void version_release(struct version *v)
{
	for (size_t i = 0; i < v->n_patches; i++) {
		free(v->patches[i].subject);
		free(v->patches[i].author_name);
		free(v->patches[i].author_email);
		free(v->patches[i].message_id);
	}
	free(v->patches);
	for (size_t i = 0; i < v->n_postings; i++)
		posting_release(&v->postings[i]);
	free(v->postings);
	for (size_t i = 0; i < v->n_fixups; i++)
		fixup_release(&v->fixups[i]);
	free(v->fixups);
	strvec_release(&v->to);
	strvec_release(&v->cc);
	free(v->transport);
	*v = (struct version){ 0 };
}

const char *version_state(const struct version *v)
{
	return v->n_postings ? v->postings[v->n_postings - 1].state : NULL;
}

char *version_label(const struct version *v)
{
	return xasprintf("%s%d", v->rfc ? "rfc" : "v", v->n);
}

char *version_path(const struct version *v)
{
	return xasprintf("versions/%s%d.json", v->rfc ? "rfc" : "", v->n);
}

/* Where the mails of a posting that is not the version's first lie: "sent/v2/WHAT-ID". */
static char *mails_of(const struct version *v, const struct posting *p, const char *what)
{
	static const char letters[] = "0123456789.abcdefghijklmnopqrstuvwxyz";
	const char *id = p->prepared_id ? p->prepared_id : p->message_id;
	char *label _cleanup_free_ = version_label(v);

	/* "20261130170724.gbjevngk-series-v2-0@..." up to the dash. */
	return id ? xasprintf("sent/%s/%s-%.*s", label, what, (int)strspn(id, letters),
			      id)
		  : xasprintf("sent/%s", label);
}

char *version_mails(const struct version *v, size_t k)
{
	char *label _cleanup_free_ = version_label(v);

	return k < v->n_postings && v->postings[k].resend
		       ? mails_of(v, &v->postings[k], "resend")
		       : xasprintf("sent/%s", label);
}

char *version_fixup_mails(const struct version *v, size_t k)
{
	return mails_of(v, &v->fixups[k].posting, "fix");
}

char *version_reply_mails(const struct version *v, const struct posting *p)
{
	return mails_of(v, p, "reply");
}

char *version_fixup_label(const struct version *v, size_t k)
{
	char *label _cleanup_free_ = version_label(v);

	return xasprintf("%s.fix%zu", label, k + 1);
}

struct fixup *version_add_fixup(struct version *v)
{
	struct fixup *f;

	v->fixups = xreallocarray(v->fixups, v->n_fixups + 1, sizeof(*f));
	f = &v->fixups[v->n_fixups++];
	*f = (struct fixup){ 0 };
	return f;
}

bool prefix_has(const char *prefix, const char *word)
{
	struct str rest = str_c(prefix ? prefix : ""), w;

	while (str_word(&rest, &w))
		if (str_ieqc(w, word))
			return true;
	return false;
}

bool version_is_rfc(const struct version *v)
{
	return v->n_postings && prefix_has(v->postings[0].prefix, "RFC");
}

const char *version_link(const struct version *v)
{
	for (size_t i = v->n_postings; i-- > 0;)
		if (!v->postings[i].resend && v->postings[i].message_id)
			return v->postings[i].message_id;
	return NULL;
}

static struct json *posting_json(const struct posting *p)
{
	struct json *o = json_obj();

	json_set_str(o, "state", p->state);
	json_set_str(o, "prefix", p->prefix);
	json_set_str(o, "message_id", p->message_id);
	if (p->prepared_id)
		json_set_str(o, "prepared_id", p->prepared_id);
	json_set_int(o, "date", p->date);
	json_set_bool(o, "resend", p->resend);
	json_set_strvec(o, "patch_message_ids", &p->ids);
	if (p->to.n)
		json_set_strvec(o, "to", &p->to);
	if (p->cc.n)
		json_set_strvec(o, "cc", &p->cc);
	if (p->transport)
		json_set_str(o, "transport", p->transport);
	return o;
}

static struct json *fixups_json(const struct version *v)
{
	struct json *arr = json_arr();

	for (size_t i = 0; i < v->n_fixups; i++) {
		const struct fixup *f = &v->fixups[i];
		struct json *o = posting_json(&f->posting);

		json_set_int(o, "patch", f->patch);
		json_set_str(o, "commit", f->commit);
		json_set_str(o, "patch_id", f->patch_id);
		json_set_str(o, "subject", f->subject);
		json_set_strvec(o, "parts", &f->parts);
		json_push(arr, o);
	}
	return arr;
}

struct json *version_json(const struct version *v)
{
	struct json *j = json_obj(), *postings = json_arr(), *patches = json_arr();

	json_set_int(j, "schema", 1);
	json_set_int(j, "n", v->n);
	if (v->rfc)
		json_set_bool(j, "rfc", true);
	json_set_str(j, "base", v->base);
	json_set_str(j, "head", v->head);
	json_set_strvec(j, "to", &v->to);
	json_set_strvec(j, "cc", &v->cc);
	json_set_str(j, "transport", v->transport);
	for (size_t i = 0; i < v->n_postings; i++)
		json_push(postings, posting_json(&v->postings[i]));
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
	if (v->n_fixups)
		json_set(j, "fixups", fixups_json(v));
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

/* They go into headers of mails: what is none is left out. */
static char *get_message_id(const struct json *j, const char *key)
{
	const char *id = json_get_str(j, key);

	return message_id_ok(id) ? xstrdup(id) : NULL;
}

/* In parallel with the patches, so that the others keep their places. */
static void get_message_ids(const struct json *j, struct strvec *ret)
{
	json_get_strvec(j, "patch_message_ids", ret);
	for (size_t i = 0; i < ret->n; i++)
		if (!message_id_ok(ret->v[i]))
			ret->v[i][0] = '\0';
}

static void parse_posting(const struct json *o, struct posting *p)
{
	p->state = get_str(o, "state");
	if (!posting_state_ok(p->state)) {
		free(p->state);
		p->state = xstrdup("sending");
	}
	p->prefix = get_str(o, "prefix");
	p->message_id = get_message_id(o, "message_id");
	p->prepared_id = get_message_id(o, "prepared_id");
	p->date = json_get_int(o, "date", 0);
	p->resend = json_get_bool(o, "resend", false);
	get_message_ids(o, &p->ids);
	json_get_strvec(o, "to", &p->to);
	json_get_strvec(o, "cc", &p->cc);
	p->transport = get_str(o, "transport");
}

static void parse_postings(const struct json *arr, struct version *v)
{
	size_t n = json_len(arr);

	v->postings = xcalloc(n + 1, sizeof(*v->postings));
	for (size_t i = 0; i < n; i++)
		parse_posting(json_at(arr, i), &v->postings[v->n_postings++]);
}

/* False when one is for no patch of the version, or names no commit. */
static bool parse_fixups(const struct json *arr, struct version *v)
{
	for (size_t i = 0; i < json_len(arr); i++) {
		const struct json *o = json_at(arr, i);
		int64_t patch = json_get_int(o, "patch", 0);
		char commit[OID_HEX];
		struct fixup *f;

		get_oid(o, "commit", commit);
		if (patch < 1 || patch > (int64_t)v->n_patches || !*commit)
			return false;
		f = version_add_fixup(v);
		f->patch = (int)patch;
		memcpy(f->commit, commit, OID_HEX);
		get_oid(o, "patch_id", f->patch_id);
		f->subject = get_str(o, "subject");
		if (!f->subject)
			f->subject = xstrdup("");
		json_get_strvec(o, "parts", &f->parts);
		parse_posting(o, &f->posting);
	}
	return true;
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
		p->message_id = get_message_id(o, "message_id");
	}
}

/* Documents from before postings had them: the patches' own are those of the first. */
static void first_ids(struct version *v)
{
	if (!v->n_postings || v->postings[0].ids.n)
		return;
	for (size_t i = 0; i < v->n_patches; i++)
		strvec_push(&v->postings[0].ids,
			    v->patches[i].message_id ? v->patches[i].message_id : "");
}

void version_copy(const struct version *v, struct version *ret)
{
	struct json *j _cleanup_json_ = version_json(v);

	if (version_parse(j, "", ret, NULL))
		*ret = (struct version){ .n = v->n };
}

int version_parse(const struct json *j, const char *what, struct version *ret,
		  struct err *err)
{
	struct version v = { 0 };

	v.n = version_number(json_get_int(j, "n", 0));
	if (!v.n || json_len(json_get(j, "patches")) > SERIES_MAX_PATCHES ||
	    json_len(json_get(j, "postings")) > SERIES_MAX_POSTINGS ||
	    json_len(json_get(j, "fixups")) > SERIES_MAX_POSTINGS)
		return err_set(err, E_CORRUPT, "%s: no document of a version", what);
	v.rfc = json_get_bool(j, "rfc", false);
	get_oid(j, "base", v.base);
	get_oid(j, "head", v.head);
	json_get_strvec(j, "to", &v.to);
	json_get_strvec(j, "cc", &v.cc);
	v.transport = get_str(j, "transport");
	parse_postings(json_get(j, "postings"), &v);
	parse_patches(json_get(j, "patches"), &v);
	first_ids(&v);
	if (!parse_fixups(json_get(j, "fixups"), &v) || !v.base[0] || !v.head[0]) {
		version_release(&v);
		return err_set(err, E_CORRUPT, "%s: no document of a version", what);
	}
	*ret = v;
	return 0;
}

void version_put(const struct version *v, const char *name, struct store *t)
{
	struct json *j _cleanup_json_ = version_json(v);
	char *path _cleanup_free_ = version_path(v);
	char *label _cleanup_free_ = version_label(v);
	char *ref _cleanup_free_ = xasprintf("refs/series/%s/%s", name, label);

	store_put_json(t, path, j);
	store_ref(t, ref, v->head, "");
}
