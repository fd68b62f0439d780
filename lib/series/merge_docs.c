// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two machines' changes to one JSON document, merged by its fields.
 */
#include <stdlib.h>
#include "merge.h"
#include "series/mem.h"

/* Longer lists are no lists of addresses, and each is looked for in the others. */
#define LIST_MAX 2000

/* An array of strings alone, or nothing at all. */
static bool string_list(const struct json *j)
{
	if (j && (!json_is_arr(j) || json_len(j) > LIST_MAX))
		return false;
	for (size_t i = 0; i < json_len(j); i++)
		if (!json_value_str(json_at(j, i)))
			return false;
	return true;
}

static bool has(const struct json *list, const char *s)
{
	for (size_t i = 0; i < json_len(list); i++)
		if (!strcmp(json_value_str(json_at(list, i)), s))
			return true;
	return false;
}

/* Ours without what they removed, then what they added. */
static struct json *unite(const struct json *base, const struct json *ours,
			  const struct json *theirs)
{
	struct json *ret = json_arr();

	for (size_t i = 0; i < json_len(ours); i++) {
		const char *s = json_value_str(json_at(ours, i));

		if (has(theirs, s) || !has(base, s))
			json_push_str(ret, s);
	}
	for (size_t i = 0; i < json_len(theirs); i++) {
		const char *s = json_value_str(json_at(theirs, i));

		if (!has(ours, s) && !has(base, s))
			json_push_str(ret, s);
	}
	return ret;
}

static char *shown(const struct json *v)
{
	struct json *arr _cleanup_json_ = json_arr();
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (!v)
		return xstrdup("nothing");
	json_push(arr, json_dup(v));
	json_dump_line(arr, &b);
	/* Without the brackets. */
	return b.len > 82 ? xasprintf("%.77s...", b.p + 1) : xmemdup0(b.p + 1, b.len - 2);
}

static struct json *copy(const struct json *j)
{
	return j ? json_dup(j) : NULL;
}

/* The value that stays; NULL when the field goes. */
static struct json *merge_value(struct merge *m, const struct three *d, const char *key)
{
	const struct json *b = json_get(d->base, key), *o = json_get(d->ours, key),
			  *t = json_get(d->theirs, key);
	char *lost _cleanup_free_ = NULL;

	if (json_same(o, t) || json_same(b, t))
		return copy(o);
	if (json_same(b, o))
		return copy(t);
	if (strcmp(key, "base") && json_is_obj(o) && json_is_obj(t) &&
	    (!b || json_is_obj(b))) {
		struct three in = { d->path, b, o, t, NULL };

		return merge_fields(m, &in);
	}
	if (string_list(b) && string_list(o) && string_list(t))
		return unite(b, o, t);
	lost = shown(m->theirs_newer ? o : t);
	strvec_pushf(m->notes,
		     "%s: \"%s\" was changed on both sides; the newer stays, %s had %s",
		     d->path, key, m->theirs_newer ? "this one" : "the other", lost);
	return copy(m->theirs_newer ? t : o);
}

static bool is_own(const struct three *d, const char *key)
{
	for (size_t i = 0; d->own && d->own[i]; i++)
		if (!strcmp(d->own[i], key))
			return true;
	return false;
}

static void all_keys(const struct three *d, struct strvec *ret)
{
	struct strvec theirs _cleanup_strvec_ = STRVEC_INIT;

	json_keys(d->ours, ret);
	json_keys(d->theirs, &theirs);
	for (size_t i = 0; i < theirs.n; i++)
		if (!json_get(d->ours, theirs.v[i]))
			strvec_push(ret, theirs.v[i]);
}

struct json *merge_fields(struct merge *m, const struct three *d)
{
	struct strvec keys _cleanup_strvec_ = STRVEC_INIT;
	struct json *ret = json_obj();

