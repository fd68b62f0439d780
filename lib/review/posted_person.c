// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_person.c - who sent a mail, and which mails one person sent: by address or by
 * name. Lists that rewrite From ("Name via list <list@...>") hide the address; it may
 * stand in X-Original-From or Reply-To.
 */
#include <stdlib.h>
#include <strings.h>
#include "posted_priv.h"
#include "series/mailinfo.h"
#include "series/mem.h"

static void field_author(struct str value, char **ret_name, char **ret_email)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (value.p)
		field_text(value, &text);
	mailinfo_author(buf_str(&text), ret_name, ret_email);
}

/* "'Name' via list": the name's length with its quotes; 0: nothing of the kind. */
static size_t via(struct str name)
{
	ptrdiff_t at = str_find(name, " via ");

	return at > 0 ? (size_t)at : 0;
}

void read_sender(const struct mail *m, struct item *ret)
{
	static const char *const names[] = { "From", "X-Original-From", "Reply-To" };
	struct str v[ARRAY_SIZE(names)], name;
	size_t n;

	field_get_all(m->head, names, ARRAY_SIZE(names), v);
	field_author(v[0], &ret->name, &ret->email);
	n = via(str_c(ret->name));
	if (!n)
		return;
	name = str_n(ret->name, n);
	if (name.len > 2 && name.p[0] == '\'' && name.p[name.len - 1] == '\'')
		name = str_n(name.p + 1, name.len - 2);
	memmove(ret->name, name.p, name.len);
	ret->name[name.len] = '\0';
	ret->hidden = true;
	for (size_t i = 1; i < ARRAY_SIZE(names) && ret->hidden; i++) {
		char *other, *email;

		if (!v[i].p)
			continue;
		field_author(v[i], &other, &email);
		/* Reply-To is often the list as well. */
		if (*email && strcasecmp(email, ret->email)) {
			free(ret->email);
			ret->email = email;
			email = NULL;
			ret->hidden = false;
		}
		free(other);
		free(email);
	}
}

bool same_sender(const struct item *a, const struct item *b)
{
	if (!a->hidden && !b->hidden && *a->email && !strcasecmp(a->email, b->email))
		return true;
	return *a->name && title_same(a->name, b->name);
}

size_t uf_root(size_t *up, size_t x)
{
	while (up[x] != x)
		x = up[x] = up[up[x]];
	return x;
}

static int by_email(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;
	int order = strcasecmp(x->email, y->email);

	return order ? order : (x > y) - (x < y);
}

static int by_name(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;
	int order = strcasecmp(x->name, y->name);

	return order ? order : (x > y) - (x < y);
}

void find_people(struct finder *f)
{
	struct item **k = xcalloc(f->n + 1, sizeof(*k));
	size_t *up = xcalloc(f->n + 1, sizeof(*up)), n = 0;

	for (size_t i = 0; i < f->n; i++) {
		up[i] = i;
		if (!f->v[i].hidden && *f->v[i].email)
			k[n++] = &f->v[i];
	}
	qsort(k, n, sizeof(struct item *), by_email);
	for (size_t i = 1; i < n; i++)
		if (!strcasecmp(k[i]->email, k[i - 1]->email))
			up[uf_root(up, (size_t)(k[i] - f->v))] =
				uf_root(up, (size_t)(k[i - 1] - f->v));
	n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (*f->v[i].name)
			k[n++] = &f->v[i];
	qsort(k, n, sizeof(struct item *), by_name);
	for (size_t i = 1; i < n; i++)
		if (!strcasecmp(k[i]->name, k[i - 1]->name))
			up[uf_root(up, (size_t)(k[i] - f->v))] =
				uf_root(up, (size_t)(k[i - 1] - f->v));
	for (size_t i = 0; i < f->n; i++)
		f->v[i].person = uf_root(up, i);
	free(up);
	free(k);
}
