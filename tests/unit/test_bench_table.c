// SPDX-License-Identifier: GPL-2.0-or-later
/* test_bench_table.c: every style against text written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "series/benchtab.h"
#include "series/mem.h"

/* 37401913 -> 17420282 is -53.4 %; 42.0 ms both. */
static const struct bench_cell cells_64k[] = { { 37401913, 4488230, 6 },
					       { 17420282, 1916231, 6 } };
static const struct bench_cell cells_4k[] = { { 42000000, 630000, 6 },
					      { 42100000, 840000, 6 } };

static struct verdict_case case_64k, case_4k;
static struct bench_row rows[2];
static struct bench_table table;

static int setup(void **state)
{
	case_64k = (struct verdict_case){ .total = { .word = VERDICT_FASTER,
						     .blocks = 6,
						     .effect = log(.466),
						     .lo = log(.45),
						     .hi = log(.482),
						     .nu = 5,
						     .p = .001,
						     .mde = .05 } };
	case_4k = (struct verdict_case){ .total = { .word = VERDICT_INCONCLUSIVE,
						    .blocks = 6,
						    .effect = log(1.002),
						    .lo = log(.985),
						    .hi = log(1.02),
						    .nu = 5,
						    .p = .7,
						    .mde = log(1.034) } };
	rows[0] = (struct bench_row){ .name = "64K",
				      .cells = cells_64k,
				      .verdict = &case_64k,
				      .proof = BENCH_PROOF_COUNTED,
				      .proof_runs = 60,
				      .proof_met = 60 };
	rows[1] = (struct bench_row){ .name = "4K",
				      .cells = cells_4k,
				      .verdict = &case_4k,
				      .proof = BENCH_PROOF_COUNTED,
				      .proof_runs = 60,
				      .proof_met = 60 };
	table = (struct bench_table){ .bench = "swapout",
				      .unit = "ns",
				      .setup = "fill page",
				      .kernels = 2,
				      .nrows = 2,
				      .rows = rows,
				      .boots = 6,
				      .runs = 5,
				      .host = "m3",
				      .arch = "arm64",
				      .release = "6.12.117",
				      .compiler = "gcc 12.2.0" };
	return 0;
}

static void check(enum bench_style style, const char *want)
{
	struct buf got _cleanup_buf_ = BUF_INIT, again _cleanup_buf_ = BUF_INIT;
	const char *p;

	bench_table_render(&got, &table, style);
	bench_table_render(&again, &table, style);
	assert_string_equal(buf_cstr(&got), want);
	assert_string_equal(buf_cstr(&got), buf_cstr(&again));
	for (p = buf_cstr(&got); *p && style != BENCH_STYLE_CSV;
	     p += strcspn(p, "\n") + 1)
		assert_true(strcspn(p, "\n") <= 72);
	for (p = buf_cstr(&got); *p; p++)
		assert_true(*p == '\n' || (*p >= ' ' && *p <= '~'));
}

static void test_table(void **state)
{
	check(BENCH_STYLE_TABLE,
	      "swapout, ms, lower is better:\n"
	      "case    base  patched  change [95 % CI]        verdict\n"
	      "64K   37.402   17.420  -53.4 % [-55.0, -51.8]  faster\n"
	      "4K    42.000   42.100  +0.2 % [-1.5, +2.0]     inconclusive\n"
	      "                                               (could see 3.4 %)\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Verdicts are corrected for 2 cases (Holm).\n"
	      "Proof: counters show the tested path in all 120 runs.\n");
}

static void test_emulated(void **state)
{
	table.instructions = true;
	case_64k.total.instructions = case_4k.total.instructions = true;
	case_4k.total.word = VERDICT_UNCHANGED;
	case_4k.total.effect = log(1.0001);
	case_4k.total.lo = log(.9998);
	case_4k.total.hi = log(1.0004);
	table.emulated = true;
	check(BENCH_STYLE_TABLE,
	      "swapout, instruction cost (emulated), ms, lower is better:\n"
	      "case    base  patched  change [95 % CI]        verdict\n"
	      "64K   37.402   17.420  -53.4 % [-55.0, -51.8]  fewer instructions\n"
	      "4K    42.000   42.100  +0.01 % [-0.02, +0.04]  same instructions\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Verdicts are corrected for 2 cases (Holm).\n"
	      "Emulated: instructions counted by QEMU (icount). It sees no cache, TLB\n"
	      "  or contention. Boots nearly repeat, so the interval is mostly the\n"
	      "  instrument's fixed limit and speaks of this emulated machine only.\n"
	      "Proof: counters show the tested path in all 120 runs.\n");
}

