// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The straight line back from a commit, and which of its commits the user committed: by
 * address (user.email, series.email, the environment, through .mailmap) or by name, which
 * outlives a change of address.
 */
#include <stdlib.h>
#include "line.h"
#include "series/mem.h"

struct own {
	struct strvec emails, names;
};

static void own_release(struct own *o)
{
	strvec_release(&o->emails);
	strvec_release(&o->names);
}

static void gather(const struct config *c, const char *const *keys,
		   const char *const *env, struct strvec *ret)
{
	for (; *keys; keys++)
		config_get_all(c, *keys, ret);
	for (; *env; env++)
		if (getenv(*env) && *getenv(*env))
			strvec_push(ret, getenv(*env));
}

/* Without any setting git makes an address of the login and the host. */
static void git_ident(struct repo *r, struct own *ret)
{
	char *args[] = { "var", "GIT_COMMITTER_IDENT", NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct str s;
	ptrdiff_t lt, gt;

	if (git_run(r, args, STR_NULL, &res, NULL) || res.status)
		return;
	s = buf_str(&res.out);
	lt = str_chr(s, '<');
	gt = str_chr(s, '>');
	if (lt >= 0 && gt > lt)
		strvec_push_str(&ret->emails, str_n(s.p + lt + 1, gt - lt - 1));
}

static void own_init(struct repo *r, const struct config *c, struct own *ret)
{
	static const char *const emails[] = { "user.email", "committer.email",
					      "author.email", "series.email", NULL };
	static const char *const email_env[] = { "GIT_COMMITTER_EMAIL",
						 "GIT_AUTHOR_EMAIL", "EMAIL", NULL };
	static const char *const names[] = { "user.name", "committer.name", NULL };
	static const char *const name_env[] = { "GIT_COMMITTER_NAME", NULL };

	gather(c, emails, email_env, &ret->emails);
	gather(c, names, name_env, &ret->names);
	if (!ret->emails.n)
		git_ident(r, ret);
}

static bool has(const struct strvec *v, const char *text)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strcasecmp(v->v[i], text))
			return true;
	return false;
}

static bool is_own(struct repo *r, const struct own *o, const struct commit *k)
{
	const char *mapped;

	if (has(&o->emails, k->committer_email) || has(&o->names, k->committer_name))
		return true;
	mapped = repo_mailmap(r, k->committer_name, k->committer_email);
	if (has(&o->emails, mapped))
		return true;
	for (size_t i = 0; i < o->emails.n; i++)
		if (!strcasecmp(repo_mailmap(r, "", o->emails.v[i]), mapped))
			return true;
	return false;
}

int line_walk(struct repo *r, const struct config *c, const char *head, size_t max,
	      struct line *ret, struct err *err)
{
	struct own own _cleanup_(own_release) = { STRVEC_INIT, STRVEC_INIT };
	char at[OID_HEX];
	size_t cap = 0;

	own_init(r, c, &own);
	memcpy(at, head, OID_HEX);
	while (*at && ret->n < max) {
		struct line_commit *l;
		struct commit k;
		int rc = repo_commit(r, at, &k, ret->n ? NULL : err);

		if (rc && !ret->n)
			return rc;
		if (rc) {
			ret->cut = true;
			break;
		}
		vec_grow(ret->v, ret->n, cap);
		l = &ret->v[ret->n++];
		memcpy(l->id, k.id, OID_HEX);
		l->mine = is_own(r, &own, &k);
		l->merge = k.parents > 1;
		memcpy(at, k.parents ? k.parent : "", k.parents ? OID_HEX : 1);
		commit_release(&k);
	}
	return 0;
}

void line_release(struct line *l)
{
	free(l->v);
	*l = (struct line){ 0 };
}

ptrdiff_t line_at(const struct line *l, const char *id)
{
	for (size_t i = 0; *id && i < l->n; i++)
		if (!strcmp(l->v[i].id, id))
			return (ptrdiff_t)i;
	return -1;
}

bool line_any(const struct line *l, ptrdiff_t from, ptrdiff_t to, bool mine)
{
	for (ptrdiff_t i = from; i < to && i < (ptrdiff_t)l->n; i++)
		if (l->v[i].mine == mine)
			return true;
	return false;
}

ptrdiff_t line_boundary(const struct line *l)
{
	size_t k = 0;

	while (k < l->n && l->v[k].mine && !l->v[k].merge)
		k++;
	return k && k < l->n && !l->v[k].mine ? (ptrdiff_t)k : -1;
}
