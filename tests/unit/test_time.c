// SPDX-License-Identifier: GPL-2.0-or-later
/* test_time.c - the clock, times as text, and the random stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/time.h"

#define NOW 1796043318 /* 2026-11-30T12:55:18Z */

static void zone(const char *tz)
{
	setenv("TZ", tz, 1);
	tzset();
}

/* Dates by Python's email.utils.formatdate(t, localtime=True). */
static void test_rfc5322(void **state)
{
	static const struct {
		const char *tz;
		int64_t t;
		const char *want;
	} rows[] = {
		{ "UTC0", NOW, "Mon, 30 Nov 2026 12:55:18 +0000" },
		{ "IST-5:30", NOW, "Mon, 30 Nov 2026 18:25:18 +0530" },
		{ "NST3:30NDT,M3.2.0,M11.1.0", NOW, "Mon, 30 Nov 2026 09:25:18 -0330" },
		{ "NST3:30NDT,M3.2.0,M11.1.0", 1782864000,
		  "Tue, 30 Jun 2026 21:30:00 -0230" },
		{ "CET-1CEST,M3.5.0,M10.5.0/3", NOW, "Mon, 30 Nov 2026 13:55:18 +0100" },
		{ "CET-1CEST,M3.5.0,M10.5.0/3", 1782864000,
		  "Wed, 1 Jul 2026 02:00:00 +0200" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		zone(rows[i].tz);
		time_rfc5322(rows[i].t, &b);
		assert_string_equal(buf_cstr(&b), rows[i].want);
	}
}

static void test_utc_forms(void **state)
{
	static const struct {
		int64_t t;
		const char *iso, *day, *compact;
	} rows[] = {
		{ NOW, "2026-11-30T12:55:18Z", "20261130", "20261130125518" },
		{ 0, "1970-01-01T00:00:00Z", "19700101", "19700101000000" },
		{ -1, "1969-12-31T23:59:59Z", "19691231", "19691231235959" },
		{ 951782400, "2000-02-29T00:00:00Z", "20000229", "20000229000000" },
		{ 253402300799, "9999-12-31T23:59:59Z", "99991231", "99991231235959" },
	};
	size_t i;

	zone("IST-5:30"); /* must not matter */
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf a _cleanup_buf_ = BUF_INIT, b _cleanup_buf_ = BUF_INIT;
		struct buf c _cleanup_buf_ = BUF_INIT;

		time_iso(rows[i].t, &a);
		time_yyyymmdd(rows[i].t, &b);
		time_compact(rows[i].t, &c);
		assert_string_equal(buf_cstr(&a), rows[i].iso);
		assert_string_equal(buf_cstr(&b), rows[i].day);
		assert_string_equal(buf_cstr(&c), rows[i].compact);
	}
}

static void test_now(void **state)
{
	unsetenv("SERIES_TEST_NOW");
	assert_true(llabs(time_now() - (int64_t)time(NULL)) <= 1);
	setenv("SERIES_TEST_NOW", "1796043318", 1);
	assert_int_equal(time_now(), NOW);
	setenv("SERIES_TEST_NOW", "yesterday", 1);
	assert_true(llabs(time_now() - (int64_t)time(NULL)) <= 1);
}

static void test_mono(void **state)
{
	int64_t a = time_mono_ns(), b;

	time_sleep_ms(20);
	b = time_mono_ns();
	assert_true(b - a >= 20000000);
	assert_true(b - a < 10000000000);
	time_sleep_ms(-1);
}

static void test_ago(void **state)
{
	static const struct {
		int64_t age;
		const char *want;
	} rows[] = {
		{ -1, "in the future" },	{ 0, "0 seconds ago" },
		{ 1, "1 second ago" },		{ 59, "59 seconds ago" },
		{ 60, "1 minute ago" },		{ 3599, "59 minutes ago" },
		{ 3600, "1 hour ago" },		{ 5 * 3600 + 1800, "5 hours ago" },
		{ 86399, "23 hours ago" },	{ 86400, "1 day ago" },
		{ 3 * 86400, "3 days ago" },	{ 14 * 86400 - 1, "13 days ago" },
		{ 14 * 86400, "2 weeks ago" },	{ 62 * 86400, "8 weeks ago" },
		{ 63 * 86400, "2 months ago" }, { 364 * 86400, "11 months ago" },
		{ 366 * 86400, "1 year ago" },	{ 740 * 86400, "2 years ago" },
	};
	size_t i;

	setenv("SERIES_TEST_NOW", "1796043318", 1);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		time_ago(NOW - rows[i].age, &b);
		assert_string_equal(buf_cstr(&b), rows[i].want);
	}
}

