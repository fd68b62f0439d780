// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a ref has been: its tip and its reflog, what it was made from, what a commit
 * shares with all of that, and which other ref stands on a commit.
 */
#include <stdlib.h>
#include "internal.h"

/* More is of no use: a branch rebuilt ten times a day, for the 90 days git keeps it. */
#define REFLOG_MAX 1000

static bool ref_there(struct repo *r, const char *full)
{
	git_reference *ref _cleanup_(git_reference_freep) = NULL;

	return !git_reference_lookup(&ref, r->g, full);
}

int repo_ref_full(struct repo *r, const char *name, char **ret, struct err *err)
{
	static const char *const below[] = { "refs/heads/", "refs/remotes/", "refs/tags/",
					     "refs/" };

	if (!strncmp(name, "refs/", 5) && ref_there(r, name)) {
		*ret = xstrdup(name);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(below); i++) {
		char *full = xasprintf("%s%s", below[i], name);

		if (ref_there(r, full)) {
			*ret = full;
			return 0;
		}
		free(full);
	}
	return err_set(err, E_NOTFOUND, "no branch, remote branch or tag \"%s\"", name);
}

/* An object that is not here (pruned, shallow) says nothing, and git would stop at it. */
static void add_tip(struct repo *r, const git_oid *oid, struct strvec *ret)
{
	git_commit *c _cleanup_(git_commit_freep) = NULL;
	char id[OID_HEX];

	if (git_oid_is_zero(oid) || git_commit_lookup(&c, r->g, oid))
		return;
	git_oid_tostr(id, OID_HEX, oid);
	if (!strvec_has(ret, id))
		strvec_push(ret, id);
}

int repo_ref_tips(struct repo *r, const char *full, struct ref_tips *ret, struct err *err)
{
	git_object *o _cleanup_(git_object_freep) = NULL;
	git_reference *ref _cleanup_(git_reference_freep) = NULL;
	git_reflog *log = NULL;
	const git_oid *older = NULL;
	int rc = git_reference_lookup(&ref, r->g, full);
	bool gap = false;
	size_t n;

	if (!rc)
		rc = git_reference_peel(&o, ref, GIT_OBJECT_COMMIT);
	if (rc)
		return git_fail(err, rc, "%s", full);
	add_tip(r, git_object_id(o), &ret->ids);
	ret->sure = ret->ids.n;
	/* git_reflog_read() would make one, and git then goes on writing it. */
	if (git_reference_has_log(r->g, full) != 1 || git_reflog_read(&log, r->g, full))
		return 0;
	n = MIN(git_reflog_entrycount(log), REFLOG_MAX);
	for (size_t i = 0; i < n; i++) {
		const git_reflog_entry *e = git_reflog_entry_byindex(log, i);
		const git_oid *now = git_reflog_entry_id_new(e);

		/* Entries that git reflog expire took away leave a step that misses. */
		gap = gap || !git_oid_equal(now, older ? older : git_object_id(o));
		older = git_reflog_entry_id_old(e);
		add_tip(r, now, &ret->ids);
		add_tip(r, older, &ret->ids);
		if (!gap)
			ret->sure = ret->ids.n;
	}
	ret->whole = older && !gap && git_oid_is_zero(older);
	git_reflog_free(log);
	return 0;
}

void ref_tips_release(struct ref_tips *t)
{
	strvec_release(&t->ids);
}

int repo_common(struct repo *r, const char *head, const struct strvec *tips,
		struct strvec *ret, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct strvec lines _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc;

	strvec_pushl(&args, "merge-base", "--all", head, NULL);
	strvec_extend(&args, tips);
	rc = git_run(r, strvec_argv(&args), STR_NULL, &res, err);
	if (rc)
		return rc;
	if (res.status > 1)
		return git_failed("merge-base", r->common_dir, &res, err);
	strvec_split(&lines, buf_str(&res.out), '\n');
	for (size_t i = 0; i < lines.n; i++)
		if (strlen(lines.v[i]) == OID_HEX - 1)
			strvec_push(ret, lines.v[i]);
	return 0;
}

char *repo_created_from(struct repo *r, const char *branch)
{
	static const char said[] = "branch: Created from ";
	char *full _cleanup_free_ = xasprintf("refs/heads/%s", branch);
	const char *text = NULL;
	git_reflog *log = NULL;
	char *ret = NULL;
	size_t n;

	if (git_reference_has_log(r->g, full) != 1 || git_reflog_read(&log, r->g, full))
		return NULL;
	n = git_reflog_entrycount(log);
	if (n)
		text = git_reflog_entry_message(git_reflog_entry_byindex(log, n - 1));
	if (text && !strncmp(text, said, sizeof(said) - 1))
		ret = xstrdup(text + sizeof(said) - 1);
	git_reflog_free(log);
	return ret;
}

/* A remote's branch says more to others than a tag, and a tag more than a branch here. */
static int rank(struct str *ref)
{
	if (str_skip(ref, "refs/remotes/"))
		return str_ends(*ref, "/HEAD") ? 0 : 3;
	if (str_skip(ref, "refs/tags/"))
		return 2;
	return str_skip(ref, "refs/heads/") ? 1 : 0;
}

char *repo_ref_at(struct repo *r, const char *commit, const char *not_branch)
{
	char *at _cleanup_free_ = xasprintf("--points-at=%s", commit);
	char *not _cleanup_free_ =
		xasprintf("refs/heads/%s", not_branch ? not_branch : "");
	char *args[] = { "for-each-ref",
			 at,
			 "--format=%(refname)",
			 "refs/remotes/",
			 "refs/heads/",
			 "refs/tags/",
			 NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct str rest, line, best = STR_NULL;
	int best_rank = 0;

	if (git_run(r, args, STR_NULL, &res, NULL) || res.status)
		return NULL;
	rest = buf_str(&res.out);
	while (str_line(&rest, &line)) {
		bool own = str_eqc(line, not );
		int n = rank(&line);

		if (own || n <= best_rank)
			continue;
		best = line;
		best_rank = n;
	}
	return best_rank ? str_dup(best) : NULL;
}

const char *repo_mailmap(struct repo *r, const char *name, const char *email)
{
	const char *real_name = NULL, *real_email = NULL;

	if (!r->mailmap && !r->mailmap_tried) {
		r->mailmap_tried = true;
		if (git_mailmap_from_repository(&r->mailmap, r->g))
			r->mailmap = NULL;
	}
	if (!r->mailmap ||
	    git_mailmap_resolve(&real_name, &real_email, r->mailmap, name, email))
		return email;
	return real_email;
}
