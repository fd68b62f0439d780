/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buf.h - bytes that grow.
 *
 * Invariants: p is never NULL after the first write and always has a NUL behind len, so
 * buf_cstr() costs nothing. A buffer has a ceiling (max, 0 means BUF_MAX): what would go
 * beyond is dropped and full is set; whoever reads input checks full. Memory belongs to
 * the buffer until buf_take().
 */
#ifndef SERIES_BUF_H
#define SERIES_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include "series/str.h"

#define BUF_MAX ((size_t)1 << 30)

struct buf {
	char *p;
	size_t len, cap, max;
	bool full;
};

#define BUF_INIT { NULL, 0, 0, 0, false }

void buf_release(struct buf *b);
#define _cleanup_buf_ __attribute__((cleanup(buf_release)))
/* Forget the content and full, keep the memory. */
void buf_reset(struct buf *b);
/* Cut to len bytes (len <= b->len). */
void buf_truncate(struct buf *b, size_t len);
void buf_add(struct buf *b, const void *p, size_t len);
void buf_addstr(struct buf *b, struct str s);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
/* c n times. */
void buf_fill(struct buf *b, char c, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
/*
 * Room for len more bytes; returns where they go, NULL (and full set) when the ceiling is
 * in the way. Add to b->len what was written and put a NUL behind it.
 */
char *buf_reserve(struct buf *b, size_t len);
/* The content as a C string, "" when empty. Borrowed. */
const char *buf_cstr(const struct buf *b);
/* The content as a view. Borrowed. */
struct str buf_str(const struct buf *b);
/* Hand the memory to the caller (free()) and empty the buffer; never NULL. */
char *buf_take(struct buf *b);

#endif
