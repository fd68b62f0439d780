// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_claim.c - what texts claim, worked out by hand. The p values are those of R's
 * t.test() for the same numbers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/buf.h"
#include "series/claim.h"
#include "series/mem.h"

/* "33% TEXT", "LABEL: 10 -> 12 s +20.0% n=5,5 p=0.0054", a line each. */
static char *found(const char *text)
{
	struct claims c _cleanup_claims_ = { .n = 0 };
	struct buf b = BUF_INIT;

	claims_find(str_c(text), &c);
	for (size_t i = 0; i < c.n; i++) {
		const struct claim *k = &c.v[i];

		if (k->kind == CLAIM_SAID) {
			buf_printf(&b, "%g%s %s\n", k->value, k->unit, k->text);
			continue;
		}
		buf_printf(&b, "%s: %.6g -> %.6g%s%s", k->text, k->before, k->after,
			   *k->unit ? " " : "", k->unit);
		if (!isnan(k->change))
			buf_printf(&b, " %+.1f%%", 100 * k->change);
		if (k->n_before || k->n_after)
			buf_printf(&b, " n=%zu,%zu", k->n_before, k->n_after);
		if (!isnan(k->p))
			buf_printf(&b, " p=%.4f", k->p);
		buf_putc(&b, '\n');
	}
	return buf_take(&b);
}

struct row {
	const char *text, *want;
};

static void check(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *got _cleanup_free_ = found(rows[i].text);

		if (strcmp(got, rows[i].want))
			print_message("row %zu: %s\n", i, rows[i].text);
		assert_string_equal(got, rows[i].want);
	}
}

static void test_said(void **state)
{
	static const struct row rows[] = {
		{ "This speeds up generic things by ~15%.\n",
		  "15% This speeds up generic things by ~15%\n" },
		{ "resulting in more than 2x speedup. No regression on 4K folios.\n",
		  "2x resulting in more than 2x speedup\n" },
		{ "We see a 33% performance improvement on a server with\n"
		  "32 cores (and 10%+ on a laptop).\n",
		  "33% We see a 33% performance improvement on a server with 32 cores "
		  "(and 10%+ "
		  "on a laptop)\n" },
		{ "It is 3 times faster now.\n", "3x It is 3 times faster now\n" },
		{ "This adds an overhead of 1,200%!\n",
		  "1200% This adds an overhead of 1,200%!\n" },
		{ "Throughput is better by 5 percent.\n",
		  "5% Throughput is better by 5 percent\n" },
		/* What is no claim. */
		{ "It is 99% of the cases. A page can be 1000x larger than an inode.\n",
		  "" },
		{ "The test allows 10% of error, faster machines or not.\n", "" },
		{ "> a reply said 20% faster\n", "" },
		{ "Fixes v6.12.3, 64-bit, 2026/11/30, mm/x.c:12 and 0x10% faster\n", "" },
		{ "Increase the tolerance to 15% for faster machines.\n", "" },
		{ "It drops with stress-ng --vm-bytes 150% --mbind 0,1\n", "" },
		{ "rename arch/{a.c => b.c} (100%)\n", "" },
		{ "", "" },
	};

	check(rows, ARRAY_SIZE(rows));
}

static void test_pairs_in_words(void **state)
{
	static const struct row rows[] = {
		{ "The share went from approximately 35% to around 5%.\n",
		  "The share went from approximately 35% to around 5%: 35 -> 5 % "
		  "-85.7%\n" },
		{ "The time goes from 1.2 s to 900 ms here.\n",
		  "The time goes from 1.2 s to 900 ms here: 1.2 -> 0.9 s -25.0%\n" },
		{ "fault latency: 250 ns -> 200 ns\n",
		  "fault latency: 250 ns -> 200 ns: 250 -> 200 ns -20.0%\n" },
		{ "It drops from 12 to 10 seconds, a 17% improvement.\n",
		  "It drops from 12 to 10 seconds, a 17% improvement: 12 -> 10 s "
		  "-16.7%\n" },
		{ "We see from 14% to 35% reduction in time.\n",
		  "14% We see from 14% to 35% reduction in time\n" },
		{ "Changes:\n- names, 5% faster\n- from 2 s to 1 s\n-----\nx\n",
		  "5% names, 5% faster\nfrom 2 s to 1 s: 2 -> 1 s -50.0%\n" },
		/* Seconds and bytes cannot be compared; a range is no pair. */
		{ "It went from 3 s to 3 MB.\n", "" },
		{ "pages from 1 to 8 are moved\n", "" },
	};

	check(rows, ARRAY_SIZE(rows));
}

