// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mirrors_find.c - the mails that belong to one, from the mirrors here.
 */
#include "series/mem.h"
#include "series/mirrors.h"

/* 1: it is in this mirror, and all that belongs to it was added. */
static int look_in(const char *name, const char *id, struct thread *ret, struct err *err)
{
	struct mirror_conf m _cleanup_mirror_conf_ = { .name = NULL };
	struct listindex_query q = { .message_id = id, .brief = true };
	struct listindex_rows rows = { .n = 0 };
	struct listindex *x _cleanup_listindex_ = NULL;
	char *path _cleanup_free_ = listindex_path(name), *anew _cleanup_free_ = NULL;
	int rc = mirrors_load(name, &m, err), found = 0;

	if (!rc)
		rc = listindex_open(path, &x, &anew, err);
	if (!rc)
		rc = listindex_rows(x, &q, &rows, err);
	if (!rc && rows.n) {
		rc = listindex_thread(x, m.dir, rows.key[0], ret, err);
		found = 1;
	}
	listindex_rows_release(&rows);
	return rc ? rc : found;
}

int mirrors_thread(const char *id, struct thread *ret, char **ret_name, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = mirrors_names(&names, err);

	for (size_t i = 0; !rc && i < names.n; i++) {
		rc = look_in(names.v[i], id, ret, err);
		if (rc == 1) {
			*ret_name = xstrdup(names.v[i]);
			return 0;
		}
		/* A mirror that cannot be read stands in nobody's way. */
		if (rc < 0 && rc != E_INTR) {
			err_release(err);
			rc = 0;
		}
	}
	return rc ? rc : err_set(err, E_NOTFOUND, "<%s> is in no mirror here", id);
}
