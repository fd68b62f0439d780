// SPDX-License-Identifier: GPL-2.0-or-later
/* test_bench_report.c: which boots count, what is an outcome, base against itself, JSON.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "series/mem.h"
#include "series/report.h"

#define COMMIT_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define COMMIT_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static struct bench_kernel kernels[3];
static struct bench_boot boots[32];
static struct sample samples[256];
static struct bench_session session;
static char *case_names[] = { (char *)"64K", (char *)"4K", NULL };
static char *counter[] = { (char *)"swpout=4096", NULL };

static int setup(void **state)
{
	memset(kernels, 0, sizeof(kernels));
	memset(boots, 0, sizeof(boots));
	memset(samples, 0, sizeof(samples));
	kernels[0].label = (char *)"base";
	kernels[1].label = (char *)"p1";
	kernels[2].label = (char *)"base again";
	kernels[0].release = (char *)"6.12.0";
	strcpy(kernels[0].commit, COMMIT_A);
	strcpy(kernels[1].commit, COMMIT_B);
	strcpy(kernels[2].commit, COMMIT_A);
	session = (struct bench_session){ .id = (char *)"s1",
					  .bench = (char *)"swapout",
					  .host_alias = (char *)"qemu",
					  .arch = (char *)"arm64",
					  .accel = (char *)"kvm",
					  .instrument = (char *)"real",
					  .seed = 7,
					  .blocks = 5,
					  .runs = 1,
					  .unit = (char *)"ns",
					  .cases = { case_names, 1, 0 },
					  .kernels = kernels,
					  .n_kernels = 2,
					  .boots = boots,
					  .samples = samples };
	session.key.compiler = (char *)"gcc 12.2.0";
	return 0;
}

static int add_boot(int kernel, int block, enum boot_state state)
{
	boots[session.n_boots] =
		(struct bench_boot){ .kernel = kernel, .block = block, .state = state };
	return (int)session.n_boots++;
}

static void add_sample(int boot, int case_i, int run, int64_t value, bool proven)
{
	samples[session.n_samples++] = (struct sample){ .boot = boot,
							.case_i = case_i,
							.run = run,
							.value = value,
							.counters = { counter, 1, 0 },
							.proven = proven };
}

/* The example whose numbers R gave: effect +18.6 %, p .032856; warm-ups are way off. */
static void add_example(int kernel, const int64_t *v)
{
	for (int b = 0; b < 5; b++) {
		int boot = add_boot(kernel, b + 1, BOOT_OK);

		add_sample(boot, 0, 0, 999, true);
		add_sample(boot, 0, 1, v[b], true);
	}
}

static const int64_t base[] = { 10, 11, 12, 10, 11 }, patched[] = { 12, 13, 12, 14, 13 };

static struct bench_report *report(void)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct bench_report *r = NULL;

	if (bench_report_new(&session, NULL, &r, &err))
		fail_msg("%s", err_msg(&err));
	return r;
}

static void assert_table(const struct bench_report *r, const char *want)
{
	struct buf got _cleanup_buf_ = BUF_INIT;

	bench_table_render(&got, &r->table, BENCH_STYLE_TABLE);
	assert_string_equal(buf_cstr(&got), want);
}

static void test_plain(void **state)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;

	add_example(0, base);
	add_example(1, patched);
	r = report();
	assert_true(fabs(r->verdicts.cases[0].total.p - .0328558813282) < 1e-10);
	assert_table(r, "swapout, ns, lower is better:\n"
			"case  base  patched  change [95 % CI]       verdict\n"
			"64K     11       13  +18.6 % [+2.3, +37.5]  slower\n"
			"5 boots x 1 run, qemu, arm64, 6.12.0, gcc 12.2.0\n"
			"Proof: counters show the tested path in all 10 runs.\n");
	assert_true(r->aa_p == 1);
}

/* Void boots leave nothing behind; the repetition stands. A lost block is dropped. */
static void test_void_boots(void **state)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;
	int boot;

	session.blocks = 7;
	boot = add_boot(0, 2, BOOT_VOID);
	add_sample(boot, 0, 1, 5000, true);
	boot = add_boot(1, 4, BOOT_WRONG_KERNEL);
	add_sample(boot, 0, 1, 1, false);
	boots[boot].notes = (struct strvec){ counter, 1, 0 };
	add_example(0, base);
	add_example(1, patched);
	boot = add_boot(0, 6, BOOT_OK);
	add_sample(boot, 0, 1, 1, true);
	add_boot(1, 6, BOOT_INFRA_FAIL);
	r = report();
	assert_int_equal(r->table.boots, 5);
	assert_int_equal(r->table.dropped, 1);
	assert_int_equal(r->table.noutcomes, 0);
	/* base of the dropped block measured 1: means are of the blocks that are judged,
	 * 54 / 5 */
	assert_int_equal(r->table.rows[0].cells[0].boots, 5);
	assert_int_equal(r->table.rows[0].cells[0].mean, 11);
	assert_true(fabs(r->verdicts.cases[0].total.p - .0328558813282) < 1e-10);
}

