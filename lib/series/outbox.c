// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outbox.c - the directory of mails on their way: publish, find, record, remove.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "journal.h"
#include "series/fs.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/outbox.h"
#include "series/sanitize.h"
#include "series/time.h"

#define MAIL_MAX_BYTES ((size_t)256 << 20)
#define OWNER_MAX      1024

struct outbox *outbox_new(const char *series)
{
	struct outbox *o = xcalloc(1, sizeof(*o));
	struct buf id _cleanup_buf_ = BUF_INIT;

	time_compact(time_now(), &id);
	buf_putc(&id, '-');
	rand_letters(&id, 6);
	o->id = buf_take(&id);
	o->series = xstrdup(series);
	return o;
}

void outbox_free(struct outbox *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->n_mails; i++) {
		free(o->mails[i].message_id);
		free(o->mails[i].new_id);
		free(o->mails[i].subject);
		free(o->mails[i].file);
		free(o->mails[i].reply);
		buf_release(&o->mails[i].data);
	}
	free(o->mails);
	journal_close(o->journal);
	version_release(&o->version);
	strvec_release(&o->to);
	strvec_release(&o->cc);
	strvec_release(&o->reply);
	strvec_release(&o->thanks);
	free(o->id);
	free(o->dir);
	free(o->series);
	free(o->sender);
	strvec_release(&o->bcc);
	free(o);
}

void outbox_freep(struct outbox **o)
{
	outbox_free(*o);
	*o = NULL;
}

static struct outbox_mail *new_mail(struct outbox *o)
{
	vec_grow(o->mails, o->n_mails, o->cap_mails);
	o->mails[o->n_mails] = (struct outbox_mail){ 0 };
	return &o->mails[o->n_mails++];
}

void outbox_add(struct outbox *o, const char *message_id, const char *subject,
		struct str data)
{
	struct outbox_mail *m = new_mail(o);

	m->message_id = xstrdup(message_id);
	m->subject = xstrdup(subject);
	m->file = xasprintf("%04zu.eml", o->n_mails - 1);
	sha256_hex(data.p, data.len, m->sha256);
	buf_addstr(&m->data, data);
}

static void manifest(const struct outbox *o, struct buf *out)
{
	struct json *j _cleanup_json_ = json_obj();
	struct json *mails = json_arr();

	json_set_int(j, "schema", 1);
	json_set_str(j, "id", o->id);
	json_set_str(j, "series", o->series);
	json_set_str(j, "sender", o->sender);
	json_set_strvec(j, "bcc", &o->bcc);
	json_set_strvec(j, "to", &o->to);
	json_set_strvec(j, "cc", &o->cc);
	json_set_bool(j, "rehearsal", o->rehearsal);
	json_set_bool(j, "restart", o->restart);
	if (o->fixup)
		json_set_bool(j, "fixup", true);
	if (o->reply.n)
		json_set_strvec(j, "reply", &o->reply);
	if (o->loose)
		json_set_bool(j, "loose", true);
	if (o->thanks.n)
		json_set_strvec(j, "thanks", &o->thanks);
	json_set(j, "version", version_json(&o->version));
	for (size_t i = 0; i < o->n_mails; i++) {
		struct json *m = json_obj();

		json_set_str(m, "file", o->mails[i].file);
		json_set_str(m, "message_id", o->mails[i].message_id);
		json_set_str(m, "subject", o->mails[i].subject);
		json_set_str(m, "sha256", o->mails[i].sha256);
		json_push(mails, m);
	}
	json_set(j, "mails", mails);
	json_dump(j, out);
}

static char *outbox_root(const char *common_dir)
{
	return path_join(common_dir, "series/outbox");
}

char *outbox_lock_path(const char *common_dir, const char *series)
{
	return xasprintf("%s/series/outbox/%s.lock", common_dir, series);
}

/*
 * What a process that died before its rename, or while it removed an outbox, left behind.
 * The caller has the lock.
 */
static int remove_unpublished(const char *root, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = fs_list(root, &names, err);

	for (size_t i = 0; i < names.n && !rc; i++) {
		char *path _cleanup_free_ = path_join(root, names.v[i]);

		char *doc _cleanup_free_ = path_join(path, "manifest.json");

		if (fs_is_dir(path) &&
		    (str_ends(str_c(names.v[i]), ".tmp") || !fs_exists(doc)))
			rc = fs_rmtree(path, err);
	}
	return rc;
}