static void test_duration(void **state)
{
	static const struct {
		int64_t ms;
		const char *want;
	} rows[] = {
		{ 0, "0.0s" },	      { 49, "0.0s" },		{ 800, "0.8s" },
		{ 9999, "9.9s" },     { 10000, "10s" },		{ 45999, "45s" },
		{ 60000, "1m00s" },   { 750000, "12m30s" },	{ 3599999, "59m59s" },
		{ 3900000, "1h05m" }, { 360000000, "100h00m" }, { -5, "0.0s" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		time_duration_ms(rows[i].ms, &b);
		assert_string_equal(buf_cstr(&b), rows[i].want);
	}
}

/* The published test vector of SplitMix64 for the seed 1234567. */
static void test_seeded(void **state)
{
	static const uint64_t want[] = { 6457827717110365317u, 3203168211198807973u,
					 9817491932198370423u };
	unsigned char a[24], b[24];
	size_t i;

	setenv("SERIES_TEST_SEED", "1234567", 1);
	for (i = 0; i < 3; i++)
		assert_true(rand_u64() == want[i]);
	setenv("SERIES_TEST_SEED", "1", 1);
	rand_bytes(a, sizeof(a));
	setenv("SERIES_TEST_SEED", "2", 1);
	rand_bytes(b, sizeof(b));
	assert_memory_not_equal(a, b, sizeof(a));
	setenv("SERIES_TEST_SEED", "1", 1);
	rand_bytes(b, sizeof(b));
	assert_memory_equal(a, b, sizeof(a));
	unsetenv("SERIES_TEST_SEED");
}

static void test_random(void **state)
{
	unsigned char zero[32] = { 0 }, a[32] = { 0 }, b[32] = { 0 };

	unsetenv("SERIES_TEST_SEED");
	rand_bytes(a, sizeof(a));
	rand_bytes(b, sizeof(b));
	assert_memory_not_equal(a, b, sizeof(a));
	assert_memory_not_equal(a, zero, sizeof(a));
	assert_true(rand_u64() != rand_u64());
}

/* Chi-squared of 260,000 letters and 16,000 digits, far beyond the 1 in 10^9 quantile. */
static void test_alphabets(void **state)
{
	struct buf l _cleanup_buf_ = BUF_INIT, h _cleanup_buf_ = BUF_INIT;
	int letters[256] = { 0 }, digits[256] = { 0 };
	double chi = 0;
	size_t i;
	int c;

	setenv("SERIES_TEST_SEED", "42", 1);
	rand_letters(&l, 260000);
	rand_hex(&h, 16000);
	unsetenv("SERIES_TEST_SEED");
	assert_int_equal(l.len, 260000);
	assert_int_equal(h.len, 16000);
	for (i = 0; i < l.len; i++)
		letters[(unsigned char)l.p[i]]++;
	for (i = 0; i < h.len; i++)
		digits[(unsigned char)h.p[i]]++;
	for (c = 0; c < 256; c++) {
		if (c >= 'a' && c <= 'z')
			chi += (letters[c] - 10000.0) * (letters[c] - 10000.0) / 10000;
		else
			assert_int_equal(letters[c], 0);
	}
	assert_true(chi < 90);
	for (chi = 0, c = 0; c < 256; c++) {
		if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))
			chi += (digits[c] - 1000.0) * (digits[c] - 1000.0) / 1000;
		else
			assert_int_equal(digits[c], 0);
	}
	assert_true(chi < 70);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rfc5322),	  cmocka_unit_test(test_utc_forms),
		cmocka_unit_test(test_now),	  cmocka_unit_test(test_mono),
		cmocka_unit_test(test_ago),	  cmocka_unit_test(test_duration),
		cmocka_unit_test(test_seeded),	  cmocka_unit_test(test_random),
		cmocka_unit_test(test_alphabets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
