// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest_trial.c - do the patches apply on another commit? One by one, as git rebase
 * would, and nothing of the repository is written.
 *
 * Most patches meet the very files that they were made for, and starting git is what
 * costs: only the others are merged by git merge-tree. That takes its base from the
 * history, so a commit is made of the tree so far whose parent is the parent of the
 * patch: the base of both is that parent.
 */
#include "apart.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/pick.h"
#include "suggest_base_priv.h"

struct trial_room {
	const struct series *s;
	char *dir;
	struct pick *pick;
	char *env[7];
};

int trial_open(const struct series *s, struct trial_room **ret, struct err *err)
{
	struct trial_room *t _cleanup_(trial_close) = xcalloc(1, sizeof(*t));
	char *objects _cleanup_free_ = NULL;
	int rc = fs_tmpdir("series-try", &t->dir, err);

	if (rc)
		return rc;
	t->s = s;
	objects = path_join(t->dir, "objects");
	rc = fs_mkdirs(objects, err);
	if (rc)
		return rc;
	objects_apart(s->repo, objects, t->env);
	t->env[2] = xasprintf("GIT_DIR=%s", repo_git_dir(s->repo));
	t->env[3] = xasprintf("GIT_WORK_TREE=%s", t->dir);
	t->env[4] = xasprintf("GIT_INDEX_FILE=%s/index", t->dir);
	t->env[5] = xstrdup("GIT_NO_REPLACE_OBJECTS=1");
	rc = pick_open(s->repo, objects, &t->pick, err);
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
	if ((*t)->dir)
		fs_rmtree((*t)->dir, NULL);
	free((*t)->dir);
	for (size_t i = 0; i < ARRAY_SIZE((*t)->env); i++)
		free((*t)->env[i]);
	free(*t);
	*t = NULL;
}

/* git in there. Status 1 is an answer of merge-tree, all others but 0 are errors. */
static int run(struct trial_room *t, char *const *argv, struct proc_result *ret,
	       struct err *err)
{
	struct proc_opts o = { .argv = argv, .cwd = t->dir, .env = t->env };
	struct str said, line = STR_LIT("");
	int rc = proc_run(&o, ret, err);

	if (rc || ret->status == 0 || (ret->status == 1 && ret->out.len))
		return rc;
	said = str_trim(buf_str(&ret->err));
	str_line(&said, &line);
	return err_set(err, E_FAIL, "git %s: " STR_FMT " (status %d)%s", argv[1],
		       STR_ARG(line), ret->status,
		       ret->status == 129 ? "; it takes git 2.38 or later" : "");
}

static int take_oid(struct str s, char ret[OID_HEX], struct err *err)
{
	if (s.len != OID_HEX - 1)
		return err_set(err, E_FAIL, "git merge-tree gives no object name");
	memcpy(ret, s.p, OID_HEX - 1);
	ret[OID_HEX - 1] = '\0';
	return 0;
}

/* git's word for patch i: *ret_empty, or the files that it conflicts in. */
static int merge(struct trial_room *t, size_t i, const char *parent, bool *ret_empty,
		 struct strvec *files, struct err *err)
{
	const struct patch *patch = &t->s->patches[i];
	char ours[OID_HEX], before[OID_HEX], tree[OID_HEX];
	char *argv[] = { "git", "merge-tree",	       "--write-tree",
			 "-z",	"--name-only",	       "--no-messages",
			 ours,	(char *)patch->commit, NULL };
	struct proc_result merged _cleanup_proc_ = PROC_RESULT_INIT;
	struct str rest, piece = STR_LIT("");
	int rc = pick_write(t->pick, parent, before, ours, err);

	if (!rc)
		rc = run(t, argv, &merged, err);
	if (rc)
		return rc;
	rest = buf_str(&merged.out);
	str_cut(&rest, '\0', &piece);
	if (!merged.status) {
		rc = take_oid(str_trim(piece), tree, err);
		*ret_empty = !rc && !strcmp(before, tree);
		return rc ? rc : pick_stand(t->pick, tree, err);
	}
	while (str_cut(&rest, '\0', &piece))
		if (piece.len)
			strvec_push_str(files, piece);
	if (!files->n)
		strvec_push(files, patch->subject);
	return 0;
}

int trial_run(struct trial_room *t, const char *commit, struct base_trial *ret,
	      struct err *err)
{
	const struct series *s = t->s;
	struct commit c;
	int rc = repo_commit(s->repo, commit, &c, err);

	if (rc)
		return rc;
	rc = pick_stand(t->pick, c.tree, err);
	commit_release(&c);
	for (size_t i = 0; !rc && i < s->n_patches; i++) {
		const char *parent = i ? s->patches[i - 1].commit : s->base;
		bool empty = false;

		if (!pick_simple(t->pick, parent, s->patches[i].commit, &empty))
			rc = merge(t, i, parent, &empty, &ret->files, err);
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
