// SPDX-License-Identifier: GPL-2.0-or-later
/* test_json.c - documents built, printed, read; and what must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>
#include "series/json.h"
#include "series/mem.h"

/* As json.dumps(..., indent=2, sort_keys=True, ensure_ascii=False) of Python prints it.
 */
static void test_dump(void **state)
{
	struct json *j _cleanup_json_ = json_obj();
	struct json *a = json_obj(), *c = json_arr();
	struct buf b _cleanup_buf_ = BUF_INIT, line _cleanup_buf_ = BUF_INIT;

	json_set_strn(j, "\303\274", STR_LIT("\303\251\n\0\""));
	json_set_int(j, "b", 1);
	json_set(a, "z", json_arr());
	json_set(a, "y", json_obj());
	json_set(j, "a", a);
	json_push_int(c, 1);
	json_push_str(c, "x");
	json_push(c, NULL);
	json_set(j, "c", c);
	json_dump(j, &b);
	assert_string_equal(buf_cstr(&b), "{\n"
					  "  \"a\": {\n"
					  "    \"y\": {},\n"
					  "    \"z\": []\n"
					  "  },\n"
					  "  \"b\": 1,\n"
					  "  \"c\": [\n"
					  "    1,\n"
					  "    \"x\",\n"
					  "    null\n"
					  "  ],\n"
					  "  \"\303\274\": \"\303\251\\n\\u0000\\\"\"\n"
					  "}\n");
	json_dump_line(c, &line);
	assert_string_equal(buf_cstr(&line), "[1, \"x\", null]");
}

static void test_numbers(void **state)
{
	struct json *j _cleanup_json_ = json_obj();
	struct json *back _cleanup_json_ = NULL;
	struct buf b _cleanup_buf_ = BUF_INIT;

	json_set_int(j, "max", INT64_MAX);
	json_set_int(j, "min", INT64_MIN);
	json_set_real(j, "effect", 0.466);
	json_set_real(j, "inf", INFINITY);
	json_set_real(j, "nan", NAN);
	json_set_bool(j, "yes", true);
	json_dump_line(j, &b);
	assert_string_equal(buf_cstr(&b), "{\"effect\": 0.466, \"inf\": null, "
					  "\"max\": 9223372036854775807, "
					  "\"min\": -9223372036854775808, "
					  "\"nan\": null, \"yes\": true}");
	assert_int_equal(json_parse(buf_str(&b), "x", &back, NULL), 0);
	assert_true(json_get_int(back, "max", 0) == INT64_MAX);
	assert_true(json_get_int(back, "min", 0) == INT64_MIN);
	assert_int_equal(json_get_int(back, "effect", -7), -7);
	assert_true(json_get_bool(back, "yes", false));
}

static void test_getters(void **state)
{
	struct str text =
		STR_LIT("{\"s\":\"text\",\"i\":-5,\"r\":2e3,\"h\":1.5,\"big\":1e300,"
			"\"t\":true,\"f\":false,\"n\":null,\"nul\":\"a\\u0000b\","
			"\"list\":[\"one\",2,\"three\",null]}");
	struct json *j _cleanup_json_ = NULL;
	struct strvec v _cleanup_strvec_ = STRVEC_INIT, k _cleanup_strvec_ = STRVEC_INIT;
	char *keys _cleanup_free_ = NULL;
	const struct json *list;

	assert_int_equal(json_parse(text, "doc", &j, NULL), 0);
	assert_string_equal(json_get_str(j, "s"), "text");
	assert_null(json_get_str(j, "i"));
	assert_null(json_get_str(j, "missing"));
	assert_null(json_get_str(NULL, "s"));
	assert_int_equal(json_get_int(j, "i", 9), -5);
	assert_int_equal(json_get_int(j, "r", 9), 2000);
	assert_int_equal(json_get_int(j, "h", 9), 9);
	assert_int_equal(json_get_int(j, "big", 9), 9);
	assert_int_equal(json_get_int(j, "s", 9), 9);
	assert_int_equal(json_get_int(NULL, "i", 9), 9);
	assert_true(json_get_bool(j, "t", false));
	assert_false(json_get_bool(j, "f", true));
	assert_true(json_get_bool(j, "n", true));
	assert_int_equal(json_get_strn(j, "nul").len, 3);
	assert_memory_equal(json_get_strn(j, "nul").p, "a\0b", 3);
	assert_int_equal(json_get_strn(j, "none").len, 0);
	list = json_get(j, "list");
	assert_true(json_is_arr(list) && !json_is_obj(list) && json_is_obj(j));
	assert_false(json_is_obj(NULL) || json_is_arr(NULL));
	assert_int_equal(json_len(list), 4);
	assert_int_equal(json_len(j), 0);
	assert_int_equal(json_value_int(json_at(list, 1), 0), 2);
	assert_string_equal(json_value_str(json_at(list, 2)), "three");
	assert_null(json_at(list, 4));
	strvec_push(&v, "zero");
	json_get_strvec(j, "list", &v);
	assert_int_equal(v.n, 3);
	assert_string_equal(v.v[0], "zero");
	assert_string_equal(v.v[2], "three");
	json_keys(j, &k);
	keys = strvec_join(&k, " ");
	assert_string_equal(keys, "big f h i list n nul r s t");
}