/* Under TCG with its own clock: time, but not of hardware. */
static void test_emulated_time(void **state)
{
	table.emulated = true;
	table.nrows = 1;
	check(BENCH_STYLE_TABLE,
	      "swapout, time (emulated), ms, lower is better:\n"
	      "case    base  patched  change [95 % CI]        verdict\n"
	      "64K   37.402   17.420  -53.4 % [-55.0, -51.8]  faster\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Emulated: measured under QEMU without hardware virtualisation (TCG). It\n"
	      "  sees no cache, TLB or contention of real hardware.\n"
	      "Proof: counters show the tested path in all 60 runs.\n");
	assert_string_equal(bench_table_label(&table), "time (emulated)");
	table.emulated = false;
	assert_null(bench_table_label(&table));
}

static void test_mean(void **state)
{
	check(BENCH_STYLE_MEAN,
	      "swapout 64K:\n"
	      "Vanilla - Mean: 37401913 ns, std dev of boots: 12%\n"
	      "Patched - Mean: 17420282 ns, std dev of boots: 11%\n"
	      "Change: -53.4 % [-55.0, -51.8], faster\n"
	      "\n"
	      "swapout 4K:\n"
	      "Vanilla - Mean: 42000000 ns, std dev of boots: 1.5%\n"
	      "Patched - Mean: 42100000 ns, std dev of boots: 2.0%\n"
	      "Change: +0.2 % [-1.5, +2.0], inconclusive (could see 3.4 %)\n"
	      "\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Verdicts are corrected for 2 cases (Holm).\n"
	      "Proof: counters show the tested path in all 120 runs.\n");
}

static void test_before_after(void **state)
{
	static const struct bench_cell t1[] = { { 7900000000, 1, 6 },
						{ 2100000000, 1, 6 } };

	rows[0].name = "T1";
	rows[0].cells = t1;
	table.nrows = 1;
	check(BENCH_STYLE_BEFORE_AFTER,
	      "swapout:\n"
	      "Before the patchset:\n"
	      "T1: 7.9000 seconds\n"
	      "After the patchset:\n"
	      "T1: 2.1000 seconds\n"
	      "Change:\n"
	      "T1: -53.4 % [-55.0, -51.8], faster\n"
	      "\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Proof: counters show the tested path in all 60 runs.\n");
}

static void test_runs(void **state)
{
	static const int64_t v[] = { 37100000, 37200000, 37300000, SAMPLE_NONE,
				     17100000, 17200000, 17300000, 17400000 };
	struct bench_samples s = { "64K", 2, 2, 2, v };

	rows[0].samples = &s;
	table.nrows = 1;
	check(BENCH_STYLE_RUNS,
	      "swapout 64K, ms:\n"
	      "boot  run        base     patched\n"
	      "   1    1      37.100      17.100\n"
	      "   1    2      37.200      17.200\n"
	      "   2    1      37.300      17.300\n"
	      "   2    2           -      17.400\n"
	      "Change: -53.4 % [-55.0, -51.8], faster\n"
	      "\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Proof: counters show the tested path in all 60 runs.\n");
}

static void test_steps(void **state)
{
	static const struct bench_cell cells[] = { { 10660000000, 40000000, 6 },
						   { 10580000000, 40000000, 6 },
						   { 9500000000, 50000000, 6 } };
	struct verdict steps[2] = { { .word = VERDICT_INCONCLUSIVE,
				      .blocks = 6,
				      .effect = log(.992),
				      .lo = log(.98),
				      .hi = log(1.004),
				      .nu = 10,
				      .mde = log(1.015) },
				    { .word = VERDICT_FASTER,
				      .blocks = 6,
				      .effect = log(.9),
				      .lo = log(.889),
				      .hi = log(.911),
				      .nu = 10 } };

	case_64k.steps = steps;
	case_64k.nsteps = 2;
	rows[0].cells = cells;
	table.kernels = 3;
	table.nrows = 1;
	/* .992 * .9 = .8928 */
	check(BENCH_STYLE_STEPS,
	      "swapout 64K:\n"
	      "Before: avg: 10.660s, stddev: 0.040\n"
	      "After patch 1: avg: 10.580s, stddev: 0.040\n"
	      "  step -0.8 % [-2.0, +0.4], inconclusive (could see 1.5 %)\n"
	      "  total -0.8 %\n"
	      "After patch 2: avg: 9.500s, stddev: 0.050\n"
	      "  step -10.0 % [-11.1, -8.9], faster\n"
	      "  total -10.7 %\n"
	      "Total: -53.4 % [-55.0, -51.8], faster\n"
	      "\n"
	      "Intervals and verdicts of steps hold for all steps of a case together.\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Proof: counters show the tested path in all 60 runs.\n");
}

