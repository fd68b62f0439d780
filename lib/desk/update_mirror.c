// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * update_mirror.c - the mails of a series from a mirror, which is read from where it
 * ended the last time.
 *
 * <common dir>/series/NAME.mirrors has by path of an epoch the commit that was read last,
 * and the blobs of the mails that were taken or wait: these are read again, so that an
 * answer meets the remark, and a reply its parent, whenever it comes. It holds for the
 * Message-IDs that were looked for; when those are others, a blob is gone or the list
 * wrote the epoch anew, everything is read.
 */
#include <stdlib.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/mirror.h"
#include "series/progress.h"
#include "series/sha256.h"
#include "update_priv.h"
#include "update_sieve.h"

#define SCHEMA	    1
#define FILE_MAX    ((size_t)64 << 20)
#define WAITING_MAX 500 /* the newest are kept; of other threads there are many */

/* A mail that may belong to it: later is its index in the sieve. */
struct waiting {
	char blob[OID_HEX];
	size_t later;
};

struct bookmark {
	char *path; /* of the epoch */
	char commit[OID_HEX];
	size_t read;		     /* mails up to there */
	struct strvec mails, waited; /* blobs; waited as it was stored */
	struct waiting *v;
	size_t n, cap;
};

static void bookmark_clear(struct bookmark *b)
{
	strvec_release(&b->mails);
	strvec_release(&b->waited);
	free(b->v);
	*b = (struct bookmark){ .path = b->path };
}

static void bookmarks_free(struct bookmark *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bookmark_clear(&v[i]);
		free(v[i].path);
	}
	free(v);
}

/* --- the file --- */

static char *file_of(const struct series *s)
{
	return xasprintf("%s/series/%s.mirrors", repo_common_dir(s->repo), s->name);
}

static void hash_ids(const struct strvec *ours, char ret[SHA256_HEX])
{
	struct strvec sorted _cleanup_strvec_ = STRVEC_INIT;
	char *all _cleanup_free_ = NULL;

	strvec_extend(&sorted, ours);
	strvec_sort(&sorted);
	all = strvec_join(&sorted, "\n");
	sha256_hex(all, strlen(all), ret);
}

/* What is stored for these ids, or an empty document. */
static struct json *load(const char *path, const char *ids)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct json *j = NULL;

	if (!fs_read(path, FILE_MAX, &b, NULL) &&
	    !json_parse_schema(buf_str(&b), path, SCHEMA, &j, NULL)) {
		const char *was = json_get_str(j, "ids");

		if (was && !strcmp(was, ids) && json_is_obj(json_get(j, "epochs")))
			return j;
		json_free(j);
	}
	j = json_obj();
	json_set_int(j, "schema", SCHEMA);
	json_set_str(j, "ids", ids);
	json_set(j, "epochs", json_obj());
	return j;
}

static void find(const struct json *doc, struct bookmark *b)
{
	const struct json *j = json_get(json_get(doc, "epochs"), b->path);
	const char *commit = json_is_obj(j) ? json_get_str(j, "commit") : NULL;
	int64_t read = json_is_obj(j) ? json_get_int(j, "read", 0) : 0;

	if (!commit || strlen(commit) != OID_HEX - 1 || read < 0)
		return;
	memcpy(b->commit, commit, OID_HEX);
	b->read = (size_t)read;
	json_get_strvec(j, "mails", &b->mails);
	json_get_strvec(j, "waiting", &b->waited);
}

static struct json *as_json(const struct bookmark *b, const struct sieve *s)
{
	struct strvec mails _cleanup_strvec_ = STRVEC_INIT;
	struct strvec waiting _cleanup_strvec_ = STRVEC_INIT;
	struct json *j = json_obj();
	size_t left = 0;

	strvec_extend(&mails, &b->mails);
	for (size_t i = 0; i < b->n; i++)
		left += !s->later_taken[b->v[i].later];
	for (size_t i = 0; i < b->n; i++)
		if (s->later_taken[b->v[i].later])
			strvec_push(&mails, b->v[i].blob);
		else if (left-- <= WAITING_MAX)
			strvec_push(&waiting, b->v[i].blob);
	json_set_str(j, "commit", b->commit);
	json_set_int(j, "read", (int64_t)b->read);
	json_set_strvec(j, "mails", &mails);
	json_set_strvec(j, "waiting", &waiting);
	return j;
}

/* Without it everything is read the next time; that is no error. */
static void save(const char *path, struct json *doc, const struct bookmark *v, size_t n,
		 const struct sieve *s)
{
	struct json *epochs = json_dup(json_get(doc, "epochs"));
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *dir _cleanup_free_ = path_dir(path);

	for (size_t i = 0; i < n; i++)
		if (*v[i].commit)
			json_set(epochs, v[i].path, as_json(&v[i], s));
	json_set(doc, "epochs", epochs);
	json_dump(doc, &text);
	if (!fs_mkdirs(dir, NULL))
		fs_write_atomic(path, text.p, text.len, 0666, NULL);
}

