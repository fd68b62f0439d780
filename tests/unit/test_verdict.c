// SPDX-License-Identifier: GPL-2.0-or-later
/* test_verdict.c: numbers from R (t.test, lm, p.adjust), words from the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "series/mem.h"
#include "series/stat.h"
#include "series/verdict.h"

#define assert_near(got, want, eps)                                                      \
	do {                                                                             \
		double got_ = (got), want_ = (want);                                     \
		if (!(fabs(got_ - want_) <= (eps)))                                      \
			fail_msg("%s is %.10g, want %.10g", #got, got_, want_);          \
	} while (0)

/* One run a boot: base, then patched. R: effect .17058, p .032856, [1.0229, 1.37509]. */
static const int64_t plus[] = { 10, 11, 12, 10, 11, 12, 13, 12, 14, 13 };
/* R: p .61892, [.99176, 1.01233]; the 90 % interval on logs is [-.00589, .00987]. */
static const int64_t flat[] = { 100, 101, 102, 100, 99, 100, 102, 101, 101, 99 };
/* R: p 8.851710e-08, [.793739, .804703]. */
static const int64_t drop[] = { 500, 503, 499, 501, 502, 401, 400, 402, 399, 400 };

static struct verdict_rule rule;

static int setup(void **state)
{
	rule = (struct verdict_rule){ .seed = 1 };
	return instrument_find("real", &rule.ins, NULL);
}

static struct verdict_set judge(const struct bench_samples *s, size_t n)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct verdict_set set = { 0 };

	if (verdict_judge(s, n, &rule, &set, &err))
		fail_msg("%s", err_msg(&err));
	return set;
}

/* The verdict on one case of two kernels. */
static struct verdict judge_one(const int64_t *v, size_t blocks, size_t runs)
{
	struct bench_samples s = { "64K", 2, blocks, runs, v };
	struct verdict_set set = judge(&s, 1);
	struct verdict r = set.cases[0].total;

	assert_int_equal(set.cases[0].nsteps, 0);
	verdict_set_release(&set);
	return r;
}

static void assert_text(const struct verdict *v, const char *want)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	verdict_text(&text, v);
	assert_string_equal(buf_cstr(&text), want);
}

static void assert_change(const struct verdict *v, const char *want)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	verdict_change(&text, v);
	assert_string_equal(buf_cstr(&text), want);
}

static void test_instruments(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct instrument i;

	assert_int_equal(instrument_find("real", &i, &err), 0);
	assert_true(i.delta == .01 && i.floor == .002 && i.q == 0 && !i.instructions);
	assert_int_equal(instrument_find("icount", &i, &err), 0);
	assert_true(i.delta == .001 && i.floor == .0002 && i.q == .0001 &&
		    i.instructions);
	assert_int_equal(instrument_find("perf", &i, &err), E_NOTFOUND);
	assert_int_equal(instrument_check(&i, &err), 0);
	i.floor = .002;
	assert_int_equal(instrument_check(&i, &err), E_USAGE);
	i.floor = NAN;
	assert_int_equal(instrument_check(&i, &err), E_USAGE);
}

static void test_numbers(void **state)
{
	struct verdict v = judge_one(plus, 5, 1);

	assert_near(v.effect, .1705803925483, 1e-12);
	assert_near(v.p, .0328558813282, 1e-11);
	assert_near(exp(v.lo), 1.0229027844964, 1e-11);
	assert_near(exp(v.hi), 1.3750860795396, 1e-11);
	assert_near(v.nu, 4, 0);
	assert_int_equal(v.blocks, 5);
	assert_text(&v, "slower");
	assert_change(&v, "+18.6 % [+2.3, +37.5]");
	rule.better = BENCH_HIGHER;
	v = judge_one(plus, 5, 1);
	assert_text(&v, "faster");
	v = judge_one(drop, 5, 1);
	assert_text(&v, "slower");
	rule.better = BENCH_LOWER;
	v = judge_one(drop, 5, 1);
	assert_text(&v, "faster");
	assert_near(v.p, 8.85171023542e-08, 1e-17);
}

/* Runs are averaged on the log scale: 8 and 18 are as 12 and 12. */
static void test_runs_of_a_boot(void **state)
{
	static const int64_t v[] = { 10, 10, 11, 11, 12, 12, 10, 10, 11, 11,
				     8,	 18, 13, 13, 18, 8,  14, 14, 13, 13 };
	struct verdict r = judge_one(v, 5, 2);

	assert_near(r.effect, .1705803925483, 1e-12);
	assert_near(r.p, .0328558813282, 1e-11);
}

