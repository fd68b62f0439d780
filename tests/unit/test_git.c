// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/git against git itself: patch-ids of random commits, ranges, refs moved by compare
 * and swap, configuration, and repositories that must be refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/git.h"
#include "series/mem.h"

static char *home;

static void git(struct str input, struct buf *out, const char *dir, ...)
{
	struct strvec argv _cleanup_strvec_ = STRVEC_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .cwd = dir, .input = input };
	const char *a;
	va_list ap;

	strvec_push(&argv, "git");
	va_start(ap, dir);
	while ((a = va_arg(ap, const char *)))
		strvec_push(&argv, a);
	va_end(ap);
	o.argv = strvec_argv(&argv);
	assert_int_equal(proc_run(&o, &res, NULL), 0);
	if (res.status)
		fail_msg("git %s: %s", argv.v[1], buf_cstr(&res.err));
	if (out)
		buf_addstr(out, str_trim(buf_str(&res.out)));
}

static char *new_repo(const char *name)
{
	char *dir = path_join(home, name);

	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	git(STR_NULL, NULL, dir, "init", "-q", "-b", "main", ".", NULL);
	return dir;
}

/* A small generator of its own, so that a failure can be repeated. */
static uint64_t rng = 20261130;
static unsigned below(unsigned n)
{
	rng = rng * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(rng >> 33) % n;
}

static void random_text(struct buf *b)
{
	static const char *const words[] = {
		"if (a)",   "\treturn 0;", "}",	 "",	   "  x  y",
		"\tint i;", "caf\303\251", "*/", "b++;\r", "-- ",
		"+plus",    "@@ -1 +1 @@", "\f", "\v z"
	};

	for (unsigned n = below(60); n; n--)
		buf_printf(b, "%s\n", words[below(ARRAY_SIZE(words))]);
	if (!below(4))
		buf_puts(b, "no newline at the end");
}

static void blob(struct buf *b, const char *mode, const char *path,
		 const struct buf *data)
{
	buf_printf(b, "M %s inline %s\ndata %zu\n", mode, path, data->len);
	buf_addstr(b, buf_str(data));
	buf_putc(b, '\n');
}

static void random_change(struct buf *b, int i)
{
	static const char *const paths[] = { "a.c",
					     "dir/b.c",
					     "dir/sub/c.h",
					     "with space",
					     "\"q\\\"uo\\\\te\"",
					     "\303\251t\303\251",
					     "\"tab\\tx\"",
					     "z",
					     "dir.x/d",
					     "x.rs" };
	const char *path = paths[below(ARRAY_SIZE(paths))];
	struct buf data _cleanup_buf_ = BUF_INIT;

	switch (below(12)) {
	case 0: /* binary */
		random_text(&data);
		buf_add(&data, "\0\1\2", 3);
		buf_printf(&data, "%d", i);
		blob(b, "100644", path, &data);
		break;
	case 1: /* empty */
		blob(b, "100644", path, &data);
		break;
	case 2:
		buf_printf(b, "D %s\n", path);
		break;
	case 3: /* a link: its type changes */
		buf_printf(&data, "target%u", below(3));
		blob(b, "120000", path, &data);
		break;
	case 4: /* executable, always the same content: mode-only changes */
		buf_puts(&data, "#!/bin/sh\n");
		blob(b, below(2) ? "100755" : "100644", path, &data);
		break;
	case 5: /* a NUL far behind: text for git */
		buf_fill(&data, 'x', 8100);
		buf_printf(&data, "\n%d", i);
		buf_putc(&data, 0);
		buf_puts(&data, "behind\n");
		blob(b, "100644", path, &data);
		break;
	case 6: /* a submodule */
		buf_printf(b, "M 160000 %040x %s\n", below(1000) + 1, path);
		break;
	default:
		random_text(&data);
		blob(b, below(8) ? "100644" : "100755", path, &data);
	}
}