/* Space that the journal starts with: a few tries of each mail. */
static size_t records_for(const struct outbox *o)
{
	return o->n_mails * 4 + 16;
}

static int write_mail(const char *path, struct str data, struct err *err)
{
	int fd _cleanup_close_ =
		open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0)
		return err_errno(err, errno, "%s: create", path);
	return fs_write_fd(fd, data.p, data.len, path, err);
}

static int sync_mail(const char *path, struct err *err)
{
	int fd _cleanup_close_ = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(err, errno, "%s: open", path);
	return fsync(fd) ? err_errno(err, errno, "%s: fsync", path) : 0;
}

/*
 * All mails are written before the first one is synced: then the file system has the rest
 * of them on its way too. Nothing is renamed, for the directory gets its name at the end.
 */
static int write_mails(const struct outbox *o, const char *dir, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < o->n_mails && !rc; i++) {
		char *path _cleanup_free_ = path_join(dir, o->mails[i].file);

		rc = write_mail(path, buf_str(&o->mails[i].data), err);
	}
	for (size_t i = 0; i < o->n_mails && !rc; i++) {
		char *path _cleanup_free_ = path_join(dir, o->mails[i].file);

		rc = sync_mail(path, err);
	}
	return rc;
}

static int write_files(const struct outbox *o, const char *dir, struct err *err)
{
	struct buf doc _cleanup_buf_ = BUF_INIT;
	char *journal _cleanup_free_ = path_join(dir, "journal");
	char *path _cleanup_free_ = path_join(dir, "manifest.json");
	char *owner _cleanup_free_ = path_join(dir, "owner");
	int rc = write_mails(o, dir, err);

	if (!rc)
		rc = fs_write_atomic(owner, o->series, strlen(o->series), 0644, err);
	manifest(o, &doc);
	if (!rc)
		rc = fs_write_atomic(path, doc.p, doc.len, 0644, err);
	if (!rc)
		rc = journal_create(journal, records_for(o), err);
	return rc ? rc : fs_fsync_dir(dir, err);
}

static int replay(const char *kind, size_t k, const char *text, void *arg,
		  struct err *err);

int outbox_write(struct outbox *o, const char *common_dir, struct err *err)
{
	char *root _cleanup_free_ = outbox_root(common_dir);
	char *lock_path _cleanup_free_ = path_join(root, ".lock");
	char *tmp _cleanup_free_ = xasprintf("%s/%s.tmp", root, o->id);
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	char *journal _cleanup_free_ = NULL;
	int rc;

	rc = lock_take(&lock, lock_path, "outbox", 30000, err);
	if (!rc)
		rc = remove_unpublished(root, err);
	if (!rc)
		rc = fs_mkdirs(tmp, err);
	if (!rc)
		rc = write_files(o, tmp, err);
	if (rc)
		goto fail;
	o->dir = path_join(root, o->id);
	if (rename(tmp, o->dir)) {
		rc = err_errno(err, errno, "%s: rename", tmp);
		goto fail;
	}
	rc = fs_fsync_dir(root, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < o->n_mails; i++)
		buf_release(&o->mails[i].data);
	journal = path_join(o->dir, "journal");
	return journal_open(journal, records_for(o), replay, o, &o->journal, err);
fail:
	fs_rmtree(tmp, NULL);
	return rc;
}

static void set_reply(struct outbox_mail *m, const char *text)
{
	free(m->reply);
	m->reply = xstrdup(text ? text : "");
}

/* "<ID> REPLY": both. */
static void set_new_id(struct outbox_mail *m, const char *text)
{
	struct str rest = str_c(text), id;

	if (!str_skip(&rest, "<") || !str_cut(&rest, '>', &id) || !id.len)
		return;
	free(m->new_id);
	m->new_id = str_dup(id);
	rest = str_trim(rest);
	free(m->reply);
	m->reply = str_dup(rest);
}