static void test_headings(void **state)
{
	static const struct row rows[] = {
		{ "Average execution time:\n\nBefore the patchset:\n\nT1: 8 seconds\nT2: "
		  "8 seconds\n"
		  "T3: 4 seconds\n\nAfter the patchset:\n\nT1: 2 seconds\nT2: 2.2 "
		  "seconds\nT3: 4 "
		  "seconds\n\nT1 and T2 show what we wanted to see.\n",
		  "T1: 8 -> 2 s -75.0%\nT2: 8 -> 2.2 s -72.5%\nT3: 4 -> 4 s +0.0%\n" },
		{ "w/o patch:\nreal\t0m1.500s\nuser\t0m0.000s\nsys\t1m1.500s\n\nw/ "
		  "patch:\n"
		  "real\t0m1.200s\nuser\t0m0.000s\nsys\t1m0.000s\n",
		  "real: 1.5 -> 1.2 s -20.0%\nuser: 0 -> 0 s\nsys: 61.5 -> 60 s "
		  "-2.4%\n" },
		/* The check values of Welch's test: t = 3.7796, nu = 8, p = .005391 */
		{ "w/o patch:\n~ # ./a.out\ntook 10 ns (0.010 us)\n~ # ./a.out\ntook 11 "
		  "ns\ntook 12 "
		  "ns\ntook 10 ns\ntook 11 ns\n\nw/patch:\n~ # ./a.out\ntook 12 ns\ntook "
		  "13 ns\ntook "
		  "12 ns\ntook 14 ns\ntook 13 ns\n",
		  "took: 10.8 -> 12.8 ns +18.5% n=5,5 p=0.0054\n" },
		/* Two comparisons, one below the other. */
		{ "Vanilla - Mean: 40,000,000 ns, std dev: 12%\nPatched - Mean: "
		  "20,000,000 ns, std "
		  "dev: 11%\n\nOn bare metal:\nVanilla - mean: 50 ms\nPatched - mean: 49 "
		  "ms\n",
		  "Mean: 4e+07 -> 2e+07 ns -50.0%\nmean: 50 -> 49 ms -2.0%\n" },
		/* n and sd as said: se = 0.04 * sqrt(2/10), t = -4.47, nu = 18 */
		{ "Averages of 10 runs:\nBefore: avg: 10.66s, stddev: 0.04\nAfter patch "
		  "1: avg: "
		  "10.58s, stddev: 0.04\n",
		  "avg: 10.66 -> 10.58 s -0.8% n=10,10 p=0.0003\n" },
		/* Step by step: each against what was before. */
		{ "Before: avg: 10 s\nAfter patch 1: avg: 9 s\nAfter patch 2: avg: 8 s\n",
		  "avg: 10 -> 9 s -10.0%\navg: 10 -> 8 s -20.0%\n" },
		/* Two kinds of base: the last one counts, nothing is mixed. */
		{ "Baseline:\nreal: 20 s\nOld:\nreal: 12 s\nNew:\nreal: 9 s\n",
		  "real: 12 -> 9 s -25.0%\n" },
		{ "base + patch: 5 ms\nbase: 10 ms\n", ": 10 -> 5 ms -50.0%\n" },
		/* One side alone, or other labels, are no pair. */
		{ "Before:\nT1: 5 s\n", "" },
		{ "Before:\nT1: 5 s\nAfter:\nT2: 5 s\n", "" },
		{ "Before:\nT1: 5 s\nAfter:\nT1: 5 MB\n", "" },
	};

	check(rows, ARRAY_SIZE(rows));
}

