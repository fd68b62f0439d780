// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record.c - records on the job port, and the small files that fill them.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "guest.h"

#define MAX_RECORD (8 * MAX_OUT)
#define MAX_LINES  40 /* kernel messages in one record */

int port = -1;
int kmsg = -1;
bool hosted;
char why[512];
static char record[MAX_RECORD];
static size_t rlen;

/* Remember why a command failed; returns false so that "return fail(...)" reads well. */
bool fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return false;
}

void put(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(record + rlen, sizeof(record) - rlen, fmt, ap);
	va_end(ap);
	if (n > 0)
		rlen += (size_t)n < sizeof(record) - rlen ? (size_t)n
							  : sizeof(record) - rlen - 1;
}

/* A JSON string (RFC 8259 section 7); what is not UTF-8 is the reader's to mend. */
void put_text(const char *s, size_t n)
{
	put("\"");
	for (size_t i = 0; i < n && rlen < sizeof(record) - 64; i++) {
		unsigned char c = s[i];

		if (c == '"' || c == '\\')
			put("\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			put("\\u%04x", c);
		else
			put("%c", c);
	}
	put("\"");
}

void put_member(const char *name, const char *value)
{
	put(",\"%s\":", name);
	if (value)
		put_text(value, strlen(value));
	else
		put("null");
}

/* Write everything, however little the port takes at a time. */
static bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t w = write(fd, p, n);

		if (w > 0) {
			p += w;
			n -= w;
		} else if (w < 0 && (errno == EINTR || errno == EAGAIN)) {
			struct pollfd pf = { .fd = fd, .events = POLLOUT };

			poll(&pf, 1, 100);
		} else {
			return false;
		}
	}
	return true;
}

void begin(const char *type)
{
	rlen = 0;
	put("{\"t\":\"%s\"", type);
}

void end(void)
{
	put("}\n");
	if (port >= 0 && !write_all(port, record, rlen))
		dprintf(2, "series-init: the job port failed: %s\n", strerror(errno));
}

/* First max-1 bytes of a file with a NUL behind; -1 when it cannot be read. */
ssize_t slurp(const char *path, char *buf, size_t max)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t r;

	if (fd < 0)
		return -1;
	while (n < max - 1 && (r = read(fd, buf + n, max - 1 - n)) != 0) {
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0) {
			close(fd);
			return -1;
		}
		n += r;
	}
	close(fd);
	buf[n] = '\0';
	return n;
}

/* A small file without the LF at its end, NULL when it cannot be read; static memory. */
const char *text_of(const char *path)
{
	static char buf[4096];
	ssize_t n = slurp(path, buf, sizeof(buf));

	while (n > 0 && isspace((unsigned char)buf[n - 1]))
		buf[--n] = '\0';
	return n < 0 ? NULL : buf;
}

/* Value behind KEY in a file of "KEY value" or "KEY: value" lines; static memory. */
const char *value_of(const char *path, const char *key)
{
	static char buf[65536];
	size_t k = strlen(key);
	char *save, *l;

	if (slurp(path, buf, sizeof(buf)) < 0)
		return NULL;
	for (l = strtok_r(buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		if (strncmp(l, key, k) || !strchr(" \t:", l[k]) || !l[k])
			continue;
		return l + k + strspn(l + k, " \t:");
	}
	return NULL;
}

bool number(const char *s, long long *ret)
{
	char *e;

	if (!s || !*s)
		return false;
	errno = 0;
	*ret = strtoll(s, &e, 10);
	return !errno && e != s && (!*e || isspace((unsigned char)*e));
}

/* Warnings and worse since the last look, as the member "dmesg". */
void put_dmesg(void)
{
	char m[8192];
	int lines = 0;
	ssize_t n;

	put(",\"dmesg\":[");
	while (kmsg >= 0 &&
	       ((n = read(kmsg, m, sizeof(m) - 1)) > 0 || (n < 0 && errno == EPIPE))) {
		char *text;

		if (n < 0) /* EPIPE: messages were overwritten, go on with the next */
			continue;
		m[n] = '\0';
		text = strchr(m, ';');
		if (!text || (atoi(m) & 7) > 4 || ++lines > MAX_LINES)
			continue;
		text++;
		put(lines > 1 ? "," : "");
		put_text(text, strcspn(text, "\n") < 300 ? strcspn(text, "\n") : 300);
	}
	put("]");
}

bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (!ok)
		fail("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok;
}
