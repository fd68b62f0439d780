// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest_trial.c - do the patches of the draft apply on another commit? One by one, as
 * git rebase would.
 */
#include "suggest_base_priv.h"

int trial_run(const struct series *s, struct trial_room *room, const char *commit,
	      struct base_trial *ret, struct err *err)
{
	struct commit c;
	int rc = repo_commit(s->repo, commit, &c, err);

	if (rc)
		return rc;
	rc = trial_stand(room, c.tree, err);
	commit_release(&c);
	for (size_t i = 0; !rc && i < s->n_patches; i++) {
		bool empty = false;

		rc = trial_next(room, i ? s->patches[i - 1].commit : s->base,
				s->patches[i].commit, &empty, &ret->files, err);
		if (rc)
			return err_context(err, "trying patch %zu on %.12s", i + 1,
					   commit);
		if (ret->files.n)
			return 0;
		ret->applied++;
		ret->empty += empty;
	}
	return rc;
}