static void test_tables(void **state)
{
	static const struct row rows[] = {
		{ "            before     patched\nreal        2.0        1.5    (-25%)\n"
		  "sys         1.0        1.1    (+10%)\n",
		  "real: 2 -> 1.5 -25.0%\nsys: 1 -> 1.1 +10.0%\n" },
		{ "size  base  patched\n1  10  12  (+20%)\n", "1: 10 -> 12 +20.0%\n" },
		{ "            before     patched   change\nreal        2.0        1.5   "
		  "   -25%\n"
		  "sys         1.0        1.1      +10%\n\nThe rest is the same.\n",
		  "real: 2 -> 1.5 -25.0%\nsys: 1 -> 1.1 +10.0%\n" },
		{ "|             | no memcg | before | after | diff   |\n"
		  "|-------------|----------|--------|-------|--------|\n"
		  "| User cgroup |    29764 |  84548 | 59078 | -30.0% |\n"
		  "| Root cgroup |    29742 |  48342 | 31501 | -34.8% |\n",
		  "User cgroup: 84548 -> 59078 -30.1%\nRoot cgroup: 48342 -> 31501 "
		  "-34.8%\n" },
		{ "threads\tw/o patch\tw/ patch\n1\t10 ms\t12 ms\n2\t20 ms\t15 ms\n",
		  "1: 10 -> 12 ms +20.0%\n2: 20 -> 15 ms -25.0%\n" },
	};

	check(rows, ARRAY_SIZE(rows));
}

static void test_words(void **state)
{
	static const struct {
		const char *text, *brief, *first;
	} rows[] = {
		{ "", "", NULL },
		{ "It is 33% faster.\n", "33%", "It is 33% faster" },
		{ "It is 2x faster.\nBefore:\na: 2 s\nb: 4 s\nAfter:\na: 1.98 s\nb: 1 s\n",
		  "-75 %", "It is 2x faster" },
		{ "Before:\n2.0 s\n2.0 s\n2.2 s\nAfter:\n1.0 s\n1.0 s\n1.2 s\n", "-48 %",
		  "2.06667 -> 1.06667 s (-48.4 %; n = 3, 3; p < 0.001)" },
		/* A change from 0 is none that could be computed. */
		{ "Before:\na: 0 s\nAfter:\na: 1 s\n", "", "a: 0 -> 1 s" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct claims c _cleanup_claims_ = { .n = 0 };
		struct buf b _cleanup_buf_ = BUF_INIT;

		claims_find(str_c(rows[i].text), &c);
		claims_brief(&c, &b);
		assert_string_equal(buf_cstr(&b), rows[i].brief);
		buf_reset(&b);
		if (c.n)
			claim_words(&c.v[0], &b);
		assert_string_equal(buf_cstr(&b), rows[i].first ? rows[i].first : "");
	}
}

/* Made-up input: much of it, and none of it is kept beyond the limit. */
static void test_much(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct claims c _cleanup_claims_ = { .n = 0 };

	for (int i = 0; i < 20000; i++)
		buf_printf(&b,
			   "Before:\nx%d: %d s\nAfter:\nx%d: 2 s\nIt is 5%% faster.\n\n",
			   i, i, i);
	claims_find(buf_str(&b), &c);
	assert_int_equal(c.n, CLAIMS_MAX);
	buf_truncate(&b, 0);
	for (int i = 0; i < 100000; i++)
		buf_puts(&b, "Before: a: 1 s ");
	claims_find(buf_str(&b), &c);
	assert_int_equal(c.n, CLAIMS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_said),	 cmocka_unit_test(test_pairs_in_words),
		cmocka_unit_test(test_headings), cmocka_unit_test(test_tables),
		cmocka_unit_test(test_words),    cmocka_unit_test(test_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
