// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_duplicate.c - two patches of the same change or of the same subject.
 */
#include "check_priv.h"

static bool same_change(const struct patch *a, const struct patch *b)
{
	return a->patch_id[0] && !strcmp(a->patch_id, b->patch_id);
}

int check_duplicate(struct check_ctx *x, struct err *err)
{
	const struct version *v = &x->p->outbox->version;

	for (size_t i = 1; i < v->n_patches && i < x->n; i++) {
		const struct patch *p = &v->patches[i];
		char *where _cleanup_free_ = check_where(x, i);
		char *remedy _cleanup_free_ = NULL;

		for (size_t k = 0; k < i; k++) {
			bool change = same_change(p, &v->patches[k]);

			if (!change && strcmp(p->subject, v->patches[k].subject))
				continue;
			remedy = check_rebase(x, i, change ? "drop" : "reword");
			check_add(x, "duplicate-patch", where, remedy,
				  change ? "makes the same change as patch %zu"
					 : "has the subject of patch %zu",
				  k + 1);
			break;
		}
	}
	return 0;
}
