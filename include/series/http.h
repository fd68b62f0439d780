/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * http.h - files from web servers (RFC 9110), by libcurl.
 */
#ifndef SERIES_HTTP_H
#define SERIES_HTTP_H

#include <stdbool.h>
#include <stdint.h>
#include "series/err.h"
#include "series/str.h"

struct http_request {
	const char *url;	/* http or https */
	bool post;		/* POST with an empty body */
	int64_t max_bytes;	/* more is an error */
	const char *proxy, *ca; /* git's http.proxy and http.sslCAInfo, or NULL */
};

struct http_reply {
	int status;	 /* of the last reply: 200, 404 ... */
	char *type;	 /* Content-Type without parameters, in lower case; "" if none */
	int64_t retry_s; /* Retry-After of a 429 or 503, 0 if none */
	int64_t bytes;
};

/*
 * Ask once and write what comes to fd. 0 when a reply came, whatever its status: only the
 * body of a 200 is written. Redirects are followed, also to other hosts (nothing secret is
 * sent along), but not from https to http, and five at most. Errors say what failed and
 * the remedy, not the URL: E_FAIL (no such host, refused, certificate, cut off, too
 * large), E_TIMEOUT (30 s to connect, less than 100 bytes a second for 60 s, an hour in
 * all), E_INTR.
 */
int http_ask(const struct http_request *q, int fd, struct http_reply *ret,
	     struct err *err);
void http_reply_release(struct http_reply *r);
#define _cleanup_http_reply_ __attribute__((cleanup(http_reply_release)))

/* The URL for messages: without the user and password it may have. Fresh memory. */
char *url_public(const char *url);
/* s as one segment of a URL's path: all but letters, digits and "-._~@+" as %XX. */
char *url_segment(struct str s);

#endif
