// SPDX-License-Identifier: GPL-2.0-or-later
/* test_fs.c - names, reading, atomic writing, trees, programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/mem.h"

static char *top;

static int make_top(void **state)
{
	return fs_tmpdir("test-fs", &top, NULL);
}

static int remove_top(void **state)
{
	int r = fs_rmtree(top, NULL);

	free(top);
	return r;
}

static char *in_top(const char *name)
{
	return path_join(top, name);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void assert_content(const char *path, const char *text)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	assert_int_equal(fs_read(path, 0, &b, NULL), 0);
	assert_string_equal(buf_cstr(&b), text);
}

static void assert_names(const char *path, const char *joined)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	char *text _cleanup_free_ = NULL;

	assert_int_equal(fs_list(path, &names, NULL), 0);
	text = strvec_join(&names, " ");
	assert_string_equal(text, joined);
}

static void assert_path(char *got, const char *want)
{
	assert_string_equal(got, want);
	free(got);
}

static void test_names(void **state)
{
	assert_path(path_join("a", "b"), "a/b");
	assert_path(path_join("a/", "b"), "a/b");
	assert_path(path_join("/", "b"), "/b");
	assert_path(path_join("", "b"), "b");
	assert_string_equal(path_base("a/b.c"), "b.c");
	assert_string_equal(path_base("b.c"), "b.c");
	assert_string_equal(path_base("a/"), "");
	assert_path(path_dir("a/b/c"), "a/b");
	assert_path(path_dir("a//c"), "a");
	assert_path(path_dir("/c"), "/");
	assert_path(path_dir("//c"), "/");
	assert_path(path_dir("c"), ".");
}

static void test_read(void **state)
{
	struct err e _cleanup_err_ = ERR_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;
	char *path _cleanup_free_ = in_top("read");

	assert_int_equal(fs_read(path, 0, &b, &e), E_NOTFOUND);
	assert_non_null(strstr(err_msg(&e), path));
	put(path, "0123456789");
	buf_puts(&b, "before:");
	assert_int_equal(fs_read(path, 9, &b, &e), E_FAIL);
	assert_non_null(strstr(err_msg(&e), path));
	assert_non_null(strstr(err_msg(&e), "9 bytes"));
	assert_string_equal(b.p, "before:");
	assert_int_equal(fs_read(path, 10, &b, &e), 0);
	assert_string_equal(b.p, "before:0123456789");
	b.max = 20;
	assert_int_equal(fs_read(path, 0, &b, &e), E_FAIL);
	assert_string_equal(b.p, "before:0123456789");
	assert_false(b.full);
	assert_int_equal(fs_read(top, 0, &b, &e), E_FAIL);
	assert_non_null(strstr(err_msg(&e), "Is a directory"));
}

static void test_read_proc(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	/* Its size is 0 for stat(2). */
	assert_int_equal(fs_size("/proc/self/status"), 0);
	assert_int_equal(fs_read("/proc/self/status", 0, &b, NULL), 0);
	assert_non_null(strstr(buf_cstr(&b), "\nPid:\t"));
	buf_reset(&b);
	assert_int_equal(fs_read_tail("/proc/self/status", 10, &b, NULL), 0);
	assert_int_equal(b.len, 10);
}

static void test_read_big(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT, back _cleanup_buf_ = BUF_INIT;
	char *path _cleanup_free_ = in_top("big");

	for (int i = 0; i < 300000; i++)
		buf_printf(&b, "%07d\n", i);
	assert_int_equal(fs_write_atomic(path, b.p, b.len, 0644, NULL), 0);
	assert_int_equal(fs_size(path), 2400000);
	assert_int_equal(fs_read(path, 2400000, &back, NULL), 0);
	assert_int_equal(back.len, b.len);
	assert_memory_equal(back.p, b.p, b.len);
	buf_reset(&back);
	assert_int_equal(fs_read_tail(path, 16, &back, NULL), 0);
	assert_string_equal(back.p, "0299998\n0299999\n");
	assert_int_equal(fs_read_tail(path, 2400001, &back, NULL), 0);
	assert_int_equal(back.len, 2400016);
}

