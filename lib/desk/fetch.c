// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fetch.c - a thread from a public-inbox server into the cache. See fetch.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/fetch.h"
#include "series/fs.h"
#include "series/http.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/sha256.h"
#include "series/time.h"
#include "series/xdg.h"

#define TRIES	  3
#define WAIT_S	  5 /* where the server does not say */
#define WAIT_MAX  60
#define BYTES_MAX ((int64_t)512 << 20)

char *fetch_message_id(const char *word)
{
	struct str s = str_trim(str_c(word)), piece, best = STR_NULL;
	struct buf id = BUF_INIT;

	if (str_find(s, "://") > 0) {
		/* The last part of the address that can be an id; %XX stay as they are.
		 */
		while (str_cut(&s, '/', &piece))
			if (str_chr(piece, '@') > 0 || str_find(piece, "%40") > 0)
				best = piece;
		s = best;
	}
	if (str_istarts(s, "id:") || str_istarts(s, "mid:"))
		s = str_n(s.p + str_chr(s, ':') + 1, s.len - (size_t)str_chr(s, ':') - 1);
	if (str_skip(&s, "<") && str_ends(s, ">"))
		s.len--;
	for (size_t i = 0; i < s.len; i++) {
		unsigned byte;

		if (best.p && s.p[i] == '%' && i + 2 < s.len &&
		    sscanf(s.p + i + 1, "%2x", &byte) == 1) {
			buf_putc(&id, (char)byte);
			i += 2;
		} else {
			buf_putc(&id, s.p[i]);
		}
	}
	if (str_chr(buf_str(&id), '@') > 0)
		return buf_take(&id);
	buf_release(&id);
	return NULL;
}

static char *thread_url(const struct config *c, const char *id)
{
	const char *mask = c ? config_get(c, "series.midmask") : NULL, *at;
	char *segment _cleanup_free_ = url_segment(str_c(id));

	if (!mask && c)
		mask = config_get(c, "b4.midmask");
	if (!mask || !strstr(mask, "%s"))
		mask = MID_MASK;
	at = strstr(mask, "%s");
	return xasprintf("%.*s%s%s/t.mbox.gz", (int)(at - mask), mask, segment, at + 2);
}

/* Where the thread at this address is kept. */
static char *cache_path(const char *url)
{
	char hash[SHA256_HEX];
	char *dir _cleanup_free_ = xdg_cache("mail");
	char *name _cleanup_free_ = NULL;

	sha256_hex(url, strlen(url), hash);
	name = xasprintf("%.16s.mbox.gz", hash);
	return path_join(dir, name);
}

static int wait_for(int64_t seconds, struct err *err)
{
	for (int64_t ms = 0; ms < seconds * 1000; ms += 100) {
		if (intr_check(err))
			return E_INTR;
		time_sleep_ms(100);
	}
	return 0;
}

static bool is_busy(int status)
{
	return status == 429 || status == 503;
}

/* Ask, and again while the server is busy. */
static int ask(const struct http_request *q, int fd, struct http_reply *ret,
	       struct err *err)
{
	for (int n = 1;; n++) {
		int rc = http_ask(q, fd, ret, err);
		int64_t wait;

		if (rc || !is_busy(ret->status) || n == TRIES)
			return rc;
		wait = ret->retry_s > 0 ? ret->retry_s : WAIT_S * n;
		if (wait > WAIT_MAX)
			return 0;
		progress_note("the server is busy (%d): asking again in %lld s",
			      ret->status, (long long)wait);
		http_reply_release(ret);
		rc = wait_for(wait, err);
		if (rc)
			return rc;
	}
}

static int judge(const struct http_request *q, const struct http_reply *r, const char *id,
		 struct err *err)
{
	/* public-inbox says 300 where it has mails with similar ids, 501 without an
	 * index. */
	if (r->status == 404 || r->status == 300)
		return err_set(
			err, E_NOTFOUND,
			"<%s> is not at %s: is it the right list, and has the mail "
			"arrived there?",
			id, q->url);
	if (is_busy(r->status))
		return err_set(err, E_FAIL, "%s is busy (%d): try again later", q->url,
			       r->status);
	if (r->status != 200)
		return err_set(err, E_FAIL, "%s answers %d: is it a public-inbox server?",
			       q->url, r->status);
	if (strcmp(r->type, "application/gzip") && strcmp(r->type, "application/x-gzip"))
		return err_set(
			err, E_FAIL,
			"%s sends %s, no gzipped mbox: is it a public-inbox server?",
			q->url, r->type[0] ? r->type : "something");
	return 0;
}

/* Fetch beside path, and put it in its place when it is whole. */
static int fetch_to(const struct http_request *q, const char *id, const char *path,
		    struct err *err)
{
	char *dir _cleanup_free_ = path_dir(path);
	char *tmp _cleanup_free_ = xasprintf("%s.%d", path, (int)getpid());
	struct http_reply r _cleanup_http_reply_ = { 0 };
	int fd _cleanup_close_ = -1, rc = fs_mkdirs(dir, err);

	if (rc)
		return rc;
	fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_errno(err, errno, "%s", tmp);
	rc = ask(q, fd, &r, err);
	if (!rc)
		rc = judge(q, &r, id, err);
	if (!rc && rename(tmp, path) < 0)
		rc = err_errno(err, errno, "%s", path);
	if (rc)
		unlink(tmp);
	return rc;
}

static int64_t time_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mtime;
}

int fetch_thread(const struct config *c, const char *id, bool offline,
		 struct fetched *ret, struct err *err)
{
	char *url _cleanup_free_ = thread_url(c, id);
	char *path = cache_path(url);
	struct http_request q = { .url = url,
				  .max_bytes = BYTES_MAX,
				  .proxy = c ? config_get(c, "http.proxy") : NULL,
				  .ca = c ? config_get(c, "http.sslcainfo") : NULL };
	struct err why _cleanup_err_ = ERR_INIT;
	int rc = 0;

	if (!offline)
		rc = fetch_to(&q, id, path, &why);
	else if (!fs_exists(path))
		rc = err_set(&why, E_NOTFOUND, "<%s> was never fetched from %s", id, url);
	if (rc == E_NOTFOUND || rc == E_INTR || (rc && !fs_exists(path))) {
		free(path);
		return err_set(err, rc, "%s", err_msg(&why));
	}
	*ret = (struct fetched){ .path = path,
				 .kept_since = rc || offline ? time_of(path) : 0,
				 .why = rc ? xstrdup(err_msg(&why)) : NULL };
	return 0;
}

void fetched_release(struct fetched *f)
{
	free(f->path);
	free(f->why);
	*f = (struct fetched){ 0 };
}
