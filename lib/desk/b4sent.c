// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * b4sent.c - versions that b4 sent: tags sent/BRANCH-vN, whose commits are the patches
 * without the cover commit and whose message is the cover letter as it went out, and the
 * Message-IDs of the history {"vN": [ID, ...]}.
 */
#include <ctype.h>
#include <stdlib.h>
#include "b4prep.h"
#include "series/mem.h"

struct sent {
	struct repo *repo;
	const struct b4prep *b;
	const char *base; /* of the branch today */
	char *tag;	  /* "sent/topic-v2" */
	int n;
	const struct json *ids;
	struct strvec *notes;
};

struct sent_tag {
	char *type, *head, *text;
	int64_t date;
};

static void sent_tag_release(struct sent_tag *t)
{
	free(t->type);
	free(t->head);
	free(t->text);
}

static int tag_read(const struct sent *q, struct sent_tag *ret, struct err *err)
{
	char *ref _cleanup_free_ = xasprintf("refs/tags/%s", q->tag);
	char *args[] = { "for-each-ref",
			 "--format=%(objecttype)%0a%(*objectname)%0a%(taggerdate:unix)%0a"
			 "%(contents)",
			 ref, NULL };
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct str rest, type, head, date;
	int rc = git_check(q->repo, args, STR_NULL, &out, err);

	if (rc)
		return rc;
	rest = buf_str(&out);
	if (!str_line(&rest, &type) || !str_line(&rest, &head) || !str_line(&rest, &date))
		return E_NOTFOUND;
	*ret = (struct sent_tag){ str_dup(type), str_dup(head), str_dup(rest), 0 };
	str_to_i64(date, 0, INT64_MAX, &ret->date);
	return 0;
}

/* Value of the last line "KEY: VALUE" of a tag's message, or NULL. Caller frees. */
static char *value_of(const struct sent_tag *t, const char *key)
{
	struct str rest = str_c(t->text), line, found = STR_NULL;

	while (str_line(&rest, &line))
		if (str_istarts(line, key))
			found = str_trim(
				str_n(line.p + strlen(key), line.len - strlen(key)));
	return found.p ? str_dup(found) : NULL;
}

/*
 * b4 0.12 writes the commit below the fork point into base-commit, except with the
 * strategy "commit". A first "patch" that the branch of today does not have either, but
 * has in its base, is that fork point.
 */
static int true_base(const struct sent *q, const char *head, char base[OID_HEX],
		     struct err *err)
{
	struct commit *v = NULL;
	size_t n = 0;
	int rc;

	if (!strcmp(q->b->strategy, "commit"))
		return 0;
	rc = repo_range(q->repo, base, head, SERIES_MAX_PATCHES, &v, &n, err);
	if (rc)
		return rc;
	if (n && repo_is_ancestor(q->repo, v[0].id, q->base, NULL) == 1)
		memcpy(base, v[0].id, OID_HEX);
	commits_free(v, n);
	return 0;
}

static int add_patches(const struct sent *q, struct version *v, struct err *err)
{
	struct commit *c = NULL;
	size_t n = 0;
	int rc = repo_range(q->repo, v->base, v->head, SERIES_MAX_PATCHES, &c, &n, err);

	if (rc)
		return rc;
	v->patches = xcalloc(n + 1, sizeof(*v->patches));
	for (size_t i = 0; i < n && !rc; i++) {
		struct patch *p = &v->patches[i];

		rc = repo_patch_id(q->repo, c[i].id, p->patch_id, err);
		p->n = (int)++v->n_patches;
		memcpy(p->commit, c[i].id, OID_HEX);
		memcpy(p->tree, c[i].tree, OID_HEX);
		p->subject = xstrdup(c[i].subject);
		p->author_name = xstrdup(c[i].author_name);
		p->author_email = xstrdup(c[i].author_email);
	}
	commits_free(c, n);
	if (!rc && !n)
		rc = err_set(err, E_FAIL, "there are no patches in it");
	return rc;
}

static bool msgid_ok(const char *s)
{
	bool at = false;

	for (const char *p = s; *p; p++) {
		if (!isgraph((unsigned char)*p) || *p == '<' || *p == '>')
			return false;
		at = at || *p == '@';
	}
	return at && strlen(s) < 500;
}

/*
 * b4 gives all mails of a posting one Message-ID with the number of the mail in the
 * middle: DATE-NAME-vN-K-12HEX@DOMAIN. The id of patch k, "" when first is of another
 * form.
 */
static char *id_of_patch(const char *first, int version, bool has_cover, size_t k)
{
	char *middle _cleanup_free_ = xasprintf("-v%d-%d-", version, has_cover ? 0 : 1);
	const char *at = NULL, *p = first;
	const char *host = strrchr(first, '@');

	while ((p = strstr(p, middle)) != NULL)
		at = p++;
	if (!at || !host || (size_t)(host - at) != strlen(middle) + 12 ||
	    strspn(at + strlen(middle), "0123456789abcdef") != 12)
		return xstrdup("");
	return xasprintf("%.*s-v%d-%zu-%s", (int)(at - first), first, version, k,
			 at + strlen(middle));
}

