// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_try.c - do the patches apply, before anything is touched? See am.h.
 */
#include "am_priv.h"
#include "mailtree.h"
#include "series/fs.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "series/progress.h"
#include "wantblobs.h"
#include "atrest.h"

void am_trial_release(struct am_trial *t)
{
	free(t->why);
	strvec_release(&t->missing);
	*t = (struct am_trial){ 0 };
}

static const struct mail *mail_of(const struct am *a, size_t i)
{
	return &a->thread->v[a->patch[i].mail].mail;
}

/* Files that a patch was made for, and that are not here, nor in the room (or NULL). */
static void find_missing(const struct am *a, size_t i, struct mailtree *tree,
			 struct strvec *ret)
{
	struct want_blobs w _cleanup_want_blobs_ = { .paths = STRVEC_INIT };
	struct mailinfo info _cleanup_mailinfo_;

	mailinfo_read(mail_of(a, i), &info);
	want_blobs_add(buf_str(&info.patch), &w);
	for (size_t k = 0; k < w.paths.n; k++) {
		struct strvec there _cleanup_strvec_ = STRVEC_INIT;
		const char *blob = w.oids.v[k];

		if (strspn(blob, "0") == strlen(blob))
			continue;
		repo_objects(a->repo, blob, &there, NULL);
		if (!there.n && !(tree && mailtree_has(tree, blob)))
			strvec_pushf(ret, "%s (%s)", w.paths.v[k], blob);
	}
}

static int apply_all(struct am *a, const char *on, enum apart_objects objects,
		     struct am_trial *ret, struct err *err)
{
	struct mailtree *tree _cleanup_mailtree_ = NULL;
	struct am_trial t = { .fails = a->n_patches };
	struct progress p = { 0 };
	int rc = mailtree_open(a->repo, objects, &tree, err);

	if (!rc)
		rc = mailtree_stand(tree, on, err);
	if (rc)
		return rc;
	progress_start(&p, "trying", (int64_t)a->n_patches);
	for (size_t i = 0; i < a->n_patches; i++) {
		struct err why _cleanup_err_ = ERR_INIT;
		enum mailtree_how how;

		progress_update(&p, (int64_t)i, a->patch[i].title);
		rc = mailtree_put(tree, mail_of(a, i), &how, &why);
		a->patch[i].there = how == PUT_THERE;
		a->patch[i].strip_cr = how == PUT_WITHOUT_CR;
		if (!rc)
			continue;
		if (rc != E_CONFLICT) {
			err_set(err, rc, "%s", err_msg(&why));
			break;
		}
		rc = 0;
		t.fails = i;
		t.why = xstrdup(err_msg(&why));
		find_missing(a, i, tree, &t.missing);
		break;
	}
	progress_end(&p);
	if (rc)
		return rc;
	*ret = t;
	return 0;
}

int am_try(struct am *a, const char *on, struct am_trial *ret, struct err *err)
{
	return apply_all(a, on, OBJECTS_APART, ret, err);
}

int am_try_elsewhere(struct am *a, const char *on, bool keep, bool *ret, struct err *err)
{
	struct am_trial t _cleanup_am_trial_ = { 0 };
	size_t size = a->n_patches * sizeof(*a->patch);
	struct am_patch *was _cleanup_free_ = (void *)xmemdup0(a->patch, size);
	int rc = apply_all(a, on, keep ? OBJECTS_STAY : OBJECTS_APART, &t, err);

	*ret = false;
	for (size_t i = 0; i < a->n_patches && !rc; i++)
		*ret = *ret || (t.fails == a->n_patches && !a->patch[i].there);
	memcpy(a->patch, was, size);
	return rc;
}

int am_make_objects(struct am *a, const char *base, struct am_trial *t, struct err *err)
{
	bool unused;
	int rc = am_try_elsewhere(a, base, true, &unused, err);

	if (rc)
		return rc;
	strvec_release(&t->missing);
	if (t->fails < a->n_patches)
		find_missing(a, t->fails, NULL, &t->missing);
	return 0;
}