/* What a record means for its mail. */
static void follow(struct outbox_mail *m, enum outbox_record what, const char *text)
{
	m->trying = what == REC_TRY;
	switch (what) {
	case REC_TRY:
		m->state = OUTBOX_TODO;
		break;
	case REC_END:
		m->state = OUTBOX_UNSURE;
		break;
	case REC_OK:
		m->state = OUTBOX_OK;
		m->left = true;
		set_reply(m, text);
		break;
	case REC_OKID:
		m->state = OUTBOX_OK;
		m->left = true;
		set_new_id(m, text);
		break;
	case REC_FAIL:
		m->state = OUTBOX_TODO;
		set_reply(m, text);
		break;
	case REC_SKIP:
		m->state = OUTBOX_SKIPPED;
		break;
	case REC_REDO:
		m->state = OUTBOX_TODO;
		m->left = true;
		break;
	}
}

static const char *const record_names[] = { "try",  "end",  "ok",  "fail",
					    "skip", "redo", "okid" };

static int replay(const char *kind, size_t k, const char *text, void *arg,
		  struct err *err)
{
	struct outbox *o = arg;

	/* It may have said that the mail at hand went out. */
	for (size_t i = 0; i < o->n_mails && !strcmp(kind, "lost"); i++)
		if (o->mails[i].trying)
			o->mails[i].state = OUTBOX_UNSURE;
	if (!strcmp(kind, "lost"))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(record_names); i++)
		if (!strcmp(kind, record_names[i]) && k < o->n_mails) {
			follow(&o->mails[k], i, text);
			return 0;
		}
	return err_set(err, E_CORRUPT, "%s/journal: record '%s %zu' means nothing here",
		       o->dir, kind, k);
}

int outbox_record(struct outbox *o, enum outbox_record what, size_t k, const char *text,
		  struct err *err)
{
	int rc = 0;

	/* Room for the try, its end and its outcome, before anything happens. */
	if (what == REC_TRY)
		rc = journal_reserve(o->journal, 3, err);
	/* Of a try that is lost nothing left: what goes with the end of a mail is synced.
	 */
	if (!rc)
		rc = journal_append(o->journal, record_names[what], k, text,
				    what != REC_TRY, err);
	if (!rc)
		follow(&o->mails[k], what, text);
	return rc;
}

static int parse_manifest(struct outbox *o, const struct json *j, const char *path,
			  struct err *err)
{
	const struct json *mails = json_get(j, "mails");
	int rc = version_parse(json_get(j, "version"), path, &o->version, err);

	if (rc)
		return rc;
	o->sender = xstrdup_null(json_get_str(j, "sender"));
	json_get_strvec(j, "bcc", &o->bcc);
	json_get_strvec(j, "to", &o->to);
	json_get_strvec(j, "cc", &o->cc);
	o->rehearsal = json_get_bool(j, "rehearsal", false);
	o->restart = json_get_bool(j, "restart", false);
	o->fixup = json_get_bool(j, "fixup", false);
	json_get_strvec(j, "reply", &o->reply);
	o->loose = json_get_bool(j, "loose", false);
	json_get_strvec(j, "thanks", &o->thanks);
	for (size_t i = 0; i < json_len(mails); i++) {
		const struct json *e = json_at(mails, i);
		const char *id = json_get_str(e, "message_id");
		const char *sum = json_get_str(e, "sha256"), *subj;
		struct outbox_mail *m = new_mail(o);

		if (!id || !sum || strlen(sum) != SHA256_HEX - 1)
			return err_set(err, E_CORRUPT, "%s: mail %zu is incomplete", path,
				       i);
		subj = json_get_str(e, "subject");
		m->message_id = xstrdup(id);
		m->subject = xstrdup(subj ? subj : "");
		m->file = xasprintf("%04zu.eml", i);
		memcpy(m->sha256, sum, SHA256_HEX);
	}
	if (!o->sender || !o->n_mails)
		return err_set(err, E_CORRUPT, "%s: no mails in it", path);
	if (!outbox_posting(o) || !outbox_posting(o)->message_id)
		return err_set(err, E_CORRUPT, "%s: does not say what is posted", path);
	return 0;
}

static int open_one(struct outbox *o, const struct json *doc, const char *path,
		    struct err *err)
{
	char *journal _cleanup_free_ = path_join(o->dir, "journal");
	int rc = parse_manifest(o, doc, path, err);

	for (size_t i = 0; i < o->n_mails && !rc; i++) {
		struct buf data _cleanup_buf_ = BUF_INIT;

		rc = outbox_read(o, i, &data, err);
	}
	return rc ? rc
		  : journal_open(journal, records_for(o), replay, o, &o->journal, err);
}

