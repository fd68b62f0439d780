// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_stat_sim.c: thousands of simulated sessions. What is promised of p values and
 * intervals is counted, and the tempting wrong way is counted beside it, so that a test
 * which could not fail would show.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "series/mem.h"
#include "series/stat.h"

#define BLOCKS 6
#define RUNS   5

#define assert_share(hits, n, least, most)                                               \
	do {                                                                             \
		double share_ = (double)(hits) / (n);                                    \
		if (share_ < (least) || share_ > (most))                                 \
			fail_msg("%s: %.4f, want %g to %g", #hits, share_, least, most); \
	} while (0)

/*
 * Runs of one boot: total variance sd^2, of which the share icc is the boot's. Values are
 * nanoseconds, as the benchmarks deliver them.
 */
static void one_boot(struct rng *r, double mean_log, double sd, double icc, int64_t *v,
		     int runs)
{
	double boot = mean_log + sd * sqrt(icc) * rng_normal(r);

	for (int i = 0; i < runs; i++)
		v[i] = llround(exp(boot + sd * sqrt(1 - icc) * rng_normal(r)));
}

static double boot_mean(struct rng *r, double mean_log, double sd, double icc)
{
	int64_t v[RUNS];

	one_boot(r, mean_log, sd, icc, v, RUNS);
	return stat_mean_log(v, RUNS);
}

/* False positives of the same kernel against itself, at 5 %. */
static int aa(double icc, int sessions, uint64_t seed)
{
	struct rng r;
	int hits = 0;

	rng_init(&r, seed);
	for (int i = 0; i < sessions; i++) {
		double a[BLOCKS], b[BLOCKS];

		for (int j = 0; j < BLOCKS; j++) {
			double block = 19.5 + .05 * rng_normal(&r);

			a[j] = boot_mean(&r, block, .02, icc);
			b[j] = boot_mean(&r, block, .02, icc);
		}
		hits += stat_paired(a, b, BLOCKS).p < .05;
	}
	return hits;
}

static void test_aa(void **state)
{
	int icc2 = aa(.2, 20000, 1), icc5 = aa(.5, 20000, 2);

	assert_share(icc2, 20000, .04, .06);
	assert_share(icc5, 20000, .04, .06);
}

/* Why the boot is the unit: runs taken for observations, 5 boots of 10 runs, ICC .5. */
static void test_pooling_runs_is_wrong(void **state)
{
	int hits = 0;
	struct rng r;

	rng_init(&r, 3);
	for (int i = 0; i < 2000; i++) {
		double x[2][50];
		int64_t v[10];

		for (int k = 0; k < 2; k++) {
			for (int b = 0; b < 5; b++) {
				one_boot(&r, 19.5, .02, .5, v, 10);
				for (int n = 0; n < 10; n++)
					x[k][b * 10 + n] = log((double)v[n]);
			}
		}
		hits += stat_welch(x[0], 50, x[1], 50).p < .05;
	}
	assert_share(hits, 2000, .36, .48);
}

/* 95 % intervals hold the truth, an effect of -5 %, for few and for more blocks. */
static int covered(size_t blocks, int sessions, uint64_t seed)
{
	struct rng r;
	int hits = 0;

	rng_init(&r, seed);
	for (int i = 0; i < sessions; i++) {
		double a[20], b[20];
		struct stat_test t;
		struct stat_interval ci;

		for (size_t j = 0; j < blocks; j++) {
			a[j] = boot_mean(&r, 19.5, .03, .3);
			b[j] = boot_mean(&r, 19.5 - .05, .03, .3);
		}
		t = stat_paired(a, b, blocks);
		ci = stat_interval(&t, .05);
		hits += ci.lo <= -.05 && -.05 <= ci.hi;
	}
	return hits;
}

static void test_coverage(void **state)
{
	int three = covered(3, 20000, 4), six = covered(6, 20000, 5),
	    twenty = covered(20, 6000, 6);

	assert_share(three, 20000, .94, .96);
	assert_share(six, 20000, .94, .96);
	assert_share(twenty, 6000, .94, .96);
}

/*
 * The host drifts from -3 % to +3 % over the session. Random order inside each block
 * keeps the level; base always first does not.
 */
static int drift(bool shuffle, int sessions, uint64_t seed)
{
	struct rng r;
	int hits = 0;

	rng_init(&r, seed);
	for (int i = 0; i < sessions; i++) {
		double z[2][BLOCKS];
		size_t order[2] = { 0, 1 };

		for (int b = 0; b < BLOCKS; b++) {
			if (shuffle)
				rng_permutation(&r, order, 2);
			for (int at = 0; at < 2; at++) {
				double now = -.03 + .06 * (2 * b + at) / (2 * BLOCKS - 1);

				z[order[at]][b] = 19.5 + now + .006 * rng_normal(&r);
			}
		}
		hits += stat_paired(z[0], z[1], BLOCKS).p < .05;
	}
	return hits;
}

static void test_drift(void **state)
{
	int random_order = drift(true, 20000, 7), fixed_order = drift(false, 4000, 8);

	assert_share(random_order, 20000, .04, .06);
	assert_share(fixed_order, 4000, .15, 1.);
}

/* Ten patches that do nothing: any step found is a false finding of the whole session. */
static void test_holm_ten_steps(void **state)
{
	const int sessions = 10000;
	double limit = stat_blocks_ratio_limit(11, BLOCKS, .01, 10000, 9);
	int family = 0, uncorrected = 0, unpooled = 0;
	struct rng r;

	rng_init(&r, 10);
	for (int i = 0; i < sessions; i++) {
		double z[11 * BLOCKS], p[10];
		struct stat_test t[10];
		bool any = false, raw = false;

		for (int j = 0; j < 11 * BLOCKS; j++)
			z[j] = 19.5 + .1 * (j % BLOCKS) + .01 * rng_normal(&r);
		unpooled += !stat_blocks_steps(z, 11, BLOCKS, 0, limit, t);
		for (int k = 0; k < 10; k++) {
			p[k] = t[k].p;
			raw = raw || p[k] < .05;
		}
		stat_holm(p, 10, p);
		for (int k = 0; k < 10; k++)
			any = any || p[k] < .05;
		family += any;
		uncorrected += raw;
	}
	assert_share(family, sessions, .02, .05);
	assert_share(uncorrected, sessions, .25, .6);
	/* and the variances, which are equal, are called different in 1 % of the sessions
	 */
	assert_share(unpooled, sessions, .006, .014);
}

/* One kernel ten times as noisy as the others is noticed. */
static void test_unequal_variances_noticed(void **state)
{
	double limit = stat_blocks_ratio_limit(4, 10, .01, 10000, 12);
	int unpooled = 0;
	struct rng r;

	rng_init(&r, 13);
	for (int i = 0; i < 500; i++) {
		double z[40];
		struct stat_test t[3];

		for (int j = 0; j < 40; j++)
			z[j] = 19.5 + (j < 10 ? .1 : .01) * rng_normal(&r);
		unpooled += !stat_blocks_steps(z, 4, 10, 0, limit, t);
	}
	assert_share(unpooled, 500, .3, 1.);
}

/* An effect as large as the MDE is found in 80 % of the sessions. */
static void test_mde_has_power(void **state)
{
	const double sd = .01, se = sd * sqrt(2. / BLOCKS);
	const struct stat_test known = { .se = se, .nu = BLOCKS - 1 };
	const double effect = stat_mde(&known, .05);
	int hits = 0;
	struct rng r;

	rng_init(&r, 14);
	for (int i = 0; i < 10000; i++) {
		double a[BLOCKS], b[BLOCKS];

		for (int j = 0; j < BLOCKS; j++) {
			a[j] = sd * rng_normal(&r);
			b[j] = effect + sd * rng_normal(&r);
		}
		hits += stat_paired(a, b, BLOCKS).p < .05;
	}
	assert_share(hits, 10000, .75, .85);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aa),
		cmocka_unit_test(test_pooling_runs_is_wrong),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_holm_ten_steps),
		cmocka_unit_test(test_unequal_variances_noticed),
		cmocka_unit_test(test_mde_has_power),
	};

	return cmocka_run_group_tests_name("stat simulation", tests, NULL, NULL);
}
