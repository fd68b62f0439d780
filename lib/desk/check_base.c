// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_base.c - others have the commit that base-commit: names: it is in the base ref,
 * or in a branch of a remote, or in a tag.
 */
#include "check_priv.h"

/* Does a published ref hold the commit? git walks less when one ref is enough. */
static int published(const struct check_ctx *x, const char *id, bool *ret,
		     struct err *err)
{
	char *contains _cleanup_free_ = xasprintf("--contains=%s", id);
	char *args[] = { "for-each-ref",
			 "--count=1",
			 "--format=%(refname)",
			 contains,
			 "refs/remotes",
			 "refs/tags",
			 NULL };
	struct buf out _cleanup_buf_ = BUF_INIT;
	int rc = git_check(x->s->repo, args, STR_NULL, &out, err);

	if (!rc)
		*ret = out.len > 0;
	return rc;
}

int check_base(struct check_ctx *x, struct err *err)
{
	const char *base = series_public_base(x->s);
	char tip[OID_HEX], *full _cleanup_free_ = NULL;
	const char *ref = x->s->base_ref;
	bool there = false;
	int rc = 0;

	if (ref && !repo_ref_full(x->s->repo, ref, &full, NULL) &&
	    !repo_resolve(x->s->repo, full, tip, NULL)) {
		rc = repo_is_ancestor(x->s->repo, base, tip, err);
		if (rc)
			return rc < 0 ? rc : 0;
	}
	rc = published(x, base, &there, err);
	if (!rc && !there)
		check_add(x, "base-unreachable", NULL, "series base --suggest",
			  "the base %.12s is in no branch of a remote and in no tag%s%s: "
			  "nobody else has it",
			  base, ref ? ", nor in " : "", ref ? ref : "");
	return rc;
}
