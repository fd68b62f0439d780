// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening a repository, its paths, its refs, and revisions to commits.
 */
#include <stdlib.h>
#include <unistd.h>
#include "internal.h"
#include "series/fs.h"

int git_fail(struct err *err, int rc, const char *fmt, ...)
{
	const git_error *e = git_error_last();
	int code = rc == GIT_ENOTFOUND ? E_NOTFOUND
		   : rc == GIT_EEXISTS ? E_EXISTS
				       : E_FAIL;
	char *text _cleanup_free_ = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return err_set(err, code, "%s: %s", text,
		       e && e->message && *e->message ? e->message : "git object error");
}

int oid_from_hex(git_oid *oid, const char *hex, struct err *err)
{
	if (strlen(hex) != OID_HEX - 1 || git_oid_fromstr(oid, hex))
		return err_set(err, E_FAIL, "\"%s\" is no object name of 40 hex digits",
			       hex);
	return 0;
}

static char *without_slash(const char *path)
{
	char *p = xstrdup_null(path);

	for (size_t n = p ? strlen(p) : 0; n > 1 && p[n - 1] == '/'; n--)
		p[n - 1] = '\0';
	return p;
}

/*
 * Does git itself, which knows more of safe.directory than libgit2, take it? If not, the
 * command that it advises goes to *ret_advice: it names the right folder, quoted.
 */
static bool git_trusts(const char *path, char **ret_advice)
{
	static const char command[] = "git config --global --add safe.directory ";
	char *argv[] = { "git", "rev-parse", "--git-dir", NULL };
	struct proc_opts o = { .argv = argv, .cwd = path, .timeout_ms = 30000 };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct str rest, line;

	if (proc_run(&o, &res, NULL))
		return false;
	rest = buf_str(&res.err);
	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (str_starts(line, command) && !*ret_advice)
			*ret_advice = str_dup(line);
	}
	return !res.status;
}

/* 1.5 says ENOTFOUND, of its own setting, when safe.directory is not set at all. */
static bool owner_refused(int rc)
{
	const git_error *e = git_error_last();

	return rc == GIT_EOWNER || (rc == GIT_ENOTFOUND && e && e->message &&
				    strstr(e->message, "safe.directory"));
}

/* "failed to parse config file: WHAT (in FILE:LINE)": the remedy is not in it. */
static int bad_config(const char *msg, const char *cwd, struct err *err)
{
	return err_set(
		err, E_FAIL,
		"cannot open the repository at %s: %s; correct that line in an editor",
		cwd, msg);
}

static int open_failed(int rc, const char *path, const char *advice, struct err *err)
{
	const git_error *e = git_error_last();
	const char *msg = e && e->message ? e->message : "";
	char *cwd _cleanup_free_ = path ? xstrdup(path) : getcwd(NULL, 0);

	if (!cwd)
		cwd = xstrdup(".");
	if (owner_refused(rc))
		return err_set(err, E_FAIL,
			       "%s belongs to another user; if you trust it: %s", cwd,
			       advice ? advice
				      : "git config --global --add safe.directory DIR");
	if (rc == GIT_ENOTFOUND)
		return err_set(err, E_NOTFOUND,
			       "%s is not in a git repository; go to your kernel tree or "
			       "use -C DIR",
			       cwd);
	if (strcasestr(msg, "objectformat"))
		return err_set(
			err, E_FAIL,
			"the repository at %s uses SHA-256 object names, which are "
			"not supported; use a SHA-1 repository",
			cwd);
	if (strcasestr(msg, "refstorage"))
		return err_set(
			err, E_FAIL,
			"the repository at %s keeps its refs as reftable, which is "
			"not supported; use one with files (git refs migrate "
			"--ref-format=files)",
			cwd);
	if (strcasestr(msg, "extension"))
		return err_set(
			err, E_FAIL,
			"the repository at %s was made for a newer git: %s; update this "
			"program (git config --get-regexp '^extensions' lists what it "
			"uses)",
			cwd, msg);
	if (strcasestr(msg, "config file"))
		return bad_config(msg, cwd, err);
	return git_fail(err, E_FAIL, "cannot open the repository at %s", cwd);
}

int repo_open(const char *path, struct repo **ret, struct err *err)
{
	unsigned flags = path ? 0 : GIT_REPOSITORY_OPEN_FROM_ENV;
	char *advice _cleanup_free_ = NULL;
	git_repository *g = NULL;
	struct repo *r;
	int rc;

	gitlib_start();
	rc = git_repository_open_ext(&g, path, flags, NULL);
	if (owner_refused(rc) && git_trusts(path, &advice)) {
		git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
		rc = git_repository_open_ext(&g, path, flags, NULL);
	}
	if (rc)
		return open_failed(rc, path, advice, err);
	r = xcalloc(1, sizeof(*r));
	r->g = g;
	r->git_dir = without_slash(git_repository_path(g));
	r->common_dir = without_slash(git_repository_commondir(g));
	r->work_tree = without_slash(git_repository_workdir(g));
	promisor_attach(r);
	*ret = r;
	return 0;
}

void repo_free(struct repo *r)
{
	if (!r)
		return;
	git_mailmap_free(r->mailmap);
	git_repository_free(r->g);
	patch_id_cache_free(r->patch_ids);
	git_signature_free(r->author);
	git_signature_free(r->committer);
	free(r->git_dir);
	free(r->common_dir);
	free(r->work_tree);
	free(r);
}

void repo_freep(struct repo **r)
{
	repo_free(*r);
}

const char *repo_git_dir(const struct repo *r)
{
	return r->git_dir;
}

const char *repo_common_dir(const struct repo *r)
{
	return r->common_dir;
}

const char *repo_work_tree(const struct repo *r)
{
	return r->work_tree;
}

