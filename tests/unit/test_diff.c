// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_diff.c - unified diffs read. Counts are those of git apply --numstat, patch-ids
 * those of git patch-id --stable (2.39), run by hand on the same text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "series/diff.h"

static const char patch[] =
	"---\n a.c | 2 +-\n\n"
	"diff --git a/a.c b/a.c\nindex 1234567..89abcde 100644\n--- a/a.c\n+++ b/a.c\n"
	"@@ -1,3 +1,3 @@ int main(void)\n one\n--- two\n+++ three\n\n"
	"@@ -10 +10,0 @@\n-ten\n\\ No newline at end of file\n"
	"diff --git a/old name b/new name\nsimilarity index 100%\nrename from old "
	"name\nrename to new name\n"
	"diff --git \"a/\\303\\274\\t\" \"b/\\303\\274\\t\"\nnew file mode 100644\nindex "
	"0000000..1234567\n"
	"--- /dev/null\n+++ \"b/\\303\\274\\t\"\n@@ -0,0 +1 @@\n+x\n"
	"diff --git a/gone b/gone\ndeleted file mode 100644\nindex 1234567..0000000\n"
	"--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"
	"diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"
	"diff --git a/bin b/bin\nindex 1111111..2222222 100644\nBinary files a/bin and "
	"b/bin differ\n"
	"-- \n2.39.5\n";

static void test_files(void **state)
{
	struct diff d _cleanup_diff_;

	diff_read(STR_LIT(patch), &d);
	assert_int_equal(d.n_files, 6);
	assert_string_equal(d.file[0].new_path, "a.c");
	assert_int_equal(d.file[0].added, 1);
	assert_int_equal(d.file[0].removed, 2);
	assert_int_equal(d.file[0].n_hunks, 2);
	assert_int_equal(d.file[1].kind, DIFF_RENAMED);
	assert_string_equal(d.file[1].old_path, "old name");
	assert_string_equal(diff_path(&d.file[1]), "new name");
	assert_int_equal(d.file[2].kind, DIFF_ADDED);
	assert_null(d.file[2].old_path);
	assert_string_equal(d.file[2].new_path, "\xc3\xbc\t");
	assert_int_equal(d.file[3].kind, DIFF_DELETED);
	assert_string_equal(diff_path(&d.file[3]), "gone");
	assert_int_equal(d.file[3].removed, 2);
	assert_true(d.file[4].mode_changed);
	assert_string_equal(diff_path(&d.file[4]), "run");
	assert_true(d.file[5].binary && d.file[5].no_content);
}

static void test_hunks(void **state)
{
	struct diff d _cleanup_diff_;

	diff_read(STR_LIT(patch), &d);
	assert_int_equal(d.n_hunks, 4);
	assert_int_equal(d.hunk[0].old_start, 1);
	assert_int_equal(d.hunk[0].old_lines, 3);
	assert_true(str_eqc(d.hunk[0].func, "int main(void)"));
	assert_true(str_eqc(d.hunk[0].lines, " one\n--- two\n+++ three\n\n"));
	assert_int_equal(d.hunk[0].line, 8);
	assert_false(d.hunk[0].cut);
	assert_int_equal(d.hunk[1].old_lines, 1);
	assert_int_equal(d.hunk[1].new_lines, 0);
	assert_true(str_eqc(d.hunk[1].lines, "-ten\n\\ No newline at end of file\n"));
	assert_int_equal(d.hunk[2].file, 2);
	assert_int_equal(d.hunk[3].file, 3);
}

static void test_plain(void **state)
{
	struct diff d _cleanup_diff_;

	/* diff -u, with times; then a hunk that is cut off. */
	diff_read(STR_LIT("text\n--- x.orig/a/b.c\t2024-01-05 09:00:00\n+++ "
			  "x/a/b.c\t2024-01-05\n"
			  "@@ -1 +1 @@\n-a\n+b\n--- x.orig/c\n+++ x/c\n@@ -1,5 +1,5 @@\n "
			  "a\nprose\n"
			  "@@ -x +1 @@\n+no hunk\n"),
		  &d);
	assert_int_equal(d.n_files, 2);
	assert_string_equal(diff_path(&d.file[0]), "a/b.c");
	assert_string_equal(diff_path(&d.file[1]), "c");
	assert_int_equal(d.n_hunks, 2);
	assert_true(d.hunk[1].cut);
	assert_int_equal(d.file[1].added, 0);
	diff_release(&d);
	/* With CRLF line ends, and the blank of an empty line of context cut. */
	diff_read(STR_LIT("--- a/c\r\n+++ b/c\r\n@@ -1,3 +1,3 @@ f()\r\n "
			  "a\r\n\r\n-b\r\n+c\r\n"),
		  &d);
	assert_string_equal(diff_path(&d.file[0]), "c");
	assert_true(str_eqc(d.hunk[0].func, "f()"));
	assert_true(str_eqc(d.hunk[0].lines, " a\r\n\r\n-b\r\n+c\r\n"));
	assert_false(d.hunk[0].cut);
	diff_release(&d);
	/* A plain file behind one of git's; a line more than its hunk says ends that. */
	diff_read(STR_LIT("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n"
			  "--- x/c\n+++ y/c\n@@ -1 +1,2 @@\n-a\n-b\n+c\n+d\n"),
		  &d);
	assert_int_equal(d.n_files, 2);
	assert_string_equal(diff_path(&d.file[0]), "a");
	assert_string_equal(diff_path(&d.file[1]), "c");
	assert_true(str_eqc(d.hunk[1].lines, "-a\n"));
	assert_true(d.hunk[1].cut);
	diff_release(&d);
	diff_read(STR_LIT(""), &d);
	assert_int_equal(d.n_files, 0);
}

static void test_patch_id(void **state)
{
	char id[PATCH_ID_HEX];

	assert_true(diff_patch_id(STR_LIT(patch), id));
	assert_string_equal(id, "89c14c3d4bdf20ed1d4d0423061b0ed1fc96be89");
	/* White space, line numbers and blobs do not count. */
	assert_true(diff_patch_id(
		STR_LIT("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"
			"@@ -1,2 +1,2 @@ f\n a\n-b\n+c\n"),
		id));
	assert_string_equal(id, "a5b62214d09d1a8c1095beba1a403e0d1c634f13");
	assert_true(diff_patch_id(
		STR_LIT("From x\ndiff --git a/x b/x\nindex 3..4\n--- a/x\n+++ b/x\n"
			"@@ -7,2 +8,2 @@\n  a\n-\tb\n+c \n-- \n2\n"),
		id));
	assert_string_equal(id, "a5b62214d09d1a8c1095beba1a403e0d1c634f13");
	assert_false(diff_patch_id(STR_LIT("no diff\n"), id));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_hunks),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_patch_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
