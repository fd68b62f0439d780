// SPDX-License-Identifier: GPL-2.0-or-later
/* test_strvec.c - lists of strings that are an argv at any time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "series/mem.h"
#include "series/err.h"
#include "series/strvec.h"

static void assert_list(const struct strvec *s, const char *joined)
{
	char *text _cleanup_free_ = strvec_join(s, "|");

	assert_string_equal(text, joined);
	if (s->v)
		assert_null(s->v[s->n]);
}

static void test_push(void **state)
{
	struct strvec s _cleanup_strvec_ = STRVEC_INIT;
	struct strvec more _cleanup_strvec_ = STRVEC_INIT;
	char *const *argv = strvec_argv(&s);

	assert_null(argv[0]);
	assert_list(&s, "");
	assert_string_equal(strvec_push(&s, "git"), "git");
	assert_string_equal(strvec_pushf(&s, "-c%s=%d", "x", 3), "-cx=3");
	assert_string_equal(strvec_push_str(&s, str_n("amend", 2)), "am");
	strvec_take(&s, xstrdup("own"));
	strvec_pushl(&s, "p", "q", NULL);
	assert_list(&s, "git|-cx=3|am|own|p|q");
	strvec_push(&more, "r");
	strvec_extend(&s, &more);
	strvec_extend(&s, &s);
	assert_list(&s, "git|-cx=3|am|own|p|q|r|git|-cx=3|am|own|p|q|r");
	assert_true(strvec_has(&s, "own"));
	assert_false(strvec_has(&s, "ow"));
}

static void test_remove(void **state)
{
	struct strvec s _cleanup_strvec_ = STRVEC_INIT;

	strvec_pushl(&s, "a", "b", "c", NULL);
	strvec_remove(&s, 1);
	assert_list(&s, "a|c");
	strvec_remove(&s, 1);
	assert_list(&s, "a");
	strvec_remove(&s, 7);
	strvec_remove(&s, 0);
	assert_int_equal(s.n, 0);
	assert_null(s.v[0]);
}

static void test_sort(void **state)
{
	struct strvec s _cleanup_strvec_ = STRVEC_INIT;

	strvec_sort(&s);
	strvec_pushl(&s, "b", "B", "\xc3\xa4", "a10", "a9", "", NULL);
	strvec_sort(&s);
	assert_list(&s, "|B|a10|a9|b|\xc3\xa4");
}

static void test_split(void **state)
{
	struct strvec s _cleanup_strvec_ = STRVEC_INIT;

	strvec_split(&s, STR_LIT(" x86_64, arm64 ,,\t,riscv\n"), ',');
	assert_list(&s, "x86_64|arm64|riscv");
	strvec_split(&s, STR_NULL, ',');
	assert_int_equal(s.n, 3);
}

/* Expected words: what "printf '%s\n' LINE" prints in sh, a word a line. */
static void test_words(void **state)
{
	static const struct {
		const char *line;
		size_t n;
		const char *words[4];
	} t[] = {
		{ "", 0, { NULL } },
		{ " \t ", 0, { NULL } },
		{ "pdu cycle", 2, { "pdu", "cycle" } },
		{ " a 'b c'  \"d e\" ", 3, { "a", "b c", "d e" } },
		{ "a'b 'c\" d\"", 1, { "ab c d" } },
		{ "'' x", 2, { "", "x" } },
		{ "a\\ b '\\n' \"\\\"\\n\"", 3, { "a b", "\\n", "\"\\n" } },
		{ "it\\'s \"it's\"", 2, { "it's", "it's" } },
		{ "$HOME *;|", 2, { "$HOME", "*;|" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct strvec v _cleanup_strvec_ = STRVEC_INIT;

		assert_int_equal(strvec_words(&v, str_c(t[i].line)), 0);
		assert_int_equal(v.n, t[i].n);
		for (size_t k = 0; k < v.n; k++)
			assert_string_equal(v.v[k], t[i].words[k]);
	}
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;

	assert_int_equal(strvec_words(&v, str_c("a 'b")), E_USAGE);
	assert_int_equal(strvec_words(&v, str_c("a \"b\\\"")), E_USAGE);
	assert_int_equal(v.n, 0);
}

static void test_many(void **state)
{
	struct strvec s _cleanup_strvec_ = STRVEC_INIT;

	for (int i = 0; i < 10000; i++)
		strvec_pushf(&s, "%05d", 9999 - i);
	assert_int_equal(s.n, 10000);
	assert_null(s.v[10000]);
	strvec_sort(&s);
	assert_string_equal(s.v[1234], "01234");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_push), cmocka_unit_test(test_remove),
		cmocka_unit_test(test_sort), cmocka_unit_test(test_split),
		cmocka_unit_test(test_many), cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