/* The branch that a rebase in this work tree will move, or NULL. */
static char *rebased_branch(const struct repo *r)
{
	static const char *const places[] = { "rebase-merge/head-name",
					      "rebase-apply/head-name" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		char *path _cleanup_free_ = path_join(repo_git_dir(r), places[i]);
		struct buf b _cleanup_buf_ = BUF_INIT;
		struct str name;

		if (fs_read(path, 4096, &b, NULL))
			continue;
		name = str_trim(buf_str(&b));
		if (str_skip(&name, "refs/heads/"))
			return str_dup(name);
	}
	return NULL;
}

/* No branch is checked out: why, and what to do about it. */
static int detached(const struct repo *r, struct err *err)
{
	char *branch _cleanup_free_ = rebased_branch(r);

	if (branch)
		return err_set(err, E_NOTFOUND,
			       "HEAD is detached while branch %s is rebased: git rebase "
			       "--continue first, or say -s NAME for the branch as it was",
			       branch);
	return err_set(err, E_NOTFOUND,
		       "HEAD is detached, so no branch is checked out; say -s NAME or git "
		       "switch BRANCH");
}

int repo_branch(struct repo *r, char **ret, struct err *err)
{
	git_reference *head _cleanup_(git_reference_freep) = NULL;
	const char *target;
	int rc = git_reference_lookup(&head, r->g, "HEAD");

	if (rc)
		return git_fail(err, rc, "HEAD");
	target = git_reference_symbolic_target(head);
	if (!target || strncmp(target, "refs/heads/", 11))
		return detached(r, err);
	*ret = xstrdup(target + 11);
	return 0;
}

/* A whole object name or the name of a ref; both are common and cheap. */
static int resolve_plain(struct repo *r, const char *rev, char ret[OID_HEX])
{
	git_reference *ref _cleanup_(git_reference_freep) = NULL;
	git_object *o _cleanup_(git_object_freep) = NULL;
	git_object *c _cleanup_(git_object_freep) = NULL;
	git_oid oid;
	int rc;

	if (!oid_from_hex(&oid, rev, NULL))
		rc = git_object_lookup(&o, r->g, &oid, GIT_OBJECT_ANY);
	else if (strpbrk(rev, "@^~:*?[\\ "))
		rc = -1;
	else if (!(rc = git_reference_dwim(&ref, r->g, rev)))
		rc = git_reference_peel(&o, ref, GIT_OBJECT_ANY);
	if (rc || git_object_peel(&c, o, GIT_OBJECT_COMMIT))
		return -1;
	git_oid_tostr(ret, OID_HEX, git_object_id(c));
	return 0;
}

/* Everything else as git itself parses it. */
static int resolve_by_git(struct repo *r, const char *rev, char ret[OID_HEX])
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	char *want _cleanup_free_ = xasprintf("%s^{commit}", rev);
	char *args[] = { "rev-parse", "--verify", "-q", "--end-of-options", want, NULL };
	struct str line;

	if (!strncmp(rev, ":/", 2))
		args[4] = (char *)rev; /* the rest of it is text to search for */
	if (git_run(r, args, STR_NULL, &res, NULL) || res.status)
		return -1;
	line = str_trim(buf_str(&res.out));
	if (line.len != OID_HEX - 1)
		return -1;
	memcpy(ret, line.p, line.len);
	ret[line.len] = '\0';
	return 0;
}

int repo_resolve(struct repo *r, const char *rev, char ret[OID_HEX], struct err *err)
{
	if (!*rev || *rev == '-')
		return err_set(err, E_NOTFOUND, "\"%s\" is no revision", rev);
	if (!resolve_plain(r, rev, ret) || !resolve_by_git(r, rev, ret))
		return 0;
	return err_set(
		err, E_NOTFOUND,
		"no commit \"%s\" in %s; 'git branch -a' lists the branches there are",
		rev, r->common_dir);
}

int repo_objects(struct repo *r, const char *digits, struct strvec *ret, struct err *err)
{
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf found _cleanup_buf_ = BUF_INIT;
	char *want _cleanup_free_ = xasprintf("--disambiguate=%s", digits);
	char *list[] = { "rev-parse", want, NULL };
	char *kinds[] = { "cat-file", "--batch-check=%(objectname) %(objecttype)", NULL };
	struct str rest, line;
	int rc = git_check(r, list, STR_NULL, &found, err);

	if (!rc && found.len)
		rc = git_run(r, kinds, buf_str(&found), &res, err);
	rest = buf_str(&res.out);
	while (!rc && str_line(&rest, &line))
		strvec_take(ret, str_dup(line));
	return rc;
}

int repo_ref(struct repo *r, const char *ref, char ret[OID_HEX], struct err *err)
{
	git_oid oid;
	int rc = git_reference_name_to_id(&oid, r->g, ref);

	if (rc == GIT_ENOTFOUND)
		return err_set(err, E_NOTFOUND, "no ref %s", ref);
	if (rc)
		return git_fail(err, rc, "%s", ref);
	git_oid_tostr(ret, OID_HEX, &oid);
	return 0;
}

int repo_refs(struct repo *r, const char *prefix, struct strvec *ret, struct err *err)
{
	char *glob _cleanup_free_ = xasprintf("%s*", prefix);
	git_reference_iterator *it = NULL;
	const char *name;
	int rc = git_reference_iterator_glob_new(&it, r->g, glob);

	if (rc)
		return git_fail(err, rc, "refs below %s", prefix);
	while (!(rc = git_reference_next_name(&name, it)))
		strvec_push(ret, name);
	git_reference_iterator_free(it);
	if (rc != GIT_ITEROVER)
		return git_fail(err, rc, "refs below %s", prefix);
	strvec_sort(ret);
	return 0;
}