/* One failure to boot, then a boot: nothing. One, then lost: dropped. Two: an outcome. */
static void test_no_boot(void **state)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;

	session.blocks = 7;
	add_boot(1, 3, BOOT_FAIL);
	add_example(0, base);
	add_example(1, patched);
	add_boot(0, 6, BOOT_OK);
	add_boot(1, 6, BOOT_FAIL);
	add_boot(1, 6, BOOT_VOID);
	r = report();
	assert_int_equal(r->table.boots, 5);
	assert_int_equal(r->table.dropped, 1);
	assert_int_equal(r->table.noutcomes, 0);
	bench_report_freep(&r);
	add_boot(0, 7, BOOT_OK);
	add_boot(1, 7, BOOT_FAIL);
	add_boot(1, 7, BOOT_FAIL);
	r = report();
	assert_int_equal(r->table.boots, 6);
	assert_int_equal(r->table.noutcomes, 1);
	assert_string_equal(r->table.outcomes[0].what, "did not boot");
	assert_int_equal(r->table.outcomes[0].boots[0], 0);
	assert_int_equal(r->table.outcomes[0].boots[1], 1);
}

static void test_outcomes(void **state)
{
	static char *warned[] = { (char *)"WARNING: CPU: 0 PID: 1 at mm/rmap.c:12",
				  (char *)"watchdog: BUG: soft lockup - CPU#0 stuck",
				  NULL };
	static char *oom[] = { (char *)"Out of memory: Killed process 5", NULL };
	struct bench_report *r _cleanup_bench_report_ = NULL;

	add_example(0, base);
	add_example(1, patched);
	boots[1].notes = (struct strvec){ oom, 1, 0 };
	boots[5].notes = (struct strvec){ warned, 2, 0 };
	boots[6].notes = (struct strvec){ warned, 1, 0 };
	boots[7].notes = (struct strvec){ oom, 1, 0 };
	boots[8].state = BOOT_CRASHED;
	samples[13].proven = false; /* run 1 of boot 6 */
	r = report();
	assert_table(
		r,
		"swapout, ns, lower is better:\n"
		"case  base  patched  change [95 % CI]       verdict\n"
		"64K     11       13  +18.6 % [+2.3, +37.5]  slower\n"
		"5 boots x 1 run, qemu, arm64, 6.12.0, gcc 12.2.0\n"
		"PROOF NOT MET: 64K, counters show the tested path in 9 of 10 runs "
		"only.\n"
		"FINDING: crashed, patched in 1 of 5 boots, never base\n"
		"FINDING: proof not met, patched in 1 of 5 boots, never base\n"
		"FINDING: lockup, patched in 1 of 5 boots, never base\n"
		"Outcome: out of memory, base in 1 of 5 boots, patched in 1 of 5 boots\n"
		"FINDING: WARNING, patched in 2 of 5 boots, never base\n");
}

/* Base again is no column; when it differs from base the session is void. */
static void test_aa(void **state)
{
	static const int64_t same[] = { 11, 10, 12, 11, 10 },
			     other[] = { 15, 16, 18, 15, 16 };
	struct bench_report *r _cleanup_bench_report_ = NULL;

	session.n_kernels = 3;
	add_example(0, base);
	add_example(2, same);
	add_example(1, patched);
	r = report();
	assert_int_equal(r->table.kernels, 2);
	assert_false(r->table.is_void);
	assert_true(r->aa_p > .5);
	assert_int_equal(r->table.rows[0].cells[1].mean, 13);
	bench_report_freep(&r);
	for (size_t i = 10; i < 20; i++)
		if (samples[i].run)
			samples[i].value = other[(i - 10) / 2];
	r = report();
	assert_true(r->table.is_void);
	assert_true(r->aa_p < .01);
}

static void test_not_proven(void **state)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;

	add_example(0, base);
	add_example(1, patched);
	samples[3].counters.n = 0;
	r = report();
	assert_int_equal(r->rows[0].proof, BENCH_PROOF_ABSENT);
	assert_int_equal(r->table.noutcomes, 0);
}

