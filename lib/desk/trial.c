// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trial.c - see trial.h.
 *
 * Most patches meet the very files that they were made for, and starting git is what
 * costs: only the others are merged by git merge-tree. That takes its base from the
 * history, so a commit is made of the tree so far whose parent is the parent of the
 * patch: the base of both is that parent.
 */
#include "apart.h"
#include "series/mem.h"
#include "series/pick.h"
#include "trial.h"

struct trial_room {
	struct repo *repo;
	struct apart room;
	struct pick *pick;
};

int trial_open(struct repo *r, struct trial_room **ret, struct err *err)
{
	struct trial_room *t _cleanup_trial_ = xcalloc(1, sizeof(*t));
	int rc = apart_open(r, "series-try", OBJECTS_APART, &t->room, err);

	if (rc)
		return rc;
	t->repo = r;
	strvec_push(&t->room.env, "GIT_NO_REPLACE_OBJECTS=1");
	rc = pick_open(r, t->room.objects, &t->pick, err);
	if (rc)
		return rc;
	*ret = t;
	t = NULL;
	return 0;
}

void trial_close(struct trial_room **t)
{
	if (!*t)
		return;
	pick_close(&(*t)->pick);
	apart_release(&(*t)->room);
	free(*t);
	*t = NULL;
}

static int run(struct trial_room *t, char *const *args, const struct strvec *more_env,
	       struct str input, struct proc_result *ret, struct err *err)
{
	int rc = apart_run(&t->room, args, more_env, input, ret, err);

	/* Status 1 is an answer of merge-tree, all others but 0 are errors. */
	if (rc || ret->status == 0 || (ret->status == 1 && ret->out.len))
		return rc;
	git_failed(args[0], t->room.dir, ret, err);
	if (ret->status == 129)
		err_set(err, E_FAIL, "%s; it takes git 2.38 or later", err_msg(err));
	return E_FAIL;
}

int trial_git(struct trial_room *t, char *const *args, struct str input, struct buf *out,
	      struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc = run(t, args, NULL, input, &res, err);

	if (!rc)
		buf_addstr(out, buf_str(&res.out));
	return rc;
}

static int take_oid(struct str s, const char *what, char ret[OID_HEX], struct err *err)
{
	if (s.len != OID_HEX - 1)
		return err_set(err, E_FAIL, "git %s gives no object name", what);
	memcpy(ret, s.p, OID_HEX - 1);
	ret[OID_HEX - 1] = '\0';
	return 0;
}

int trial_commit(struct trial_room *t, const struct trial_commit *c, char ret[OID_HEX],
		 struct err *err)
{
	static const char *const what[] = { "AUTHOR", "COMMITTER" };
	static const struct addr nobody = { "trial", "trial@localhost" };
	const struct addr *who[] = { c->author ? c->author : &nobody,
				     c->committer ? c->committer : &nobody };
	struct strvec env _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	char *args[] = { "commit-tree",	  "-p", (char *)c->parent, "-F", "-",
			 (char *)c->tree, NULL };
	int rc;

	for (size_t i = 0; i < ARRAY_SIZE(what); i++) {
		strvec_pushf(&env, "GIT_%s_NAME=%s", what[i], who[i]->name);
		strvec_pushf(&env, "GIT_%s_EMAIL=%s", what[i], who[i]->email);
	}
	rc = run(t, args, &env, str_c(c->message), &res, err);
	return rc ? rc : take_oid(str_trim(buf_str(&res.out)), "commit-tree", ret, err);
}

/* git's word: *ret_empty, or the files that it conflicts in. */
static int merge(struct trial_room *t, const char *parent, const char *commit,
		 bool *ret_empty, struct strvec *files, struct err *err)
{
	char ours[OID_HEX], before[OID_HEX], tree[OID_HEX];
	char *args[] = { "merge-tree",	  "--write-tree", "-z",		  "--name-only",
			 "--no-messages", ours,		  (char *)commit, NULL };
	struct proc_result merged _cleanup_proc_ = PROC_RESULT_INIT;
	struct str rest, piece = STR_LIT("");
	int rc = pick_write(t->pick, parent, before, ours, err);

	if (!rc)
		rc = run(t, args, NULL, STR_NULL, &merged, err);
	if (rc)
		return rc;
	rest = buf_str(&merged.out);
	str_cut(&rest, '\0', &piece);
	if (!merged.status) {
		rc = take_oid(str_trim(piece), "merge-tree", tree, err);
		*ret_empty = !rc && !strcmp(before, tree);
		return rc ? rc : pick_stand(t->pick, tree, err);
	}
	while (str_cut(&rest, '\0', &piece))
		if (piece.len)
			strvec_push_str(files, piece);
	if (!files->n)
		strvec_push(files, "the patch");
	return 0;
}

int trial_stand(struct trial_room *t, const char *tree, struct err *err)
{
	return pick_stand(t->pick, tree, err);
}

int trial_next(struct trial_room *t, const char *parent, const char *commit,
	       bool *ret_empty, struct strvec *files, struct err *err)
{
	if (pick_simple(t->pick, parent, commit, ret_empty))
		return 0;
	return merge(t, parent, commit, ret_empty, files, err);
}

int trial_pick(struct trial_room *t, const char *parent, const char *commit,
	       char tree[OID_HEX], struct strvec *files, struct err *err)
{
	char unused[OID_HEX];
	bool empty;
	int rc = trial_stand(t, tree, err);

	if (!rc)
		rc = trial_next(t, parent, commit, &empty, files, err);
	return rc || files->n ? rc : pick_write(t->pick, parent, tree, unused, err);
}

int trial_keep(struct trial_room *t, const char *commit, const char *down_to,
	       struct err *err)
{
	char *pack[] = { "pack-objects", "--revs", "--stdout", "-q", NULL };
	char *unpack[] = { "unpack-objects", "-q", NULL };
	char *revs _cleanup_free_ = xasprintf("%s\n^%s\n", commit, down_to);
	struct buf objects _cleanup_buf_ = BUF_INIT;
	int rc = trial_git(t, pack, str_c(revs), &objects, err);

	return rc ? rc : git_check(t->repo, unpack, buf_str(&objects), NULL, err);
}
