// SPDX-License-Identifier: GPL-2.0-or-later
/* test_str.c - views: comparing, searching, lines, pieces, words, numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "series/mem.h"
#include "series/str.h"

#define assert_str(s, text) assert_true(str_eqc((s), (text)))

static void test_compare(void **state)
{
	assert_true(str_eq(STR_LIT("a\0b"), STR_LIT("a\0b")));
	assert_false(str_eq(STR_LIT("a\0b"), STR_LIT("a\0c")));
	assert_false(str_eq(STR_LIT("a"), STR_LIT("ab")));
	assert_true(str_eq(STR_NULL, STR_LIT("")));
	assert_true(str_eqc(STR_NULL, ""));
	assert_false(str_eqc(STR_LIT("abc"), "ab"));
	assert_true(str_ieqc(STR_LIT("Signed-Off-BY"), "signed-off-by"));
	assert_false(str_ieqc(STR_LIT("@"), "`"));
	assert_false(str_ieqc(STR_LIT("["), "{"));
	assert_true(str_starts(STR_LIT("Re: x"), "Re:"));
	assert_false(str_starts(STR_LIT("Re"), "Re:"));
	assert_true(str_starts(STR_NULL, ""));
	assert_true(str_istarts(STR_LIT("rE: x"), "Re:"));
	assert_true(str_ends(STR_LIT("a.patch"), ".patch"));
	assert_false(str_ends(STR_LIT("patch"), ".patch"));
	assert_true(str_ends(STR_NULL, ""));
}

static void test_skip_trim(void **state)
{
	struct str s = STR_LIT("Cc: a@example.org");

	assert_false(str_skip(&s, "To:"));
	assert_int_equal(s.len, 17);
	assert_true(str_skip(&s, "Cc:"));
	assert_str(s, " a@example.org");
	assert_str(str_trim(STR_LIT(" \t\r\nx y\r\n ")), "x y");
	assert_int_equal(str_trim(STR_LIT(" \n ")).len, 0);
	assert_str(str_trim_end(STR_LIT(" x \f\t\r\n ")), " x \f");
	assert_int_equal(str_trim_end(STR_LIT(" \n ")).len, 0);
	assert_int_equal(str_trim(STR_NULL).len, 0);
	/* A vertical tab and a no-break space are content. */
	assert_int_equal(str_trim(STR_LIT("\v")).len, 1);
}

static void test_search(void **state)
{
	assert_int_equal(str_chr(STR_LIT("abcb"), 'b'), 1);
	assert_int_equal(str_chr(STR_LIT("abc"), 'x'), -1);
	assert_int_equal(str_chr(STR_NULL, 'x'), -1);
	/* The NUL behind a literal is not part of it. */
	assert_int_equal(str_chr(STR_LIT("abc"), '\0'), -1);
	assert_int_equal(str_find(STR_LIT("a\0bcbc"), "bc"), 2);
	assert_int_equal(str_find(STR_LIT("ab"), "abc"), -1);
	assert_int_equal(str_find(STR_LIT("ab"), ""), 0);
	assert_int_equal(str_find(STR_NULL, "a"), -1);
}

static void test_line(void **state)
{
	struct str rest = STR_LIT("one\r\n\nthree"), line;

	assert_true(str_line(&rest, &line));
	assert_str(line, "one\r");
	assert_true(str_line(&rest, &line));
	assert_str(line, "");
	assert_true(str_line(&rest, &line));
	assert_str(line, "three");
	assert_false(str_line(&rest, &line));
	rest = STR_LIT("x\n");
	assert_true(str_line(&rest, &line));
	assert_str(line, "x");
	assert_false(str_line(&rest, &line));
	rest = STR_NULL;
	assert_false(str_line(&rest, &line));
}

static void test_cut(void **state)
{
	struct str rest = STR_LIT("a,,b,"), piece;

	assert_true(str_cut(&rest, ',', &piece));
	assert_str(piece, "a");
	assert_true(str_cut(&rest, ',', &piece));
	assert_str(piece, "");
	assert_true(str_cut(&rest, ',', &piece));
	assert_str(piece, "b");
	assert_true(str_cut(&rest, ',', &piece));
	assert_str(piece, "");
	assert_false(str_cut(&rest, ',', &piece));
	assert_null(rest.p);
	rest = STR_LIT("");
	assert_true(str_cut(&rest, ',', &piece));
	assert_int_equal(piece.len, 0);
	assert_false(str_cut(&rest, ',', &piece));
}

static void test_word(void **state)
{
	struct str rest = STR_LIT("  git\t am  --3way "), word;

	assert_true(str_word(&rest, &word));
	assert_str(word, "git");
	assert_true(str_word(&rest, &word));
	assert_str(word, "am");
	assert_true(str_word(&rest, &word));
	assert_str(word, "--3way");
	assert_false(str_word(&rest, &word));
}

static void test_dup(void **state)
{
	char *s _cleanup_free_ = str_dup(str_n("abcdef", 3));
	char *none _cleanup_free_ = str_dup(STR_NULL);

	assert_string_equal(s, "abc");
	assert_string_equal(none, "");
}

static void test_numbers(void **state)
{
	int64_t v = 77;

	assert_true(cstr_to_i64("0", 0, 10, &v));
	assert_int_equal(v, 0);
	assert_true(cstr_to_i64("-12", -12, 0, &v));
	assert_int_equal(v, -12);
	assert_true(cstr_to_i64("007", 0, 10, &v));
	assert_int_equal(v, 7);
	assert_true(cstr_to_i64("9223372036854775807", INT64_MIN, INT64_MAX, &v));
	assert_true(v == INT64_MAX);
	assert_true(cstr_to_i64("-9223372036854775808", INT64_MIN, INT64_MAX, &v));
	assert_true(v == INT64_MIN);
	v = 77;
	assert_false(cstr_to_i64("9223372036854775808", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("-9223372036854775809", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("92233720368547758070", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("-", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("--1", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("+1", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64(" 1", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("1 ", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("1k", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("0x10", INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64(NULL, INT64_MIN, INT64_MAX, &v));
	assert_false(cstr_to_i64("11", 0, 10, &v));
	assert_false(cstr_to_i64("-1", 0, 10, &v));
	assert_false(str_to_i64(STR_LIT("1\0"), 0, 10, &v));
	assert_int_equal(v, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compare), cmocka_unit_test(test_skip_trim),
		cmocka_unit_test(test_search),	cmocka_unit_test(test_line),
		cmocka_unit_test(test_cut),	cmocka_unit_test(test_word),
		cmocka_unit_test(test_dup),	cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
