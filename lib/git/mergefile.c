// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mergefile.c - two texts that come from a third made one, by git merge-file.
 */
#include "series/fs.h"
#include "series/git.h"
#include "series/mem.h"

static int write_part(const char *dir, const char *name, struct str text, char **ret,
		      struct err *err)
{
	*ret = path_join(dir, name);
	return fs_write_atomic(*ret, text.p ? text.p : "", text.len, 0600, err);
}

/* It ends with the number of conflicts, 255 stands for an error. */
static int run(struct repo *r, const struct merge_texts *m, char *const paths[3],
	       struct buf *ret, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	int rc;

	strvec_pushl(&args, "merge-file", "-q", "-p", NULL);
	if (m->our_name)
		strvec_pushl(&args, "-L", m->our_name, "-L", "base", "-L", m->their_name,
			     NULL);
	else
		strvec_push(&args, "--union");
	strvec_pushl(&args, paths[0], paths[1], paths[2], NULL);
	rc = git_run(r, strvec_argv(&args), STR_NULL, &res, err);
	if (rc)
		return rc;
	if (res.status > 127)
		return git_failed("merge-file", repo_common_dir(r), &res, err);
	buf_addstr(ret, buf_str(&res.out));
	return 0;
}

int git_merge_texts(struct repo *r, const struct merge_texts *m, struct buf *ret,
		    struct err *err)
{
	char *ours _cleanup_free_ = NULL, *base _cleanup_free_ = NULL,
		   *theirs _cleanup_free_ = NULL, *dir _cleanup_free_ = NULL;
	int rc = fs_tmpdir("series-merge", &dir, err);

	if (rc)
		return rc;
	rc = write_part(dir, "ours", m->ours, &ours, err);
	if (!rc)
		rc = write_part(dir, "base", m->base, &base, err);
	if (!rc)
		rc = write_part(dir, "theirs", m->theirs, &theirs, err);
	if (!rc)
		rc = run(r, m, (char *[]){ ours, base, theirs }, ret, err);
	fs_rmtree(dir, NULL);
	return rc;
}
