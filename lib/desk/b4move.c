// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * b4move.c - see b4move.h.
 */
#include <stdlib.h>
#include "b4move.h"
#include "series/mem.h"
#include "series/series.h"

static int chain_onto(struct repo *r, const char *base, const char *tip, const char *onto,
		      char ret[OID_HEX], size_t *ret_n, bool *ret_signed, struct err *err)
{
	struct commit *v = NULL;
	char at[OID_HEX];
	size_t n = 0, moved = 0;
	int rc = repo_range(r, base, tip, SERIES_MAX_PATCHES, &v, &n, err);

	if (rc)
		return rc;
	memcpy(at, onto, OID_HEX);
	for (size_t i = 0; i < n && !rc; i++) {
		char next[OID_HEX];

		rc = repo_rechain(r, &v[i], at, NULL, next, ret_signed, err);
		moved += !rc && strcmp(next, v[i].id) != 0;
		if (!rc)
			memcpy(at, next, OID_HEX);
	}
	commits_free(v, n);
	if (rc)
		return rc;
	memcpy(ret, at, OID_HEX);
	*ret_n = moved;
	return 0;
}

int branch_without(struct repo *r, const struct commit *cover, const char *head,
		   char ret[OID_HEX], size_t *ret_n, bool *ret_signed, struct err *err)
{
	return chain_onto(r, cover->id, head, cover->parent, ret, ret_n, ret_signed, err);
}

int branch_with(struct repo *r, const struct commit *cover, bool at_tip, const char *base,
		const char *head, char ret[OID_HEX], struct err *err)
{
	struct commit under _cleanup_(commit_release) = { .subject = NULL };
	char again[OID_HEX];
	bool was_signed = false;
	size_t moved = 0;
	int rc = repo_commit(r, at_tip ? head : base, &under, err);

	if (!rc)
		rc = repo_rechain(r, cover, under.id, under.tree, again, &was_signed,
				  err);
	if (rc || at_tip) {
		if (!rc)
			memcpy(ret, again, OID_HEX);
		return rc;
	}
	return chain_onto(r, base, head, again, ret, &moved, &was_signed, err);
}

void carry_notes(struct repo *r, const char *old_base, const char *old,
		 const char *new_base, const char *new)
{
	char *args[] = { "notes", "copy", "--for-rewrite=rebase", "--stdin", NULL };
	struct buf pairs _cleanup_buf_ = BUF_INIT;
	struct commit *a = NULL, *b = NULL;
	size_t n = 0, m = 0;

	if (repo_range(r, old_base, old, SERIES_MAX_PATCHES, &a, &n, NULL))
		return;
	if (!repo_range(r, new_base, new, SERIES_MAX_PATCHES, &b, &m, NULL) && n == m)
		for (size_t i = 0; i < n; i++)
			buf_printf(&pairs, "%s %s\n", a[i].id, b[i].id);
	commits_free(a, n);
	commits_free(b, m);
	if (pairs.len)
		git_check(r, args, buf_str(&pairs), NULL, NULL);
}
