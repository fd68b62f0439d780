// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * update.c - an index brought up to its mirror: one writer, commits in pieces.
 */
#include <stdlib.h>
#include "index_priv.h"
#include "series/intr.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/time.h"

/* What is small is one commit, so that readers see all of it at once. */
#define COMMIT_NS 2000000000LL

bool update_is_time(const struct update *u)
{
	return intr_pending() || time_mono_ns() - u->committed_ns > COMMIT_NS;
}

int update_pause(struct update *u, struct err *err)
{
	int rc;

	if (!update_is_time(u))
		return 0;
	rc = db_commit(u->x, err);
	if (!rc)
		rc = intr_check(err);
	if (!rc)
		rc = db_begin(u->x, err);
	u->committed_ns = time_mono_ns();
	return rc;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = epoch_number_of(*(char *const *)a);
	int64_t y = epoch_number_of(*(char *const *)b);

	return (x > y) - (x < y);
}

/* Mails of another time than before: nothing that is known counts. */
static int check_since(struct update *u, struct err *err)
{
	int64_t known = 0;
	int rc = db_meta_get(u->x, "since", &known, err);

	if (rc || known == u->since)
		return rc;
	rc = db_empty(u->x, err);
	return rc ? rc : db_meta_set(u->x, "since", u->since, err);
}

static int run(struct update *u, struct err *err)
{
	int rc = db_begin(u->x, err);

	u->committed_ns = time_mono_ns();
	if (!rc)
		rc = check_since(u, err);
	if (!rc)
		rc = update_scan(u, err);
	if (!rc)
		rc = update_analyse(u, err);
	if (!rc)
		rc = db_meta_set(u->x, "updated", time_now(), err);
	if (!rc)
		rc = db_commit(u->x, err);
	if (rc)
		db_rollback(u->x);
	return rc;
}

int listindex_update(struct listindex *x, const char *dir, int64_t since,
		     struct listindex_updated *ret, struct err *err)
{
	struct update u = { .x = x, .since = since };
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	char *name _cleanup_free_ = xasprintf("%s.lock", x->path);
	struct err why _cleanup_err_ = ERR_INIT;
	int rc = mirror_epochs(dir, &u.paths, err);

	if (!rc && x->read_only)
		rc = err_set(err, E_FAIL, "%s cannot be written", x->path);
	if (!rc)
		rc = lock_take(&lock, name, "index", 0, err);
	if (!rc && u.paths.n)
		qsort(u.paths.v, u.paths.n, sizeof(*u.paths.v), by_number);
	u.number = xcalloc(u.paths.n + 1, sizeof(*u.number));
	for (size_t i = 0; i < u.paths.n; i++)
		u.number[i] = epoch_number_of(u.paths.v[i]);
	if (!rc)
		rc = run(&u, &why);
	if (rc == E_CORRUPT && x->damaged) {
		err_release(&why);
		u.done = (struct listindex_updated){ .damaged = true };
		rc = db_remake(x, &why);
		if (!rc)
			rc = run(&u, &why);
	}
	if (rc && err_msg(&why)[0])
		err_set(err, rc, "%s", err_msg(&why));
	if (!rc)
		*ret = u.done;
	kept_release(&u.kept);
	strvec_release(&u.paths);
	free(u.number);
	return rc;
}
