// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * analyse.c - families whose mails or threads changed, into rows: threads read and look,
 * we write. A family is done when its rows and the end of its being dirty are one commit.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/workers.h"

#define AHEAD 64

struct line {
	int64_t key, last;
	struct buf brief, rest;
	struct buf mails; /* hashes of the ids of all its mails, eight bytes each */
};

struct job {
	struct family family;
	int64_t number;
	struct line *line;
	size_t n;
};

struct analysis {
	struct update *u;
	struct workers *w;
	struct readers *reader; /* one a thread */
	size_t n_threads, waiting;
	struct progress progress;
	int64_t done;
};

/* ---- in a thread ---- */

static void put_mails(const struct thread *t, const struct posted *p, size_t series,
		      struct buf *out)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t v = p->place[i].version;
		int64_t id = t->v[i].id ? light_id(str_c(t->v[i].id)) : 0;

		if (id && v != NO_MAIL && p->v[v].series == series)
			buf_add(out, &id, sizeof(id));
	}
}

/* The first version's Message-ID is the name of a series for good. */
static int64_t key_of(const struct job *j, const struct listed *l)
{
	const char *name = l->first_id ? l->first_id : l->message_id;
	int64_t key = light_id(str_c(name ? name : l->title));

	for (size_t i = 0; i < j->n; i++)
		if (j->line[i].key == key) {
			key++;
			i = (size_t)-1;
		}
	return key;
}

static void look(void *job, size_t thread, void *arg)
{
	struct analysis *a = arg;
	struct job *j = job;
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct listed_all all _cleanup_listed_all_ = { 0 };

	readers_thread(&a->reader[thread], &j->family, &t);
	posted_find(&t, &p);
	listed_find(&t, &p, &all);
	j->line = xcalloc(all.n + 1, sizeof(*j->line));
	for (size_t i = 0; i < all.n; i++) {
		struct line *line = &j->line[j->n];

		line->key = key_of(j, &all.v[i]);
		line->last = MAX(all.v[i].last, all.v[i].posted);
		pack_listed(&all.v[i], &line->brief, &line->rest);
		put_mails(&t, &p, i, &line->mails);
		j->n++;
	}
}

/* ---- here ---- */

static void job_free(struct job *j)
{
	for (size_t i = 0; i < j->n; i++) {
		buf_release(&j->line[i].brief);
		buf_release(&j->line[i].rest);
		buf_release(&j->line[i].mails);
	}
	free(j->line);
	family_release(&j->family);
	free(j);
}

/* Write the rows of the oldest job. */
static int take(struct analysis *a, struct err *err)
{
	struct job *j = workers_take(a->w);
	int rc = 0;

	for (size_t i = 0; !rc && i < j->n; i++) {
		struct str brief = buf_str(&j->line[i].brief);
		struct str rest = buf_str(&j->line[i].rest);
		struct str mails = buf_str(&j->line[i].mails);

		rc = db_run(a->u->x, err, S_ROW_ADD, "iiib", j->line[i].key, j->number,
			    j->line[i].last, &brief);
		if (!rc)
			rc = db_run(a->u->x, err, S_MORE_ADD, "ibb", j->line[i].key,
				    &rest, &mails);
	}
	a->waiting--;
	job_free(j);
	return rc;
}

static int drain(struct analysis *a, struct err *err)
{
	int rc = 0;

	while (!rc && a->waiting)
		rc = take(a, err);
	return rc;
}

/* What is no longer a family goes, before its threads get another one. */
static int drop_old(struct analysis *a, const struct family *f, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < f->n_threads; i++) {
		int64_t family = 0;

		rc = db_one(a->u->x, err, &family, S_FAMILY_OF, "i", f->thread[i]);
		if (rc == 1 && family)
			rc = family_drop(a->u->x, family, err);
		rc = MIN(rc, 0);
	}
	return rc;
}

/* Number a family, and let a thread look at it; it takes f over. */
static int give(struct analysis *a, struct family *f, struct err *err)
{
	struct job *j;
	int64_t number;
	int rc = 0;

	a->u->done.families++;
	if (!f->has_item)
		return 0;
	number = a->u->x->next++;
	for (size_t i = 0; !rc && i < f->n_threads; i++)
		rc = db_run(a->u->x, err, S_THREAD_FAMILY, "ii", number, f->thread[i]);
	if (!rc && !workers_room(a->w))
		rc = take(a, err);
	if (rc)
		return rc;
	j = xcalloc(1, sizeof(*j));
	j->family = *f;
	*f = (struct family){ .n = 0 };
	j->number = number;
	workers_put(a->w, j);
	a->waiting++;
	return 0;
}

static int look_at(struct analysis *a, int64_t thread, struct err *err)
{
	struct families all = { .n = 0 };
	struct family seen = { .n = 0 };
	int rc = families_of(a->u->x, thread, &all, &seen, err);

	for (size_t i = 0; !rc && i < all.n; i++)
		rc = drop_old(a, &all.v[i], err);
	for (size_t i = 0; !rc && i < all.n; i++)
		rc = give(a, &all.v[i], err);
	for (size_t i = 0; !rc && i < seen.n_threads; i++)
		rc = db_run(a->u->x, err, S_DIRTY_DROP, "i", seen.thread[i]);
	a->done += (int64_t)seen.n_threads;
	families_release(&all);
	family_release(&seen);
	return rc;
}

/* Time to commit: nothing may be under way then. */
static int pause(struct analysis *a, struct err *err)
{
	int rc;

	if (!update_is_time(a->u))
		return 0;
	rc = drain(a, err);
	return rc ? rc : update_pause(a->u, err);
}

static int all_dirty(struct analysis *a, struct err *err)
{
	int64_t last = 0, t = 0;
	int rc = 0;

	while (!rc) {
		rc = db_one(a->u->x, err, &t, S_DIRTY_NEXT, "i", last);
		if (!rc && !last)
			break;
		last = rc == 1 ? t : 0; /* some may have become so meanwhile */
		rc = rc == 1 ? look_at(a, t, err) : rc;
		progress_update(&a->progress, a->done, NULL);
		if (!rc)
			rc = pause(a, err);
	}
	return rc < 0 ? rc : drain(a, err);
}

int update_analyse(struct update *u, struct err *err)
{
	struct analysis a = { .u = u, .n_threads = workers_processors(THREADS_MAX) };
	int64_t left = 0;
	int rc = db_one(u->x, err, &left, S_DIRTY_LEFT, "");

	if (rc < 0 || !left)
		return MIN(rc, 0);
	a.reader = xcalloc(a.n_threads, sizeof(*a.reader));
	for (size_t i = 0; i < a.n_threads; i++) {
		readers_init(&a.reader[i], &u->paths, u->number);
		a.reader[i].kept = &u->kept;
	}
	a.w = workers_new(a.n_threads, AHEAD, look, &a);
	progress_start(&a.progress, "finding series", left);
	rc = all_dirty(&a, err);
	progress_end(&a.progress);
	while (a.waiting) { /* after an error */
		job_free(workers_take(a.w));
		a.waiting--;
	}
	workers_free(a.w);
	for (size_t i = 0; i < a.n_threads; i++) {
		u->done.broken += a.reader[i].broken;
		readers_release(&a.reader[i]);
	}
	free(a.reader);
	return rc;
}
