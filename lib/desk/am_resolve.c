// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am_resolve.c - conflicts resolved in a work tree that is thrown away. See am.h.
 *
 * Only the folders that the patches touch are checked out: a whole kernel takes half a
 * minute. The other files are marked as left out in that index; no setting of the
 * repository says so, for it would stay.
 */
#include <stdlib.h>
#include "am_priv.h"
#include "atrest.h"
#include "series/fs.h"
#include "series/json.h"
#include "series/mem.h"
#include "series/time.h"
#include "series/xdg.h"

#define FILE_MAX (1 << 20)

void am_resolved_release(struct am_resolved *r)
{
	free(r->path);
	free(r->branch);
	*r = (struct am_resolved){ .path = NULL };
}

static char *state_path(struct repo *r)
{
	return path_join(repo_common_dir(r), "series/am-resolve.json");
}

static int write_state(const struct am *a, const char *path, const char *base,
		       struct err *err)
{
	struct json *j _cleanup_json_ = json_obj();
	struct buf out _cleanup_buf_ = BUF_INIT;
	char *branch _cleanup_free_ = NULL;
	size_t n = 0;

	if (repo_branch(a->repo, &branch, NULL))
		branch = NULL;
	for (size_t i = 0; i < a->n_patches; i++)
		n += !a->patch[i].there;
	json_set_int(j, "schema", 1);
	json_set_str(j, "path", path);
	json_set_str(j, "branch", branch);
	json_set_str(j, "base", base);
	json_set_int(j, "patches", (int64_t)n);
	json_dump(j, &out);
	return fs_write_below(repo_common_dir(a->repo), "series/am-resolve.json",
			      buf_str(&out), err);
}

static int read_state(struct repo *r, struct am_resolved *ret, struct err *err)
{
	char *file _cleanup_free_ = state_path(r);
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	const char *base, *path;
	int rc = fs_read(file, FILE_MAX, &text, err);

	if (rc == E_NOTFOUND)
		return err_set(err, rc,
			       "no conflict of series am --resolve is waiting here");
	if (!rc)
		rc = json_parse_schema(buf_str(&text), file, 1, &j, err);
	if (rc)
		return rc;
	path = json_get_str(j, "path");
	base = json_get_str(j, "base");
	if (!path || !base || strlen(base) != OID_HEX - 1)
		return err_set(err, E_CORRUPT,
			       "%s: no record of series am --resolve; "
			       "remove it",
			       file);
	ret->path = xstrdup(path);
	ret->branch = xstrdup_null(json_get_str(j, "branch"));
	memcpy(ret->base, base, OID_HEX);
	ret->patches = (size_t)json_get_int(j, "patches", 0);
	return 0;
}

/* Patterns of gitignore(5), which git reads as those to check out. */
static void patterns(const struct am *a, struct buf *out)
{
	struct strvec paths _cleanup_strvec_ = STRVEC_INIT,
			    fresh _cleanup_strvec_ = STRVEC_INIT,
			    seen _cleanup_strvec_ = STRVEC_INIT;

	buf_puts(out, "/*\n!/*/\n");
	am_touched(a, &paths, &fresh);
	for (size_t i = 0; i < paths.n; i++) {
		char *dir _cleanup_free_ = path_dir(paths.v[i]);

		if (!strchr(paths.v[i], '/') || strvec_has(&seen, dir))
			continue;
		strvec_push(&seen, dir);
		buf_putc(out, '/');
		for (const char *s = dir; *s; s++) {
			if (strchr("*?[\\", *s))
				buf_putc(out, '\\');
			buf_putc(out, *s);
		}
		buf_puts(out, "/\n");
	}
}

static int check_out(const struct am *a, struct repo *r, struct err *err)
{
	char *args[] = { "-c",	      "core.sparseCheckout=true",
			 "-c",	      "core.sparseCheckoutCone=false",
			 "read-tree", "-m",
			 "-u",	      "HEAD",
			 NULL };
	struct buf text _cleanup_buf_ = BUF_INIT;
	int rc;

	patterns(a, &text);
	rc = fs_write_below(repo_git_dir(r), "info/sparse-checkout", buf_str(&text), err);
	return rc ? rc : git_check(r, args, STR_NULL, NULL, err);
}

static int remove_tree(struct repo *r, const char *path, struct err *err)
{
	char *remove[] = { "worktree", "remove", "--force", (char *)path, NULL };
	char *prune[] = { "worktree", "prune", NULL };
	char *file _cleanup_free_ = state_path(r);
	int rc = 0;

	if (fs_exists(path))
		rc = git_check(r, remove, STR_NULL, NULL, err);
	else
		rc = git_check(r, prune, STR_NULL, NULL, err);
	return rc ? rc : fs_unlink(file, err);
}