/* --- the epochs --- */

static bool parse_oid(const char *hex, unsigned char ret[OID_BYTES])
{
	for (size_t i = 0; i < OID_BYTES; i++) {
		int hi = hex_digit(hex[2 * i]);
		int lo = hi < 0 ? -1 : hex_digit(hex[2 * i + 1]);

		if (lo < 0)
			return false;
		ret[i] = (unsigned char)(hi * 16 + lo);
	}
	return !hex[2 * OID_BYTES];
}

static bool all_there(struct epoch *e, const struct strvec *blobs)
{
	unsigned char id[OID_BYTES];
	struct str raw;

	for (size_t i = 0; i < blobs->n; i++)
		if (!parse_oid(blobs->v[i], id) || !epoch_blob(e, id, &raw))
			return false;
	return true;
}

/* true: it is to be kept in mails. */
static bool sift(struct bookmark *b, struct sieve *s, struct str raw, const char *blob)
{
	struct mail m;
	size_t later = 0;
	enum sieved what;

	mail_scan(raw, FROM_PLAIN, &m);
	what = sieve_mail(s, &m, &later);
	if (what == SIEVE_WAITS) {
		vec_grow(b->v, b->n, b->cap);
		b->v[b->n].later = later;
		memcpy(b->v[b->n++].blob, blob, OID_HEX);
	}
	return what == SIEVE_TAKEN;
}

/* What was taken, or waited, the last time. */
static void sift_known(struct epoch *e, struct bookmark *b, struct sieve *s)
{
	struct strvec known _cleanup_strvec_ = STRVEC_INIT;
	unsigned char id[OID_BYTES];
	size_t n = s->n;
	struct str raw;

	strvec_extend(&known, &b->mails);
	strvec_extend(&known, &b->waited);
	strvec_release(&b->mails);
	for (size_t i = 0; i < known.n; i++)
		if (parse_oid(known.v[i], id) && epoch_blob(e, id, &raw) &&
		    sift(b, s, raw, known.v[i]))
			strvec_push(&b->mails, known.v[i]);
	s->n = n + b->read;
}

static int open_epoch(struct bookmark *b, struct epoch **ret, struct err *err)
{
	struct epoch *e _cleanup_epoch_ = NULL;
	int rc = epoch_open(b->path, *b->commit ? b->commit : NULL, &e, err);

	if (rc)
		return rc;
	if (epoch_rewritten(e)) {
		bookmark_clear(b);
	} else if (!all_there(e, &b->mails) || !all_there(e, &b->waited)) {
		bookmark_clear(b);
		epoch_close(e);
		e = NULL;
		rc = epoch_open(b->path, NULL, &e, err);
	}
	*ret = e;
	e = NULL;
	return rc;
}

static int read_epoch(struct bookmark *b, struct sieve *s, struct err *err)
{
	struct epoch *e _cleanup_epoch_ = NULL;
	struct progress p = { .label = NULL };
	struct epoch_mail em;
	int rc = open_epoch(b, &e, err);
	bool again = *b->commit;
	int64_t done = 0;

	if (rc)
		return rc;
	progress_start(&p, b->path, (int64_t)epoch_left(e));
	sift_known(e, b, s);
	while ((rc = epoch_next(e, &em, err)) == 1) {
		if (++done % 1000 == 0)
			progress_update(&p, done, NULL);
		memcpy(b->commit, em.commit, OID_HEX);
		if (em.what != EPOCH_MAIL)
			continue;
		b->read++;
		if (sift(b, s, em.raw, em.blob))
			strvec_push(&b->mails, em.blob);
	}
	progress_end(&p);
	/* That no commit brings a mail can be so of the few that came. */
	if (rc == E_FAIL && again) {
		err_release(err);
		rc = 0;
	}
	return rc;
}

int update_mirror(const struct series *s, const struct strvec *ours,
		  const struct strvec *epochs, struct sieve *sieve, struct err *err)
{
	struct bookmark *v = xcalloc(epochs->n, sizeof(*v));
	char *path _cleanup_free_ = file_of(s);
	struct json *doc _cleanup_json_ = NULL;
	char ids[SHA256_HEX];
	int rc = 0;

	hash_ids(ours, ids);
	doc = load(path, ids);
	for (size_t i = 0; i < epochs->n && !rc; i++) {
		char *real _cleanup_free_ = realpath(epochs->v[i], NULL);

		v[i].path = xstrdup(real ? real : epochs->v[i]);
		find(doc, &v[i]);
		rc = read_epoch(&v[i], sieve, err);
	}
	sieve_end(sieve);
	if (!rc)
		save(path, doc, v, epochs->n, sieve);
	bookmarks_free(v, epochs->n);
	return rc;
}
