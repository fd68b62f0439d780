// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_checkpatch.c - the kernel's own scripts/checkpatch.pl, of the base commit, for
 * each patch.
 *
 * The script and the lists it reads are laid out in a private directory; it gets the
 * patch on its standard input and no kernel tree (--no-tree: with a part of one it would
 * miss files that are there). A .git file leads to the repository, where it looks for the
 * commits that messages name. Its answer is kept by what it depends on: the script, its
 * lists, its settings, the commit; one that misses a commit is not kept.
 */
#include "check_priv.h"
#include "series/fs.h"
#include "series/progress.h"
#include "series/sha256.h"
#include "series/xdg.h"

#define SCRIPT	   "scripts/checkpatch.pl"
#define TIMEOUT_MS 300000
#define OF_A_TYPE  5 /* remarks of one type that are shown of a patch */
#define UNKNOWN	   "UNKNOWN_COMMIT_ID: Unknown commit id '"

static const char *const lists[] = { "scripts/spelling.txt",
				     "scripts/const_structs.checkpatch",
				     ".checkpatch.conf" };

/* What checks of our own say, with a remedy. */
static const char options[] =
	"--no-tree --terse --showfile --show-types --no-summary --color=never --ignore "
	"MISSING_SIGN_OFF,NO_AUTHOR_SIGN_OFF,FROM_SIGN_OFF_MISMATCH,BAD_FIXES_TAG,"
	"BAD_REPORTED_BY_LINK,COMMIT_MESSAGE -";

struct script {
	char *dir; /* where it is laid out, NULL until it is */
	char key[SHA256_HEX];
	char *cache; /* folder of the answers */
};

static void script_release(struct script *t)
{
	if (t->dir)
		fs_rmtree(t->dir, NULL);
	free(t->dir);
	free(t->cache);
}

static void hash_text(struct sha256 *h, struct str s)
{
	uint64_t len = s.len;

	sha256_add(h, &len, sizeof(len));
	sha256_add(h, s.p, s.len);
}

/* A file of the base; "" when there is none. */
static int base_text(const struct check_ctx *x, const char *path, struct buf *ret,
		     struct err *err)
{
	int rc = repo_file(x->s->repo, x->base, path, ret, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	return rc;
}

/* The key of everything but the commit; the user's own ~/.checkpatch.conf is in it. */
static int make_key(const struct check_ctx *x, struct str script, struct script *t,
		    struct err *err)
{
	const char *home = getenv("HOME");
	struct sha256 h;
	char *sub _cleanup_free_ = NULL;
	int rc = 0;

	sha256_init(&h);
	hash_text(&h, str_c(options));
	hash_text(&h, script);
	for (size_t i = 0; i < ARRAY_SIZE(lists) && !rc; i++) {
		struct buf text _cleanup_buf_ = BUF_INIT;

		rc = base_text(x, lists[i], &text, err);
		hash_text(&h, buf_str(&text));
	}
	if (!rc && home) {
		char *path _cleanup_free_ = path_join(home, ".checkpatch.conf");
		struct buf text _cleanup_buf_ = BUF_INIT;

		fs_read(path, 1 << 20, &text, NULL);
		hash_text(&h, buf_str(&text));
	}
	sha256_end(&h, t->key);
	sub = xasprintf("checkpatch/%.16s", t->key);
	t->cache = xdg_cache(sub);
	return rc;
}

static int lay_out(const struct check_ctx *x, struct str script, struct script *t,
		   struct err *err)
{
	char *git _cleanup_free_ = xasprintf("gitdir: %s\n", repo_git_dir(x->s->repo));
	int rc = fs_tmpdir("series-checkpatch", &t->dir, err);

	if (!rc)
		rc = fs_write_below(t->dir, ".git", str_c(git), err);
	if (!rc)
		rc = fs_write_below(t->dir, SCRIPT, script, err);
	for (size_t i = 0; i < ARRAY_SIZE(lists) && !rc; i++) {
		struct buf text _cleanup_buf_ = BUF_INIT;

		rc = base_text(x, lists[i], &text, err);
		if (!rc && text.len)
			rc = fs_write_below(t->dir, lists[i], buf_str(&text), err);
	}
	return rc;
}

static int ask(const struct check_ctx *x, const struct script *t, const char *commit,
	       struct buf *ret, struct err *err)
{
	char *args[] = { "-c",
			 "format.noprefix=false",
			 "format-patch",
			 "-1",
			 "--stdout",
			 "--no-signature",
			 "--no-color",
			 "--no-ext-diff",
			 "--no-textconv",
			 "--no-relative",
			 "--src-prefix=a/",
			 "--dst-prefix=b/",
			 (char *)commit,
			 NULL };
	char *env[] = { "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", NULL };
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_opts o = { .cwd = t->dir, .env = env, .timeout_ms = TIMEOUT_MS };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct buf patch _cleanup_buf_ = BUF_INIT;
	int rc = git_check(x->s->repo, args, STR_NULL, &patch, err);