static void test_patch_ids(void **state)
{
	char *dir _cleanup_free_ = new_repo("random");
	struct buf in _cleanup_buf_ = BUF_INIT;
	struct buf revs _cleanup_buf_ = BUF_INIT;
	struct buf diffs _cleanup_buf_ = BUF_INIT;
	struct buf ids _cleanup_buf_ = BUF_INIT;
	struct repo *r _cleanup_repo_ = NULL;
	struct str rest, line;
	int compared = 0, empty = 0;

	for (int i = 0; i < 600; i++) {
		buf_printf(
			&in,
			"commit refs/heads/main\ncommitter A <a@example.org> %d +0000\n",
			1700000000 + i);
		buf_printf(&in, "data 2\nc\n\n");
		for (unsigned n = 1 + below(4); n; n--)
			random_change(&in, i);
	}
	git(buf_str(&in), NULL, dir, "fast-import", "--quiet", "--force", NULL);
	git(STR_NULL, &revs, dir, "rev-list", "main", NULL);
	buf_putc(&revs, '\n');
	git(buf_str(&revs), &diffs, dir, "diff-tree", "--stdin", "--root", "-p",
	    "--full-index", "--no-renames", NULL);
	buf_putc(&diffs, '\n');
	git(buf_str(&diffs), &ids, dir, "patch-id", "--stable", NULL);
	for (int pass = 0; pass < 2; pass++) { /* computed, then from the cache */
		repo_freep(&r);
		assert_int_equal(repo_open(dir, &r, NULL), 0);
		rest = buf_str(&ids);
		compared = 0;
		while (str_line(&rest, &line)) {
			char *want _cleanup_free_ = str_dup(str_n(line.p, 40));
			char *commit _cleanup_free_ = str_dup(str_n(line.p + 41, 40));
			char got[OID_HEX];

			assert_int_equal(repo_patch_id(r, commit, got, NULL), 0);
			if (strcmp(got, want))
				fail_msg("commit %s in %s: git says %s, we say %s",
					 commit, dir, want, got);
			compared++;
		}
	}
	assert_true(compared > 500);
	/* Commits that change nothing have none. */
	rest = buf_str(&revs);
	while (str_line(&rest, &line)) {
		char *commit _cleanup_free_ = str_dup(line);
		char got[OID_HEX];

		assert_int_equal(repo_patch_id(r, commit, got, NULL), 0);
		if (!memmem(ids.p, ids.len, commit, 40)) {
			assert_string_equal(got, "");
			empty++;
		}
	}
	assert_true(compared + empty == 600);
}

static char *commit_file(const char *dir, const char *file, const char *text,
			 const char *msg)
{
	char *path _cleanup_free_ = path_join(dir, file);
	struct buf id = BUF_INIT;

	assert_int_equal(fs_write_atomic(path, text, strlen(text), 0644, NULL), 0);
	git(STR_NULL, NULL, dir, "add", file, NULL);
	git(STR_NULL, NULL, dir, "commit", "-q", "-m", msg, NULL);
	git(STR_NULL, &id, dir, "rev-parse", "HEAD", NULL);
	return buf_take(&id);
}

static void test_range(void **state)
{
	char *dir _cleanup_free_ = new_repo("range");
	char *a _cleanup_free_ = commit_file(dir, "f", "1\n", "one");
	char *b _cleanup_free_ = commit_file(dir, "f", "2\n", "two\nwrapped \n\nbody");
	char *c _cleanup_free_ = commit_file(dir, "f", "3\n", "three");
	struct repo *r _cleanup_repo_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	struct commit *v = NULL;
	char id[OID_HEX], *branch _cleanup_free_ = NULL;
	size_t n = 0;

	assert_int_equal(repo_open(dir, &r, NULL), 0);
	assert_int_equal(repo_range(r, a, c, 10, &v, &n, NULL), 0);
	assert_int_equal(n, 2);
	assert_string_equal(v[0].id, b);
	assert_string_equal(v[0].subject, "two wrapped");
	assert_string_equal(v[0].message, "two\nwrapped\n\nbody\n");
	assert_string_equal(v[1].id, c);
	assert_string_equal(v[1].author_name, "A U Thor");
	assert_string_equal(v[1].author_email, "author@example.org");
	commits_free(v, n);
	assert_int_equal(repo_range(r, c, a, 10, &v, &n, &err), E_NOTFOUND);
	assert_int_equal(repo_range(r, a, c, 1, &v, &n, &err), E_FAIL);
	assert_int_equal(repo_is_ancestor(r, a, c, NULL), 1);
	assert_int_equal(repo_is_ancestor(r, c, a, NULL), 0);
	assert_int_equal(repo_merge_base(r, a, c, id, NULL), 0);
	assert_string_equal(id, a);
	assert_int_equal(repo_branch(r, &branch, NULL), 0);
	assert_string_equal(branch, "main");
	assert_int_equal(repo_resolve(r, "main~1", id, NULL), 0);
	assert_string_equal(id, b);
	assert_int_equal(repo_resolve(r, ":/three", id, NULL), 0);
	assert_int_equal(repo_resolve(r, "nosuch", id, &err), E_NOTFOUND);
	assert_non_null(strstr(err_msg(&err), "nosuch"));
	git(STR_NULL, NULL, dir, "switch", "-q", "-c", "side", a, NULL);
	free(commit_file(dir, "g", "x\n", "side"));
	git(STR_NULL, NULL, dir, "merge", "-q", "-m", "joined", "main", NULL);
	assert_int_equal(repo_resolve(r, "HEAD", id, NULL), 0);
	assert_int_equal(repo_range(r, a, id, 10, &v, &n, &err), E_FAIL);
	assert_non_null(strstr(err_msg(&err), "joined"));
	git(STR_NULL, NULL, dir, "switch", "-q", "--detach", NULL);
	free(branch);
	branch = NULL;
	assert_int_equal(repo_branch(r, &branch, &err), E_NOTFOUND);
}

