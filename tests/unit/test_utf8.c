// SPDX-License-Identifier: GPL-2.0-or-later
/* test_utf8.c - decoding, repairing and measuring UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/utf8.h"

/* Repaired as Python's bytes.decode("utf-8", "replace") repairs them. */
static const struct {
	size_t len;
	const char *bad, *repaired;
} bad[] = {
	/* clang-format off */
	{ 1, "\200", "\357\277\275" }, /* lone continuation */
	{ 2, "\277\277", "\357\277\275\357\277\275" }, /* two continuations */
	{ 2, "\300\257", "\357\277\275\357\277\275" }, /* overlong slash in two */
	{ 2, "\301\277", "\357\277\275\357\277\275" }, /* overlong in two */
	{ 3, "\340\200\257", "\357\277\275\357\277\275\357\277\275" }, /* overlong slash in three */
	{ 4, "\360\200\200\257", "\357\277\275\357\277\275\357\277\275\357\277\275" }, /* overlong slash in four */
	{ 3, "\340\237\277", "\357\277\275\357\277\275\357\277\275" }, /* largest overlong in three */
	{ 4, "\360\217\277\277", "\357\277\275\357\277\275\357\277\275\357\277\275" }, /* largest overlong in four */
	{ 3, "\355\240\200", "\357\277\275\357\277\275\357\277\275" }, /* surrogate D800 */
	{ 6, "\355\257\277\355\277\277", "\357\277\275\357\277\275\357\277\275\357\277\275\357\277\275\357\277\275" }, /* surrogate pair */
	{ 4, "\364\220\200\200", "\357\277\275\357\277\275\357\277\275\357\277\275" }, /* above 10FFFF */
	{ 4, "\365\200\200\200", "\357\277\275\357\277\275\357\277\275\357\277\275" }, /* lead F5 */
	{ 5, "\370\210\200\200\200", "\357\277\275\357\277\275\357\277\275\357\277\275\357\277\275" }, /* five bytes */
	{ 6, "\374\204\200\200\200\200", "\357\277\275\357\277\275\357\277\275\357\277\275\357\277\275\357\277\275" }, /* six bytes */
	{ 2, "\376\377", "\357\277\275\357\277\275" }, /* never in UTF-8 */
	{ 3, "a\342\202", "a\357\277\275" }, /* cut at the end */
	{ 3, "\342\202z", "\357\277\275z" }, /* cut in the middle */
	{ 4, "\360\237\230z", "\357\277\275z" }, /* cut in four */
	{ 7, "\360\237\230\360\237\230\200", "\357\277\275\360\237\230\200" }, /* cut, then whole */
	{ 12, "caf\351 au lait", "caf\357\277\275 au lait" }, /* Latin-1 */
	{ 1, "\303", "\357\277\275" }, /* lead alone */
	{ 3, "\342(\241", "\357\277\275(\357\277\275" }, /* bad second byte */
	{ 4, "\360(\214\274", "\357\277\275(\357\277\275\357\277\275" }, /* bad second of four */
	/* clang-format on */
};

static void test_bad(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		assert_false(utf8_valid(str_n(bad[i].bad, bad[i].len)));
		utf8_lossy(str_n(bad[i].bad, bad[i].len), &b);
		assert_string_equal(buf_cstr(&b), bad[i].repaired);
		assert_true(utf8_valid(buf_str(&b)));
	}
}

/* Every code point RFC 3629 allows, encoded by its section 3, stays and decodes. */
static void test_all_code_points(void **state)
{
	uint32_t cp, got;

	for (cp = 0; cp <= 0x10ffff; cp++) {
		struct buf enc _cleanup_buf_ = BUF_INIT;
		struct buf out _cleanup_buf_ = BUF_INIT;
		struct str s;

		utf8_put(cp, &enc);
		s = buf_str(&enc);
		assert_true(utf8_next(&s, &got));
		assert_int_equal(s.len, 0);
		if (cp >= 0xd800 && cp <= 0xdfff) {
			assert_int_equal(got, 0xfffd);
			continue;
		}
		assert_int_equal(got, cp);
		assert_int_equal(enc.len, cp < 0x80	 ? 1
					  : cp < 0x800	 ? 2
					  : cp < 0x10000 ? 3
							 : 4);
		utf8_lossy(buf_str(&enc), &out);
		assert_int_equal(out.len, enc.len);
		assert_memory_equal(out.p, enc.p, enc.len);
	}
}