	if (rc)
		return rc;
	strvec_pushl(&argv, "perl", SCRIPT, NULL);
	strvec_split(&argv, str_c(options), ' ');
	o.argv = strvec_argv(&argv);
	o.input = buf_str(&patch);
	rc = proc_run(&o, &res, err);
	/* Status 1: it has something to say. */
	if (!rc && res.status > 1) {
		struct str said = str_trim(buf_str(&res.err)), line = STR_LIT("");

		while (str_line(&said, &line))
			;
		rc = err_set(err, E_FAIL, "perl ended with status %d%s" STR_FMT,
			     res.status, line.len ? ": " : "", STR_ARG(line));
	}
	if (!rc)
		buf_addstr(ret, buf_str(&res.out));
	return rc;
}

/* The answer for a commit, from the cache or from the script. */
static int answer(const struct check_ctx *x, struct str script, struct script *t,
		  const char *commit, struct buf *ret, struct err *err)
{
	char *path _cleanup_free_ = path_join(t->cache, commit);
	int rc = 0;

	if (!fs_read(path, 0, ret, NULL))
		return 0;
	if (!t->dir)
		rc = lay_out(x, script, t, err);
	if (!rc)
		rc = ask(x, t, commit, ret, err);
	/* A cache that cannot be written costs time only. */
	if (!rc && str_find(buf_str(ret), UNKNOWN) < 0 && !fs_mkdirs(t->cache, NULL))
		fs_write_atomic(path, ret->p ? ret->p : "", ret->len, 0644, NULL);
	return rc;
}

/* Is it about a line for which there is a check of ours? */
static bool said_elsewhere(const struct commit *c, struct str what)
{
	ptrdiff_t at = str_find(what, UNKNOWN);
	struct str id;

	if (str_find(what, "Co-developed-by: must be") >= 0 ||
	    str_find(what, "Co-developed-by and Signed-off-by:") >= 0)
		return true;
	if (at < 0)
		return false;
	what = str_n(what.p + at + strlen(UNKNOWN), what.len - at - strlen(UNKNOWN));
	if (str_cut(&what, '\'', &id)) {
		char *line _cleanup_free_ = xasprintf("Fixes: " STR_FMT, STR_ARG(id));

		return strstr(c->message, line) != NULL;
	}
	return false;
}

/* What it said of one patch, by type. */
struct types {
	struct said {
		struct str name; /* "ERROR:SPACING" */
		size_t count;
	} * v;
	size_t n, cap;
};

static struct said *said_of(struct types *t, struct str name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->v[i].name, name))
			return &t->v[i];
	vec_grow(t->v, t->n, t->cap);
	t->v[t->n] = (struct said){ name, 0 };
	return &t->v[t->n++];
}

/* "mm/rmap.c:12: WARNING:TYPE: message"; no file for a line of the message. */
static void look_at_line(struct check_ctx *x, size_t i, struct str line, struct types *t)
{
	static const char *const levels[] = { ": ERROR:", ": WARNING:" };
	char *where _cleanup_free_ = NULL, *remedy _cleanup_free_ = NULL;
	struct str place, rest = STR_NULL, name;
	ptrdiff_t at = -1;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(levels) && at < 0; k++)
		at = str_find(line, levels[k]);
	if (at < 0)
		return;
	place = str_n(line.p, at);
	rest = str_n(line.p + at + strlen(levels[k - 1]),
		     line.len - at - strlen(levels[k - 1]));
	if (said_elsewhere(&x->commits[i], rest))
		return;
	at = str_find(rest, ": ");
	name = str_n(place.p + place.len + 2, (size_t)(rest.p - place.p) - place.len - 2 +
						      (at > 0 ? (size_t)at : 0));
	if (++said_of(t, name)->count > OF_A_TYPE)
		return;
	if (place.len && place.p[0] != ':' && str_chr(place, ':') > 0)
		where = xasprintf("patch %zu/%zu, " STR_FMT, i + 1, x->n, STR_ARG(place));
	else
		where = check_where(x, i);
	remedy = check_rebase(x, i, "edit");
	check_add(x, "checkpatch", where, remedy, "checkpatch: %s:" STR_FMT,
		  k == 1 ? "ERROR" : "WARNING", STR_ARG(rest));
}

/* Everything that it says of one patch. */
static void look_at_answer(struct check_ctx *x, size_t i, struct str answer)
{
	struct types t = { .v = NULL };
	struct str line;

	while (str_line(&answer, &line))
		look_at_line(x, i, line, &t);
	for (size_t k = 0; k < t.n; k++) {
		char *where _cleanup_free_ = check_where(x, i);
		char *all _cleanup_free_ =
			xasprintf(SCRIPT " -g %.12s", x->commits[i].id);

		if (t.v[k].count > OF_A_TYPE)
			check_add(x, "checkpatch", where, all,
				  "checkpatch: " STR_FMT ": %zu more of these",
				  STR_ARG(t.v[k].name), t.v[k].count - OF_A_TYPE);
	}
	free(t.v);
}

int check_checkpatch(struct check_ctx *x, struct err *err)
{
	struct script t _cleanup_(script_release) = { 0 };
	struct buf script _cleanup_buf_ = BUF_INIT;
	struct progress progress = { 0 };
	int rc = base_text(x, SCRIPT, &script, err);

	if (rc || !script.len)
		return rc;
	rc = make_key(x, buf_str(&script), &t, err);
	progress_start(&progress, "checkpatch", (int64_t)x->n);
	for (size_t i = 0; i < x->n && !rc; i++) {
		struct buf out _cleanup_buf_ = BUF_INIT;

		progress_update(&progress, (int64_t)i, x->commits[i].subject);
		rc = answer(x, buf_str(&script), &t, x->commits[i].id, &out, err);
		if (!rc)
			look_at_answer(x, i, buf_str(&out));
	}
	progress_end(&progress);
	if (!rc || rc == E_INTR)
		return rc;
	/* It is advice: without it the other checks still count. */
	check_add(x, "checkpatch", NULL,
		  "git config series.check.checkpatch off  # until it runs",
		  "the base's checkpatch does not run: %s", err_msg(err));
	err_release(err);
	return 0;
}