	all_keys(d, &keys);
	for (size_t i = 0; i < keys.n; i++) {
		struct json *v;

		if (is_own(d, keys.v[i]))
			continue;
		v = merge_value(m, d, keys.v[i]);
		if (v)
			json_set(ret, keys.v[i], v);
	}
	return ret;
}

/* --- versions --- */

static const char *posting_id(const struct json *p)
{
	const char *id = json_get_str(p, "prepared_id");

	/* One side may not know yet that the server gave it another. */
	if (!id)
		id = json_get_str(p, "message_id");
	return id ? id : "";
}

static const struct json *find_posting(const struct json *list, const char *id)
{
	for (size_t i = 0; i < json_len(list); i++)
		if (!strcmp(posting_id(json_at(list, i)), id))
			return json_at(list, i);
	return NULL;
}

static int progress_of(const struct json *posting)
{
	static const char *const order[] = { "sending", "partial", "sent" };
	const char *state = json_get_str(posting, "state");

	for (size_t i = 0; state && i < ARRAY_SIZE(order); i++)
		if (!strcmp(state, order[i]))
			return (int)i;
	return -1;
}

/* One posting that both know: the side that got further. */
static const struct json *further(const struct json *ours, const struct json *theirs)
{
	return progress_of(theirs) > progress_of(ours) ? theirs : ours;
}

/* Was it here before, as it is there now? Then its absence is a removal. */
static bool removed(const struct json *base, const struct json *kept)
{
	const struct json *was = find_posting(base, posting_id(kept));

	return was && json_same(was, kept);
}

/* key: "postings" or "fixups". */
static struct json *merge_postings(const struct three *d, const char *key)
{
	const struct json *b = json_get(d->base, key), *o = json_get(d->ours, key),
			  *t = json_get(d->theirs, key);
	struct json *ret = json_arr();

	for (size_t i = 0; i < json_len(o); i++) {
		const struct json *p = json_at(o, i);
		const struct json *q = find_posting(t, posting_id(p));

		if (q || !removed(b, p))
			json_push(ret, json_dup(q ? further(p, q) : p));
	}
	for (size_t i = 0; i < json_len(t); i++) {
		const struct json *q = json_at(t, i);

		if (!find_posting(o, posting_id(q)) && !removed(b, q))
			json_push(ret, json_dup(q));
	}
	return ret;
}

/* Are these two postings of the same number that have nothing to do with each other? */
static bool two_versions(const struct three *d)
{
	static const char *const identity[] = { "n", "base", "head", "patches" };
	const struct json *o = json_get(d->ours, "postings"),
			  *t = json_get(d->theirs, "postings");

	for (size_t i = 0; i < ARRAY_SIZE(identity); i++) {
		const struct json *b = json_get(d->base, identity[i]),
				  *x = json_get(d->ours, identity[i]),
				  *y = json_get(d->theirs, identity[i]);

		if (!json_same(x, y) && !json_same(b, x) && !json_same(b, y))
			return true;
	}
	return !d->base && strcmp(posting_id(json_at(o, 0)), posting_id(json_at(t, 0)));
}

static const char *first_id(const struct json *doc)
{
	const char *id = posting_id(json_at(json_get(doc, "postings"), 0));

	return *id ? id : "no Message-ID";
}

int merge_version(struct merge *m, const struct three *d, struct json **ret,
		  struct err *err)
{
	static const char *const own[] = { "postings", "fixups", NULL };
	char *label _cleanup_free_ = version_path_label(d->path);
	struct three rest = *d;
	struct json *doc, *fixups;