static char *new_path(void)
{
	struct buf name _cleanup_buf_ = BUF_INIT;
	char *dir _cleanup_free_ = xdg_cache("resolve");

	buf_puts(&name, "am-");
	rand_letters(&name, 6);
	return path_join(dir, buf_cstr(&name));
}

int am_resolve_begin(const struct am *a, char **ret_path, struct repo **ret_repo,
		     struct err *err)
{
	struct am_resolved was _cleanup_am_resolved_ = { .path = NULL };
	char *path _cleanup_free_ = new_path(), *dir _cleanup_free_ = path_dir(path);
	char base[OID_HEX];
	char *args[] = { "worktree",	  "add", "-q", "--detach",
			 "--no-checkout", path,	 base, NULL };
	struct repo *r _cleanup_repo_ = NULL;
	int rc;

	if (!read_state(a->repo, &was, NULL))
		return err_set(
			err, E_EXISTS,
			"a conflict is being resolved in %s; end that first: series "
			"am --continue, or series am --abort",
			was.path);
	rc = repo_resolve(a->repo, "HEAD", base, err);
	if (!rc)
		rc = fs_mkdirs(dir, err);
	if (!rc)
		rc = write_state(a, path, base, err);
	if (!rc)
		rc = git_check(a->repo, args, STR_NULL, NULL, err);
	if (!rc)
		rc = repo_open(path, &r, err);
	if (!rc)
		rc = check_out(a, r, err);
	if (rc) {
		remove_tree(a->repo, path, NULL);
		return rc;
	}
	*ret_path = path;
	path = NULL;
	*ret_repo = r;
	r = NULL;
	return 0;
}

/* What came of it, when git am is at its end there. */
static int read_there(struct am_resolved *s, struct err *err)
{
	struct repo *r _cleanup_repo_ = NULL;
	struct commit *c = NULL;
	int rc = repo_open(s->path, &r, err);

	if (!rc)
		rc = head_at_rest(r, err);
	if (rc)
		return err_context(err, "%s", s->path);
	rc = repo_resolve(r, "HEAD", s->head, err);
	if (!rc && strcmp(s->head, s->base))
		rc = repo_range(r, s->base, s->head, SIZE_MAX, &c, &s->commits, err);
	commits_free(c, s->commits);
	if (!rc && !s->commits)
		rc = err_set(err, E_FAIL,
			     "no patch was applied in %s; series am --abort forgets it",
			     s->path);
	return rc;
}

static int to_branch(struct repo *r, const struct am_resolved *s, struct err *err)
{
	char *args[] = { "merge", "-q", "--ff-only", (char *)s->head, NULL };
	char *branch _cleanup_free_ = NULL;
	struct buf words _cleanup_buf_ = BUF_INIT;
	char head[OID_HEX];
	int rc = head_at_rest(r, err);

	if (!rc)
		rc = repo_resolve(r, "HEAD", head, err);
	if (rc)
		return rc;
	if (repo_branch(r, &branch, NULL))
		branch = NULL;
	if (!branch != !s->branch || (branch && strcmp(branch, s->branch)))
		return err_set(err, E_FAIL, "the patches are for %s, and this is %s",
			       s->branch ? s->branch : "a detached HEAD",
			       branch ? branch : "a detached HEAD");
	if (strcmp(head, s->base))
		return err_set(err, E_FAIL,
			       "HEAD has moved since; git cherry-pick %.12s..%.12s takes "
			       "the patches, then series am --abort",
			       s->base, s->head);
	rc = git_talk(r, args, &words, err);
	return rc <= 0 ? rc
		       : err_set(err, E_FAIL, "git merge --ff-only: %s",
				 buf_cstr(&words));
}

int am_resolve_end(struct repo *r, struct am_resolved *ret, struct err *err)
{
	struct am_resolved s _cleanup_am_resolved_ = { .path = NULL };
	int rc = read_state(r, &s, err);

	if (!rc)
		rc = read_there(&s, err);
	if (!rc)
		rc = to_branch(r, &s, err);
	if (!rc)
		rc = remove_tree(r, s.path, err);
	if (rc)
		return rc;
	*ret = s;
	s = (struct am_resolved){ .path = NULL };
	return 0;
}

int am_resolve_abort(struct repo *r, struct am_resolved *ret, struct err *err)
{
	int rc = read_state(r, ret, err);

	return rc ? rc : remove_tree(r, ret->path, err);
}