static void test_commit_edits_and_refs(void **state)
{
	char *dir _cleanup_free_ = new_repo("refs");
	struct repo *r _cleanup_repo_ = NULL;
	struct tree_edit edits[] = { { "a/b.txt", "hello\n", 6 }, { "c", "x", 1 } };
	struct tree_edit gone[] = { { "a/b.txt", NULL, 0 }, { "nosuch", NULL, 0 } };
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	char one[OID_HEX], two[OID_HEX], now[OID_HEX];
	struct ref_update u[2];
	struct err err _cleanup_err_ = ERR_INIT;

	assert_int_equal(repo_open(dir, &r, NULL), 0);
	assert_int_equal(repo_commit_edits(r, NULL, edits, 2, "first", one, NULL), 0);
	assert_int_equal(repo_commit_edits(r, one, gone, 2, "second", two, NULL), 0);
	u[0] = (struct ref_update){ "refs/series/x/state", one, "" };
	u[1] = (struct ref_update){ "refs/series/x/v1", one, NULL };
	assert_int_equal(git_update_refs(r, u, 2, "made", &err), 0);
	git(STR_NULL, &out, dir, "cat-file", "-p", "refs/series/x/state:a/b.txt", NULL);
	assert_string_equal(buf_cstr(&out), "hello");
	/* Must not exist, but does. */
	assert_int_equal(git_update_refs(r, u, 1, "again", &err), E_CONFLICT);
	/* One stale among two: neither moves. */
	u[0] = (struct ref_update){ "refs/series/x/v1", two, one };
	u[1] = (struct ref_update){ "refs/series/x/state", two, two };
	assert_int_equal(git_update_refs(r, u, 2, "stale", &err), E_CONFLICT);
	assert_non_null(strstr(err_msg(&err), "refs/series/x/state"));
	assert_int_equal(repo_ref(r, "refs/series/x/v1", now, NULL), 0);
	assert_string_equal(now, one);
	u[1].old_id = one;
	assert_int_equal(git_update_refs(r, u, 2, "both", &err), 0);
	assert_int_equal(repo_ref(r, "refs/series/x/state", now, NULL), 0);
	assert_string_equal(now, two);
	assert_int_equal(repo_list_all(r, one, "", &names, NULL), 0);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.v[0], "a/b.txt");
	strvec_release(&names);
	assert_int_equal(repo_list_all(r, two, "", &names, NULL), 0);
	assert_int_equal(names.n, 1);
	assert_int_equal(repo_refs(r, "refs/series/", &names, NULL), 0);
	assert_string_equal(names.v[1], "refs/series/x/state");
	u[0] = (struct ref_update){ "refs/series/x/v1", NULL, two };
	assert_int_equal(git_update_refs(r, u, 1, "gone", NULL), 0);
	assert_int_equal(repo_ref(r, "refs/series/x/v1", now, NULL), E_NOTFOUND);
}

static void test_config(void **state)
{
	char *dir _cleanup_free_ = new_repo("config");
	struct config *c = NULL;
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;
	struct err err _cleanup_err_ = ERR_INIT;
	int64_t n;

	git(STR_NULL, NULL, dir, "config", "branch.Topic.X.series", "one", NULL);
	git(STR_NULL, NULL, dir, "config", "branch.a.series.series", "one", NULL);
	git(STR_NULL, NULL, dir, "config", "branch.b.series", "one", NULL);
	git(STR_NULL, NULL, dir, "config", "--add", "branch.b.series", "two", NULL);
	git(STR_NULL, NULL, dir, "config", "branch.series", "one", NULL);
	git(STR_NULL, NULL, dir, "config", "branches.c.series", "one", NULL);
	git(STR_NULL, NULL, dir, "config", "branch.d.aseries", "one", NULL);
	git(STR_NULL, NULL, dir, "config", "series.Limit", "3k", NULL);
	git(STR_NULL, NULL, dir, "config", "series.bad", "x", NULL);
	git(STR_NULL, NULL, dir, "config", "--add", "series.multi", "a\nb", NULL);
	git(STR_NULL, NULL, dir, "config", "--add", "series.multi", "", NULL);
	assert_int_equal(config_load(dir, &c, NULL), 0);
	assert_string_equal(config_get(c, "BRANCH.Topic.X.Series"), "one");
	assert_null(config_get(c, "branch.topic.x.series"));
	assert_int_equal(config_get_int(c, "series.limit", 1, &n, NULL), 0);
	assert_int_equal(n, 3072);
	assert_int_equal(config_get_int(c, "series.none", 7, &n, NULL), 0);
	assert_int_equal(n, 7);
	assert_int_equal(config_get_int(c, "series.bad", 1, &n, &err), E_USAGE);
	config_get_all(c, "series.multi", &all);
	assert_int_equal(all.n, 2);
	assert_string_equal(all.v[0], "a\nb");
	assert_string_equal(all.v[1], "");
	strvec_release(&all);
	config_subsections(c, "branch", "Topic", &all);
	assert_int_equal(all.n, 1);
	assert_string_equal(all.v[0], "Topic.X");
	strvec_release(&all);
	config_subsections_with(c, "branch", "series", "one", &all);
	assert_int_equal(all.n, 2); /* the later value of branch.b is two */
	assert_string_equal(all.v[0], "Topic.X");
	assert_string_equal(all.v[1], "a.series");
	assert_true(config_get_bool(c, "series.none", true));
	config_free(c);
}

