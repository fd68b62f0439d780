// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchlines.c - see patchlines.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include "patchcode.h"
#include "patchlines.h"
#include "series/mem.h"

static bool says_something(struct str line)
{
	for (size_t i = 0; i < line.len; i++)
		if (isalnum((unsigned char)line.p[i]) || (unsigned char)line.p[i] >= 0x80)
			return true;
	return false;
}

static void take_line(const char *text, struct strvec *to)
{
	struct str rest = str_c(text + 1), word;
	struct buf b = BUF_INIT;

	if (*text == ' ' || !says_something(rest))
		return;
	buf_putc(&b, *text);
	while (str_word(&rest, &word)) {
		if (b.len > 1)
			buf_putc(&b, ' ');
		buf_addstr(&b, word);
	}
	strvec_take(to, buf_take(&b));
}

int patchlines_read(struct repo *r, const struct strvec *ids, struct strvec **ret,
		    struct err *err)
{
	struct patchcode *code = NULL;
	int rc = patchcodes_read(r, ids, &code, err);

	if (rc)
		return rc;
	*ret = xcalloc(ids->n + 1, sizeof(**ret));
	for (size_t i = 0; i < ids->n; i++) {
		for (size_t k = 0; k < code[i].n; k++)
			take_line(code[i].v[k].text, &(*ret)[i]);
		strvec_sort(&(*ret)[i]);
	}
	patchcodes_free(code, ids->n);
	return 0;
}

void patchlines_minus(const struct strvec *a, const struct strvec *b, struct strvec *ret)
{
	size_t i = 0, k = 0;

	while (i < a->n) {
		int order = k < b->n ? strcmp(a->v[i], b->v[k]) : -1;

		if (order < 0)
			strvec_push(ret, a->v[i++]);
		else if (order > 0)
			k++;
		else
			i++, k++;
	}
}

size_t patchlines_shared(const struct strvec *a, const struct strvec *b)
{
	size_t i = 0, k = 0, n = 0;

	while (i < a->n && k < b->n) {
		int order = strcmp(a->v[i], b->v[k]);

		if (!order)
			n++;
		i += order <= 0;
		k += order >= 0;
	}
	return n;
}