static void test_write_atomic(void **state)
{
	char *dir _cleanup_free_ = in_top("atomic");
	char *path _cleanup_free_ = path_join(dir, "file");
	char *link _cleanup_free_ = path_join(dir, "link");
	struct err e _cleanup_err_ = ERR_INIT;
	struct stat st;
	mode_t old = umask(022);

	assert_int_equal(fs_write_atomic(path, "x", 1, 0666, &e), E_FAIL);
	assert_non_null(strstr(err_msg(&e), path));
	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	assert_int_equal(fs_write_atomic(path, "one", 3, 0666, NULL), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(fs_write_atomic(path, "a\0b", 3, 0600, NULL), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(fs_write_atomic(link, "new", 3, 0600, NULL), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(fs_size(path), 3);
	assert_names(dir, "file link");
	umask(old);
}

/* A child that may not write more than 4096 bytes to a file. */
static void test_write_fails_half_way(void **state)
{
	char *dir _cleanup_free_ = in_top("limit");
	char *path _cleanup_free_ = path_join(dir, "file");
	int status;
	pid_t pid;

	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	put(path, "old");
	pid = fork();
	if (!pid) {
		struct rlimit lim = { 4096, 4096 };
		struct err e = ERR_INIT;
		char *data = xcalloc(10000, 1);
		int r;

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &lim);
		r = fs_write_atomic(path, data, 10000, 0644, &e);
		_exit(r == E_FAIL && strstr(err_msg(&e), path) &&
				      strstr(err_msg(&e), "File too large")
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_content(path, "old");
	assert_names(dir, "file");
}

static void test_disk_full(void **state)
{
	struct err e _cleanup_err_ = ERR_INIT;
	int fd _cleanup_close_ = open("/dev/full", O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(fs_write_fd(fd, "x", 1, "/data/cover", &e), E_FAIL);
	assert_string_equal(err_msg(&e),
			    "cannot write /data/cover: No space left on device");
}

static void test_stale_temporary(void **state)
{
	char *dir _cleanup_free_ = in_top("stale");
	char *path _cleanup_free_ = path_join(dir, "file");
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	/* As if a process with our number had died before. */
	for (int i = 0; i < 40; i++) {
		char *name _cleanup_free_ =
			xasprintf("%s.%ld.%d.tmp", path, (long)getpid(), i);

		put(name, "stale");
	}
	assert_int_equal(fs_write_atomic(path, "new", 3, 0644, NULL), 0);
	assert_content(path, "new");
	assert_int_equal(fs_list(dir, &names, NULL), 0);
	assert_int_equal(names.n, 41);
}

static void test_copy(void **state)
{
	char *from _cleanup_free_ = in_top("from");
	char *to _cleanup_free_ = in_top("to");
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct stat st;

	assert_int_equal(fs_copy(from, to, NULL), E_NOTFOUND);
	put(from, "#!/bin/sh\n");
	assert_int_equal(chmod(from, 0750), 0);
	assert_int_equal(fs_copy(from, to, NULL), 0);
	assert_content(to, "#!/bin/sh\n");
	assert_int_equal(stat(to, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0750);
	assert_int_equal(fs_copy("/proc/self/status", to, NULL), 0);
	assert_int_equal(fs_read(to, 0, &b, NULL), 0);
	assert_non_null(strstr(buf_cstr(&b), "\nPid:\t"));
}

static void test_mkdirs(void **state)
{
	char *deep _cleanup_free_ = in_top("m/n//o/");
	char *file _cleanup_free_ = in_top("m/file");
	char *below _cleanup_free_ = in_top("m/file/x");
	struct err e _cleanup_err_ = ERR_INIT;

	assert_int_equal(fs_mkdirs(deep, NULL), 0);
	assert_true(fs_is_dir(deep));
	assert_int_equal(fs_mkdirs(deep, NULL), 0);
	put(file, "");
	assert_int_equal(fs_mkdirs(below, &e), E_EXISTS);
	assert_non_null(strstr(err_msg(&e), file));
	assert_int_equal(fs_mkdirs(file, &e), E_EXISTS);
	assert_int_equal(fs_mkdirs("", &e), E_FAIL);
	assert_int_equal(fs_mkdirs("/", NULL), 0);
}

static void test_rmtree(void **state)
{
	char *out _cleanup_free_ = in_top("outside");
	char *kept _cleanup_free_ = path_join(out, "kept");
	char *tree _cleanup_free_ = in_top("tree");
	char *sub _cleanup_free_ = path_join(tree, "a/b/c");
	char *link _cleanup_free_ = path_join(tree, "a/link");
	char *link2 _cleanup_free_ = in_top("link2");
	char *link2_slash _cleanup_free_ = in_top("link2/");

	assert_int_equal(fs_mkdirs(out, NULL), 0);
	put(kept, "kept");
	assert_int_equal(fs_mkdirs(sub, NULL), 0);
	for (int i = 0; i < 2000; i++) {
		char *f _cleanup_free_ = xasprintf("%s/%d", sub, i);

		put(f, "");
	}
	assert_int_equal(symlink(out, link), 0);
	assert_int_equal(symlink(out, link2), 0);
	assert_int_equal(fs_rmtree(tree, NULL), 0);
	assert_false(fs_exists(tree));
	assert_content(kept, "kept");
	/* A link goes itself, also with a slash behind it. */
	assert_int_equal(fs_rmtree(link2_slash, NULL), 0);
	assert_int_equal(access(link2, F_OK), -1);
	assert_content(kept, "kept");
	assert_int_equal(fs_rmtree(tree, NULL), 0);
	assert_int_equal(fs_rmtree(kept, NULL), 0);
	assert_false(fs_exists(kept));
	assert_int_equal(fs_rmtree("", NULL), E_FAIL);
	assert_int_equal(fs_rmtree("/", NULL), E_FAIL);
	assert_int_equal(fs_rmtree("..", NULL), E_FAIL);
	assert_int_equal(fs_rmtree("./", NULL), E_FAIL);
}

static void test_list(void **state)
{
	char *dir _cleanup_free_ = in_top("list");
	char *file _cleanup_free_ = path_join(dir, "b");
	char *hidden _cleanup_free_ = path_join(dir, ".h");
	char *upper _cleanup_free_ = path_join(dir, "Z");
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	assert_int_equal(fs_list(dir, &names, NULL), E_NOTFOUND);
	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	assert_names(dir, "");
	put(file, "");
	put(hidden, "");
	put(upper, "");
	assert_names(dir, ".h Z b");
	assert_int_equal(fs_list(file, &names, NULL), E_FAIL);
	assert_int_equal(names.n, 0);
}

static void test_tree_bytes(void **state)
{
	char *dir _cleanup_free_ = in_top("bytes");
	char *file _cleanup_free_ = path_join(dir, "file");
	struct buf b _cleanup_buf_ = BUF_INIT;
	char *link _cleanup_free_ = path_join(dir, "link");
	int64_t before, after;

	assert_int_equal(fs_tree_bytes(dir), 0);
	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	/* A link to what holds more does not count. */
	assert_int_equal(symlink("/usr", link), 0);
	before = fs_tree_bytes(dir);
	assert_true(before < 100000);
	for (int i = 0; i < 100000; i++)
		buf_printf(&b, "%010d", i * 7919);
	assert_int_equal(fs_write_atomic(file, b.p, b.len, 0644, NULL), 0);
	after = fs_tree_bytes(dir);
	assert_true(after - before >= 500000 && after - before < 1200000);
}

static void test_unlink(void **state)
{
	char *path _cleanup_free_ = in_top("gone");
	struct err e _cleanup_err_ = ERR_INIT;

	put(path, "");
	assert_int_equal(fs_unlink(path, NULL), 0);
	assert_false(fs_exists(path));
	assert_int_equal(fs_unlink(path, NULL), 0);
	assert_int_equal(fs_unlink(top, &e), E_FAIL);
	assert_non_null(strstr(err_msg(&e), top));
}

static void test_tmpdir(void **state)
{
	char *old _cleanup_free_ = xstrdup_null(getenv("TMPDIR"));
	char *a _cleanup_free_ = NULL, *b _cleanup_free_ = NULL;
	char *none _cleanup_free_ = in_top("none");
	struct err e _cleanup_err_ = ERR_INIT;
	struct stat st;

	setenv("TMPDIR", top, 1);
	assert_int_equal(fs_tmpdir("x", &a, NULL), 0);
	assert_int_equal(fs_tmpdir("x", &b, NULL), 0);
	assert_string_not_equal(a, b);
	assert_memory_equal(a, top, strlen(top));
	assert_int_equal(stat(a, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	setenv("TMPDIR", none, 1);
	free(b);
	b = NULL;
	assert_int_equal(fs_tmpdir("x", &b, &e), E_FAIL);
	assert_null(b);
	assert_non_null(strstr(err_msg(&e), none));
	if (old)
		setenv("TMPDIR", old, 1);
	else
		unsetenv("TMPDIR");
}

static void test_expand_home(void **state)
{
	static const char *const rows[][2] = {
		{ "~", "/home/wendy" },
		{ "~/.aliases", "/home/wendy/.aliases" },
		{ "/etc/x~", "/etc/x~" },
		{ "a/~/b", "a/~/b" },
		{ "~root/x", "/root/x" },
		{ "~no-such-user-x/y", "~no-such-user-x/y" },
		{ "", "" },
	};
	const char *home = getenv("HOME");
	char *before _cleanup_free_ = xstrdup_null(home);

	setenv("HOME", "/home/wendy", 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *got _cleanup_free_ = path_expand_home(rows[i][0]);

		assert_string_equal(got, rows[i][1]);
	}
	unsetenv("HOME");
	{
		char *got _cleanup_free_ = path_expand_home("~/x");

		assert_string_equal(got, "~/x");
	}
	if (before)
		setenv("HOME", before, 1);
}

static void test_write_below(void **state)
{
	char *file _cleanup_free_ = in_top("below/a/b/c"),
		   *dir _cleanup_free_ = in_top("below");
	struct err err _cleanup_err_ = ERR_INIT;

	assert_int_equal(fs_write_below(dir, "a/b/c", STR_LIT("text"), NULL), 0);
	assert_content(file, "text");
	assert_int_equal(fs_write_below(dir, "a/b/c", STR_NULL, NULL), 0);
	assert_content(file, "");
	/* A file stands where a directory is wanted. */
	assert_int_not_equal(fs_write_below(dir, "a/b/c/d", STR_LIT("x"), &err), 0);
	assert_non_null(strstr(err_msg(&err), "a/b/c"));
	assert_content(file, "");
}

static void test_find_program(void **state)
{
	char *dir _cleanup_free_ = in_top("bin");
	char *prog _cleanup_free_ = path_join(dir, "prog");
	char *data _cleanup_free_ = path_join(dir, "data");
	char *search _cleanup_free_ = xasprintf("/nowhere:%s", dir);
	char *sh = fs_find_program("sh");
	char *here = getcwd(NULL, 0);

	assert_non_null(sh);
	assert_true(fs_is_exec(sh));
	free(sh);
	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	put(prog, "");
	put(data, "");
	assert_int_equal(chmod(prog, 0755), 0);
	assert_int_equal(chmod(data, 0644), 0);
	assert_path(fs_find_program_in(search, "prog"), prog);
	assert_null(fs_find_program_in(search, "data"));
	assert_null(fs_find_program_in("/nowhere", "prog"));
	assert_null(fs_find_program_in(search, ""));
	assert_path(fs_find_program_in("", prog), prog);
	assert_null(fs_find_program_in(search, data));
	assert_false(fs_is_exec(dir));
	/* What lies in the current directory is not run by accident. */
	assert_int_equal(chdir(dir), 0);
	assert_null(fs_find_program_in(":/nowhere:", "prog"));
	assert_int_equal(chdir(here), 0);
	free(here);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_read_proc),
		cmocka_unit_test(test_read_big),
		cmocka_unit_test(test_write_atomic),
		cmocka_unit_test(test_write_fails_half_way),
		cmocka_unit_test(test_disk_full),
		cmocka_unit_test(test_stale_temporary),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_mkdirs),
		cmocka_unit_test(test_rmtree),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_tree_bytes),
		cmocka_unit_test(test_unlink),
		cmocka_unit_test(test_tmpdir),
		cmocka_unit_test(test_expand_home),
		cmocka_unit_test(test_write_below),
		cmocka_unit_test(test_find_program),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
