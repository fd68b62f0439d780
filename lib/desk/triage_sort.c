// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_sort.c - rows in the order of several columns, within their groups.
 */
#include <stdlib.h>
#include <strings.h>

#include "series/mem.h"
#include "triage_priv.h"

struct column {
	const struct triage_field *field;
	bool turned;
};

struct triage_order {
	struct column *v;
	size_t n, cap;
};

void triage_order_free(struct triage_order *o)
{
	if (!o)
		return;
	free(o->v);
	free(o);
}

int triage_order_parse(const char *text, struct triage_order **ret, struct err *err)
{
	struct triage_order *o = xcalloc(1, sizeof(*o));
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;
	char *spaced _cleanup_free_ = xstrdup(text);

	for (char *p = spaced; *p; p++)
		if (*p == ' ')
			*p = ',';
	strvec_split(&words, str_c(spaced), ',');
	for (size_t i = 0; i < words.n; i++) {
		struct str name = str_c(words.v[i]);
		struct column c = { .turned = str_skip(&name, "-") };

		c.field = triage_field_find(name);
		if (!c.field) {
			triage_order_free(o);
			return err_set(err, E_USAGE,
				       "'%s' is no column to sort by; for example age, "
				       "-open, author, subject, patches, covered",
				       words.v[i]);
		}
		vec_grow(o->v, o->n, o->cap);
		o->v[o->n++] = c;
	}
	*ret = o;
	return 0;
}

static const char *text_of(const struct column *c, const struct triage_row *r)
{
	const char *s = c->field->text(r, 0);

	return s ? s : "";
}

struct job {
	struct triage *t;
	const struct triage_order *o;
};

static int by_columns(const void *pa, const void *pb, void *arg)
{
	const struct job *j = arg;
	const struct triage_row *a = &j->t->row[*(const size_t *)pa];
	const struct triage_row *b = &j->t->row[*(const size_t *)pb];

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	for (size_t i = 0; i < j->o->n; i++) {
		const struct column *c = &j->o->v[i];
		int64_t x = 0, y = 0;
		int less;

		if (c->field->number) {
			x = c->field->number(j->t, a);
			y = c->field->number(j->t, b);
			less = (x > y) - (x < y);
		} else {
			less = strcasecmp(text_of(c, a), text_of(c, b));
		}
		if (less)
			return c->turned ? -less : less;
	}
	/* As they came: the order is the same each time. */
	return a < b ? -1 : a > b;
}

void triage_sort(struct triage *t, const struct triage_order *o, size_t *v, size_t n)
{
	struct job j = { t, o };

	qsort_r(v, n, sizeof(*v), by_columns, &j);
}
