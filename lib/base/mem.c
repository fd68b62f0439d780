// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mem.c - allocation that cannot fail: the one place where the program ends because
 * memory is out.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "series/mem.h"

void mem_die(size_t size)
{
	fprintf(stderr, "series: out of memory (%zu bytes wanted)\n", size);
	exit(1);
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		mem_die(size);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = n && size ? calloc(n, size) : calloc(1, 1);

	if (!p)
		mem_die(n && SIZE_MAX / n < size ? SIZE_MAX : n * size);
	return p;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	void *q = n && size ? reallocarray(p, n, size) : realloc(p, 1);

	if (!q)
		mem_die(n && SIZE_MAX / n < size ? SIZE_MAX : n * size);
	return q;
}

char *xstrdup(const char *s)
{
	return xmemdup0(s, strlen(s));
}

char *xstrdup_null(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

char *xmemdup0(const void *p, size_t len)
{
	char *q;

	if (len == SIZE_MAX)
		mem_die(len);
	q = xmalloc(len + 1);
	if (len)
		memcpy(q, p, len);
	q[len] = '\0';
	return q;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		mem_die(0);
	return s;
}

void fd_closep(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = saved;
}