static void test_time(void **state)
{
	static const struct bench_cell real[] = { { 67901000000, 1, 6 },
						  { 2100400000, 1, 6 } };

	rows[0].cells = real;
	rows[0].metric = "real";
	rows[1].name = "64K";
	rows[1].metric = "sys";
	check(BENCH_STYLE_TIME,
	      "swapout:\n"
	      "64K               base     patched  change [95 % CI]\n"
	      "real          1m7.901s    0m2.100s  -53.4 % [-55.0, -51.8]\n"
	      "                                    faster\n"
	      "sys           0m0.042s    0m0.042s  +0.2 % [-1.5, +2.0]\n"
	      "                                    inconclusive (could see 3.4 %)\n"
	      "\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Verdicts are corrected for 2 cases (Holm).\n"
	      "Proof: counters show the tested path in all 120 runs.\n");
}

static void test_one_boot(void **state)
{
	static const struct bench_cell one[] = { { 37401913, 0, 1 }, { 17420282, 0, 1 } };

	case_64k.total = (struct verdict){ .blocks = 1,
					   .effect = log(.466),
					   .lo = -INFINITY,
					   .hi = INFINITY,
					   .mde = INFINITY };
	rows[0].cells = one;
	rows[0].proof = BENCH_PROOF_ABSENT;
	table.nrows = 1;
	table.boots = 1;
	table.runs = 1;
	table.setup = NULL;
	check(BENCH_STYLE_TABLE, "swapout, ms, lower is better:\n"
				 "case    base  patched  change [95 % CI]  verdict\n"
				 "64K   37.402   17.420  -53.4 %           -\n"
				 "1 boot x 1 run, m3, arm64, 6.12.117, gcc 12.2.0\n"
				 "One boot of each kernel: numbers, no verdict.\n"
				 "Not proven: 64K, this kernel lacks the counters.\n");
	check(BENCH_STYLE_MEAN,
	      "swapout 64K:\n"
	      "Vanilla - Mean: 37401913 ns, std dev of boots: none, one boot\n"
	      "Patched - Mean: 17420282 ns, std dev of boots: none, one boot\n"
	      "Change: -53.4 %\n"
	      "\n"
	      "1 boot x 1 run, m3, arm64, 6.12.117, gcc 12.2.0\n"
	      "One boot of each kernel: numbers, no verdict.\n"
	      "Not proven: 64K, this kernel lacks the counters.\n");
}

static void test_outcomes(void **state)
{
	static const size_t warned[] = { 0, 2 }, oom[] = { 1, 3 }, never[] = { 0, 0 };
	static const struct bench_outcome outcomes[] = { { "WARNING", warned },
							 { "OOM kill", oom },
							 { "oops", never } };

	rows[0].proof_met = 57;
	table.nrows = 1;
	table.is_void = true;
	table.dropped = 1;
	table.boots = 5;
	table.outcomes = outcomes;
	table.noutcomes = 3;
	check(BENCH_STYLE_TABLE,
	      "VOID: base measured against itself differs; this session says nothing\n"
	      "  about the patches.\n"
	      "swapout, ms, lower is better:\n"
	      "case    base  patched  change [95 % CI]        verdict\n"
	      "64K   37.402   17.420  -53.4 % [-55.0, -51.8]  faster\n"
	      "5 boots x 5 runs (1 void block dropped), m3, arm64, 6.12.117, gcc\n"
	      "  12.2.0, fill page\n"
	      "PROOF NOT MET: 64K, counters show the tested path in 57 of 60 runs only.\n"
	      "FINDING: WARNING, patched in 2 of 5 boots, never base\n"
	      "Outcome: OOM kill, base in 1 of 5 boots, patched in 3 of 5 boots\n");
}