/* Bytes that are no UTF-8 become U+FFFD in values and keys; the document survives. */
static void test_lossy(void **state)
{
	struct json *j _cleanup_json_ = json_obj();
	struct json *back _cleanup_json_ = NULL;
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;

	strvec_push(&v, "Ren\351");
	json_set_str(j, "name", "J\366rg");
	json_set_str(j, "k\377", "\360\237\230\200 \357\277\277 \364\217\277\277");
	json_set_strvec(j, "v", &v);
	json_set_str(j, "none", NULL);
	json_dump(j, &b);
	assert_int_equal(json_parse(buf_str(&b), "x", &back, NULL), 0);
	assert_string_equal(json_get_str(back, "name"), "J\357\277\275rg");
	assert_string_equal(json_get_str(back, "k\357\277\275"),
			    "\360\237\230\200 \357\277\277 \364\217\277\277");
	assert_string_equal(json_value_str(json_at(json_get(back, "v"), 0)),
			    "Ren\357\277\275");
	assert_non_null(json_get(back, "none"));
	assert_null(json_get_str(back, "none"));
}

static void test_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"   ",
		"{",
		"[1,]",
		"{\"a\":1,\"a\":2}",
		"{} x",
		"{'a':1}",
		"[01]",
		"[\"\t\"]",
		"[\"\377\"]",
		"[\"\355\240\200\"]",
		"[\"\\ud800\"]",
		"[9223372036854775808]",
		"[1e999]",
		"[NaN]",
		"\"only a string\"",
		"\357\273\277{}",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct err err _cleanup_err_ = ERR_INIT;
		struct json *j = NULL;

		assert_int_equal(json_parse(str_c(bad[i]), "refs/x", &j, &err),
				 E_CORRUPT);
		assert_null(j);
		assert_non_null(strstr(err_msg(&err), "refs/x: line "));
	}
}

static void test_message(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct json *j = NULL;

	assert_int_equal(json_parse(STR_LIT("{\n\n \"a\": \033[31m}"), "f", &j, &err),
			 E_CORRUPT);
	assert_non_null(strstr(err_msg(&err), "f: line 3, column "));
	assert_null(strchr(err_msg(&err), '\033'));
	assert_int_equal(json_parse(STR_NULL, "f", &j, &err), E_CORRUPT);
}

/* 2048 levels are read, 100,000 are an error and no overflow of the stack. */
static void test_depth(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT, deep _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	struct json *none = NULL;

	buf_fill(&b, '[', 2048);
	buf_fill(&b, ']', 2048);
	assert_int_equal(json_parse(buf_str(&b), "x", &j, NULL), 0);
	buf_fill(&deep, '[', 100000);
	buf_fill(&deep, ']', 100000);
	assert_int_equal(json_parse(buf_str(&deep), "x", &none, NULL), E_CORRUPT);
}

static void test_schema(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct json *j = NULL;

	assert_int_equal(json_parse_schema(STR_LIT("{\"schema\":3}"), "x", 2, &j, &err),
			 E_CORRUPT);
	assert_non_null(strstr(err_msg(&err), "update the program"));
	assert_int_equal(json_parse_schema(STR_LIT("{}"), "x", 2, &j, &err), E_CORRUPT);
	assert_int_equal(json_parse_schema(STR_LIT("{\"schema\":0}"), "x", 2, &j, &err),
			 E_CORRUPT);
	assert_int_equal(
		json_parse_schema(STR_LIT("{\"schema\":\"1\"}"), "x", 2, &j, &err),
		E_CORRUPT);
	assert_int_equal(json_parse_schema(STR_LIT("[1]"), "x", 2, &j, &err), E_CORRUPT);
	assert_null(j);
	assert_int_equal(json_parse_schema(STR_LIT("{\"schema\":2}"), "x", 2, &j, &err),
			 0);
	assert_int_equal(json_get_int(j, "schema", 0), 2);
	json_freep(&j);
	assert_null(j);
	json_free(NULL);
}

static void test_replace(void **state)
{
	struct json *j _cleanup_json_ = json_obj();
	struct buf b _cleanup_buf_ = BUF_INIT;

	json_set_int(j, "a", 1);
	json_set_str(j, "a", "two");
	json_set(j, "b", json_int(3));
	json_dump_line(j, &b);
	assert_string_equal(buf_cstr(&b), "{\"a\": \"two\", \"b\": 3}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dump),	cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_getters), cmocka_unit_test(test_lossy),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_message),
		cmocka_unit_test(test_depth),	cmocka_unit_test(test_schema),
		cmocka_unit_test(test_replace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
