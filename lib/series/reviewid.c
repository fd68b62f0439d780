// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reviewid.c - the ids of tags, remarks and reports: made, and as short as they can be
 * shown.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "series/mem.h"
#include "series/reviewdoc.h"
#include "series/sha256.h"

#define LEAST_DIGITS 8

void review_id(char ret[REVIEW_ID], ...)
{
	struct sha256 c;
	char hex[SHA256_HEX];
	const char *part;
	va_list ap;

	sha256_init(&c);
	va_start(ap, ret);
	while ((part = va_arg(ap, const char *)) != REVIEW_ID_END) {
		if (!part)
			part = "";
		sha256_add(&c, part, strlen(part) + 1);
	}
	va_end(ap);
	sha256_end(&c, hex);
	memcpy(ret, hex, REVIEW_ID - 1);
	ret[REVIEW_ID - 1] = '\0';
}

void review_tag_id(struct review_tag *t)
{
	char *patch _cleanup_free_ = xasprintf("%zu", t->patch);

	review_id(t->id, "tag", t->message_id, t->type, t->line, t->label, patch,
		  REVIEW_ID_END);
}

void review_remark_id(struct review_remark *r)
{
	char *at _cleanup_free_ = xasprintf("%zu %zu", r->line, r->patch);

	review_id(r->id, "remark", r->message_id, r->label, at, REVIEW_ID_END);
}

void review_report_id(struct review_report *r)
{
	char *patch _cleanup_free_ = xasprintf("%zu", r->patch);

	review_id(r->id, "report", r->message_id, r->label, patch, REVIEW_ID_END);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int review_digits(const struct review *r)
{
	const char **v = xcalloc(r->n_tags + r->n_remarks + r->n_reports + 1, sizeof(*v));
	size_t n = 0;
	int ret = LEAST_DIGITS;

	for (size_t i = 0; i < r->n_tags; i++)
		v[n++] = r->tags[i].id;
	for (size_t i = 0; i < r->n_remarks; i++)
		v[n++] = r->remarks[i].id;
	for (size_t i = 0; i < r->n_reports; i++)
		v[n++] = r->reports[i].id;
	qsort(v, n, sizeof(*v), by_text);
	/* Those that are most alike stand beside each other. */
	for (size_t i = 1; i < n; i++)
		while (ret < REVIEW_ID - 1 && !strncmp(v[i - 1], v[i], (size_t)ret))
			ret++;
	free(v);
	return ret;
}
