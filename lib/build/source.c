// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The work tree that kernels are built from. It has an index of its own and is known to
 * nobody but us: "git worktree list" of the user does not show it, and nothing of the
 * user's tree is read or written.
 *
 * git read-tree --reset -u writes only files that differ from the index, so unchanged
 * ones keep their times and make leaves their objects alone; files that a killed run half
 * wrote differ from the index in size or time and are written again. What such a run
 * added and the index does not know is removed by git clean, when src.pending says that a
 * change did not come to its end.
 */
#include <string.h>

#include "series/fs.h"
#include "series/proc.h"
#include "internal.h"

int source_git(const struct plan *p, const struct strvec *args, struct buf *ret_out,
	       struct err *err)
{
	_cleanup_strvec_ struct strvec argv = STRVEC_INIT, env = STRVEC_INIT;
	_cleanup_proc_ struct proc_result res = PROC_RESULT_INIT;

	strvec_pushl(&argv, "git", "-c", "core.sparseCheckout=false", "-c",
		     "core.autocrlf=false", "-c", "core.fsmonitor=false", "-c",
		     "core.untrackedCache=false", "-c", "core.splitIndex=false", "-c",
		     "core.hooksPath=/dev/null", "-c", "index.sparse=false", NULL);
	strvec_extend(&argv, args);
	strvec_pushf(&env, "GIT_DIR=%s", repo_git_dir(p->q->repo));
	strvec_pushf(&env, "GIT_WORK_TREE=%s", p->src);
	strvec_pushf(&env, "GIT_INDEX_FILE=%s.index", p->src);
	strvec_push(&env, "LC_ALL=C");
	struct proc_opts o = { .argv = strvec_argv(&argv),
			       .env = strvec_argv(&env),
			       .cwd = p->src };
	int rc = proc_check(&o, &res, err);

	if (!rc && ret_out)
		buf_add(ret_out, res.out.p, res.out.len);
	return rc;
}

static int clean(const struct plan *p, struct err *err)
{
	_cleanup_strvec_ struct strvec args = STRVEC_INIT;

	strvec_pushl(&args, "clean", "-ffdxq", "-e", "/o.*", NULL);
	return source_git(p, &args, NULL, err);
}

int source_checkout(const struct plan *p, const char *tree, struct err *err)
{
	_cleanup_strvec_ struct strvec args = STRVEC_INIT;
	_cleanup_free_ char *pending = xasprintf("%s.pending", p->src);
	_cleanup_free_ char *lock = xasprintf("%s.index.lock", p->src);
	bool broken = fs_exists(pending);
	int rc = fs_mkdirs(p->src, err);

	/* Whoever made it is dead: we hold the lock of the directory. */
	if (!rc)
		rc = fs_unlink(lock, err);
	if (!rc)
		rc = fs_write_atomic(pending, tree, strlen(tree), 0644, err);
	strvec_pushl(&args, "read-tree", "--reset", "-u", tree, NULL);
	if (!rc)
		rc = source_git(p, &args, NULL, err);
	if (!rc && broken)
		rc = clean(p, err);
	if (rc < 0) {
		err_context(err, "checking out %.12s below %s", tree, p->root);
		return rc;
	}
	return fs_unlink(pending, err);
}

int source_diff(const struct plan *p, const char *a, const char *b, struct strvec *ret,
		struct err *err)
{
	_cleanup_strvec_ struct strvec args = STRVEC_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct str rest, path;

	strvec_pushl(&args, "diff-tree", "-r", "--name-only", "--no-renames", "-z", a, b,
		     NULL);
	int rc = source_git(p, &args, &out, err);

	if (rc < 0)
		return rc;
	rest = buf_str(&out);
	while (str_cut(&rest, '\0', &path))
		if (path.len)
			strvec_push_str(ret, path);
	return 0;
}
