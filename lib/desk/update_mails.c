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
#include "series/progress.h"
#include "series/time.h"
#include "update_priv.h"

/* --- ids that are known, and grow with each mail that speaks of one --- */

struct idset {
	char **slot;
	size_t n, cap;
};

static size_t hash_of(const char *s)
{
	size_t h = 1469598103934665603u;

	while (*s)
		h = (h ^ (unsigned char)*s++) * 1099511628211u;
	return h;
}

/* Where it stands or belongs; cap is a power of two and never full. */
static size_t slot_of(const struct idset *s, const char *id)
{
	size_t i = hash_of(id) & (s->cap - 1);

	while (s->slot[i] && strcmp(s->slot[i], id) != 0)
		i = (i + 1) & (s->cap - 1);
	return i;
}

static void idset_add(struct idset *s, const char *id)
{
	size_t i;

	if (2 * s->n >= s->cap) {
		struct idset more = { .cap = s->cap ? 2 * s->cap : 256, .n = s->n };

		more.slot = xcalloc(more.cap, sizeof(char *));
		for (i = 0; i < s->cap; i++)
			if (s->slot[i])
				more.slot[slot_of(&more, s->slot[i])] = s->slot[i];
		free(s->slot);
		*s = more;
	}
	i = slot_of(s, id);
	if (!s->slot[i]) {
		s->slot[i] = xstrdup(id);
		s->n++;
	}
}

static bool idset_has(const struct idset *s, const char *id)
{
	return s->cap && s->slot[slot_of(s, id)];
}

static void idset_release(struct idset *s)
{
	for (size_t i = 0; i < s->cap; i++)
		free(s->slot[i]);
	free(s->slot);
}

/* Replies may come before what they reply to; of other threads there are many more. */
#define LATER_MAX 5000

/* What is looked for in a source, and what was seen of it. */
struct sieve {
	struct idset ours, seen;
	size_t n;	     /* mails that were read */
	struct thread *t;    /* takes the mails */
	struct thread later; /* those that name a mail which was not seen yet */
};

static void sieve_release(struct sieve *s)
{
	idset_release(&s->ours);
	idset_release(&s->seen);
	thread_release(&s->later);
}

/* Ids that a mail has or names; its own comes first, "" when it has none. */
static void ids_of(const struct mail *m, struct strvec *ret)
{
	static const char *const names[] = { "Message-ID", "In-Reply-To", "References" };
	struct str value[ARRAY_SIZE(names)];

	field_get_all(m->head, names, ARRAY_SIZE(names), value);
	if (value[0].p)
		field_ids(value[0], ret);
	if (!ret->n)
		strvec_push(ret, "");
	for (size_t i = 1; i < ARRAY_SIZE(names); i++)
		if (value[i].p)
			field_ids(value[i], ret);
}

/* Is it one of ours, or does it reply to one? Then so is what replies to it. */
static bool is_ours(struct sieve *s, const struct strvec *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		if (idset_has(&s->ours, ids->v[i])) {
			if (*ids->v[0])
				idset_add(&s->ours, ids->v[0]);
			return true;
		}
	return false;
}

static void take_mail(struct sieve *s, const struct mail *m)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	bool open = false;

	s->n++;
	ids_of(m, &ids);
	for (size_t i = 1; i < ids.n; i++)
		open |= !idset_has(&s->seen, ids.v[i]);
	if (*ids.v[0])
		idset_add(&s->seen, ids.v[0]);
	if (is_ours(s, &ids))
		thread_add(s->t, m);
	else if (open && s->later.n < LATER_MAX)
		thread_add(&s->later, m);
}

/* Everything was seen: of what waited, those that belong to it after all. */
static void take_later(struct sieve *s)
{
	bool *taken = xcalloc(s->later.n + 1, sizeof(*taken)), more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < s->later.n; i++) {
			struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

			if (taken[i])
				continue;
			ids_of(&s->later.v[i].mail, &ids);
			taken[i] = is_ours(s, &ids);
			if (taken[i])
				thread_add(s->t, &s->later.v[i].mail);
			more |= taken[i];
		}
	}
	free(taken);
}

/* --- sources --- */

static int read_source(const char *path, struct sieve *s, struct err *err)
{
	struct mailsrc *src _cleanup_mailsrc_ = NULL;
	struct mail m;
	int rc = mailsrc_open(path, FROM_MBOXRD, &src, err);

	while (!rc && (rc = mailsrc_next(src, &m, err)) == 1) {
		take_mail(s, &m);
		rc = 0;
	}
	return rc;
}

static int read_epoch(const char *path, struct sieve *s, struct err *err)
{
	struct epoch *e _cleanup_epoch_ = NULL;
	struct progress p = { .label = NULL };
	struct epoch_mail em;
	int rc = epoch_open(path, NULL, &e, err);
	int64_t all, done = 0;

	if (rc)
		return rc;
	all = (int64_t)epoch_left(e);
	progress_start(&p, path, all);
	while ((rc = epoch_next(e, &em, err)) == 1) {
		struct mail m;

		if (++done % 1000 == 0)
			progress_update(&p, done, NULL);
		if (em.what != EPOCH_MAIL)
			continue;
		mail_scan(em.raw, FROM_PLAIN, &m);
		take_mail(s, &m);
	}
	progress_end(&p);
	return rc;
}

static int read_mirror(const struct strvec *epochs, struct sieve *s, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < epochs->n && !rc; i++)
		rc = read_epoch(epochs->v[i], s, err);
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
		idset_add(&sieve.ours, ours.v[i]);
	rc = epochs->n ? read_mirror(epochs, &sieve, err)
		       : read_source(from, &sieve, err);
	take_later(&sieve);
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
