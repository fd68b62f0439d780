// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scan.c - what came since the last time, epoch by epoch: threads read, we write in the
 * order of the commits. The bookmark of an epoch is written with the mails before it.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include "index_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/workers.h"

/* Commits that a thread reads at a time, and such pieces that wait. */
#define PIECE 64
#define AHEAD 32

struct piece {
	const char *path;
	struct epoch_step step[PIECE];
	struct light mail[PIECE];
	size_t n_steps, n;
};

struct scan {
	struct update *u;
	struct epoch **reader; /* of the epoch that is read, one a thread */
	struct readers again;  /* for mails that are put into threads anew */
	size_t n_threads;
	atomic_bool keep; /* is there room for texts? */
	size_t seen;  /* mails of any kind in this epoch */
	bool restart; /* nothing is known any more: from the first epoch on */
};

static void read_piece(void *job, size_t thread, void *arg)
{
	struct scan *s = arg;
	struct piece *p = job;
	struct epoch_mail m;

	if (!s->reader[thread] && epoch_reader(p->path, &s->reader[thread], NULL))
		return;
	for (size_t i = 0; i < p->n_steps; i++)
		if (epoch_read(s->reader[thread], &p->step[i], &m)) {
			light_read(&m, &p->mail[p->n]);
			if (s->keep && m.what == EPOCH_MAIL)
				p->mail[p->n].text = str_dup(m.raw);
			p->n++;
		}
}

static void close_readers(struct scan *s)
{
	for (size_t i = 0; i < s->n_threads; i++)
		epoch_closep(&s->reader[i]);
}

static int take_mail(struct scan *s, int64_t epoch, struct light *l, struct err *err)
{
	struct update *u = s->u;

	if (l->text)
		kept_add(&u->kept, l->blob, l->text, (size_t)l->size);
	l->text = NULL;

	switch (l->what) {
	case EPOCH_BROKEN:
		u->done.broken++;
		return 0;
	case EPOCH_DELETED:
		return graph_delete(u->x, &s->again, epoch, l, &u->done.deleted, err);
	default:
		u->done.mails++;
		return graph_add(u->x, epoch, l, err);
	}
}

static int mark(struct update *u, int64_t epoch, const unsigned char *commit,
		struct err *err)
{
	static const char digits[] = "0123456789abcdef";
	char hex[OID_HEX] = { 0 };

	for (size_t i = 0; i < OID_BYTES; i++) {
		hex[2 * i] = digits[commit[i] >> 4];
		hex[2 * i + 1] = digits[commit[i] & 15];
	}
	return db_run(u->x, err, S_EPOCH_MARK, "ti", hex, epoch);
}

static int take_piece(struct scan *s, int64_t epoch, struct piece *p, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < p->n; i++)
		rc = take_mail(s, epoch, &p->mail[i], err);
	s->seen += p->n;
	s->keep = kept_wants(&s->u->kept);
	if (!rc)
		rc = mark(s->u, epoch, p->step[p->n_steps - 1].commit, err);
	return rc ? rc : update_pause(s->u, err);
}

static void piece_free(struct piece *p)
{
	for (size_t i = 0; i < p->n; i++)
		light_release(&p->mail[i]);
	free(p);
}

static struct piece *next_piece(struct epoch *e, const char *path)
{
	struct piece *p;

	if (!epoch_left(e))
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->path = path;
	while (p->n_steps < PIECE && epoch_step(e, &p->step[p->n_steps]))
		p->n_steps++;
	return p;
}

static int read_epoch(struct scan *s, struct epoch *e, const char *path, int64_t number,
		      struct err *err)
{
	struct workers *w = workers_new(s->n_threads, AHEAD, read_piece, s);
	struct progress progress = { .label = NULL };
	char *label _cleanup_free_ = xasprintf("reading %s", path);
	int64_t all = (int64_t)epoch_left(e), done = 0;
	struct piece *p;
	int rc = 0;

