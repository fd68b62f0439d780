// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_person.c - which mails one person sent: by address or by name.
 */
#include <stdlib.h>
#include <strings.h>
#include "posted_priv.h"
#include "series/mem.h"

size_t uf_root(size_t *up, size_t x)
{
	while (up[x] != x)
		x = up[x] = up[up[x]];
	return x;
}

static int by_email(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;
	int order = strcasecmp(x->from.email, y->from.email);

	return order ? order : (x > y) - (x < y);
}

static int by_name(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;
	int order = strcasecmp(x->from.name, y->from.name);

	return order ? order : (x > y) - (x < y);
}

void find_people(struct finder *f)
{
	struct item **k = xcalloc(f->n + 1, sizeof(*k));
	size_t *up = xcalloc(f->n + 1, sizeof(*up)), n = 0;

	for (size_t i = 0; i < f->n; i++) {
		up[i] = i;
		if (!f->v[i].from.hidden && *f->v[i].from.email)
			k[n++] = &f->v[i];
	}
	qsort(k, n, sizeof(struct item *), by_email);
	for (size_t i = 1; i < n; i++)
		if (!strcasecmp(k[i]->from.email, k[i - 1]->from.email))
			up[uf_root(up, (size_t)(k[i] - f->v))] =
				uf_root(up, (size_t)(k[i - 1] - f->v));
	n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (*f->v[i].from.name)
			k[n++] = &f->v[i];
	qsort(k, n, sizeof(struct item *), by_name);
	for (size_t i = 1; i < n; i++)
		if (!strcasecmp(k[i]->from.name, k[i - 1]->from.name))
			up[uf_root(up, (size_t)(k[i] - f->v))] =
				uf_root(up, (size_t)(k[i - 1] - f->v));
	for (size_t i = 0; i < f->n; i++)
		f->v[i].person = uf_root(up, i);
	free(up);
	free(k);
}
