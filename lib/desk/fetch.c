// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fetch.c - mails from a public-inbox server into the cache. See fetch.h.
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
#define BYTES_MAX ((int64_t)256 << 20) /* packed; gzip.h bounds what it unpacks to */
#define ID_MAX	  998		       /* a line (RFC 5322) */
#define STALE_S	  86400		       /* of a file that somebody was writing */
#define KEPT_S	  (180 * 86400)	       /* of one that is kept, since it was fetched */

/* The last part of an archive's address that can be an id; %XX stay as they are. */
static struct str id_of_link(struct str link)
{
	struct str piece, best = STR_NULL, rest = link;

	for (size_t i = 0; i < link.len; i++)
		if (strchr("?#", link.p[i]))
			rest.len = MIN(rest.len, i);
	/* "https:", "", the server */
	for (int i = 0; i < 3; i++)
		str_cut(&rest, '/', &piece);
	while (str_cut(&rest, '/', &piece))
		if (str_chr(piece, '@') > 0 || str_find(piece, "%40") > 0)
			best = piece;
	return best;
}

/* An id as people write it: with an "@", no control characters, no longer than a line. */
static bool is_id(struct str id)
{
	for (size_t i = 0; i < id.len; i++)
		if ((unsigned char)id.p[i] < 0x20 || id.p[i] == 0x7f)
			return false;
	return str_chr(id, '@') > 0 && id.len <= ID_MAX;
}

char *fetch_message_id(const char *word)
{
	struct str s = str_trim(str_c(word));
	bool link = str_find(s, "://") > 0;
	struct buf id _cleanup_buf_ = BUF_INIT;

	if (link)
		s = id_of_link(s);
	if (str_istarts(s, "id:") || str_istarts(s, "mid:"))
		s = str_n(s.p + str_chr(s, ':') + 1, s.len - (size_t)str_chr(s, ':') - 1);
	if (str_skip(&s, "<") && str_ends(s, ">"))
		s.len--;
	for (size_t i = 0; i < s.len; i++) {
		int hi = link && s.p[i] == '%' && i + 2 < s.len ? hex_digit(s.p[i + 1])
								: -1;
		int lo = hi >= 0 ? hex_digit(s.p[i + 2]) : -1;

		buf_putc(&id, lo >= 0 ? (char)(hi * 16 + lo) : s.p[i]);
		i += lo >= 0 ? 2 : 0;
	}
	return is_id(buf_str(&id)) ? buf_take(&id) : NULL;
}

/* The archive's address with %s for the Message-ID. */
static const char *midmask(const struct config *c)
{
	const char *mask = c ? config_get(c, "series.midmask") : NULL;

	if (!mask && c)
		mask = config_get(c, "b4.midmask");
	return mask && strstr(mask, "%s") ? mask : MID_MASK;
}

static char *thread_url(const struct config *c, const char *id)
{
	const char *mask = midmask(c), *at = strstr(mask, "%s");
	char *segment _cleanup_free_ = url_segment(str_c(id));

	return xasprintf("%.*s%s%s/t.mbox.gz", (int)(at - mask), mask, segment, at + 2);
}

/* Where what is at this address is kept. */
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

static int ask_once(const struct http_request *q, int fd, struct http_reply *ret,
		    struct err *err)
{
	char *url _cleanup_free_ = url_public(q->url);
	char *label _cleanup_free_ = xasprintf("asking %s", url);
	struct progress p;
	int rc;

	progress_start(&p, label, 0);
	rc = http_ask(q, fd, ret, err);
	progress_end(&p);
	return rc;
}

