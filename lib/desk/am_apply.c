// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_apply.c - git am on the branch that is checked out, and what came of it. See am.h.
 */
#include <stdlib.h>
#include "am_priv.h"
#include "series/fs.h"
#include "series/mem.h"

void am_result_release(struct am_result *r)
{
	for (size_t i = 0; r->commit && i < r->n_commits; i++)
		free(r->commit[i]);
	free(r->commit);
	*r = (struct am_result){ 0 };
}

/* A file for each patch; their names go to *args. */
static int write_mails(const struct am *a, const char *dir, struct strvec *args,
		       struct err *err)
{
	for (size_t i = 0; i < a->n_patches; i++) {
		struct buf mail _cleanup_buf_ = BUF_INIT;
		char *name _cleanup_free_ = xasprintf("%04zu.eml", i + 1);
		int rc;

		if (a->patch[i].there)
			continue;
		rc = am_compose(a, &a->patch[i], &mail, err);
		if (!rc)
			rc = fs_write_below(dir, name, buf_str(&mail), err);
		if (rc)
			return rc;
		strvec_take(args, path_join(dir, name));
	}
	return 0;
}

static size_t count_wanted(const struct am *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_patches; i++)
		n += !a->patch[i].there;
	return n;
}

/* The patch that is the k-th (from 1) of those that git am got; NULL. */
static const struct am_patch *wanted_patch(const struct am *a, int64_t k)
{
	for (size_t i = 0; i < a->n_patches; i++)
		if (!a->patch[i].there && !--k)
			return &a->patch[i];
	return NULL;
}

/* git am waits: at which patch, and for which files. */
static int say_stopped(const struct am *a, const char *words, struct err *err)
{
	char *next _cleanup_free_ = path_join(repo_git_dir(a->repo), "rebase-apply/next");
	char *args[] = { "diff", "--name-only", "--diff-filter=U", NULL };
	struct buf number _cleanup_buf_ = BUF_INIT, files _cleanup_buf_ = BUF_INIT;
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	char *list _cleanup_free_ = NULL, *where _cleanup_free_ = NULL;
	const struct am_patch *p = NULL;
	int64_t k;

	if (!fs_read(next, 100, &number, NULL) &&
	    str_to_i64(str_trim(buf_str(&number)), 1, (int64_t)a->n_patches, &k))
		p = wanted_patch(a, k);
	if (!git_check(a->repo, args, STR_NULL, &files, NULL))
		strvec_split(&names, buf_str(&files), '\n');
	list = strvec_join(&names, ", ");
	where = p ? xasprintf("patch %zu/%zu \"%s\"", p->n, am_version(a)->total,
			      p->title)
		  : xstrdup("a patch");
	return err_set(
		err, E_FAIL,
		"git am stopped at %s%s%s; resolve it, git add what you resolved and git "
		"am --continue, or git am --abort",
		where, names.n ? ", which conflicts in " : ": ", names.n ? list : words);
}

static char *commit_of(const struct commit *c, size_t n, const char *title, bool *used)
{
	for (size_t i = 0; i < n; i++)
		if (!used[i] && title_same(c[i].subject, title)) {
			used[i] = true;
			return xstrdup(c[i].id);
		}
	return NULL;
}

/*
 * As many commits as patches, in their order. With fewer, which are told by their titles:
 * git am -3 passes over what turns out to be there.
 */
static int match_commits(const struct am *a, const struct commit *c, size_t n,
			 struct am_result *r, struct err *err)
{
	bool *used _cleanup_free_ = xcalloc(n + 1, sizeof(*used));
	struct buf lost _cleanup_buf_ = BUF_INIT;
	size_t wanted = count_wanted(a), at = 0;

	r->commit = xcalloc(a->n_patches, sizeof(*r->commit));
	r->n_commits = a->n_patches;
	for (size_t i = 0; i < a->n_patches; i++) {
		const struct am_patch *p = &a->patch[i];

		if (p->there)
			continue;
		r->commit[i] = n == wanted ? xstrdup(c[at++].id)
					   : commit_of(c, n, p->title, used);
		if (!r->commit[i])
			buf_printf(&lost, "%s%zu/%zu \"%s\"", lost.len ? ", " : "", p->n,
				   am_version(a)->total, p->title);
	}
	if (n == wanted)
		return 0;
	return err_set(
		err, E_FAIL,
		"git am made %zu commits of %zu patches; %s %s left out: what it "
		"changes may be there already. git reset --keep %.12s takes all back",
		n, wanted, buf_cstr(&lost), lost.len ? "was" : "nothing was", r->base);
}

static int read_result(const struct am *a, struct am_result *r, struct err *err)
{
	struct commit *c = NULL;
	size_t n = 0;
	int rc = repo_resolve(a->repo, "HEAD", r->head, err);

	if (!rc && strcmp(r->head, r->base))
		rc = repo_range(a->repo, r->base, r->head, a->n_patches + 1, &c, &n, err);
	if (!rc)
		rc = match_commits(a, c, n, r, err);
	commits_free(c, n);
	return rc;
}

static int run_am(const struct am *a, bool signoff, const struct strvec *mails,
		  struct am_result *r, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	char *busy _cleanup_free_ =
		path_join(repo_git_dir(a->repo), "rebase-apply/applying");
	struct buf words _cleanup_buf_ = BUF_INIT;
	int rc;

	/* As in mailtree.c: what git fsck refuses on any system is not committed. */
	strvec_pushl(&args, "-c", "core.protectHFS=true", "-c", "core.protectNTFS=true",
		     "-c", "mailinfo.quotedCr=nowarn", "am", "-q", "-3",
		     "--patch-format=mbox", NULL);
	if (signoff)
		strvec_push(&args, "--signoff");
	strvec_push(&args, "--");
	strvec_extend(&args, mails);
	rc = git_talk(a->repo, strvec_argv(&args), &words, err);
	if (!rc)
		return read_result(a, r, err);
	r->stopped = fs_exists(busy);
	/* --continue would miss what was to be applied: git am wants it in the index. */
	if (r->stopped && rc == E_INTR)
		return err_set(err, rc,
			       "git am was interrupted and is half done; git am --abort "
			       "takes all back");
	if (rc < 0)
		return rc;
	if (r->stopped)
		return say_stopped(a, buf_cstr(&words), err);
	return err_set(err, E_FAIL, "git am: %s", buf_cstr(&words));
}

int am_apply(struct am *a, bool signoff, struct am_result *ret, struct err *err)
{
	struct strvec mails _cleanup_strvec_ = STRVEC_INIT;
	char *dir = NULL;
	int rc = repo_resolve(a->repo, "HEAD", ret->base, err);

	if (!rc)
		rc = fs_tmpdir("series-am", &dir, err);
	if (!rc)
		rc = write_mails(a, dir, &mails, err);
	if (!rc && !mails.n)
		rc = read_result(a, ret, err);
	else if (!rc)
		rc = run_am(a, signoff, &mails, ret, err);
	if (dir)
		fs_rmtree(dir, NULL);
	free(dir);
	return rc;
}