/* The examples of RFC 3629 section 7, byte by byte. */
static void test_rfc_examples(void **state)
{
	static const uint32_t want[] = { 0x41, 0x2262, 0x391, 0x2e, 0x233b4 };
	struct str s = STR_LIT("A\342\211\242\316\221.\360\243\216\264");
	struct buf b _cleanup_buf_ = BUF_INIT;
	uint32_t cp;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		assert_true(utf8_next(&s, &cp));
		assert_int_equal(cp, want[i]);
		utf8_put(cp, &b);
	}
	assert_false(utf8_next(&s, &cp));
	assert_string_equal(buf_cstr(&b), "A\342\211\242\316\221.\360\243\216\264");
}

static void test_nul_stays(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	utf8_lossy(str_n("a\0\377b\0", 5), &b);
	assert_int_equal(b.len, 7);
	assert_memory_equal(b.p, "a\0\357\277\275b\0", 7);
	utf8_lossy(STR_NULL, &b);
	assert_int_equal(b.len, 7);
}

static void test_width(void **state)
{
	assert_int_equal(utf8_width(STR_LIT("")), 0);
	assert_int_equal(utf8_width(STR_LIT("mm/rmap.c")), 9);
	assert_int_equal(utf8_width(STR_LIT("J\303\266rg")), 4);
	/* e and a combining acute */
	assert_int_equal(utf8_width(STR_LIT("e\314\201")), 1);
	/* two kanji */
	assert_int_equal(utf8_width(STR_LIT("\346\227\245\346\234\254")), 4);
	/* a grinning face */
	assert_int_equal(utf8_width(STR_LIT("\360\237\230\200")), 2);
	/* an ambiguous one: a Greek alpha is narrow */
	assert_int_equal(utf8_width(STR_LIT("\316\261")), 1);
	/* bytes that are shown as U+FFFD, and controls */
	assert_int_equal(utf8_width(STR_LIT("\377\377")), 2);
	assert_int_equal(utf8_width(STR_LIT("a\033\177b")), 2);
}

static void test_fit(void **state)
{
	struct str s = STR_LIT("a\346\227\245\346\234\254e\314\201z");

	assert_int_equal(utf8_fit(s, 0).len, 0);
	assert_int_equal(utf8_fit(s, 1).len, 1);
	assert_int_equal(utf8_fit(s, 2).len, 1); /* half a kanji is none */
	assert_int_equal(utf8_fit(s, 3).len, 4);
	assert_int_equal(utf8_fit(s, 6).len, 10); /* the accent goes with its letter */
	assert_int_equal(utf8_fit(s, 100).len, s.len);
	assert_ptr_equal(utf8_fit(s, 3).p, s.p);
}

static void test_wrap(void **state)
{
	static const struct {
		const char *text;
		size_t at, width;
		const char *want;
	} v[] = {
		{ "one two three", 2, 9, "one two\n  three" },
		{ "one two three", 2, 8, "one\n  two\n  three" },
		{ "  one   two ", 0, 80, "one two" },
		/* Four columns in five bytes, and in six. */
		{ "\xc3\xa9t\xc3\xa9s on", 0, 7, "\xc3\xa9t\xc3\xa9s on" },
		{ "\xe6\x9d\x8e\xe9\x9b\xb7 on", 0, 6, "\xe6\x9d\x8e\xe9\x9b\xb7\non" },
		{ "much-too-long one", 1, 4, "much-too-long\n one" },
		{ "", 3, 9, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		utf8_wrap(str_c(v[i].text), v[i].at, v[i].width, &b);
		assert_string_equal(buf_cstr(&b), v[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_all_code_points),
		cmocka_unit_test(test_rfc_examples),
		cmocka_unit_test(test_nul_stays),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
