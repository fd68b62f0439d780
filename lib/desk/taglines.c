// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * taglines.c - the tags of two versions of a commit message: which were lost, which came.
 */
#include <stdlib.h>
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

static void add(struct taglines *t, const char *type, const char *name)
{
	if (has(t, type, name))
		return;
	vec_grow(t->v, t->n, t->cap);
	t->v[t->n++] = (struct tagline){ xstrdup(type), xstrdup(name) };
}

/* "Jane Doe", or the address when there is no name. */
static char *person(struct str value)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;
	struct str rest;

	if (!addr_trailer(value, &a, &rest) || !a.n)
		return str_dup(value);
	return xstrdup(a.v[0].name && *a.v[0].name ? a.v[0].name : a.v[0].email);
}

static void read_tags(const struct commit *c, struct taglines *ret)
{
	struct str rest = message_body(c->message), line, value;

	while (str_line(&rest, &line))
		for (size_t i = 0; i < ARRAY_SIZE(types); i++)
			if (trailer_is(line, types[i], &value) && value.len) {
				char *name _cleanup_free_ = person(value);

				add(ret, types[i], name);
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
			add(ret, b.v[i].type, b.v[i].name);
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