/* Ask, and again while the server is busy. */
static int ask(const struct http_request *q, int fd, struct http_reply *ret,
	       struct err *err)
{
	for (int n = 1;; n++) {
		int rc = ask_once(q, fd, ret, err);
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

/* What the status says; E_NOTFOUND: nothing of what was asked for. */
static int judge(const struct http_request *q, const struct http_reply *r,
		 struct err *err)
{
	/* public-inbox says 300 where it has mails with similar ids, and 501 to a search
	 * of a list without an index. */
	if (r->status == 404 || r->status == 300)
		return err_set(err, E_NOTFOUND, "not there");
	if (is_busy(r->status) && r->retry_s > WAIT_MAX)
		return err_set(err, E_FAIL,
			       "the server is busy (%d); try again in %lld s", r->status,
			       (long long)r->retry_s);
	if (is_busy(r->status))
		return err_set(err, E_FAIL, "the server is busy (%d); try again later",
			       r->status);
	if (r->status == 501 && q->post)
		return err_set(err, E_FAIL,
			       "it cannot be searched; the list has no index");
	if (r->status >= 500)
		return err_set(err, E_FAIL,
			       "it answers %d; something is wrong with the server: try "
			       "again later",
			       r->status);
	if (r->status != 200)
		return err_set(err, E_FAIL, "it answers %d; is it a public-inbox server?",
			       r->status);
	if (strcmp(r->type, "application/gzip") && strcmp(r->type, "application/x-gzip"))
		return err_set(
			err, E_FAIL,
			"it sends %s, no gzipped mbox; is it a public-inbox server?",
			r->type[0] ? r->type : "something");
	return 0;
}

/* Is it a whole mbox? A copy that is good must not give way to half a one. */
static int look_through(const char *path, struct err *err)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct mail m;
	int rc = mailsrc_open(path, FROM_MBOXRD, &src, err), n = 0;

	while (!rc && (rc = mailsrc_next(src, &m, err)) > 0) {
		n += m.quoting == FROM_MBOXRD;
		rc = intr_check(err);
	}
	if (rc == E_CORRUPT)
		err_set(err, rc, "what it sends is damaged or cut off; try again");
	if (!rc && !n)
		rc = err_set(err, E_FAIL,
			     "it sends no mbox; is it a public-inbox server?");
	return rc;
}

/* What somebody who was killed left beside what was fetched, and what is old. */
static void sweep(const char *fetched)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	char *dir _cleanup_free_ = path_dir(fetched);

	fs_list(dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		char *path _cleanup_free_ = path_join(dir, names.v[i]);
		bool kept = str_ends(str_c(names.v[i]), ".mbox.gz");
		struct stat st;

		if ((kept || strstr(names.v[i], ".mbox.gz.")) && !lstat(path, &st) &&
		    st.st_mtime + (kept ? KEPT_S : STALE_S) < time_now())
			unlink(path);
	}
}

/* A new file, named "PATH.XXXXXX", in fresh memory; NULL when there can be none. */
static char *new_file(const char *path, int *ret_fd, struct err *err)
{
	char *tmp = xasprintf("%s.XXXXXX", path);

	*ret_fd = mkostemp(tmp, O_CLOEXEC);
	if (*ret_fd >= 0)
		return tmp;
	err_errno(err, errno, "%s", tmp);
	free(tmp);
	return NULL;
}

/* In the cache, where that can be written, else (or if nothing is to be kept) in $TMPDIR.
 */
static char *place(const char *path, bool keep, int *ret_fd, bool *ret_passing,
		   struct err *err)
{
	const char *tmpdir = getenv("TMPDIR");
	char *dir _cleanup_free_ = path_dir(path), *elsewhere _cleanup_free_ = NULL;
	char *tmp = NULL;

	*ret_passing = !keep;
	if (keep && !fs_mkdirs(dir, NULL))
		tmp = new_file(path, ret_fd, NULL);
	if (tmp)
		return tmp;
	*ret_passing = true;
	elsewhere = path_join(tmpdir && tmpdir[0] ? tmpdir : "/tmp", "series-mbox");
	return new_file(elsewhere, ret_fd, err);
}

/*
 * Fetch to a file of its own, and put it in its place when it is whole. *path is where it
 * belongs, and then where it is.
 */
static int fetch_to(const struct http_request *q, bool keep, char **path,
		    bool *ret_passing, struct err *err)
{
	struct http_reply r _cleanup_http_reply_ = { 0 };
	int fd _cleanup_close_ = -1, rc;
	bool passing;
	char *tmp = place(*path, keep, &fd, &passing, err);

	if (!tmp)
		return E_FAIL;
	rc = ask(q, fd, &r, err);
	if (!rc)
		rc = judge(q, &r, err);
	if (!rc)
		rc = look_through(tmp, err);
	if (!rc && !passing && rename(tmp, *path) < 0)
		rc = err_errno(err, errno, "%s", *path);
	if (rc)
		unlink(tmp);
	else if (!passing)
		sweep(*path);
	if (rc || !passing) {
		free(tmp);
		return rc;
	}
	free(*path);
	*path = tmp;
	*ret_passing = true;
	return 0;
}

