// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * strvec.c - list of owned C strings that is an argv at any time.
 */
#include <string.h>
#include "series/buf.h"
#include "series/mem.h"
#include "series/err.h"
#include "series/strvec.h"

/* Memory for more strings and the NULL behind them. */
static void reserve(struct strvec *s, size_t more)
{
	size_t need = s->n + more + 1;

	if (need > s->cap) {
		s->cap = MAX(need, s->cap * 2);
		s->v = xreallocarray(s->v, s->cap, sizeof(*s->v));
	}
	s->v[s->n] = NULL;
}

void strvec_release(struct strvec *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i]);
	free(s->v);
	s->v = NULL;
	s->n = s->cap = 0;
}

void strvec_take(struct strvec *s, char *item)
{
	reserve(s, 1);
	s->v[s->n++] = item;
	s->v[s->n] = NULL;
}

const char *strvec_push(struct strvec *s, const char *item)
{
	strvec_take(s, xstrdup(item));
	return s->v[s->n - 1];
}

const char *strvec_pushf(struct strvec *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strvec_take(s, xvasprintf(fmt, ap));
	va_end(ap);
	return s->v[s->n - 1];
}

const char *strvec_push_str(struct strvec *s, struct str item)
{
	strvec_take(s, str_dup(item));
	return s->v[s->n - 1];
}

void strvec_pushl(struct strvec *s, ...)
{
	const char *item;
	va_list ap;

	va_start(ap, s);
	while ((item = va_arg(ap, const char *)))
		strvec_push(s, item);
	va_end(ap);
}

void strvec_extend(struct strvec *s, const struct strvec *more)
{
	size_t n = more->n;

	for (size_t i = 0; i < n; i++)
		strvec_push(s, more->v[i]);
}

bool strvec_has(const struct strvec *s, const char *item)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i], item))
			return true;
	return false;
}

void strvec_remove(struct strvec *s, size_t i)
{
	if (i >= s->n)
		return;
	free(s->v[i]);
	/* The NULL behind the last one moves along. */
	memmove(&s->v[i], &s->v[i + 1], (s->n - i) * sizeof(*s->v));
	s->n--;
}

static int by_byte(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strvec_sort(struct strvec *s)
{
	if (s->n > 1)
		qsort(s->v, s->n, sizeof(*s->v), by_byte);
}

void strvec_split(struct strvec *s, struct str text, char sep)
{
	struct str piece;

	while (str_cut(&text, sep, &piece)) {
		piece = str_trim(piece);
		if (piece.len)
			strvec_push_str(s, piece);
	}
}

char *strvec_join(const struct strvec *s, const char *sep)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s->n; i++) {
		if (i)
			buf_puts(&b, sep);
		buf_puts(&b, s->v[i]);
	}
	return buf_take(&b);
}

char *const *strvec_argv(struct strvec *s)
{
	reserve(s, 0);
	return s->v;
}

/* One word from *rest into w; false at the end, *bad when a quote is not closed. */
static bool next_word(struct str *rest, struct buf *w, bool *bad)
{
	const char *p = rest->p, *end = p + rest->len;
	char quote = 0;
	bool any = false;

	while (p < end && (*p == ' ' || *p == '\t' || *p == '\n'))
		p++;
	for (; p < end && (quote || !(*p == ' ' || *p == '\t' || *p == '\n')); p++) {
		any = true;
		if (*p == '\\' && quote != '\'' && p + 1 < end &&
		    (!quote || p[1] == '"' || p[1] == '\\'))
			buf_putc(w, *++p);
		else if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else
			buf_putc(w, *p);
	}
	*rest = str_n(p, (size_t)(end - p));
	*bad = quote != 0;
	return any;
}

int strvec_words(struct strvec *s, struct str text)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;
	struct buf w _cleanup_buf_ = BUF_INIT;
	bool bad = false;

	while (next_word(&text, &w, &bad) && !bad) {
		strvec_push(&words, buf_cstr(&w));
		buf_reset(&w);
	}
	if (bad)
		return E_USAGE;
	strvec_extend(s, &words);
	return 0;
}