	rest.own = own;
	if (two_versions(d)) {
		if (m->side == MERGE_ASK)
			return err_set(
				err, E_CONFLICT,
				"%s was posted from two places: here as <%s>, there "
				"as <%s>",
				label ? label : d->path, first_id(d->ours),
				first_id(d->theirs));
		if (label)
			strvec_push(&m->conflicts, label);
		strvec_pushf(m->notes, "%s is <%s>; the other one was <%s>",
			     label ? label : d->path,
			     first_id(m->side == MERGE_OURS ? d->ours : d->theirs),
			     first_id(m->side == MERGE_OURS ? d->theirs : d->ours));
		*ret = json_dup(m->side == MERGE_OURS ? d->ours : d->theirs);
		return 0;
	}
	doc = merge_fields(m, &rest);
	json_set(doc, "postings", merge_postings(d, "postings"));
	fixups = merge_postings(d, "fixups");
	if (json_len(fixups))
		json_set(doc, "fixups", fixups);
	else
		json_free(fixups);
	*ret = doc;
	return 0;
}

/* --- review --- */

/* Missing, null, false, 0: nobody said anything yet. */
static bool is_unsaid(const struct json *doc, const char *key)
{
	return !json_get_str(doc, key) && !json_get_bool(doc, key, false) &&
	       !json_get_int(doc, key, 0);
}

static void take_field(struct json *doc, const char *key, const struct json *from)
{
	const struct json *v = json_get(from, key);

	if (v)
		json_set(doc, key, json_dup(v));
}

/* A decision and its reason belong together: whose stay? */
static const struct json *decided(struct merge *m, const struct three *d)
{
	static const char key[] = "decision";
	const struct json *o = json_get(d->ours, key), *t = json_get(d->theirs, key),
			  *b = json_get(d->base, key);

	if (json_same(o, t) || json_same(b, t))
		return d->ours;
	/* What a decision of the other side took back is no decision of ours. */
	if (json_same(b, o))
		return d->theirs;
	if (is_unsaid(d->theirs, key))
		return d->ours;
	if (is_unsaid(d->ours, key))
		return d->theirs;
	strvec_pushf(m->notes,
		     "%s: one side has decided \"%s\", the other \"%s\"; the newer stays",
		     d->path, json_value_str(o) ? json_value_str(o) : "?",
		     json_value_str(t) ? json_value_str(t) : "?");
	return m->theirs_newer ? d->theirs : d->ours;
}

/* Decisions for single patches of a cover's tag, each by the rule for one; or NULL. */
static struct json *merge_each(struct merge *m, const struct three *d)
{
	static const char key[] = "decisions";
	const struct json *b = json_get(d->base, key), *o = json_get(d->ours, key),
			  *t = json_get(d->theirs, key);
	struct three all = { d->path, json_is_obj(b) ? b : NULL, json_is_obj(o) ? o : NULL,
			     json_is_obj(t) ? t : NULL, NULL };
	struct strvec patches _cleanup_strvec_ = STRVEC_INIT;
	struct json *ret = NULL;

	all_keys(&all, &patches);
	for (size_t i = 0; i < patches.n; i++) {
		const char *k = patches.v[i];
		struct three one = { d->path, json_get(all.base, k), json_get(all.ours, k),
				     json_get(all.theirs, k), NULL };
		const struct json *side = decided(m, &one);

		if (!side)
			continue;
		if (!ret)
			ret = json_obj();
		json_set(ret, k, json_dup(side));
	}
	return ret;
}

struct json *merge_review(struct merge *m, const struct three *d)
{
	static const char *const said[] = { "retracted", "answered", "answer",
					    "done_in" };
	static const char *const own[] = { "decision", "reason", "decisions", "retracted",
					   "answered", "answer", "done_in",   NULL };
	struct three rest = *d;
	const struct json *side = decided(m, d);
	struct json *doc, *each;

	rest.own = own;
	doc = merge_fields(m, &rest);
	take_field(doc, "decision", side);
	take_field(doc, "reason", side);
	each = merge_each(m, d);
	if (each)
		json_set(doc, "decisions", each);
	for (size_t i = 0; i < ARRAY_SIZE(said); i++) {
		bool ours = is_unsaid(d->theirs, said[i]) ||
			    (!is_unsaid(d->ours, said[i]) && !m->theirs_newer);

		take_field(doc, said[i], ours ? d->ours : d->theirs);
	}
	return doc;
}