static void test_unchanged_and_inconclusive(void **state)
{
	struct verdict v = judge_one(flat, 5, 1);

	assert_near(v.p, .61892341970515, 1e-10);
	assert_text(&v, "unchanged");
	/* (2.776445 + .940965) * .0036969 */
	assert_near(v.mde, .013743, 1e-6);
	rule.ins.delta = .00985; /* inside the 90 % interval's end .009871 */
	v = judge_one(flat, 5, 1);
	assert_text(&v, "inconclusive (could see 1.4 %)");
}

/* With two cases the p of plus becomes .0657: no word any more. R: p.adjust. */
static void test_holm_over_cases(void **state)
{
	struct bench_samples s[] = { { "plus", 2, 5, 1, plus },
				     { "flat", 2, 5, 1, flat } };
	struct verdict_set set = judge(s, 2);

	assert_near(set.cases[0].total.p, 2 * .0328558813282, 1e-10);
	assert_near(set.cases[0].total.p_raw, .0328558813282, 1e-11);
	assert_int_equal(set.cases[0].total.word, VERDICT_INCONCLUSIVE);
	assert_near(set.cases[1].total.p, .61892341970515, 1e-10);
	verdict_set_release(&set);
	/* a case without a p is not counted */
	s[1].blocks = 1;
	set = judge(s, 2);
	assert_near(set.cases[0].total.p, .0328558813282, 1e-11);
	assert_int_equal(set.cases[1].total.word, VERDICT_NONE);
	verdict_set_release(&set);
}

/* Half a percent, measured well: faster, below delta. A tenth of one: below the floor. */
static void test_floor_and_delta(void **state)
{
	static const int64_t half[] = { 1000000, 1001000, 999000, 1000500,
					999500,	 1000000, 995100, 995900,
					994000,	 995600,  994400, 995000 };
	static const int64_t tenth[] = { 1000000, 1001000, 999000, 1000500,
					 999500,  1000000, 999010, 999990,
					 998000,  999510,  998490, 999000 };
	struct verdict v = judge_one(half, 6, 1);

	assert_near(v.p, 4.00126883644e-10, 1e-17);
	assert_text(&v, "faster, below delta");
	assert_change(&v, "-0.50 % [-0.51, -0.49]");
	v = judge_one(tenth, 6, 1);
	assert_true(v.p < 1e-9);
	assert_int_equal(v.word, VERDICT_INCONCLUSIVE);
	assert_false(v.below_delta);
}

/* Boots that repeat exactly: the interval is the instrument's. */
static void test_icount(void **state)
{
	int64_t v[12];
	struct verdict r;

	assert_int_equal(instrument_find("icount", &rule.ins, NULL), 0);
	for (int i = 0; i < 12; i++)
		v[i] = 760000000;
	r = judge_one(v, 6, 1);
	assert_near(r.p, 1, 0);
	/* t(.975, 5) q sqrt(2/6) = 2.570582 * .0001 * .577350 */
	assert_near(r.hi, .000148412, 1e-9);
	assert_near(r.lo, -.000148412, 1e-9);
	assert_text(&r, "same instructions");
	assert_change(&r, "0.00 % [-0.01, +0.01]");
}

static void test_icount_words(void **state)
{
	int64_t v[12];
	struct verdict r;

	assert_int_equal(instrument_find("icount", &rule.ins, NULL), 0);
	for (int i = 0; i < 12; i++)
		v[i] = i < 6 ? 760000000 : 684000000;
	r = judge_one(v, 6, 1);
	assert_text(&r, "fewer instructions");
	assert_change(&r, "-10.00 % [-10.01, -9.99]");
	for (int i = 0; i < 12; i++)
		v[i] = i < 6 ? 684000000 : 760000000;
	r = judge_one(v, 6, 1);
	assert_text(&r, "more instructions");
	/* half a thousandth: told apart, yet below delta */
	for (int i = 0; i < 12; i++)
		v[i] = i < 6 ? 1000000000 : 999500000;
	r = judge_one(v, 6, 1);
	assert_text(&r, "fewer instructions, below delta");
	/* .019 %: p .02, but under the instrument's floor */
	for (int i = 0; i < 12; i++)
		v[i] = i < 6 ? 1000000000 : 999810000;
	r = judge_one(v, 6, 1);
	assert_true(r.p < .05 && r.p > .01);
	assert_int_equal(r.word, VERDICT_INCONCLUSIVE);
}