	progress_start(&progress, label, all);
	for (;;) {
		while (!rc && workers_room(w) && (p = next_piece(e, path)))
			workers_put(w, p);
		p = workers_take(w);
		if (!p)
			break;
		if (!rc)
			rc = take_piece(s, number, p, err);
		done += (int64_t)p->n_steps;
		progress_update(&progress, done, NULL);
		piece_free(p);
	}
	progress_end(&progress);
	workers_free(w);
	close_readers(s);
	if (!rc && all && !s->seen)
		rc = epoch_no_mails(path, err);
	return rc;
}

static int bookmark_of(struct update *u, int64_t number, char **ret, struct err *err)
{
	sqlite3_stmt *q;
	int rc = db_run(u->x, err, S_EPOCH_ADD, "i", number);

	if (rc)
		return rc;
	q = db_bind(u->x, S_EPOCHS, "");
	while ((rc = db_step(u->x, q, err)) == 1)
		if (sqlite3_column_int64(q, 0) == number && sqlite3_column_text(q, 1))
			*ret = xstrdup((const char *)sqlite3_column_text(q, 1));
	return rc;
}

/*
 * What was remembered of an epoch is void. If it, or a later one, took mails out of
 * others, those might be there now: everything is read again.
 */
static int void_epoch(struct scan *s, int64_t number, struct err *err)
{
	struct update *u = s->u;
	int64_t far;
	int rc = db_one(u->x, err, &far, S_EPOCHS_FAR, "i", number);

	u->done.rewritten++;
	if (rc == 1) {
		s->restart = true;
		return db_empty(u->x, err);
	}
	return rc ? rc : graph_drop_epoch(u->x, &s->again, number, err);
}

static int scan_epoch(struct scan *s, size_t i, struct err *err)
{
	struct update *u = s->u;
	struct epoch *e _cleanup_epoch_ = NULL;
	char *bookmark _cleanup_free_ = NULL;
	int rc = bookmark_of(u, u->number[i], &bookmark, err);

	if (!rc)
		rc = epoch_open_after(u->paths.v[i], bookmark, u->since, &e, err);
	if (!rc && epoch_rewritten(e)) {
		rc = void_epoch(s, u->number[i], err);
		if (!rc && !s->restart)
			rc = db_run(u->x, err, S_EPOCH_MARK, "ti", (char *)NULL,
				    u->number[i]);
	}
	if (s->restart)
		return rc;
	s->seen = 0;
	return rc || !epoch_left(e) ? rc
				    : read_epoch(s, e, u->paths.v[i], u->number[i], err);
}

/* Epochs that are no longer there take their mails along. */
static int forget_epochs(struct scan *s, struct err *err)
{
	struct update *u = s->u;
	sqlite3_stmt *q = db_bind(u->x, S_EPOCHS, "");
	int64_t *gone = NULL;
	size_t n = 0, cap = 0;
	int rc;

	while ((rc = db_step(u->x, q, err)) == 1) {
		int64_t number = sqlite3_column_int64(q, 0);
		size_t i = 0;

		while (i < u->paths.n && u->number[i] != number)
			i++;
		if (i < u->paths.n)
			continue;
		vec_grow(gone, n, cap);
		gone[n++] = number;
	}
	for (size_t i = 0; !rc && !s->restart && i < n; i++) {
		rc = void_epoch(s, gone[i], err);
		if (!rc && !s->restart)
			rc = db_run(u->x, err, S_EPOCH_DROP, "i", gone[i]);
	}
	free(gone);
	return rc;
}

int update_scan(struct update *u, struct err *err)
{
	struct scan s = { .u = u,
			  .n_threads = workers_processors(THREADS_MAX),
			  .keep = true };
	int rc;

	s.reader = xcalloc(s.n_threads, sizeof(struct epoch *));
	readers_init(&s.again, &u->paths, u->number);
	rc = forget_epochs(&s, err);
	s.restart = false;
	for (size_t i = 0; !rc && i < u->paths.n; i++) {
		rc = scan_epoch(&s, i, err);
		if (s.restart)
			i = (size_t)-1;
		s.restart = false;
	}
	readers_release(&s.again);
	free(s.reader);
	return rc;
}
