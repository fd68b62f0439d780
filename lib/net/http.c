// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * http.c - one request, and what became of it.
 */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <ctype.h>
#include "series/buf.h"
#include "series/fs.h"
#include "series/http.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/sanitize.h"

#define CONNECT_S 30L
#define SILENT_S  60L
#define SLOWEST                                                                          \
	100L /* bytes a second, over SILENT_S: less is a server that plays with us */
#define LONGEST_S 3600L
#define REDIRECTS 5L
#define PAGE_MAX  ((int64_t)1 << 20) /* a page that is not wanted */

struct transfer {
	CURL *h;
	const struct http_request *q;
	int fd;
	int64_t bytes, page_bytes;
	bool too_large, write_failed;
	bool page_cut; /* the status is known, and the rest of its page nobody reads */
	char why[CURL_ERROR_SIZE];
	struct err *err;
};

static long status_of(struct transfer *t)
{
	long status = 0;

	curl_easy_getinfo(t->h, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

/* A page that explains a 404 is not what was asked for. */
static size_t on_data(char *data, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	size_t len = size * n;

	if (status_of(t) != 200) {
		t->page_bytes += (int64_t)len;
		t->page_cut = t->page_bytes > PAGE_MAX;
		return t->page_cut ? 0 : len;
	}
	t->bytes += (int64_t)len;
	t->too_large = t->bytes > t->q->max_bytes;
	if (t->too_large)
		return 0;
	t->write_failed = fs_write_fd(t->fd, data, len, "what was fetched", t->err) < 0;
	return t->write_failed ? 0 : len;
}

/* The page of a redirect comes by here alone. */
static int on_progress(void *arg, curl_off_t total, curl_off_t now, curl_off_t c,
		       curl_off_t d)
{
	struct transfer *t = arg;

	progress_tick();
	t->too_large = t->too_large || now > t->q->max_bytes + PAGE_MAX;
	return t->too_large || intr_pending();
}

/* http and https, and no way down from https to http. */
static int only_web(CURL *h, const char *url)
{
	bool safe = str_istarts(str_c(url), "https:");
	int bad = 0;

#if LIBCURL_VERSION_NUM >= 0x075500
	bad |= curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
	bad |= curl_easy_setopt(h, CURLOPT_REDIR_PROTOCOLS_STR,
				safe ? "https" : "http,https");
#else
	long all = CURLPROTO_HTTP | CURLPROTO_HTTPS;

	bad |= curl_easy_setopt(h, CURLOPT_PROTOCOLS, all);
	bad |= curl_easy_setopt(h, CURLOPT_REDIR_PROTOCOLS,
				safe ? (long)CURLPROTO_HTTPS : all);
#endif
	return bad;
}

static int set_up(struct transfer *t)
{
	const struct http_request *q = t->q;
	CURL *h = t->h;
	int bad = 0;

	bad |= curl_easy_setopt(h, CURLOPT_URL, q->url);
	bad |= curl_easy_setopt(h, CURLOPT_USERAGENT, "series/" SERIES_VERSION);
	bad |= only_web(h, q->url);
	bad |= curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 1L);
	bad |= curl_easy_setopt(h, CURLOPT_MAXREDIRS, REDIRECTS);
	bad |= curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT, CONNECT_S);
	bad |= curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, SLOWEST);
	bad |= curl_easy_setopt(h, CURLOPT_LOW_SPEED_TIME, SILENT_S);
	bad |= curl_easy_setopt(h, CURLOPT_TIMEOUT, LONGEST_S);
	bad |= curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
	bad |= curl_easy_setopt(h, CURLOPT_ERRORBUFFER, t->why);
	bad |= curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_data);
	bad |= curl_easy_setopt(h, CURLOPT_WRITEDATA, t);
	bad |= curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
	bad |= curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, on_progress);
	bad |= curl_easy_setopt(h, CURLOPT_XFERINFODATA, t);
	if (q->post) {
		/* Redirected as a GET it would be another question. */
		bad |= curl_easy_setopt(h, CURLOPT_POSTREDIR, CURL_REDIR_POST_ALL);
		bad |= curl_easy_setopt(h, CURLOPT_POST, 1L);
		bad |= curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE, 0L);
		bad |= curl_easy_setopt(h, CURLOPT_POSTFIELDS, "");
	}
	if (q->proxy)
		bad |= curl_easy_setopt(h, CURLOPT_PROXY, q->proxy);
	if (q->ca)
		bad |= curl_easy_setopt(h, CURLOPT_CAINFO, q->ca);
	return bad;
}

