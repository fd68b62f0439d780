/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem.h - allocation that cannot fail, and cleanup attributes.
 *
 * Out of memory ends the program in one place (mem_die in lib/base/mem.c, status 1);
 * no caller checks for NULL. Everything returned is freed with free().
 */
#ifndef SERIES_MEM_H
#define SERIES_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* malloc(), calloc(), reallocarray() and strdup() that end the program when memory is out. */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
/* Like xstrdup(), NULL stays NULL. */
char *xstrdup_null(const char *s);
/* Copy of len bytes at p with a NUL behind them. */
char *xmemdup0(const void *p, size_t len);
/* printf into fresh memory; the caller frees it. */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Report a failed allocation of size bytes on stderr and exit with 1. */
_Noreturn void mem_die(size_t size);

/*
 * Make room for one more element in a {ptr, n, cap} triple:
 *	vec_grow(v->items, v->n, v->cap); v->items[v->n++] = x;
 */
#define vec_grow(ptr, n, cap)                                                              \
	do {                                                                               \
		if ((n) >= (cap)) {                                                        \
			(cap) = (cap) ? (cap) * 2 : 8;                                     \
			(ptr) = xreallocarray((ptr), (cap), sizeof(*(ptr)));               \
		}                                                                          \
	} while (0)

static inline void mem_freep(void *p)
{
	free(*(void **)p);
	*(void **)p = NULL;
}

/* char *x _cleanup_free_ = NULL; is freed when x goes out of scope. */
#define _cleanup_(f) __attribute__((cleanup(f)))
#define _cleanup_free_ _cleanup_(mem_freep)

/* Close *fd when it is >= 0; for int fd _cleanup_close_ = -1. Keeps errno. */
void fd_closep(int *fd);
#define _cleanup_close_ _cleanup_(fd_closep)

#endif
