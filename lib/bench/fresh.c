// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a stored session still true of what is about to be sent? Compared are trees and
 * patch-ids, never commits: an amended message changes nothing that was measured.
 */
#include <string.h>

#include "series/bench.h"
#include "series/benchdef.h"

/* Says the first patch that differs, if one does. */
static bool same_patches(const struct strvec *ids, const struct series *s,
			 struct buf *why)
{
	for (size_t i = 0; i < s->n_patches && i < ids->n; i++)
		if (strcmp(ids->v[i], s->patches[i].patch_id)) {
			buf_printf(why, "patch %zu has changed", i + 1);
			return false;
		}
	if (ids->n == s->n_patches)
		return true;
	buf_printf(why, "measured with %zu patch%s, the series has %zu", ids->n,
		   ids->n == 1 ? "" : "es", s->n_patches);
	return false;
}

/*
 * Has the benchmark changed since? Its hash is given or that of the shipped definition of
 * this name; one's own benchmark, whose folder is not stored, cannot be compared.
 */
static bool other_benchmark(const struct bench_session *b, const char *given)
{
	struct bench_def *def _cleanup_bench_def_ = NULL;
	const char *now = given;

	if (!*b->key.bench_hash)
		return false;
	if (!now && !bench_def_load(b->bench, &def, NULL))
		now = def->hash;
	return now && *now && strcmp(now, b->key.bench_hash);
}

enum freshness bench_freshness(const struct bench_session *b, const struct series *s,
			       const char *bench_hash, struct buf *ret_why)
{
	const struct evidence_key *k = &b->key;
	struct commit base;
	char base_tree[OID_HEX] = "";

	if (other_benchmark(b, bench_hash)) {
		buf_printf(ret_why, "the benchmark %s itself has changed", b->bench);
		return FRESH_STALE;
	}
	if (!same_patches(&k->patch_ids, s, ret_why))
		return FRESH_STALE;
	if (!repo_commit(s->repo, s->base, &base, NULL)) {
		memcpy(base_tree, base.tree, sizeof(base_tree));
		commit_release(&base);
	}
	if (strcmp(base_tree, k->base_tree)) {
		buf_printf(ret_why, "measured on another base (tree %.12s)",
			   k->base_tree);
		return FRESH_OTHER_BASE;
	}
	if (s->n_patches && strcmp(s->patches[s->n_patches - 1].tree, k->tip_tree)) {
		buf_printf(ret_why, "the tip's tree has changed");
		return FRESH_STALE;
	}
	return FRESH_SAME;
}
