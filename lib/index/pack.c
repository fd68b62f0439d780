// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pack.c - struct listed as bytes and back.
 *
 * Numbers are seven bits a byte, the lowest first, the sign in the lowest bit (as
 * protocol buffers have them); a string has its length plus 1 before it, 0 is NULL; in a
 * list each string says how much it has in common with the one before.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/mem.h"

enum kind { STRING, SIZE, INT, INT64, BOOL, WORD, LIST };

#define FIELD(kind, name)                                                                \
	{                                                                                \
		kind, offsetof(struct listed, name)                                      \
	}

struct field {
	enum kind kind;
	size_t offset;
};

static const struct field brief_fields[] = {
	FIELD(STRING, message_id),  FIELD(STRING, first_id), FIELD(STRING, change_id),
	FIELD(STRING, label),	    FIELD(STRING, title),    FIELD(STRING, name),
	FIELD(STRING, email),	    FIELD(INT, version),     FIELD(INT, minor),
	FIELD(BOOL, rfc),	    FIELD(BOOL, resend),     FIELD(BOOL, partial),
	FIELD(BOOL, uncertain),	    FIELD(SIZE, versions),   FIELD(SIZE, total),
	FIELD(SIZE, missing),	    FIELD(INT64, first),     FIELD(INT64, posted),
	FIELD(SIZE, reviewed),	    FIELD(SIZE, acked),	     FIELD(SIZE, tested),
	FIELD(SIZE, covered),	    FIELD(SIZE, doubtful),   FIELD(SIZE, naks),
	FIELD(SIZE, open),	    FIELD(SIZE, answered),   FIELD(SIZE, reports),
	FIELD(WORD, last_word),	    FIELD(INT64, last),	     FIELD(STRING, last_name),
	FIELD(STRING, last_email),  FIELD(STRING, last_id),  FIELD(STRING, last_answers),
	FIELD(STRING, base_commit), FIELD(SIZE, claims),     FIELD(STRING, claim),
	FIELD(SIZE, mails),	    FIELD(SIZE, dkim),	     FIELD(SIZE, developer),
};

static const struct field rest_fields[] = {
	FIELD(LIST, files), FIELD(LIST, funcs),	    FIELD(LIST, people),
	FIELD(LIST, to),    FIELD(LIST, patch_ids), FIELD(LIST, mail_ids),
};

/* ---- out ---- */

static void put_number(struct buf *b, int64_t v)
{
	uint64_t u = ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);

	for (; u >= 0x80; u >>= 7)
		buf_putc(b, (char)(u | 0x80));
	buf_putc(b, (char)u);
}

static void put_string(struct buf *b, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	put_number(b, s ? (int64_t)n + 1 : 0);
	buf_add(b, s ? s : "", n);
}

static void put_list(struct buf *b, const struct strvec *v)
{
	const char *before = "";

	put_number(b, (int64_t)v->n);
	for (size_t i = 0; i < v->n; i++) {
		size_t common = 0;

		while (before[common] && before[common] == v->v[i][common])
			common++;
		put_number(b, (int64_t)common);
		put_string(b, v->v[i] + common);
		before = v->v[i];
	}
}

static void put_field(struct buf *b, const struct field *f, const void *p)
{
	switch (f->kind) {
	case STRING:
		put_string(b, *(char *const *)p);
		break;
	case SIZE:
		put_number(b, (int64_t) * (const size_t *)p);
		break;
	case INT:
		put_number(b, *(const int *)p);
		break;
	case INT64:
		put_number(b, *(const int64_t *)p);
		break;
	case BOOL:
		put_number(b, *(const bool *)p);
		break;
	case WORD:
		put_number(b, (int64_t) * (const enum listed_word *)p);
		break;
	case LIST:
		put_list(b, p);
		break;
	}
}

static void put_fields(struct buf *b, const struct field *f, size_t n,
		       const struct listed *l)
{
	for (size_t i = 0; i < n; i++)
		put_field(b, &f[i], (const char *)l + f[i].offset);
}

void pack_listed(const struct listed *l, struct buf *brief, struct buf *rest)
{
	put_fields(brief, brief_fields, ARRAY_SIZE(brief_fields), l);
	put_fields(rest, rest_fields, ARRAY_SIZE(rest_fields), l);
}

/* ---- in: false when there is less than it says ---- */

static bool get_number(struct str *s, int64_t *ret)
{
	uint64_t u = 0;

	for (unsigned shift = 0; s->len && shift < 64; shift += 7) {
		unsigned char c = (unsigned char)*s->p;

		*s = str_n(s->p + 1, s->len - 1);
		u |= (uint64_t)(c & 0x7f) << shift;
		if (c & 0x80)
			continue;
		*ret = (int64_t)(u >> 1) ^ -(int64_t)(u & 1);
		return true;
	}
	return false;
}

static bool get_view(struct str *s, struct str *ret)
{
	int64_t n;

	if (!get_number(s, &n) || n < 0 || n > (int64_t)s->len + 1)
		return false;
	*ret = n ? str_n(s->p, (size_t)n - 1) : STR_NULL;
	if (n)
		*s = str_n(s->p + ret->len, s->len - ret->len);
	return true;
}

static bool get_list(struct str *s, struct strvec *ret)
{
	int64_t n, common;
	struct str end;

	if (!get_number(s, &n) || n < 0 || n > (int64_t)s->len)
		return false;
	while (n--) {
		const char *before = ret->n ? ret->v[ret->n - 1] : "";
		char *item;

		if (!get_number(s, &common) || common < 0 ||
		    (size_t)common > strlen(before) || !get_view(s, &end) || !end.p)
			return false;
		item = xmalloc((size_t)common + end.len + 1);
		memcpy(item, before, (size_t)common);
		memcpy(item + common, end.p, end.len);
		item[(size_t)common + end.len] = '\0';
		strvec_take(ret, item);
	}
	return true;
}

static bool get_string(struct str *s, char **ret)
{
	struct str view;

	if (!get_view(s, &view))
		return false;
	*ret = view.p ? str_dup(view) : NULL;
	return true;
}

static bool get_field(struct str *s, const struct field *f, void *p)
{
	int64_t v;

	if (f->kind == STRING)
		return get_string(s, p);
	if (f->kind == LIST)
		return get_list(s, p);
	if (!get_number(s, &v))
		return false;
	switch (f->kind) {
	case SIZE:
		*(size_t *)p = (size_t)v;
		break;
	case INT:
		*(int *)p = (int)v;
		break;
	case INT64:
		*(int64_t *)p = v;
		break;
	case BOOL:
		*(bool *)p = v;
		break;
	default:
		*(enum listed_word *)p = (enum listed_word)v;
		return v >= WORD_AUTHOR && v <= WORD_ROBOT;
	}
	return true;
}

static bool get_fields(struct str s, const struct field *f, size_t n, struct listed *ret)
{
	for (size_t i = 0; i < n; i++)
		if (!get_field(&s, &f[i], (char *)ret + f[i].offset))
			return false;
	return !s.len;
}

bool unpack_listed(struct str brief, struct str rest, struct listed *ret)
{
	*ret = (struct listed){ .message_id = NULL };
	return get_fields(brief, brief_fields, ARRAY_SIZE(brief_fields), ret) &&
	       (!rest.p || get_fields(rest, rest_fields, ARRAY_SIZE(rest_fields), ret));
}