/* Does this outbox say in its owner file that it is another series'? */
static bool of_another(const char *root, const char *id, const char *series)
{
	char *path _cleanup_free_ = xasprintf("%s/%s/owner", root, id);
	struct buf owner _cleanup_buf_ = BUF_INIT;

	return !fs_read(path, OWNER_MAX, &owner, NULL) && owner.len &&
	       !str_eqc(buf_str(&owner), series);
}

/* The outbox at root/id if it is this series'; *ret stays NULL if not. */
static int try_one(const char *root, const char *id, const char *series,
		   struct outbox **ret, struct err *err)
{
	struct outbox *o _cleanup_outbox_ = xcalloc(1, sizeof(*o));
	char *path _cleanup_free_ = xasprintf("%s/%s/manifest.json", root, id);
	struct json *doc _cleanup_json_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	const char *name;
	int rc;

	rc = fs_read(path, MAIL_MAX_BYTES, &text, err);
	if (rc == E_NOTFOUND) /* on its way out: see outbox_remove() */
		return 0;
	if (!rc)
		rc = json_parse_schema(buf_str(&text), path, 1, &doc, err);
	if (rc && of_another(root, id, series)) {
		if (err)
			err_release(err);
		return 0;
	}
	if (rc)
		return rc;
	name = json_get_str(doc, "series");
	if (!name || strcmp(name, series))
		return 0;
	o->id = xstrdup(id);
	o->series = xstrdup(series);
	o->dir = path_join(root, id);
	rc = open_one(o, doc, path, err);
	if (!rc) {
		*ret = o;
		o = NULL;
	}
	return rc;
}

/* The same error, with the way on: nothing that is lost there can be made up for. */
static int say_aside(const char *root, const char *id, int rc, struct err *err)
{
	char *path _cleanup_free_ = path_join(root, id);
	char *aside _cleanup_free_ = xasprintf("%s-%s", root, id);
	char *from _cleanup_free_ = shell_word(path);
	char *to _cleanup_free_ = shell_word(aside);
	char *why _cleanup_free_ = NULL;

	if (rc != E_CORRUPT || !err)
		return rc;
	why = xstrdup(err_msg(err));
	return err_set(err, rc,
		       "%s; find out which of its mails arrived, then put the outbox "
		       "aside: mv %s %s",
		       why, from, to);
}

int outbox_find(const char *common_dir, const char *series, struct outbox **ret,
		struct err *err)
{
	char *root _cleanup_free_ = outbox_root(common_dir);
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct outbox *o = NULL;
	int rc;

	rc = fs_list(root, &names, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < names.n && !o && !rc; i++) {
		char *path _cleanup_free_ = path_join(root, names.v[i]);

		if (fs_is_dir(path) && !str_ends(str_c(names.v[i]), ".tmp"))
			rc = say_aside(root, names.v[i],
				       try_one(root, names.v[i], series, &o, err), err);
	}
	if (rc)
		return rc;
	if (!o)
		return err_set(err, E_NOTFOUND, "series %s: nothing is on its way",
			       series);
	*ret = o;
	return 0;
}

int outbox_read(const struct outbox *o, size_t k, struct buf *ret, struct err *err)
{
	char *path _cleanup_free_ = path_join(o->dir, o->mails[k].file);
	struct buf data _cleanup_buf_ = BUF_INIT;
	char sum[SHA256_HEX];
	int rc = fs_read(path, MAIL_MAX_BYTES, &data, err);

	if (rc == E_NOTFOUND) /* which would say that there is no outbox */
		return err_set(err, E_CORRUPT,
			       "%s: missing, though it is still to be sent or recorded",
			       path);
	if (rc)
		return rc;
	sha256_hex(data.p, data.len, sum);
	if (strcmp(sum, o->mails[k].sha256))
		return err_set(err, E_CORRUPT,
			       "%s: not the mail that was prepared (its sha256 differs); "
			       "nothing was sent",
			       path);
	buf_addstr(ret, buf_str(&data));
	return 0;
}

int outbox_remove(struct outbox *o, struct err *err)
{
	char *path _cleanup_free_ = path_join(o->dir, "manifest.json");
	int rc;

	/* Without its manifest it is no outbox any more, however far the rest gets. */
	rc = fs_unlink(path, err);
	if (!rc)
		rc = fs_fsync_dir(o->dir, err);
	return rc ? rc : fs_rmtree(o->dir, err);
}
