// SPDX-License-Identifier: GPL-2.0-or-later
/* test_buf.c - growing, the ceiling, printing, handing over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "series/buf.h"
#include "series/mem.h"

static void test_add(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	assert_string_equal(buf_cstr(&b), "");
	assert_int_equal(buf_str(&b).len, 0);
	buf_add(&b, NULL, 0);
	assert_non_null(b.p);
	buf_puts(&b, "ab");
	buf_putc(&b, 'c');
	buf_addstr(&b, STR_LIT("de"));
	buf_fill(&b, '-', 3);
	assert_string_equal(b.p, "abcde---");
	assert_int_equal(b.len, 8);
	buf_truncate(&b, 2);
	assert_string_equal(b.p, "ab");
	buf_truncate(&b, 100);
	assert_int_equal(b.len, 2);
	buf_add(&b, "x\0y", 3);
	assert_int_equal(b.len, 5);
	assert_memory_equal(b.p, "abx\0y", 6);
	buf_reset(&b);
	assert_int_equal(b.len, 0);
	assert_string_equal(b.p, "");
}

static void test_grows(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	for (int i = 0; i < 100000; i++)
		buf_putc(&b, (char)('a' + i % 26));
	assert_int_equal(b.len, 100000);
	for (int i = 0; i < 100000; i++)
		assert_int_equal(b.p[i], 'a' + i % 26);
	assert_int_equal(b.p[100000], 0);
	assert_false(b.full);
}

static void test_ceiling(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	b.max = 10;
	buf_puts(&b, "0123456789");
	assert_false(b.full);
	buf_puts(&b, "");
	assert_false(b.full);
	buf_putc(&b, 'x');
	assert_true(b.full);
	assert_string_equal(b.p, "0123456789");
	buf_reset(&b);
	assert_false(b.full);
	buf_puts(&b, "abcdefghijkl");
	assert_true(b.full);
	assert_string_equal(b.p, "abcdefghij");
	buf_reset(&b);
	buf_printf(&b, "%s-%d", "abcdefgh", 12345);
	assert_true(b.full);
	assert_string_equal(b.p, "abcdefgh-1");
	buf_reset(&b);
	buf_fill(&b, 'z', SIZE_MAX);
	assert_true(b.full);
	assert_string_equal(b.p, "zzzzzzzzzz");
}

static void test_ceiling_above_first_memory(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	b.max = 1000;
	for (int i = 0; i < 300; i++)
		buf_printf(&b, "%04d", i);
	assert_int_equal(b.len, 1000);
	assert_true(b.full);
	assert_memory_equal(b.p + 996, "0249", 5);
	assert_true(b.cap <= 1001);
}

static void test_printf(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	char *longer _cleanup_free_ = xcalloc(5001, 1);

	memset(longer, 'q', 5000);
	buf_printf(&b, "%d/%s", 7, "nine");
	assert_string_equal(b.p, "7/nine");
	buf_printf(&b, "[%s]", longer);
	assert_int_equal(b.len, 6 + 5002);
	assert_int_equal(b.p[6], '[');
	assert_string_equal(b.p + 5006, "q]");
	/* One byte less, exactly, and one more than the first memory. */
	for (int n = 60; n < 70; n++) {
		struct buf c _cleanup_buf_ = BUF_INIT;

		buf_printf(&c, "%*d", n, 1);
		assert_int_equal(c.len, n);
		assert_int_equal(c.p[n - 1], '1');
	}
}

static void test_reserve(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	char *to;

	buf_puts(&b, "ab");
	to = buf_reserve(&b, 1000);
	assert_ptr_equal(to, b.p + 2);
	memset(to, 'r', 1000);
	b.len += 1000;
	buf_putc(&b, '!');
	assert_int_equal(b.len, 1003);
	assert_string_equal(b.p + 1001, "r!");
	b.max = 1010;
	assert_null(buf_reserve(&b, 8));
	assert_true(b.full);
	assert_non_null(buf_reserve(&b, 7));
	assert_int_equal(b.len, 1003);
}

static void test_take(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	char *p = buf_take(&b), *q;

	assert_string_equal(p, "");
	free(p);
	buf_puts(&b, "mine");
	q = buf_take(&b);
	assert_null(b.p);
	assert_int_equal(b.len, 0);
	buf_puts(&b, "other");
	assert_string_equal(q, "mine");
	free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_grows),
		cmocka_unit_test(test_ceiling),
		cmocka_unit_test(test_ceiling_above_first_memory),
		cmocka_unit_test(test_printf),
		cmocka_unit_test(test_reserve),
		cmocka_unit_test(test_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