static int64_t time_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mtime;
}

/* What there is beside a server that does not help. */
static const char elsewhere[] =
	" (another server can be named in series.midmask, and an mbox does as well)";

/* From the server, or the copy that is kept. Errors: "URL: WHAT FAILED; REMEDY". */
static int get(const struct http_request *q, bool keep, bool offline, struct fetched *ret,
	       struct err *err)
{
	struct err why _cleanup_err_ = ERR_INIT;
	char *path = cache_path(q->url), *public _cleanup_free_ = url_public(q->url);
	bool passing = false;
	int rc = 0;

	if (!offline)
		rc = fetch_to(q, keep, &path, &passing, &why);
	else if (!fs_exists(path))
		rc = err_set(&why, E_NOTFOUND,
			     "it was never fetched; without --offline it "
			     "is asked for");
	if (rc && rc != E_INTR)
		err_context(&why, "%s", public);
	if (rc == E_NOTFOUND || rc == E_INTR || (rc && !(keep && fs_exists(path)))) {
		free(path);
		return err_set(err, rc, "%s%s", err_msg(&why),
			       rc == E_NOTFOUND || rc == E_INTR ? "" : elsewhere);
	}
	*ret = (struct fetched){ .path = path,
				 .passing = passing,
				 .kept_since = rc || offline ? time_of(path) : 0,
				 .why = rc ? xstrdup(err_msg(&why)) : NULL };
	return 0;
}

static struct http_request request(const struct config *c, const char *url)
{
	return (struct http_request){ .url = url,
				      .max_bytes = BYTES_MAX,
				      .proxy = c ? config_get(c, "http.proxy") : NULL,
				      .ca = c ? config_get(c, "http.sslcainfo") : NULL };
}

int fetch_thread(const struct config *c, const char *id, bool offline,
		 struct fetched *ret, struct err *err)
{
	char *url _cleanup_free_ = thread_url(c, id), *public _cleanup_free_ = NULL;
	struct http_request q = request(c, url);
	int rc = get(&q, true, offline, ret, err);

	if (rc != E_NOTFOUND)
		return rc;
	public = url_public(url);
	return offline ? err_set(err, rc,
				 "<%s> was never fetched from %s; without --offline it "
				 "is "
				 "asked for",
				 id, public)
		       : err_set(err, rc,
				 "<%s> is not at %s: is it the right list, and has the "
				 "mail arrived there?",
				 id, public);
}

/* One value of a query string: there a "+" is a blank. */
static void put_value(struct str value, struct buf *url)
{
	char *text _cleanup_free_ = url_segment(value);

	for (const char *p = text; *p; p++)
		buf_puts(url, *p == '+' ? "%2B" : (char[]){ *p, '\0' });
}

static void search_url(const struct config *c, const struct search *s, struct buf *url)
{
	const char *mask = midmask(c);
	struct buf q _cleanup_buf_ = BUF_INIT;

	if (s->query)
		buf_printf(&q, s->since > 0 ? "(%s)" : "%s", s->query);
	if (s->since > 0)
		buf_printf(&q, "%srt:%lld..", q.len ? " " : "", (long long)s->since);
	buf_add(url, mask, (size_t)(strstr(mask, "%s") - mask));
	buf_puts(url, "?x=m&q=");
	put_value(buf_str(&q), url);
	if (s->threads)
		buf_puts(url, "&t=1");
}

int fetch_search(const struct config *c, const struct search *s, bool offline,
		 struct fetched *ret, struct err *err)
{
	struct buf url _cleanup_buf_ = BUF_INIT;
	struct http_request q;
	int rc;

	if (s->since <= 0 && !str_trim(str_c(s->query)).len)
		return err_set(err, E_USAGE, "a search needs a query or a time");
	search_url(c, s, &url);
	q = request(c, buf_cstr(&url));
	q.post = true;
	rc = get(&q, s->since <= 0, offline, ret, err);
	if (rc != E_NOTFOUND || offline)
		return rc;
	err_release(err);
	*ret = (struct fetched){ .path = NULL };
	return 0;
}

void fetched_release(struct fetched *f)
{
	if (f->passing && f->path)
		unlink(f->path);
	free(f->path);
	free(f->why);
	*f = (struct fetched){ 0 };
}