static void add_postings(const struct sent *q, const struct sent_tag *t,
			 const struct b4cover *cover, struct version *v)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;
	char *joined _cleanup_free_ = NULL;
	bool rfc = false;
	size_t ids = json_len(q->ids);

	json_get_strvec(q->b->s, "prefixes", &words);
	strvec_extend(&words, &cover->prefixes);
	for (size_t i = words.n; i-- > 0;)
		if (!strcasecmp(words.v[i], "RFC")) {
			rfc = true;
			strvec_remove(&words, i);
		}
	if (v->n > 1)
		strvec_pushf(&words, "v%d", v->n);
	joined = strvec_join(&words, " ");
	v->postings = xcalloc(ids + 1, sizeof(*v->postings));
	for (size_t i = 0; i < ids; i++) {
		const char *id = json_value_str(json_at(q->ids, i));
		struct posting *p = &v->postings[v->n_postings];

		if (!id || !msgid_ok(id))
			continue;
		v->n_postings++;
		p->state = xstrdup("sent");
		p->prefix = xasprintf("%sPATCH%s%s", rfc ? "RFC " : "",
				      *joined ? " " : "", joined);
		p->message_id = xstrdup(id);
		p->date = t->date;
		for (size_t k = 1; k <= v->n_patches; k++)
			strvec_take(&p->ids, id_of_patch(id, v->n, v->n_patches > 1, k));
	}
	for (size_t k = 0; v->n_postings && k < v->n_patches; k++)
		if (*v->postings[0].ids.v[k])
			v->patches[k].message_id = xstrdup(v->postings[0].ids.v[k]);
}

/* 0, E_NOTFOUND with a note when it cannot be used, or an error. */
static int read_one(const struct sent *q, struct version *v, struct err *err)
{
	struct sent_tag t _cleanup_(sent_tag_release) = { 0 };
	struct b4cover cover _cleanup_b4cover_ = { 0 };
	char *base _cleanup_free_ = NULL, *id _cleanup_free_ = NULL;
	struct err why _cleanup_err_ = ERR_INIT;
	int rc = tag_read(q, &t, err);

	if (rc == E_NOTFOUND)
		strvec_pushf(q->notes,
			     "v%d was sent, but its tag %s is not here: it is not taken "
			     "over",
			     q->n, q->tag);
	if (rc)
		return rc;
	base = value_of(&t, "base-commit:");
	id = value_of(&t, "change-id:");
	if (strcmp(t.type, "tag") || !base || !id || strcmp(id, q->b->change_id)) {
		strvec_pushf(q->notes,
			     "tag %s is none of b4's for this series (no base-commit and "
			     "change-id %s in it): v%d is not taken over",
			     q->tag, q->b->change_id, q->n);
		return E_NOTFOUND;
	}
	v->n = q->n;
	memcpy(v->head, t.head, OID_HEX);
	rc = repo_resolve(q->repo, base, v->base, &why);
	if (!rc)
		rc = true_base(q, v->head, v->base, &why);
	if (!rc)
		rc = add_patches(q, v, &why);
	if (rc) {
		strvec_pushf(q->notes, "v%d is not taken over: tag %s: %s", q->n, q->tag,
			     err_msg(&why));
		return E_NOTFOUND;
	}
	b4cover_parse(str_c(t.text), NULL, 0, &cover);
	strvec_extend(&v->to, &cover.to);
	strvec_extend(&v->cc, &cover.cc);
	add_postings(q, &t, &cover, v);
	if (v->n_postings)
		return 0;
	strvec_pushf(q->notes, "v%d is not taken over: its history names no Message-ID",
		     q->n);
	return E_NOTFOUND;
}

static int by_number(const void *a, const void *b)
{
	const struct version *x = a, *y = b;

	return (x->n > y->n) - (x->n < y->n);
}

int b4sent_read(struct repo *r, const struct b4prep *b, const char *branch,
		const char *base, struct version **ret, size_t *ret_n,
		struct strvec *notes, struct err *err)
{
	const struct json *history = json_get(b->s, "history");
	struct sent q = { .repo = r, .b = b, .base = base, .notes = notes };
	struct strvec keys _cleanup_strvec_ = STRVEC_INIT;
	struct version *v;
	size_t n = 0;
	int rc = 0;

	json_keys(history, &keys);
	v = xcalloc(keys.n + 1, sizeof(*v));
	if (!strncmp(branch, "b4/", 3))
		branch += 3;
	for (size_t i = 0; i < keys.n && !rc; i++) {
		char *tag _cleanup_free_ = NULL;
		int64_t k = 0;

		if (keys.v[i][0] != 'v' ||
		    !cstr_to_i64(keys.v[i] + 1, 1, SERIES_MAX_VERSION, &k))
			continue;
		q.tag = tag = xasprintf("sent/%s-v%lld", branch, (long long)k);
		q.n = (int)k;
		q.ids = json_get(history, keys.v[i]);
		rc = read_one(&q, &v[n], err);
		if (!rc)
			n++;
		else
			version_release(&v[n]);
		if (rc == E_NOTFOUND)
			rc = 0;
	}
	if (n)
		qsort(v, n, sizeof(*v), by_number);
	*ret = v;
	*ret_n = n;
	return rc;
}