char *url_public(const char *url)
{
	const char *host = strstr(url, "://"), *end, *at;
	struct buf b = BUF_INIT;

	host = host ? host + 3 : url;
	end = host + strcspn(host, "/?#");
	at = memrchr(host, '@', (size_t)(end - host));
	sanitize_line(str_n(url, (size_t)(host - url)), &b);
	sanitize_line(str_c(at ? at + 1 : host), &b);
	return buf_take(&b);
}

/* What to do when a certificate is not believed. */
static const char *certificate_remedy(const char *why)
{
	if (strcasestr(why, "expired") || strcasestr(why, "not yet valid"))
		return "is this machine's clock right? else its owner must renew it";
	if (strcasestr(why, "subject name"))
		return "is the address right? the certificate is another server's";
	return "if the certificate is the server's, name a file with its signer in "
	       "http.sslCAInfo";
}

/* What to do when libcurl says this; NULL: its own words must do. */
static const char *remedy(CURLcode rc, const char *why)
{
	switch (rc) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		return "is the name right, and is there a network?";
	case CURLE_COULDNT_CONNECT:
		return "is the server up, and the port right?";
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
		return certificate_remedy(why);
	case CURLE_TOO_MANY_REDIRECTS:
		return "it sends us round and round: is the address right?";
	case CURLE_UNSUPPORTED_PROTOCOL:
		return "only http and https addresses are followed, and https never to "
		       "http";
	case CURLE_OPERATION_TIMEDOUT:
		return "it says too little or nothing; try again later";
	case CURLE_SSL_CONNECT_ERROR:
		return "is it https that is spoken there?";
	case CURLE_PARTIAL_FILE:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
		return "the connection was cut off; try again";
	default:
		return NULL;
	}
}

static int explain(struct transfer *t, CURLcode rc)
{
	char *why _cleanup_free_ =
		sanitize_line_dup(t->why[0] ? t->why : curl_easy_strerror(rc));
	const char *what = remedy(rc, why);

	if (intr_pending())
		return intr_check(t->err);
	if (t->write_failed)
		return t->err ? t->err->code : E_FAIL;
	if (t->too_large)
		return err_set(t->err, E_FAIL,
			       "it sends more than %lld MB; is it the right server?",
			       (long long)(t->q->max_bytes >> 20));
	return err_set(t->err, rc == CURLE_OPERATION_TIMEDOUT ? E_TIMEOUT : E_FAIL,
		       "%s%s%s", why, what ? "; " : "", what ? what : "");
}

static char *plain_type(const char *type)
{
	size_t n = type ? strcspn(type, "; ") : 0;
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_putc(&b, (char)tolower((unsigned char)type[i]));
	return buf_take(&b);
}

int http_ask(const struct http_request *q, int fd, struct http_reply *ret,
	     struct err *err)
{
	struct transfer t = { .h = curl_easy_init(), .q = q, .fd = fd, .err = err };
	curl_off_t wait = 0;
	char *type = NULL;
	CURLcode rc;

	if (!t.h)
		return err_set(err, E_FAIL,
			       "libcurl is not installed: make deps, or your "
			       "distribution's package of it");
	if (set_up(&t)) {
		curl_easy_cleanup(t.h);
		return err_set(err, E_FAIL, "libcurl does not take a setting for %s",
			       q->url);
	}
	rc = curl_easy_perform(t.h);
	if (rc != CURLE_OK && !t.page_cut) {
		int code = explain(&t, rc);

		curl_easy_cleanup(t.h);
		return code;
	}
	curl_easy_getinfo(t.h, CURLINFO_CONTENT_TYPE, &type);
	curl_easy_getinfo(t.h, CURLINFO_RETRY_AFTER, &wait);
	*ret = (struct http_reply){ .status = (int)status_of(&t),
				    .type = plain_type(type),
				    .retry_s = wait,
				    .bytes = t.bytes };
	curl_easy_cleanup(t.h);
	return 0;
}

void http_reply_release(struct http_reply *r)
{
	free(r->type);
	*r = (struct http_reply){ 0 };
}

char *url_segment(struct str s)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 0x80 && (isalnum(c) || (c && strchr("-._~@+", c))))
			buf_putc(&b, (char)c);
		else
			buf_printf(&b, "%%%02X", c);
	}
	return buf_take(&b);
}
