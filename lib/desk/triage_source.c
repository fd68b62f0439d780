// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage_source.c - where rows and their mails come from: files of mail, indexes of
 * mirrors.
 */
#include <stdlib.h>
#include <string.h>

#include "series/mem.h"
#include "triage_priv.h"

static struct triage_source *new_source(struct triage *t)
{
	vec_grow(t->source, t->n_sources, t->cap_sources);
	t->source[t->n_sources] = (struct triage_source){ .index = NULL };
	return &t->source[t->n_sources++];
}

void triage_take_thread(struct triage *t, struct thread *take)
{
	struct triage_source *s = new_source(t);

	s->thread = *take;
	*take = (struct thread){ 0 };
	posted_find(&s->thread, &s->posted);
	listed_find(&s->thread, &s->posted, &s->rows);
}

static int read_index(struct triage_source *s, bool brief, struct err *err)
{
	struct listindex_query q = { .active_since = s->since, .brief = brief };
	struct listindex_rows rows;
	int rc = listindex_rows(s->index, &q, &rows, err);

	if (rc)
		return rc;
	listindex_rows_release(&s->found);
	s->found = rows;
	return 0;
}

int triage_add_index(struct triage *t, const char *name, const char *dir, int64_t since,
		     char **ret_note, struct err *err)
{
	char *path _cleanup_free_ = listindex_path(name), *anew _cleanup_free_ = NULL;
	struct triage_source *s;
	struct listindex *x = NULL;
	size_t mails = 0, series = 0;
	int rc = listindex_open(path, &x, &anew, err);

	if (rc)
		return rc;
	s = new_source(t);
	s->index = x;
	s->name = xstrdup(name);
	s->dir = xstrdup(dir);
	s->since = since;
	rc = read_index(s, t->brief, err);
	if (!rc)
		rc = listindex_count(x, &mails, &series, err);
	if (!rc && ret_note && !mails)
		*ret_note =
			xasprintf("%s has no index%s%s; series mirror update %s makes "
				  "it",
				  name, anew ? ": " : "", anew ? anew : "", name);
	return rc;
}

int triage_reread(struct triage *t, struct err *err)
{
	int rc = 0;

	rest_free(t);
	t->brief = false;
	triage_drop_rows(t);
	for (size_t i = 0; i < t->n_sources && !rc; i++)
		if (t->source[i].index)
			rc = read_index(&t->source[i], false, err);
	return rc;
}

void triage_source_release(struct triage_source *s)
{
	listed_all_release(&s->rows);
	posted_release(&s->posted);
	thread_release(&s->thread);
	listindex_rows_release(&s->found);
	listindex_close(s->index);
	free(s->name);
	free(s->dir);
}

size_t triage_source_rows(const struct triage_source *s)
{
	return s->index ? s->found.n : s->rows.n;
}

const struct listed *triage_source_row(const struct triage_source *s, size_t k,
				       int64_t *ret_key)
{
	*ret_key = s->index ? s->found.key[k] : (int64_t)k;
	return s->index ? &s->found.v[k] : &s->rows.v[k];
}

static bool find_in_index(const struct triage_source *s, const char *id, int64_t *ret_key)
{
	struct listindex_query q = { .message_id = id, .brief = true };
	struct listindex_rows rows;
	bool found;

	if (listindex_rows(s->index, &q, &rows, NULL))
		return false;
	found = rows.n > 0;
	if (found)
		*ret_key = rows.key[0];
	listindex_rows_release(&rows);
	return found;
}

bool triage_source_find(const struct triage_source *s, const char *id, int64_t *ret_key)
{
	size_t mail;
	struct place at;

	if (s->index)
		return find_in_index(s, id, ret_key);
	mail = thread_find(&s->thread, id);
	if (mail >= s->thread.n || !posted_target(&s->thread, s->posted.place, mail, &at))
		return false;
	*ret_key = (int64_t)s->posted.v[at.version].series;
	return true;
}

/* ---- the mails of a row ---- */

/* What speaks of the series, of any version. */
static void copy_mails(const struct thread *t, const struct posted *p, size_t series,
		       struct thread *ret)
{
	for (size_t i = 0; i < t->n; i++) {
		struct place at;

		if (posted_target(t, p->place, i, &at) &&
		    p->v[at.version].series == series)
			thread_add(ret, &t->v[i].mail);
	}
}

/* The series that a mail is of, or NO_MAIL. */
static size_t series_of(const struct thread *t, const struct posted *p, const char *id)
{
	size_t mail = thread_find(t, id);
	struct place at;

	return mail < t->n && posted_target(t, p->place, mail, &at)
		       ? p->v[at.version].series
		       : NO_MAIL;
}

static int read_family(const struct triage_source *s, const struct triage_row *row,
		       struct thread *ret, struct err *err)
{
	struct thread family _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	size_t series;
	int rc = listindex_thread(s->index, s->dir, row->key, &family, err);

	if (rc)
		return rc;
	posted_find(&family, &p);
	series = series_of(&family, &p, row->l->message_id);
	if (series != NO_MAIL)
		copy_mails(&family, &p, series, ret);
	return 0;
}

int triage_mails(const struct triage *t, const struct triage_row *row,
		 struct triage_mails *ret, struct err *err)
{
	const struct triage_source *s = &t->source[row->source];
	int rc = 0;

	*ret = (struct triage_mails){ .t = &ret->own_t, .p = &ret->own_p };
	if (s->index)
		rc = read_family(s, row, &ret->own_t, err);
	else
		copy_mails(&s->thread, &s->posted, (size_t)row->key, &ret->own_t);
	thread_link(&ret->own_t);
	posted_find(&ret->own_t, &ret->own_p);
	ret->series = series_of(&ret->own_t, &ret->own_p, row->l->message_id);
	if (!rc && ret->series != NO_MAIL)
		return 0;
	triage_mails_release(ret);
	*ret = (struct triage_mails){ 0 };
	return rc ? rc
		  : err_set(err, E_NOTFOUND, "the mails of '%s' are no longer here",
			    row->l->title);
}

void triage_mails_release(struct triage_mails *m)
{
	posted_release(&m->own_p);
	thread_release(&m->own_t);
}
