// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patches that are put on a tree without git: what git merge-tree makes of the same pair
 * has to be the same tree, for histories with every kind of edit on both sides.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/pick.h"

#define SIDES 14 /* branches o0... to pick on, patches c0..., each with another, d0...   \
		  */
#define MAX_FILES 80
#define LINES	  8

struct file {
	char path[64];
	const char *mode;
	char line[LINES];
};

struct state {
	struct file f[MAX_FILES];
	size_t n;
};

static char *home, *objects;
static struct repo *repo;
static unsigned seed = 1;

static unsigned below(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

/* Would the path lie where a file is, or a folder? */
static bool taken(const struct state *s, const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < s->n; i++) {
		const char *p = s->f[i].path;
		size_t l = strlen(p), m = MIN(l, len);

		if (!strncmp(p, path, m) &&
		    (l == len || (l > len ? p[m] : path[m]) == '/'))
			return true;
	}
	return false;
}

static void add(struct state *s, const char *path)
{
	struct file *f = &s->f[s->n];

	if (s->n == MAX_FILES || taken(s, path))
		return;
	snprintf(f->path, sizeof(f->path), "%s", path);
	f->mode = "100644";
	for (size_t i = 0; i < LINES; i++)
		f->line[i] = (char)('a' + below(26));
	s->n++;
}

static void move(struct state *s, struct file *f, const char *path)
{
	if (!taken(s, path))
		snprintf(f->path, sizeof(f->path), "%s", path);
}

static void move_folder(struct state *s, unsigned k, unsigned to)
{
	char from[16], path[64];

	snprintf(from, sizeof(from), "d%u/", k);
	for (size_t i = 0; i < s->n; i++)
		if (!strncmp(s->f[i].path, from, strlen(from))) {
			snprintf(path, sizeof(path), "n%u/%s", to,
				 s->f[i].path + strlen(from));
			move(s, &s->f[i], path);
		}
}

static void edit(struct state *s)
{
	unsigned kind = below(14), k = below(50);
	/* A few files get most of it, so that both sides meet. */
	struct file *f = &s->f[below(kind < 8 ? 10 : s->n)];
	char path[64];

	snprintf(path, sizeof(path), "d%u/e%u/a%u", k % 4, k % 2, k);
	if (kind < 5)
		f->line[below(LINES)] = (char)('A' + below(26));
	else if (kind < 8)
		f->mode = "100755";
	else if (kind < 10)
		add(s, path);
	else if (kind == 10)
		*f = s->f[--s->n];
	else if (kind == 11)
		move(s, f, path);
	else if (kind == 12)
		move_folder(s, k % 4, k % 3);
	else
		snprintf(f->path + strlen(f->path), sizeof(f->path) - strlen(f->path),
			 "/in%u", k);
}

static void put_commit(struct buf *b, const char *name, unsigned k, const char *parent,
		       unsigned j, const struct state *s)
{
	buf_printf(b,
		   "commit refs/heads/%s%u\ncommitter A <a@example.org> 1 +0000\ndata "
		   "2\n%s\n",
		   name, k, name);
	if (parent)
		buf_printf(b, "from refs/heads/%s%u\n", parent, j);
	buf_puts(b, "deleteall\n");
	for (size_t i = 0; i < s->n; i++) {
		const struct file *f = &s->f[i];

		buf_printf(b, "M %s inline %s\ndata %d\n", f->mode, f->path, 16 * LINES);
		for (size_t l = 0; l < LINES; l++)
			buf_printf(b, "%zu the line %c...\n", l, f->line[l]);
		buf_putc(b, '\n');
	}
}

static void make_history(struct buf *b)
{
	struct state base = { .n = 0 };

	for (unsigned d = 0; d < 4; d++)
		for (unsigned k = 0; k < 8; k++) {
			char path[64];

			snprintf(path, sizeof(path), k < 4 ? "d%u/f%u" : "d%u/e%u/f%u", d,
				 k % 2, k);
			add(&base, path);
		}
	put_commit(b, "b", 0, NULL, 0, &base);
	for (unsigned i = 0; i < SIDES; i++) {
		struct state s = base;

		if (i % 4 == 0)
			move_folder(&s, i / 4, 0);
		for (unsigned k = 0; k < 1 + i % 6; k++)
			edit(&s);
		put_commit(b, "o", i, "b", 0, &s);
		s = base;
		for (unsigned k = 0; k < 1 + i % 3; k++)
			edit(&s);
		put_commit(b, "c", i, "b", 0, &s);
		edit(&s);
		put_commit(b, "d", i, "c", i, &s);
	}
}

