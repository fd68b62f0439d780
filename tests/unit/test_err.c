// SPDX-License-Identifier: GPL-2.0-or-later
/* test_err.c - codes, messages, context, exit status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include "series/err.h"

static void test_set(void **state)
{
	struct err e _cleanup_err_ = ERR_INIT;

	assert_string_equal(err_msg(&e), "");
	assert_int_equal(err_set(&e, E_NOTFOUND, "%s: no such host", "db1"), E_NOTFOUND);
	assert_int_equal(e.code, E_NOTFOUND);
	assert_string_equal(err_msg(&e), "db1: no such host");
	/* The old message may be an argument of the new one. */
	assert_int_equal(err_set(&e, E_FAIL, "[%s]", err_msg(&e)), E_FAIL);
	assert_string_equal(err_msg(&e), "[db1: no such host]");
	err_release(&e);
	assert_int_equal(e.code, 0);
	assert_string_equal(err_msg(&e), "");
}

static void test_errno(void **state)
{
	struct err e _cleanup_err_ = ERR_INIT;

	assert_int_equal(err_errno(&e, EACCES, "cannot open %s", "x%sy"), E_FAIL);
	assert_string_equal(err_msg(&e), "cannot open x%sy: Permission denied");
}

static void test_context(void **state)
{
	struct err e _cleanup_err_ = ERR_INIT;

	err_set(&e, E_TIMEOUT, "no answer");
	assert_int_equal(err_context(&e, "patch %d/%d", 5, 9), E_TIMEOUT);
	assert_int_equal(err_context(&e, "send"), E_TIMEOUT);
	assert_string_equal(err_msg(&e), "send: patch 5/9: no answer");
	err_release(&e);
	assert_int_equal(err_context(&e, "send"), E_FAIL);
	assert_string_equal(err_msg(&e), "send");
}

static void test_null(void **state)
{
	assert_int_equal(err_set(NULL, E_LOCKED, "x"), E_LOCKED);
	assert_int_equal(err_errno(NULL, EACCES, "x"), E_FAIL);
	assert_int_equal(err_context(NULL, "x"), E_FAIL);
	assert_string_equal(err_msg(NULL), "");
}

static void test_exit_status(void **state)
{
	assert_int_equal(err_exit_status(0), 0);
	assert_int_equal(err_exit_status(E_FAIL), 1);
	assert_int_equal(err_exit_status(E_FINDINGS), 2);
	assert_int_equal(err_exit_status(E_USAGE), 129);
	assert_int_equal(err_exit_status(E_INTR), 130);
	for (int code = E_UNSURE; code <= E_NOTFOUND; code++)
		assert_int_equal(err_exit_status(code), 1);
	assert_int_equal(err_exit_status(5), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),	    cmocka_unit_test(test_errno),
		cmocka_unit_test(test_context),	    cmocka_unit_test(test_null),
		cmocka_unit_test(test_exit_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