static void test_one_block(void **state)
{
	static const int64_t v[] = { 10, 11, 12, 13 };
	struct verdict r = judge_one(v, 1, 2);

	assert_int_equal(r.word, VERDICT_NONE);
	assert_near(r.effect, log(12. * 13 / 110) / 2, 1e-12);
	assert_true(isinf(r.lo) && isinf(r.hi) && isinf(r.mde));
	assert_text(&r, "");
	assert_change(&r, "+19.1 %"); /* sqrt(156 / 110) = 1.19087 */
}

/* A run or a boot without a value is left out; with the boot its block. */
static void test_missing(void **state)
{
	static const int64_t v[] = { 10, 10, SAMPLE_NONE, 11,	       12, 12, 77, 77,
				     10, 10, 11,	  11,	       12, 12, 13, 13,
				     12, 12, SAMPLE_NONE, SAMPLE_NONE, 14, 14, 13, 13 };
	struct verdict r = judge_one(v, 6, 2);

	assert_int_equal(r.blocks, 5);
	assert_near(r.p, .0328558813282, 1e-11);
}

static void test_bad_input(void **state)
{
	static const int64_t zero[] = { 10, 11, 0, 13 };
	struct bench_samples s = { "4K-zero", 2, 2, 1, zero };
	struct err err _cleanup_err_ = ERR_INIT;
	struct verdict_set set = { 0 };

	assert_int_equal(verdict_judge(&s, 1, &rule, &set, &err), E_CORRUPT);
	assert_string_equal(err_msg(&err),
			    "case 4K-zero: kernel 1, block 1, run 1 measured 0; "
			    "a value must be greater than 0");
	s.kernels = 1;
	assert_int_equal(verdict_judge(&s, 1, &rule, &set, &err), E_USAGE);
	s.kernels = 2;
	s.blocks = STAT_MOST + 1;
	assert_int_equal(verdict_judge(&s, 1, &rule, &set, &err), E_USAGE);
	rule.ins.floor = 2;
	assert_int_equal(verdict_judge(&s, 0, &rule, &set, &err), E_USAGE);
	assert_null(set.cases);
}

/* R: lm(log(v) ~ kernel + block) and t.test of the ends. */
static const int64_t three[] = { 343, 351, 339, 347, 342, 350, 341, 347, 340,
				 346, 338, 349, 300, 311, 298, 307, 301, 309 };

static void test_steps(void **state)
{
	struct bench_samples s = { "64K", 3, 6, 1, three };
	struct verdict_set set = judge(&s, 1);
	const struct verdict_case *c = set.cases;

	assert_int_equal(c->nsteps, 2);
	assert_true(c->pooled);
	assert_near(c->ratio, 3.964345907, 1e-8);
	assert_true(c->limit > 14 && c->limit < 17); /* R: 15.2 from 100,000 */
	assert_near(c->steps[0].effect, -.00531266365357, 1e-12);
	assert_near(c->steps[0].p_raw, .06673702520563, 1e-10);
	assert_near(c->steps[0].p, .0667370252056, 1e-10);
	assert_near(c->steps[0].lo, -.01211541201911, 1e-10);
	assert_near(c->steps[0].hi, .00149008471197, 1e-10);
	assert_near(c->steps[0].mde, .0080255686309, 1e-10);
	assert_near(c->steps[0].nu, 10, 0);
	assert_int_equal(c->steps[0].word, VERDICT_INCONCLUSIVE);
	assert_near(c->steps[1].p, 9.37311738101e-13, 1e-20);
	assert_near(c->steps[1].lo, -.127926299200, 1e-10);
	assert_int_equal(c->steps[1].word, VERDICT_FASTER);
	assert_near(c->total.effect, -.126436214488, 1e-11);
	assert_near(c->total.p, 1.60733871643e-08, 1e-16);
	assert_near(exp(c->total.hi), .885634434145, 1e-10);
	assert_near(c->total.nu, 5, 0);
	verdict_set_release(&set);
}

/* The middle kernel has no value in block 3: the steps lose the block, the total does
 * not. */
static void test_steps_missing(void **state)
{
	int64_t v[18];
	struct bench_samples s = { "64K", 3, 6, 1, v };
	struct verdict_set set;

	memcpy(v, three, sizeof(v));
	v[6 + 2] = SAMPLE_NONE;
	set = judge(&s, 1);
	assert_int_equal(set.cases[0].total.blocks, 6);
	assert_near(set.cases[0].total.p, 1.60733871643e-08, 1e-16);
	assert_int_equal(set.cases[0].steps[0].blocks, 5);
	assert_near(set.cases[0].steps[0].nu, 8, 0);
	verdict_set_release(&set);
}

