// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_base.c - where patches apply that do not apply here. See am.h.
 */
#include "am_priv.h"
#include "import_base.h"
#include "series/mem.h"

void am_base_release(struct am_base *b)
{
	free(b->name);
	free(b->said);
	*b = (struct am_base){ .name = NULL };
}

/* A tag on it, or the branch that it is of. */
static char *name_of(struct repo *r, const struct import_bases *b, const char *commit)
{
	const char *ref = import_base_ref(r, b, commit);
	char *name = repo_ref_at(r, commit, NULL);

	return name ? name : xstrdup(ref ? ref : "");
}

int am_find_base(struct am *a, struct am_base *ret, struct err *err)
{
	struct import_bases b _cleanup_(import_bases_release) = { .refs = STRVEC_INIT };
	struct strvec on _cleanup_strvec_ = STRVEC_INIT;

	import_bases_find(a->repo, a->config, &b);
	import_base_list(a->repo, &b, a->thread, am_version(a), &on, &ret->said);
	for (size_t i = 0; i < on.n; i++) {
		bool ok;
		int rc = am_try_elsewhere(a, on.v[i], false, &ok, err);

		if (rc)
			return rc;
		if (!ok)
			continue;
		memcpy(ret->commit, on.v[i], OID_HEX);
		ret->name = name_of(a->repo, &b, on.v[i]);
		return 0;
	}
	return err_set(err, E_NOTFOUND, "no commit was found on which they apply%s%s%s",
		       ret->said ? "; their base-commit " : "",
		       ret->said ? ret->said : "",
		       ret->said ? " is not here: fetch it" : "");
}

int am_switch(const struct am *a, const char *branch, const char *commit, struct err *err)
{
	char *args[] = { "switch", "-q", "-c", (char *)branch, (char *)commit, NULL };
	char *ref _cleanup_free_ = xasprintf("refs/heads/%s", branch);
	struct buf words _cleanup_buf_ = BUF_INIT;
	char id[OID_HEX];
	int rc;

	if (!repo_ref(a->repo, ref, id, NULL))
		return err_set(
			err, E_EXISTS,
			"there is a branch %s already; give the new one another name",
			branch);
	rc = git_talk(a->repo, args, &words, err);
	return rc <= 0 ? rc : err_set(err, E_FAIL, "git switch: %s", buf_cstr(&words));
}
