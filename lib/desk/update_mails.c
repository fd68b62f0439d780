// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * update_mails.c - the mails of a series' threads: from the archive, or what of a file, a
 * folder or a mirror belongs to them.
 */
#include <stdlib.h>
#include "series/fetch.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/mirror.h"
#include "series/time.h"
#include "update_priv.h"
#include "update_sieve.h"

/* --- sources --- */

static int read_source(const char *path, struct sieve *s, struct err *err)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct mail m;
	int rc = mailsrc_open(path, FROM_MBOXRD, &src, err);

	while (!rc && (rc = mailsrc_next(src, &m, err)) == 1) {
		sieve_mail(s, &m, NULL);
		rc = 0;
	}
	return rc;
}

/* One thread of the archive. */
static int read_thread(const struct config *c, const char *id, bool offline,
		       struct thread *t, struct updated *u, struct err *err)
{
	struct fetched f _cleanup_fetched_ = { 0 };
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct buf ago _cleanup_buf_ = BUF_INIT;
	int rc = fetch_thread(c, id, offline, &f, err);

	if (rc)
		return rc;
	if (f.why) {
		time_ago(f.kept_since, &ago);
		strvec_pushf(&u->old, "<%s>: %s; the copy is of %s", id, f.why,
			     buf_cstr(&ago));
	}
	rc = mailsrc_open(f.path, FROM_MBOXRD, &src, err);
	return rc ? rc : thread_read(t, src, err);
}

/* A failed thread is told, and the others go on. */
static int or_failed(int rc, const char *what, struct updated *u, struct err *err)
{
	if (!rc || rc == E_INTR)
		return rc;
	strvec_pushf(&u->failed, "%s: %s", what, err_msg(err));
	err_release(err);
	return 0;
}

static bool there(const struct thread *t, const char *id)
{
	return thread_find(t, id) < t->n;
}

/* The threads of all postings; one that another brought along is not asked for. */
static int read_archive(struct series *s, const struct config *c, bool offline,
			struct thread *t, struct updated *u)
{
	for (size_t i = 0; i < s->n_versions; i++) {
		const struct version *v = &s->versions[i];

		for (size_t k = 0; k < v->n_postings; k++) {
			const struct posting *p = &v->postings[k];
			const char *id = p->message_id;
			char *label _cleanup_free_ = version_label(v);
			char *what _cleanup_free_ = NULL;
			struct err err _cleanup_err_ = ERR_INIT;
			int rc;

			if (!id && p->ids.n)
				id = p->ids.v[0];
			if (!id || !*id || there(t, id))
				continue;
			what = xasprintf("%s%s", label, p->resend ? " (resent)" : "");
			rc = read_thread(c, id, offline, t, u, &err);
			rc = or_failed(rc, what, u, &err);
			if (rc)
				return rc;
		}
	}
	return 0;
}

/* A file, a folder, or a mirror when it has epochs. Without a mail it is the wrong one.
 */
static int read_stored(struct series *s, const char *from, const struct strvec *epochs,
		       struct thread *t, struct updated *u, struct err *err)
{
	struct strvec ours _cleanup_strvec_ = STRVEC_INIT;
	struct sieve sieve _cleanup_(sieve_release) = { .t = t };
	int rc;

	ours_ids(s, &ours);
	for (size_t i = 0; i < ours.n; i++)
		sieve_know(&sieve, ours.v[i]);
	if (epochs->n) {
		rc = update_mirror(s, &ours, epochs, &sieve, err);
	} else {
		rc = read_source(from, &sieve, err);
		sieve_end(&sieve);
	}
	u->read = sieve.n;
	if (rc || sieve.n)
		return rc;
	return err_set(
		err, E_NOTFOUND,
		"%s: there is no mail in it; an mbox, a Maildir or a mirror of the "
		"list is expected",
		strcmp(from, "-") ? from : "standard input");
}

static int read_from(struct series *s, const struct config *c,
		     const struct update_opts *o, struct thread *t, struct updated *u,
		     struct err *err)
{
	struct strvec epochs _cleanup_strvec_ = STRVEC_INIT;
	char *id _cleanup_free_ = NULL;
	bool mirror = fs_is_dir(o->from) && !mirror_epochs(o->from, &epochs, NULL);
	int rc;

	if (mirror || !strcmp(o->from, "-") || fs_exists(o->from))
		return read_stored(s, o->from, &epochs, t, u, err);
	id = fetch_message_id(o->from);
	if (!id)
		return err_set(
			err, E_NOTFOUND,
			"no file or folder '%s', and no Message-ID or link either: "
			"those have an @",
			o->from);
	rc = read_thread(c, id, o->offline, t, u, err);
	u->read = t->n;
	return rc;
}

int update_mails(struct series *s, const struct config *c, const struct update_opts *o,
		 struct thread *t, struct updated *u, struct err *err)
{
	int rc;

	if (o->from) {
		rc = read_from(s, c, o, t, u, err);
		/* Of a damaged file what came is kept, too. */
		if (rc && (rc == E_INTR || !t->n))
			return rc;
		u->found = t->n;
		rc = or_failed(rc, o->from, u, err);
	} else {
		rc = read_archive(s, c, o->offline, t, u);
		if (rc)
			return err_set(err, rc, "interrupted; nothing was changed");
	}
	return rc ? rc : ours_add(s, t, err);
}