/* The first of what git names, with zeros between; "" for nothing. */
static int first_named(const struct am *a, const struct strvec *args, struct buf *ret,
		       struct err *err)
{
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct str rest, name = STR_LIT("");
	int rc = git_check(a->repo, args->v, STR_NULL, &out, err);

	rest = buf_str(&out);
	if (!rc && str_cut(&rest, '\0', &name))
		buf_addstr(ret, name);
	return rc;
}

static int index_ready(const struct am *a, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct buf name _cleanup_buf_ = BUF_INIT;
	int rc;

	strvec_pushl(&args, "diff-index", "--cached", "--name-only", "-z",
		     "--ignore-submodules=none", "HEAD", NULL);
	rc = first_named(a, &args, &name, err);
	if (!rc && name.len)
		rc = err_set(err, E_FAIL,
			     "there are staged changes (%s); commit them, or git stash",
			     buf_cstr(&name));
	return rc;
}

void am_touched(const struct am *a, struct strvec *ret, struct strvec *ret_new)
{
	for (size_t i = 0; i < a->n_patches; i++) {
		struct mailinfo info _cleanup_mailinfo_;
		struct diff d _cleanup_diff_ = { .file = NULL };

		mailinfo_read(mail_of(a, i), &info);
		diff_read(buf_str(&info.patch), &d);
		for (size_t k = 0; k < d.n_files; k++) {
			const char *both[] = { d.file[k].old_path, d.file[k].new_path };

			for (size_t j = 0; j < ARRAY_SIZE(both); j++)
				if (both[j] && *both[j] && !strvec_has(ret, both[j]))
					strvec_push(ret, both[j]);
			if (both[1] && *both[1] &&
			    (!both[0] || strcmp(both[0], both[1])) &&
			    !strvec_has(ret_new, both[1]))
				strvec_push(ret_new, both[1]);
		}
	}
}

/* The files of the patches: as HEAD has them, and no others in their way. */
static int files_ready(const struct am *a, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT,
			   others _cleanup_strvec_ = STRVEC_INIT,
			   paths _cleanup_strvec_ = STRVEC_INIT,
			   fresh _cleanup_strvec_ = STRVEC_INIT;
	struct buf name _cleanup_buf_ = BUF_INIT;
	int rc = 0;

	am_touched(a, &paths, &fresh);
	if (!paths.n)
		return 0;
	strvec_pushl(&args, "--literal-pathspecs", "diff", "--name-only", "-z",
		     "--no-ext-diff", "--", NULL);
	strvec_extend(&args, &paths);
	rc = first_named(a, &args, &name, err);
	if (!rc && name.len)
		return err_set(
			err, E_FAIL,
			"%s has changes that are not committed, and a patch touches "
			"it; commit them, or git stash",
			buf_cstr(&name));
	strvec_pushl(&others, "--literal-pathspecs", "ls-files", "--others", "-z", "--",
		     NULL);
	strvec_extend(&others, &fresh);
	if (!rc && fresh.n)
		rc = first_named(a, &others, &name, err);
	if (!rc && name.len)
		rc = err_set(
			err, E_FAIL,
			"%s is in the way of a patch that makes it, and git does not "
			"know it; move it away",
			buf_cstr(&name));
	return rc;
}

int am_ready(const struct am *a, struct err *err)
{
	char head[OID_HEX];
	int rc = head_at_rest(a->repo, err);

	if (!rc && !repo_work_tree(a->repo))
		rc = err_set(
			err, E_FAIL,
			"there is no work tree here to apply patches in; git worktree "
			"add makes one");
	if (!rc)
		rc = repo_resolve(a->repo, "HEAD", head, err);
	if (!rc)
		rc = index_ready(a, err);
	return rc ? rc : files_ready(a, err);
}