static void test_aa_gate(void **state)
{
	struct bench_samples s[] = { { "flat", 2, 5, 1, flat },
				     { "plus", 2, 5, 1, plus } };
	double p = -1;

	assert_int_equal(verdict_aa(s, 2, &rule, &p, NULL), 0);
	assert_near(p, 2 * .0328558813282, 1e-10); /* not void: .066 is above .01 */
	s[1].values = drop;
	assert_int_equal(verdict_aa(s, 2, &rule, &p, NULL), 0);
	assert_true(p < VERDICT_VOID_P);
}

static void test_until(void **state)
{
	struct verdict_case c[2] = {
		{ .total = { .blocks = 6, .lo = -.03, .hi = -.01 } },
		{ .total = { .blocks = 6, .lo = -.005, .hi = .02 } },
	};
	struct verdict_set set = { 2, c };

	assert_true(verdict_until(&set, .013));
	assert_false(verdict_until(&set, .012)); /* the second case is at .0125 */
	c[0].total.blocks = 5;
	assert_false(verdict_until(&set, .5));
	c[0].total.blocks = c[1].total.blocks = 20;
	assert_true(verdict_until(&set, .0001));
}

static void test_numbers_as_text(void **state)
{
	static const struct {
		double x;
		int decimals;
		const char *want;
	} fixed[] = { { 1.25, 1, "1.3" },	{ -.04, 1, "0.0" },
		      { -12.345, 2, "-12.35" }, { 0, 3, "0.000" },
		      { 343.1, 2, "343.10" },	{ 7, 0, "7" } };
	static const struct {
		double x;
		const char *want;
	} two[] = { { 12.4, "12" },   { 9.96, "10" }, { 1.52, "1.5" },
		    { .149, "0.15" }, { 250, "250" }, { .00302, "0.0030" },
		    { 0, "0" } };

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		verdict_fixed(&b, fixed[i].x, fixed[i].decimals);
		assert_string_equal(buf_cstr(&b), fixed[i].want);
	}
	for (size_t i = 0; i < ARRAY_SIZE(two); i++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		verdict_two_digits(&b, two[i].x);
		assert_string_equal(buf_cstr(&b), two[i].want);
	}
}

/*
 * Sessions simulated from nanoseconds to words: at a true effect of delta, up or down,
 * "unchanged" is said in at most 5 % of them; at no effect it is said often, and "faster"
 * or "slower" in 5 % at most.
 */
static int count(double effect, enum verdict_word a, enum verdict_word b, uint64_t seed)
{
	const int sessions = 8000;
	struct rng r;
	int hits = 0;

	rng_init(&r, seed);
	for (int i = 0; i < sessions; i++) {
		int64_t v[2 * 6 * 3];
		struct verdict got;

		for (int boot = 0; boot < 12; boot++) {
			double mean =
				19.5 + (boot < 6 ? 0 : effect) + .004 * rng_normal(&r);

			for (int run = 0; run < 3; run++)
				v[boot * 3 + run] =
					llround(exp(mean + .004 * rng_normal(&r)));
		}
		got = judge_one(v, 6, 3);
		hits += got.word == a || got.word == b;
	}
	return hits;
}

static void test_unchanged_is_kept(void **state)
{
	const enum verdict_word same = VERDICT_UNCHANGED;

	assert_in_range(count(.01, same, same, 1), 0, 400);
	assert_in_range(count(-.01, same, same, 2), 0, 400);
	assert_in_range(count(0, same, same, 3), 4000, 8000);
	assert_in_range(count(0, VERDICT_FASTER, VERDICT_SLOWER, 4), 240, 440);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_instruments, setup),
		cmocka_unit_test_setup(test_numbers, setup),
		cmocka_unit_test_setup(test_runs_of_a_boot, setup),
		cmocka_unit_test_setup(test_unchanged_and_inconclusive, setup),
		cmocka_unit_test_setup(test_holm_over_cases, setup),
		cmocka_unit_test_setup(test_floor_and_delta, setup),
		cmocka_unit_test_setup(test_icount, setup),
		cmocka_unit_test_setup(test_icount_words, setup),
		cmocka_unit_test_setup(test_one_block, setup),
		cmocka_unit_test_setup(test_missing, setup),
		cmocka_unit_test_setup(test_bad_input, setup),
		cmocka_unit_test_setup(test_steps, setup),
		cmocka_unit_test_setup(test_steps_missing, setup),
		cmocka_unit_test_setup(test_aa_gate, setup),
		cmocka_unit_test_setup(test_until, setup),
		cmocka_unit_test_setup(test_numbers_as_text, setup),
		cmocka_unit_test_setup(test_unchanged_is_kept, setup),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
