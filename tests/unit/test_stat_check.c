// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_stat_check.c: worked examples. a and b are ten numbers whose Welch test, Fieller
 * interval and so on were computed with R (t.test, p.adjust, lm); the block example too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "series/mem.h"
#include "series/stat.h"

static const double a[] = { 10, 11, 12, 10, 11 };
static const double b[] = { 12, 13, 12, 14, 13 };

#define assert_near(got, want, eps)                                                      \
	do {                                                                             \
		double got_ = (got), want_ = (want);                                     \
		if (!(fabs(got_ - want_) <= (eps)))                                      \
			fail_msg("%s is %.10g, want %.10g", #got, got_, want_);          \
	} while (0)

static void logs(const double *x, double *out)
{
	for (int i = 0; i < 5; i++)
		out[i] = log(x[i]);
}

static void test_welch(void **state)
{
	struct stat_test t = stat_welch(a, 5, b, 5);

	assert_near(t.est, 2, 1e-12);
	assert_near(t.t, 3.7796, 5e-5);
	assert_near(t.nu, 8, 1e-9);
	assert_near(t.p, .005391, 5e-7);
	/* the other way round only the sign changes */
	assert_near(stat_welch(b, 5, a, 5).t, -3.7796, 5e-5);
	assert_near(stat_welch(b, 5, a, 5).p, .005391, 5e-7);
}

static void test_fieller(void **state)
{
	static const double zero[] = { -1, 1, -2, 2, .1 };
	struct stat_ratio r = stat_fieller(a, 5, b, 5, .05);

	assert_true(r.bounded);
	assert_near(r.est, 12.8 / 10.8, 1e-12);
	assert_near(r.lo, 1.06828, 5e-6);
	assert_near(r.hi, 1.31732, 5e-6);
	r = stat_fieller(zero, 5, b, 5, .05);
	assert_false(r.bounded);
	assert_true(isinf(r.lo) && isinf(r.hi));
}

static void test_welch_on_logs(void **state)
{
	double la[5], lb[5];
	struct stat_test t;
	struct stat_interval ci;

	logs(a, la);
	logs(b, lb);
	t = stat_welch(la, 5, lb, 5);
	ci = stat_interval(&t, .05);
	assert_near(exp(t.est), 1.18599, 5e-6);
	assert_near(exp(ci.lo), 1.06866, 5e-6);
	assert_near(exp(ci.hi), 1.31621, 5e-6);
	assert_near(t.nu, 7.782, 5e-4);
}

static void test_paired_on_logs(void **state)
{
	double la[5], lb[5];
	struct stat_test t;
	struct stat_interval ci;

	logs(a, la);
	logs(b, lb);
	t = stat_paired(la, lb, 5);
	ci = stat_interval(&t, .05);
	assert_near(exp(ci.lo), 1.02290, 5e-6);
	assert_near(exp(ci.hi), 1.37509, 5e-6);
	assert_near(t.t, 3.2014, 5e-5);
	assert_near(t.nu, 4, 0);
	assert_near(t.p, .03286, 5e-6);
	/* (t(.975, 4) + t(.8, 4)) se = (2.776445 + .940965) * .1705804 / 3.2014 */
	assert_near(stat_mde(&t, .05), .198075, 1e-5);
}

static void test_exact(void **state)
{
	static const double d[] = { 2, 2, 0, 4, 2 };
	struct stat_exact e = stat_permutation(a, 5, b, 5);

	assert_int_equal(e.hits, 6);
	assert_int_equal(e.total, 252);
	assert_near(e.p, 6.0 / 252, 1e-15);
	e = stat_sign_flip(d, 5);
	assert_int_equal(e.hits, 4);
	assert_int_equal(e.total, 32);
	assert_near(e.p, .125, 0);
	/* one value against two: {1} {2,3}: |1 - 2.5|, |2 - 2|, |3 - 1.5| */
	e = stat_permutation(a, 1, b, 1);
	assert_int_equal(e.hits, 2);
	assert_int_equal(e.total, 2);
}

static void test_exact_too_many(void **state)
{
	double many[40] = { 0 };
	struct stat_exact e = stat_permutation(many, 20, many + 20, 20);

	assert_int_equal(e.total, 0);
	assert_near(e.p, 1, 0);
	assert_int_equal(stat_sign_flip(many, 40).total, 0);
	assert_int_equal(stat_permutation(many, 0, many, 5).total, 0);
	/* 40 over 1 is few */
	assert_int_equal(stat_permutation(many, 1, many + 1, 39).total, 40);
}

/* R: p.adjust(c(.01,.04,.03,.005,.2,.04), "holm") */
static void test_holm(void **state)
{
	static const double p[] = { .01, .04, .03, .005, .2, .04 };
	static const double want[] = { .05, .12, .12, .03, .2, .12 };
	double one = .7, big[] = { .9, .6 }, got[6];

	stat_holm(p, 6, got);
	for (int i = 0; i < 6; i++)
		assert_near(got[i], want[i], 1e-12);
	stat_holm(&one, 1, &one);
	assert_near(one, .7, 0);
	stat_holm(big, 2, big);
	assert_near(big[0], 1, 0);
	assert_near(big[1], 1, 0);
	stat_holm(NULL, 0, NULL);
}

/* R: lm(z ~ kernel + block) */
static const double z[] = {
	5.83773,  5.860786, 5.826,    5.849325, 5.834811, 5.857933, /* kernel 0 */
	5.831882, 5.849325, 5.828946, 5.846439, 5.823046, 5.855072, /* kernel 1 */
	5.703782, 5.739793, 5.697093, 5.726848, 5.70711,  5.733341, /* kernel 2 */
};

static void test_blocks(void **state)
{
	struct stat_blocks m = stat_blocks_fit(z, 3, 6, 0);
	struct stat_test t;

	assert_near(m.s, .00447380145464, 1e-12);
	assert_near(m.nu, 10, 0);
	assert_near(m.ratio, 3.96424132309, 1e-8);
	t = stat_blocks_test(&m, z, 0, 1);
	assert_near(t.est, -.0053125, 1e-12);
	assert_near(t.t, -2.0567564315267, 1e-9);
	assert_near(t.p, .0667488783735, 1e-10);
	t = stat_blocks_test(&m, z, 1, 2);
	assert_near(t.est, -.121123833333, 1e-11);
	assert_near(t.p, 4.68741820362e-13, 1e-20);
}

static void test_steps_pool_or_not(void **state)
{
	struct stat_test t[2];

	assert_true(stat_blocks_steps(z, 3, 6, 0, 15.9, t));
	assert_near(t[0].p, .0667488783735, 1e-10);
	assert_near(t[0].nu, 10, 0);
	assert_false(stat_blocks_steps(z, 3, 6, 0, 3.9, t));
	assert_near(t[0].p, .0696305801352, 1e-10);
	assert_near(t[1].p, 2.85012616716e-07, 1e-16);
	assert_near(t[0].nu, 5, 0);
}

/* With two kernels the model is the paired t. */
static void test_two_kernels_is_paired(void **state)
{
	struct stat_blocks m = stat_blocks_fit(z, 2, 6, 0);
	struct stat_test t = stat_blocks_test(&m, z, 0, 1), u = stat_paired(z, z + 6, 6);

	assert_near(t.se, u.se, 1e-15);
	assert_near(t.p, u.p, 1e-10);
	assert_near(m.ratio, 1, 1e-9);
	assert_true(isinf(stat_blocks_ratio_limit(2, 6, .01, 1000, 1)));
	assert_true(isinf(stat_blocks_ratio_limit(5, 1, .01, 1000, 1)));
}

/*
 * A floor of q = .01 with 6 blocks: se at least .01 * sqrt(2/6) = .0057735, whatever the
 * boots say; all equal gives p = 1, one kernel that repeats exactly is no odd variance.
 */
static void test_floor(void **state)
{
	static const double same[] = { 5, 5, 5, 5, 5, 5, 5.1, 5.1, 5.1, 5.1, 5.1, 5.1 };
	static const double one_exact[] = { 5, 5, 5, 5, 5.00001, 5, 5, 5, 5 };
	/* residuals .01 -.01, .01 -.01, -.02 .02; times m / nu: variances 3e-4, 3e-4, 12e-4 */
	static const double spread[] = { 0, 0, 0, 0, 0, .06 };
	struct stat_test t = stat_with_floor(stat_paired(same, same, 6), .01, 6);

	assert_near(stat_blocks_fit(spread, 3, 2, 0).ratio, 4, 1e-9);
	assert_near(stat_blocks_fit(spread, 3, 2, sqrt(6e-4)).ratio, 2, 1e-9);

	assert_near(t.p, 1, 0);
	assert_near(t.se, .0057735, 1e-7);
	assert_near(stat_paired(same, same, 6).p, 1, 0);
	t = stat_paired(same, same + 6, 6);
	assert_near(t.p, 0, 1e-12);
	t = stat_with_floor(t, .01, 6);
	assert_near(t.t, .1 / .0057735, 1e-3);
	assert_true(t.p > 1e-6);
	/* a larger error of its own stays */
	t = stat_paired(z, z + 6, 6);
	assert_near(stat_with_floor(t, 1e-6, 6).se, t.se, 0);
	assert_near(stat_blocks_fit(one_exact, 3, 3, .0001).ratio, 1, 1e-12);
	assert_true(stat_blocks_fit(one_exact, 3, 3, 0).ratio > 1);
}

static void test_too_little(void **state)
{
	struct stat_test t = stat_paired(a, b, 1);
	struct stat_interval ci = stat_interval(&t, .05);

	assert_near(t.est, 2, 0);
	assert_near(t.p, 1, 0);
	assert_near(t.nu, 0, 0);
	assert_true(isinf(ci.lo) && isinf(ci.hi) && isinf(stat_mde(&t, .05)));
	assert_near(stat_welch(a, 1, b, 5).p, 1, 0);
	assert_near(stat_blocks_fit(z, 3, 1, 0).nu, 0, 0);
	assert_near(stat_with_floor(t, .01, 1).p, 1, 0);
}

static void test_mean_log(void **state)
{
	static const int64_t v[] = { 1, 100, 10000 }, bad[] = { 5, 0 };

	assert_near(stat_mean_log(v, 3), log(100), 1e-12);
	assert_true(isnan(stat_mean_log(bad, 2)));
	assert_true(isnan(stat_mean_log(v, 0)));
	assert_near(stat_variance(a, 5), .7, 1e-12);
	assert_near(stat_variance(a, 1), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_welch),
		cmocka_unit_test(test_fieller),
		cmocka_unit_test(test_welch_on_logs),
		cmocka_unit_test(test_paired_on_logs),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_exact_too_many),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_steps_pool_or_not),
		cmocka_unit_test(test_two_kernels_is_paired),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_too_little),
		cmocka_unit_test(test_mean_log),
	};

	return cmocka_run_group_tests_name("stat check values", tests, NULL, NULL);
}
