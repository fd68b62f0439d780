// SPDX-License-Identifier: GPL-2.0-or-later
/* test_table.c - alignment, cutting, colours and foreign text in cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/table.h"

static const enum table_align three[] = { TABLE_RIGHT, TABLE_FLEX, TABLE_LEFT };

static void rows(struct table *t, const char *const *cells)
{
	for (; *cells; cells++)
		table_cell(t, *cells);
}

static void check(struct table *t, size_t indent, size_t width, const char *want)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	table_render(t, indent, width, false, &b);
	assert_string_equal(buf_cstr(&b), want);
}

static void test_align(void **state)
{
	struct table *t _cleanup_table_ = table_new(3, three);
	const char *const cells[] = { "1", "mm: first", "pass", "10", "mm/rmap: second",
				      "",  "7",		"",	"x",  NULL };

	check(t, 2, 80, "");
	rows(t, cells);
	check(t, 2, 80,
	      "   1  mm: first        pass\n"
	      "  10  mm/rmap: second\n"
	      "   7                   x\n");
}

static void test_cut(void **state)
{
	struct table *t _cleanup_table_ = table_new(3, three);
	const char *const cells[] = {
		"1", "a subject that is long", "pass", "2", "short", "fail", NULL
	};

	rows(t, cells);
	/* 1 + 2 + 22 + 2 + 4 = 31 columns when nothing is cut */
	check(t, 0, 31,
	      "1  a subject that is long  pass\n2  short                   fail\n");
	check(t, 0, 30,
	      "1  a subject that is ...  pass\n2  short                  fail\n");
	check(t, 0, 20, "1  a subjec...  pass\n2  short        fail\n");
	/* not below eight, and the rest is never cut */
	check(t, 0, 5, "1  a sub...  pass\n2  short     fail\n");
	check(t, 0, 0,
	      "1  a subject that is long  pass\n2  short                   fail\n");
}

/* Of two flexible columns the wider gives first. */
static void test_two_flexible(void **state)
{
	static const enum table_align two[] = { TABLE_FLEX, TABLE_FLEX };
	struct table *t _cleanup_table_ = table_new(2, two);
	const char *const cells[] = { "abcdefghij", "abcdefghijklmnopqrst", NULL };

	rows(t, cells);
	check(t, 0, 24, "abcdefghij  abcdefghi...\n");
	check(t, 0, 20, "abcdef...  abcdef...\n");
}

static void test_wide_text(void **state)
{
	static const enum table_align two[] = { TABLE_FLEX, TABLE_LEFT };
	struct table *t _cleanup_table_ = table_new(2, two);
	/* six kanji are twelve columns */
	const char *const cells[] = {
		"\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245"
		"\346\227\245",
		"x", "J\303\266rg", "y", NULL
	};

	rows(t, cells);
	check(t, 0, 80,
	      "\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245\346\227\245  "
	      "x\n"
	      "J\303\266rg          y\n");
	/* ten columns less "..." hold three kanji; the seventh column is a blank */
	check(t, 0, 13,
	      "\346\227\245\346\227\245\346\227\245...   x\n"
	      "J\303\266rg        y\n");
}

static void test_color(void **state)
{
	static const enum table_align two[] = { TABLE_RIGHT, TABLE_LEFT };
	struct table *t _cleanup_table_ = table_new(2, two);
	struct buf b _cleanup_buf_ = BUF_INIT;

	table_color(t, "31"); /* no cell yet */
	table_cellf(t, "%d", 5);
	table_color(t, "32");
	table_cell(t, "ok");
	table_color(t, "1");
	table_color(t, "31");
	table_cell(t, "10");
	table_cell(t, "");
	table_color(t, "31");
	table_render(t, 0, 80, true, &b);
	/* blanks carry no colour, and an empty cell none at all */
	assert_string_equal(buf_cstr(&b), " \033[32m5\033[m  \033[31mok\033[m\n10\n");
	check(t, 0, 80, " 5  ok\n10\n");
}

static void test_foreign(void **state)
{
	static const enum table_align two[] = { TABLE_LEFT, TABLE_LEFT };
	struct table *t _cleanup_table_ = table_new(2, two);
	char text[] = "copied";

	table_cell(t, "a\033[2J\nb\302\23331m");
	table_cell(t, text);
	text[0] = 'X';
	table_cell(t, "row not complete");
	check(t, 1, 80, " a b               copied\n row not complete\n");
	table_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_align),	     cmocka_unit_test(test_cut),
		cmocka_unit_test(test_two_flexible), cmocka_unit_test(test_wide_text),
		cmocka_unit_test(test_color),	     cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
