// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reader.c - the mails of a family from the epochs of a mirror. Each thread of the
 * program has its own handles, which are opened when they are needed.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/mem.h"

int64_t epoch_number_of(const char *path)
{
	struct str name = str_c(path_base(path));
	int64_t n = 0;

	if (str_ends(name, ".git"))
		name.len -= strlen(".git");
	str_to_i64(name, 0, INT32_MAX, &n);
	return n;
}

void readers_init(struct readers *r, const struct strvec *paths, const int64_t *number)
{
	*r = (struct readers){ .paths = paths, .number = number };
	r->open = xcalloc(paths->n + 1, sizeof(struct epoch *));
}

void readers_release(struct readers *r)
{
	for (size_t i = 0; r->open && i < r->paths->n; i++)
		epoch_close(r->open[i]);
	free(r->open);
}

/*
 * An epoch's index of objects is in memory as long as it is open, 25 MB of it for 250,000
 * mails. What belongs together is of one epoch or of two.
 */
#define OPEN_MOST 2

/* Close all but the one that was asked for last. */
static void make_room(struct readers *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->paths->n; i++)
		n += r->open[i] != NULL;
	for (size_t i = 0; n >= OPEN_MOST && i < r->paths->n; i++)
		if (i != r->last)
			epoch_closep(&r->open[i]);
}

struct epoch *readers_get(struct readers *r, int64_t epoch)
{
	for (size_t i = 0; i < r->paths->n; i++) {
		if (r->number[i] != epoch)
			continue;
		if (!r->open[i])
			make_room(r);
		if (!r->open[i] && epoch_reader(r->paths->v[i], &r->open[i], NULL))
			return NULL;
		r->last = i;
		return r->open[i];
	}
	return NULL;
}

static bool unpack(struct readers *r, const struct member *m, struct str *ret)
{
	struct epoch *e = readers_get(r, m->epoch);

	return e && epoch_blob(e, m->blob, ret);
}

void readers_thread(struct readers *r, const struct family *f, struct thread *ret)
{
	for (size_t i = 0; i < f->n && !(r->stops && intr_pending()); i++) {
		const struct member *at = &f->v[i];
		struct mail m;
		struct str raw;

		if ((!r->kept || !kept_get(r->kept, at->blob, &raw)) &&
		    !unpack(r, at, &raw)) {
			r->broken++;
			continue;
		}
		mail_scan(raw, FROM_PLAIN, &m);
		thread_add(ret, &m);
	}
	thread_link(ret);
}