static void test_refused(void **state)
{
	char *dir _cleanup_free_ = path_join(home, "sha256");
	char *ref _cleanup_free_ = new_repo("reftable");
	char *wt _cleanup_free_ = new_repo("wtconfig");
	char *none _cleanup_free_ = path_join(home, "none");
	struct repo *r _cleanup_repo_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;

	git(STR_NULL, NULL, home, "init", "-q", "--object-format=sha256", "sha256", NULL);
	assert_int_equal(repo_open(dir, &r, &err), E_FAIL);
	assert_non_null(strstr(err_msg(&err), "SHA-256"));
	git(STR_NULL, NULL, ref, "config", "core.repositoryFormatVersion", "1", NULL);
	git(STR_NULL, NULL, ref, "config", "extensions.refStorage", "reftable", NULL);
	assert_int_equal(repo_open(ref, &r, &err), E_FAIL);
	assert_non_null(strstr(err_msg(&err), "reftable"));
	fs_mkdirs(none, NULL);
	assert_int_equal(repo_open(none, &r, &err), E_NOTFOUND);
	/* These are ours to open. */
	git(STR_NULL, NULL, wt, "config", "core.repositoryFormatVersion", "1", NULL);
	git(STR_NULL, NULL, wt, "config", "extensions.worktreeConfig", "true", NULL);
	git(STR_NULL, NULL, wt, "config", "extensions.partialClone", "origin", NULL);
	assert_int_equal(repo_open(wt, &r, &err), 0);
	assert_string_equal(repo_work_tree(r), wt);
}

/* Every mode, every stage, names in the order of bytes: as git prints them. */
static void test_index(void **state)
{
	static const char entries[] =
		"100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\ta b\n"
		"100755 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\ta/exec\n"
		"120000 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\ta.link\n"
		"160000 1111111111111111111111111111111111111111 0\tB/module\n"
		"100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 1\tboth\n"
		"100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 3\tboth\n"
		"100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\t\"caf\\303\\251\"\n";
	char *dir _cleanup_free_ = new_repo("index");
	char *path _cleanup_free_ = path_join(dir, ".git/index");
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	char *argv[] = { "git", "ls-files", "-s", "-z", NULL };
	struct proc_opts o = { .argv = argv, .cwd = dir };
	struct buf got _cleanup_buf_ = BUF_INIT;

	assert_int_equal(index_read(path, &got, NULL), 0);
	assert_int_equal(got.len, 0);
	git(STR_LIT(entries), NULL, dir, "update-index", "--index-info", NULL);
	assert_int_equal(proc_run(&o, &res, NULL), 0);
	assert_int_equal(index_read(path, &got, NULL), 0);
	assert_true(got.len > 7 * 50);
	assert_true(str_eq(buf_str(&got), buf_str(&res.out)));
}

static int group_setup(void **state)
{
	if (fs_tmpdir("series-git", &home, NULL))
		return -1;
	setenv("HOME", home, 1);
	setenv("XDG_CONFIG_HOME", home, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", home, 1);
	setenv("GIT_AUTHOR_NAME", "A U Thor", 1);
	setenv("GIT_AUTHOR_EMAIL", "author@example.org", 1);
	setenv("GIT_COMMITTER_NAME", "C O Mitter", 1);
	setenv("GIT_COMMITTER_EMAIL", "committer@example.org", 1);
	return 0;
}

static int group_teardown(void **state)
{
	fs_rmtree(home, NULL);
	free(home);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patch_ids),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_commit_edits_and_refs),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_index),
	};

	return cmocka_run_group_tests_name("git", tests, group_setup, group_teardown);
}