static void test_icount_is_emulated(void **state)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;

	session.accel = session.instrument = (char *)"icount";
	add_example(0, base);
	add_example(1, patched);
	r = report();
	assert_true(r->table.emulated && r->table.instructions);
	assert_string_equal(bench_table_label(&r->table), "instruction cost (emulated)");
	assert_string_equal(verdict_word(&r->verdicts.cases[0].total),
			    "more instructions");
	bench_report_freep(&r);
	session.instrument = (char *)"real";
	session.accel = (char *)"tcg";
	r = report();
	assert_string_equal(bench_table_label(&r->table), "time (emulated)");
}

/* A case that was not reached yet has numbers for no kernel and no verdict. */
static void test_unfinished(void **state)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;

	session.cases.n = 2;
	add_example(0, base);
	add_example(1, patched);
	r = report();
	assert_table(r, "swapout, ns, lower is better:\n"
			"case  base  patched  change [95 % CI]       verdict\n"
			"64K     11       13  +18.6 % [+2.3, +37.5]  slower\n"
			"4K       -        -  -                      -\n"
			"5 boots x 1 run, qemu, arm64, 6.12.0, gcc 12.2.0\n"
			"Proof: counters show the tested path in all 10 runs.\n");
}

static void test_contradictions(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct bench_report *r = NULL;

	add_example(0, base);
	add_example(1, patched);
	samples[4].boot = 10;
	assert_int_equal(bench_report_new(&session, NULL, &r, &err), E_CORRUPT);
	assert_non_null(strstr(err_msg(&err), "session s1: sample 4"));
	samples[4].boot = 2;
	samples[4].run = 2;
	assert_int_equal(bench_report_new(&session, NULL, &r, &err), E_CORRUPT);
	samples[4].run = 1;
	boots[3].block = 6;
	assert_int_equal(bench_report_new(&session, NULL, &r, &err), E_CORRUPT);
	boots[3].block = 4;
	session.blocks = 2000000000;
	assert_int_equal(bench_report_new(&session, NULL, &r, &err), E_CORRUPT);
	session.blocks = 5;
	session.instrument = (char *)"stopwatch";
	assert_int_equal(bench_report_new(&session, NULL, &r, &err), E_NOTFOUND);
	session.instrument = (char *)"real";
	strcpy(kernels[1].commit, COMMIT_A);
	assert_int_equal(bench_report_new(&session, NULL, &r, &err), E_USAGE);
	assert_null(r);
}

/* The number behind KEY in the text of the document. */
static double real_of(const struct json *j, const char *key)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	const char *at;

	json_dump_line(j, &text);
	at = strstr(buf_cstr(&text), key);
	assert_non_null(at);
	at += strlen(key);
	return strtod(at + strspn(at, " "), NULL);
}

static void test_json(void **state)
{
	struct bench_report *r _cleanup_bench_report_ = NULL;
	struct json *j _cleanup_json_ = NULL;
	const struct json *one;

	add_example(0, base);
	add_example(1, patched);
	r = report();
	j = bench_report_json(r);
	assert_int_equal(json_len(j), 1);
	one = json_at(j, 0);
	assert_string_equal(json_get_str(one, "name"), "swapout");
	assert_string_equal(json_get_str(one, "case"), "64K");
	assert_string_equal(json_get_str(one, "verdict"), "slower");
	assert_false(json_get_bool(one, "emulated", true));
	assert_int_equal(json_get_int(json_get(one, "base"), "mean", 0), 11);
	assert_int_equal(json_get_int(json_get(one, "proof"), "met", 0), 10);
	assert_int_equal(json_len(json_get(one, "ci")), 2);
	/* 1.18599 from R */
	assert_true(fabs(real_of(one, "\"effect\":") - 1.18599) < 5e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_plain, setup),
		cmocka_unit_test_setup(test_void_boots, setup),
		cmocka_unit_test_setup(test_no_boot, setup),
		cmocka_unit_test_setup(test_outcomes, setup),
		cmocka_unit_test_setup(test_aa, setup),
		cmocka_unit_test_setup(test_not_proven, setup),
		cmocka_unit_test_setup(test_icount_is_emulated, setup),
		cmocka_unit_test_setup(test_unfinished, setup),
		cmocka_unit_test_setup(test_contradictions, setup),
		cmocka_unit_test_setup(test_json, setup),
	};

	return cmocka_run_group_tests_name("bench report", tests, NULL, NULL);
}
