// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * buf.c - bytes that grow, up to a ceiling.
 */
#include <stdio.h>
#include <string.h>
#include "series/buf.h"
#include "series/mem.h"

void buf_release(struct buf *b)
{
	free(b->p);
	b->p = NULL;
	b->len = b->cap = 0;
	b->full = false;
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	b->full = false;
	if (b->p)
		b->p[0] = '\0';
}

void buf_truncate(struct buf *b, size_t len)
{
	if (len >= b->len)
		return;
	b->len = len;
	b->p[len] = '\0';
}

static size_t room(const struct buf *b)
{
	size_t max = b->max ? b->max : BUF_MAX;

	return b->len < max ? max - b->len : 0;
}

/* Memory for len more bytes and the NUL; len <= room(b). */
static void grow(struct buf *b, size_t len)
{
	size_t max = b->max ? b->max : BUF_MAX;
	size_t need = b->len + len + 1, cap = b->cap;

	if (need > cap) {
		cap = cap ? cap : 64;
		while (cap < need)
			cap *= 2;
		if (cap > max + 1)
			cap = MAX(max + 1, need);
		b->p = xreallocarray(b->p, cap, 1);
		b->cap = cap;
	}
	b->p[b->len] = '\0';
}

/* Cut len to what fits and say so in b->full. */
static size_t fit(struct buf *b, size_t len)
{
	size_t free_bytes = room(b);

	if (len > free_bytes) {
		b->full = true;
		len = free_bytes;
	}
	grow(b, len);
	return len;
}

void buf_add(struct buf *b, const void *p, size_t len)
{
	len = fit(b, len);
	if (len)
		memcpy(b->p + b->len, p, len);
	b->len += len;
	b->p[b->len] = '\0';
}

void buf_addstr(struct buf *b, struct str s)
{
	buf_add(b, s.p, s.len);
}

void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
	/* Where there is room, as there nearly always is, without a call. */
	if (b->len + 1 < b->cap && room(b)) {
		b->p[b->len++] = c;
		b->p[b->len] = '\0';
		return;
	}
	buf_add(b, &c, 1);
}

void buf_fill(struct buf *b, char c, size_t n)
{
	n = fit(b, n);
	memset(b->p + b->len, c, n);
	b->len += n;
	b->p[b->len] = '\0';
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	char *text _cleanup_free_ = NULL;
	va_list again;
	size_t space;
	int n;

	grow(b, 0);
	space = b->cap - b->len;
	va_copy(again, ap);
	n = vsnprintf(b->p + b->len, space, fmt, ap);
	if (n >= 0 && (size_t)n < space && (size_t)n <= room(b)) {
		b->len += (size_t)n;
	} else {
		b->p[b->len] = '\0';
		text = xvasprintf(fmt, again);
		buf_puts(b, text);
	}
	va_end(again);
}

char *buf_reserve(struct buf *b, size_t len)
{
	if (len > room(b)) {
		b->full = true;
		return NULL;
	}
	grow(b, len);
	return b->p + b->len;
}

const char *buf_cstr(const struct buf *b)
{
	return b->p ? b->p : "";
}

struct str buf_str(const struct buf *b)
{
	return (struct str){ buf_cstr(b), b->len };
}

char *buf_take(struct buf *b)
{
	char *p;

	grow(b, 0);
	p = b->p;
	b->p = NULL;
	b->len = b->cap = 0;
	b->full = false;
	return p;
}