/* A kernel without a single value, other units, and a name that leaves no room. */
static void test_odd_rows(void **state)
{
	static const struct bench_cell dead[] = { { 1234567, 10, 6 }, { 0, 0, 0 } };

	rows[0].cells = dead;
	rows[0].verdict = NULL;
	rows[1].name = "a-case-with-a-name-of-forty-characters-xx";
	table.unit = "pages/s";
	table.better = BENCH_HIGHER;
	check(BENCH_STYLE_TABLE,
	      "swapout, pages/s, higher is better:\n"
	      "64K\n"
	      "    1234567 -> -  -\n"
	      "    -\n"
	      "a-case-with-a-name-of-forty-characters-xx\n"
	      "    42000000 -> 42100000  +0.2 % [-1.5, +2.0]\n"
	      "    inconclusive (could see 3.4 %)\n"
	      "6 boots x 5 runs, m3, arm64, 6.12.117, gcc 12.2.0, fill page\n"
	      "Proof: counters show the tested path in all 120 runs.\n");
}

static void test_csv(void **state)
{
	table.host = "lab, \"one\"";
	case_64k.total.effect = log(.5);
	case_64k.total.lo = log(.4);
	case_64k.total.hi = log(.6);
	case_64k.total.mde = log(1.25);
	case_64k.total.below_delta = true;
	table.nrows = 1;
	check(BENCH_STYLE_CSV,
	      "bench,host,arch,case,metric,kernel,unit,boots,mean,sd,against,change,low,"
	      "high,p,"
	      "could_see,verdict,emulated\n"
	      "swapout,\"lab, "
	      "\"\"one\"\"\",arm64,64K,,base,ns,6,37401913,4488230,,,,,,,,no\n"
	      "swapout,\"lab, "
	      "\"\"one\"\"\",arm64,64K,,1,ns,6,17420282,1916231,base,-50.000000,"
	      "-60.000000,-40.000000,0.001000000,25.000000,faster; below delta,no\n");
}

/* A locale with a decimal comma changes no byte. */
static void test_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (setlocale(LC_ALL, names[i]))
			break;
	test_table(state);
	setlocale(LC_ALL, "C");
}

static void test_cell_of(void **state)
{
	/* boots: mean 20, mean 40, none; sd of 20 and 40 is 14.14 */
	static const int64_t v[] = { 10, 30, 40, SAMPLE_NONE, SAMPLE_NONE, SAMPLE_NONE,
				     7,	 8,  9,	 9,	      9,	   9 };
	struct bench_samples s = { "x", 2, 3, 2, v };
	struct bench_cell c = bench_cell_of(&s, 0);

	assert_int_equal(c.mean, 30);
	assert_int_equal(c.sd, 14);
	assert_int_equal(c.boots, 2);
	/* 7.5, 9, 9: mean 8.5, sd .866 */
	c = bench_cell_of(&s, 1);
	assert_int_equal(c.mean, 9);
	assert_int_equal(c.sd, 1);
	assert_int_equal(c.boots, 3);
	s.values = v + 4;
	s.blocks = 1;
	assert_int_equal(bench_cell_of(&s, 0).boots, 0);
}

static void test_style_names(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	enum bench_style style = BENCH_STYLE_CSV;

	assert_int_equal(bench_style_find("before-after", &style, &err), 0);
	assert_int_equal(style, BENCH_STYLE_BEFORE_AFTER);
	assert_int_equal(bench_style_find("fancy", &style, &err), E_USAGE);
	assert_non_null(strstr(err_msg(&err), "style fancy"));
	assert_int_equal(style, BENCH_STYLE_BEFORE_AFTER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_table, setup),
		cmocka_unit_test_setup(test_emulated, setup),
		cmocka_unit_test_setup(test_emulated_time, setup),
		cmocka_unit_test_setup(test_mean, setup),
		cmocka_unit_test_setup(test_before_after, setup),
		cmocka_unit_test_setup(test_runs, setup),
		cmocka_unit_test_setup(test_steps, setup),
		cmocka_unit_test_setup(test_time, setup),
		cmocka_unit_test_setup(test_one_boot, setup),
		cmocka_unit_test_setup(test_outcomes, setup),
		cmocka_unit_test_setup(test_odd_rows, setup),
		cmocka_unit_test_setup(test_csv, setup),
		cmocka_unit_test_setup(test_locale, setup),
		cmocka_unit_test(test_cell_of),
		cmocka_unit_test(test_style_names),
	};

	return cmocka_run_group_tests_name("bench table", tests, NULL, NULL);
}
