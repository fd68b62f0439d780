// SPDX-License-Identifier: GPL-2.0-or-later
/* test_stat_tdist.c: Student's t against a table R made, and against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "series/mem.h"
#include "series/stat.h"
#include "tdist-r.h"

static void near_rel(double got, double want, double rel)
{
	if (fabs(got - want) > rel * fabs(want))
		fail_msg("got %.17g, want %.17g", got, want);
}

static void test_p_as_r(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(r_p); i++) {
		near_rel(stat_t_p(r_p[i][0], r_p[i][1]), r_p[i][2], 1e-10);
		near_rel(stat_t_p(-r_p[i][0], r_p[i][1]), r_p[i][2], 1e-10);
		near_rel(stat_t_cdf(-r_p[i][0], r_p[i][1]), r_p[i][2] / 2, 1e-10);
		near_rel(stat_t_cdf(r_p[i][0], r_p[i][1]), 1 - r_p[i][2] / 2, 1e-10);
	}
}

static void test_quantile_as_r(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(r_q); i++) {
		near_rel(stat_t_quantile(r_q[i][0], r_q[i][1]), r_q[i][2], 1e-9);
		near_rel(stat_t_quantile(1 - r_q[i][0], r_q[i][1]), -r_q[i][2], 1e-9);
		near_rel(stat_t_upper(1 - r_q[i][0], r_q[i][1]), r_q[i][2], 1e-9);
	}
}

/* nu = 1 is Cauchy: cdf 1/2 + atan(t)/pi. nu = 2: 1/2 + t / (2 sqrt(2 + t^2)). */
static void test_closed_forms(void **state)
{
	static const double t[] = { -1e6, -3, -.5, 0, .25, 1, 7, 1e4 };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		assert_true(fabs(stat_t_cdf(t[i], 1) - (.5 + atan(t[i]) / M_PI)) < 1e-14);
		assert_true(fabs(stat_t_cdf(t[i], 2) -
				 (.5 + t[i] / (2 * sqrt(2 + t[i] * t[i])))) < 1e-14);
	}
	near_rel(stat_t_quantile(.75, 1), 1, 1e-12); /* tan(pi/4) */
}

/* The printed tables every textbook has. */
static void test_textbook(void **state)
{
	assert_true(fabs(stat_t_quantile(.975, 5) - 2.571) < 5e-4);
	assert_true(fabs(stat_t_quantile(.975, 8) - 2.306) < 5e-4);
	assert_true(fabs(stat_t_quantile(.995, 10) - 3.169) < 5e-4);
	assert_true(fabs(stat_t_quantile(.95, 30) - 1.697) < 5e-4);
	assert_true(fabs(stat_t_quantile(.975, INFINITY) - 1.95996) < 5e-6);
}

static void test_edges(void **state)
{
	assert_true(isnan(stat_t_cdf(1, 0)));
	assert_true(isnan(stat_t_p(1, -1)));
	assert_true(isnan(stat_t_p(NAN, 3)));
	assert_true(isnan(stat_t_quantile(1.5, 3)));
	assert_true(stat_t_quantile(1, 3) == INFINITY);
	assert_true(stat_t_quantile(0, 3) == -INFINITY);
	assert_true(stat_t_quantile(.5, 3) == 0);
	assert_true(stat_t_p(INFINITY, 3) == 0);
	assert_true(stat_t_p(0, 3) == 1);
	/* far out the p is small, not 0: for nu = 1 it is 2 / (pi t) */
	near_rel(stat_t_p(1e100, 1), 2 / (M_PI * 1e100), 1e-12);
	near_rel(stat_t_upper(1e-100, 1), 1 / (M_PI * 1e-100), 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_p_as_r),	     cmocka_unit_test(test_quantile_as_r),
		cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_textbook),
		cmocka_unit_test(test_edges),
	};

	return cmocka_run_group_tests_name("stat tdist", tests, NULL, NULL);
}