static int setup(void **state)
{
	char *init[] = { "git", "init", "-q", "-b", "main", NULL };
	char *import[] = { "fast-import", "--quiet", NULL };
	struct buf stream _cleanup_buf_ = BUF_INIT;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct proc_opts o = { .argv = init };
	struct err err _cleanup_err_ = ERR_INIT;

	assert_int_equal(fs_tmpdir("test-pick", &home, NULL), 0);
	setenv("HOME", home, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	for (const char *const *v = (const char *const[]){ "AUTHOR", "COMMITTER", NULL };
	     *v; v++) {
		char *name _cleanup_free_ = xasprintf("GIT_%s_NAME", *v);
		char *email _cleanup_free_ = xasprintf("GIT_%s_EMAIL", *v);

		setenv(name, "A", 1);
		setenv(email, "a@example.org", 1);
	}
	assert_int_equal(chdir(home), 0);
	assert_int_equal(proc_run(&o, &res, NULL), 0);
	assert_int_equal(repo_open(home, &repo, NULL), 0);
	make_history(&stream);
	if (git_check(repo, import, buf_str(&stream), NULL, &err))
		fail_msg("%s", err_msg(&err));
	objects = path_join(home, "apart");
	return fs_mkdirs(objects, NULL);
}

static int teardown(void **state)
{
	repo_free(repo);
	assert_int_equal(chdir("/"), 0);
	fs_rmtree(home, NULL);
	free(objects);
	free(home);
	return 0;
}

static void name_of(const char *kind, unsigned k, const char *what, char ret[OID_HEX])
{
	char *word _cleanup_free_ = xasprintf("%s%u%s", kind, k, what);
	char *args[] = { "rev-parse", "--verify", word, NULL };
	struct buf out _cleanup_buf_ = BUF_INIT;

	assert_int_equal(git_check(repo, args, STR_NULL, &out, NULL), 0);
	memcpy(ret, buf_cstr(&out), OID_HEX - 1);
	ret[OID_HEX - 1] = '\0';
}

/* The tree that git makes; false where there are conflicts. */
static bool git_merges(const char *ours, const char *theirs, char ret[OID_HEX])
{
	char *args[] = { "merge-tree", "--write-tree", (char *)ours, (char *)theirs,
			 NULL };
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;

	assert_int_equal(git_run(repo, args, STR_NULL, &res, NULL), 0);
	if (res.status > 1)
		fail_msg("%s", buf_cstr(&res.err));
	memcpy(ret, buf_cstr(&res.out), OID_HEX - 1);
	ret[OID_HEX - 1] = '\0';
	return !res.status;
}

static void as_commit(const char *tree, const char *parent, char ret[OID_HEX])
{
	char *args[] = { "commit-tree", "-p", (char *)parent, "-m", "x",
			 (char *)tree,	NULL };
	struct buf out _cleanup_buf_ = BUF_INIT;

	assert_int_equal(git_check(repo, args, STR_NULL, &out, NULL), 0);
	memcpy(ret, buf_cstr(&out), OID_HEX - 1);
	ret[OID_HEX - 1] = '\0';
}

/* Patch c, and where that was simple patch d: the trees are git's. How many were simple.
 */
static unsigned pick_pair(struct pick *p, unsigned i, unsigned k)
{
	char base[OID_HEX], on[OID_HEX], ours[OID_HEX], c[OID_HEX], d[OID_HEX];
	char tree[OID_HEX], commit[OID_HEX], wanted[OID_HEX];
	bool empty;

	name_of("b", 0, "", base);
	name_of("o", i, "", ours);
	name_of("o", i, "^{tree}", on);
	name_of("c", k, "", c);
	name_of("d", k, "", d);
	assert_int_equal(pick_stand(p, on, NULL), 0);
	if (!pick_simple(p, base, c, &empty))
		return 0;
	assert_true(git_merges(ours, c, wanted));
	assert_int_equal(empty, !strcmp(on, wanted));
	as_commit(wanted, c, ours);
	if (!pick_simple(p, c, d, &empty)) {
		assert_int_equal(pick_write(p, base, tree, commit, NULL), 0);
		assert_string_equal(tree, wanted);
		return 1;
	}
	assert_true(git_merges(ours, d, wanted));
	assert_int_equal(pick_write(p, base, tree, commit, NULL), 0);
	assert_string_equal(tree, wanted);
	return 2;
}

static void test_same_as_git(void **state)
{
	struct pick *p _cleanup_(pick_close) = NULL;
	unsigned count[3] = { 0 };

	assert_int_equal(pick_open(repo, objects, &p, NULL), 0);
	for (unsigned i = 0; i < SIDES; i++)
		for (unsigned k = 0; k < SIDES; k++)
			count[pick_pair(p, i, k)]++;
	print_message("# %u left to git, %u then left to it, %u simple\n", count[0],
		      count[1], count[2]);
	for (size_t i = 0; i < ARRAY_SIZE(count); i++)
		assert_true(count[i] >= 10);
}

/* What is written is for git to read, and the repository's own objects stay as they were.
 */
static void test_written_apart(void **state)
{
	struct pick *p _cleanup_(pick_close) = NULL;
	char tree[OID_HEX], commit[OID_HEX], base[OID_HEX];
	char *see[] = { "cat-file", "-e", commit, NULL };
	char *env _cleanup_free_ = NULL;
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;

	name_of("b", 0, "", base);
	name_of("o", 0, "^{tree}", tree);
	assert_int_equal(pick_open(repo, objects, &p, NULL), 0);
	assert_int_equal(pick_stand(p, tree, NULL), 0);
	assert_int_equal(pick_write(p, base, tree, commit, NULL), 0);
	assert_int_equal(git_run(repo, see, STR_NULL, &res, NULL), 0);
	assert_true(res.status != 0);
	setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects, 1);
	assert_int_equal(git_check(repo, see, STR_NULL, NULL, NULL), 0);
	unsetenv("GIT_ALTERNATE_OBJECT_DIRECTORIES");
	memset(tree, '0', OID_HEX - 1);
	assert_int_equal(pick_stand(p, tree, NULL), E_NOTFOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_git),
		cmocka_unit_test(test_written_apart),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
