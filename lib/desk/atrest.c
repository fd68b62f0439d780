// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * atrest.c - see atrest.h. The files are those that git status looks at
 * (wt_status_get_state() of git 2.39), in each work tree's own folder.
 */
#include "atrest.h"
#include "series/fs.h"
#include "series/mem.h"

/* A ref's name in a file is that of the branch. */
static bool says(const char *git_dir, const char *file, const char *before,
		 const char *branch)
{
	char *path _cleanup_free_ = path_join(git_dir, file);
	char *want _cleanup_free_ = xasprintf("%srefs/heads/%s", before, branch);
	struct buf b _cleanup_buf_ = BUF_INIT;

	return !fs_read(path, 4096, &b, NULL) && str_eqc(str_trim(buf_str(&b)), want);
}

static bool has(const char *git_dir, const char *file)
{
	char *path _cleanup_free_ = path_join(git_dir, file);

	return fs_exists(path);
}

/* A command of git that moves what HEAD is on and is not at its end, or NULL. */
static const char *busy_on_head(const char *git_dir)
{
	static const char *const heads[][2] = {
		{ "MERGE_HEAD", "merge" },
		{ "CHERRY_PICK_HEAD", "cherry-pick" },
		{ "REVERT_HEAD", "revert" },
	};

	if (has(git_dir, "rebase-apply/applying"))
		return "am";
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (has(git_dir, heads[i][0]))
			return heads[i][1];
	/* Between two commits of several that are picked. */
	return has(git_dir, "sequencer/todo") ? "cherry-pick" : NULL;
}

/* The same of one branch, NULL when there is none. */
static const char *busy_with(const char *git_dir, const char *branch)
{
	/* HEAD is detached while it goes on, and the branch moves at its end. */
	if (says(git_dir, "rebase-merge/head-name", "", branch) ||
	    says(git_dir, "rebase-apply/head-name", "", branch))
		return "rebase";
	return says(git_dir, "HEAD", "ref: ", branch) ? busy_on_head(git_dir) : NULL;
}

static int say_busy(const char *busy, const char *what, struct err *err)
{
	if (!strcmp(busy, "rebase"))
		return err_set(
			err, E_FAIL,
			"%s is being rebased; first: git rebase --continue, or git "
			"rebase --abort",
			what);
	return err_set(err, E_FAIL,
		       "git %s is not at its end on %s; first: git %s --continue, or git "
		       "%s --abort",
		       busy, what, busy, busy);
}

int head_at_rest(struct repo *r, struct err *err)
{
	const char *dir = repo_git_dir(r);
	const char *busy = busy_on_head(dir);

	if (!busy && (has(dir, "rebase-merge") || has(dir, "rebase-apply")))
		busy = "rebase";
	return busy ? say_busy(busy, "this work tree", err) : 0;
}

int branch_at_rest(struct repo *r, const char *branch, struct err *err)
{
	char *others _cleanup_free_ = path_join(repo_common_dir(r), "worktrees");
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	const char *busy = busy_with(repo_common_dir(r), branch);
	char *what _cleanup_free_ = NULL;

	if (!busy && !fs_list(others, &names, NULL))
		for (size_t i = 0; i < names.n && !busy; i++) {
			char *dir _cleanup_free_ = path_join(others, names.v[i]);

			busy = busy_with(dir, branch);
		}
	what = xasprintf("branch %s", branch);
	return busy ? say_busy(busy, what, err) : 0;
}
