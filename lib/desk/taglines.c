// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * taglines.c - the tags of two versions of a commit message: which were lost, which came.
 */
#include <stdlib.h>
#include <strings.h>
#include "series/addr.h"
#include "series/compose.h"
#include "series/mem.h"
#include "series/trailer.h"
#include "suggest.h"

static const char *const types[] = { "Reviewed-by", "Acked-by", "Tested-by" };

void taglines_release(struct taglines *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->v[i].type);
		free(t->v[i].name);
		free(t->v[i].email);
	}
	free(t->v);
	*t = (struct taglines){ 0 };
}

static bool has(const struct taglines *t, const char *type, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->v[i].type, type) && !strcmp(t->v[i].name, name))
			return true;
	return false;
}

static void add(struct taglines *t, const struct tagline *l)
{
	if (has(t, l->type, l->name))
		return;
	vec_grow(t->v, t->n, t->cap);
	t->v[t->n++] =
		(struct tagline){ xstrdup(l->type), xstrdup(l->name), xstrdup(l->email) };
}

/* "Jane Doe", or the address when there is no name. */
static char *person(struct str value, char **ret_email)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;
	struct str rest;

	if (!addr_trailer(value, &a, &rest) || !a.n) {
		*ret_email = xstrdup("");
		return str_dup(value);
	}
	*ret_email = xstrdup(a.v[0].email);
	return xstrdup(a.v[0].name && *a.v[0].name ? a.v[0].name : a.v[0].email);
}

static void read_tags(const struct commit *c, struct taglines *ret)
{
	struct str rest = message_body(c->message), line, value;

	while (str_line(&rest, &line))
		for (size_t i = 0; i < ARRAY_SIZE(types); i++)
			if (trailer_is(line, types[i], &value) && value.len) {
				char *email _cleanup_free_ = NULL;
				char *name _cleanup_free_ = person(value, &email);

				add(ret,
				    &(struct tagline){ (char *)types[i], name, email });
			}
}

/* The text above the trailers, in whatever paragraphs. */
static struct str without_trailers(const struct commit *c)
{
	struct str text = message_body(c->message);
	size_t before;

	do {
		before = text.len;
		text = str_trim(str_n(text.p, trailers_at(text)));
	} while (text.len < before);
	return text;
}

bool taglines_same_text(const struct commit *a, const struct commit *b)
{
	return str_eq(without_trailers(a), without_trailers(b));
}

void taglines_gained(const struct commit *old, const struct commit *now,
		     struct taglines *ret)
{
	struct taglines a _cleanup_(taglines_release) = { 0 },
			  b _cleanup_(taglines_release) = { 0 };

	read_tags(old, &a);
	read_tags(now, &b);
	for (size_t i = 0; i < b.n; i++)
		if (!has(&a, b.v[i].type, b.v[i].name))
			add(ret, &b.v[i]);
}

/* "conditional", "changed" and the like in series tags; one it does not know is the
 * author's own. */
static bool is_in_doubt(const struct tagline *l, size_t patch, const struct judged *tags)
{
	for (size_t i = 0; i < tags->n; i++) {
		const struct judged_tag *e = &tags->v[i];

		if (e->patch == patch && e->state != TAG_HOLDS &&
		    e->state != TAG_ONLY_SHOWN && !strcasecmp(e->tag->type, l->type) &&
		    email_same(e->tag->email, l->email))
			return true;
	}
	return false;
}

void taglines_collected(const struct commit *old, const struct commit *now, size_t patch,
			const struct judged *tags, struct taglines *ret)
{
	struct taglines came _cleanup_(taglines_release) = { 0 };

	taglines_gained(old, now, &came);
	for (size_t i = 0; i < came.n; i++)
		if (!is_in_doubt(&came.v[i], patch, tags))
			add(ret, &came.v[i]);
}

void suggest_lost_tags(int patch, const struct commit *old, const struct commit *now,
		       const char *why, struct suggestions *to)
{
	struct taglines lost _cleanup_(taglines_release) = { 0 };

	taglines_gained(now, old, &lost);
	for (size_t i = 0; i < lost.n; i++) {
		struct suggestion *e =
			suggest(to, patch,
				xasprintf("dropped %s from %s%s", lost.v[i].type,
					  lost.v[i].name, why));

		strvec_pushf(&e->words, "%s from %s", lost.v[i].type, lost.v[i].name);
		strvec_pushf(&e->words, "%s's %s", lost.v[i].name, lost.v[i].type);
	}
}

void suggest_gained_tags(const struct taglines *t, struct suggestions *to)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct suggestion *e;

	if (!t->n)
		return;
	buf_puts(&b, "collected");
	for (size_t k = 0; k < ARRAY_SIZE(types); k++) {
		bool first = true;

		for (size_t i = 0; i < t->n; i++) {
			if (strcmp(t->v[i].type, types[k]))
				continue;
			if (first)
				buf_printf(&b, "%s %s from %s",
					   b.len > strlen("collected") ? ";" : "",
					   types[k], t->v[i].name);
			else
				buf_printf(&b, ", %s", t->v[i].name);
			first = false;
		}
	}
	e = suggest(to, 0, buf_take(&b));
	strvec_push(&e->words, "collected");
	strvec_push(&e->words, "picked up");
}
