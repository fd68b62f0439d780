// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changematch.c - which patch a heading of a changelog means: people reorder, retitle and
 * abbreviate.
 */
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>
#include "series/changelog.h"
#include "series/mem.h"

static bool has_fold(const char *hay, const char *needle)
{
	size_t n = strlen(needle);

	for (; *hay; hay++)
		if (!strncasecmp(hay, needle, n))
			return true;
	return !n;
}

/* How many words of a are in b, each of b once; *ret_n: words of a. */
static size_t shared_words(const char *a, const char *b, size_t *ret_n)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;
	struct str rest = str_c(a), word;
	size_t same = 0, n = 0;

	strvec_split(&words, str_c(b), ' ');
	for (; str_word(&rest, &word); n++)
		for (size_t i = 0; i < words.n; i++)
			if (str_ieqc(word, words.v[i])) {
				strvec_remove(&words, i);
				same++;
				break;
			}
	*ret_n = n;
	return same;
}

static bool similar(const char *a, const char *b)
{
	size_t n_a = 0, n_b = 0, same = shared_words(a, b, &n_a);

	shared_words(b, a, &n_b);
	return 2 * same >= MAX(n_a, n_b);
}

int changelog_find_patch(int k, const char *subject, const struct patch *v, size_t n)
{
	bool in_range = k >= 1 && (size_t)k <= n;
	size_t hits = 0, at = 0;

	if (!*subject)
		return in_range ? k : 0;
	if (in_range && !strcmp(v[k - 1].subject, subject))
		return k;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].subject, subject))
			return (int)i + 1;
	if (in_range && has_fold(v[k - 1].subject, subject))
		return k;
	for (size_t i = 0; i < n; i++)
		if (has_fold(v[i].subject, subject)) {
			hits++;
			at = i + 1;
		}
	if (hits == 1)
		return (int)at;
	return in_range && similar(v[k - 1].subject, subject) ? k : 0;
}

bool changelog_heading_is_text(int k, const char *words, const struct patch *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].subject, words))
			return false;
	return *words && k >= 1 && (size_t)k <= n;
}

static int by_number(const void *a, const void *b)
{
	const struct changelog_part *x = a, *y = b;

	if (x->found != y->found)
		return x->found ? -1 : 1;
	return x->k == y->k ? strcmp(x->subject, y->subject) : x->k - y->k;
}

/* The entries of part b go behind those of part a; b is removed. */
static void join(struct changelog *c, size_t a, size_t b)
{
	struct changelog_part *to = &c->v[a], *from = &c->v[b];

	for (size_t i = 0; i < from->n; i++) {
		vec_grow(to->v, to->n, to->cap);
		to->v[to->n++] = from->v[i];
	}
	free(from->v);
	free(from->subject);
	memmove(from, from + 1, (c->n - b - 1) * sizeof(*from));
	c->n--;
}

static void match_part(struct changelog_part *p, const struct patch *v, size_t n)
{
	int k = changelog_find_patch(p->k, p->subject, v, n);

	if (!p->n && changelog_heading_is_text(p->k, p->subject, v, n)) {
		vec_grow(p->v, p->n, p->cap);
		p->v[p->n++] = (struct changelog_entry){ xstrdup(p->subject), false };
		k = p->k;
	}
	p->found = k > 0;
	if (!k)
		return;
	p->k = k;
	free(p->subject);
	p->subject = xstrdup(v[k - 1].subject);
}

void changelog_match(struct changelog *c, const struct patch *patches, size_t n)
{
	for (size_t i = 1; i < c->n; i++)
		match_part(&c->v[i], patches, n);
	for (size_t i = 1; i < c->n; i++)
		for (size_t k = c->n - 1; k > i; k--)
			if (c->v[k].found && c->v[i].found && c->v[k].k == c->v[i].k)
				join(c, i, k);
	if (c->n > 2)
		qsort(c->v + 1, c->n - 1, sizeof(*c->v), by_number);
}
