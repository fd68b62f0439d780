// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_bench_session.c: the plan of a session, its documents there and back, what of a
 * foreign document is refused, and whether a session is still true.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include "series/bench.h"
#include "series/benchrun.h"
#include "series/mem.h"
#include "series/report.h"
#include "../../lib/bench/bench_priv.h"

#define TREE_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define TREE_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define ID_1   "1111111111111111111111111111111111111111"
#define ID_2   "2222222222222222222222222222222222222222"

/* --- the plan --- */

static void test_order(void **state)
{
	size_t count[3][3] = { { 0 } }, a[3], b[3];
	bool differs = false;

	/* 600 blocks: each kernel about 200 times in each place; 6 sd of a binomial is 69
	 */
	for (int block = 1; block <= 600; block++) {
		bool used[3] = { false };

		bench_order(42, block, 3, a);
		bench_order(42, block, 3, b);
		assert_memory_equal(a, b, sizeof(a));
		bench_order(43, block, 3, b);
		differs = differs || memcmp(a, b, sizeof(a));
		for (size_t i = 0; i < 3; i++) {
			assert_true(a[i] < 3 && !used[a[i]]);
			used[a[i]] = true;
			count[a[i]][i]++;
		}
	}
	assert_true(differs);
	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < 3; i++)
			assert_in_range(count[k][i], 131, 269);
}

static struct bench_case def_cases[] = {
	{ .name = (char *)"big", .args = (char *)"-m 4" },
	{ .name = (char *)"small", .args = (char *)"" }
};
static struct bench_counter def_counters[] = {
	{ (char *)"pages", (char *)"/proc/vmstat", (char *)"pswpout" },
	{ (char *)"own", (char *)"/sys/own", NULL },
};

static struct bench_def definition(void)
{
	return (struct bench_def){ .name = (char *)"tiny",
				   .warmup = 1,
				   .timeout_s = 9,
				   .page_size = 4096,
				   .runs = 5,
				   .counters = def_counters,
				   .n_counters = 2,
				   .cases = def_cases,
				   .n_cases = 2 };
}

/* How often and where a line is in the job. */
static size_t count_line(const struct buf *job, const char *line, size_t *ret_at)
{
	struct str rest = buf_str(job), l;
	size_t n = 0;

	for (size_t i = 0; str_line(&rest, &l); i++)
		if (str_eqc(l, line)) {
			n++;
			*ret_at = i;
		}
	return n;
}

static void test_job(void **state)
{
	struct bench_def d = definition();
	struct strvec cases _cleanup_strvec_ = STRVEC_INIT;
	struct buf a _cleanup_buf_ = BUF_INIT, b _cleanup_buf_ = BUF_INIT;
	size_t at[4][2], line = 0, big_first = 0;

	strvec_pushl(&d.setup, "zram 64M lzo", NULL);
	strvec_pushl(&def_cases[0].setup, "write /sys/x always", NULL);
	strvec_pushl(&cases, "big", "small", NULL);
	bench_job(&d, &cases, 3, 7, 2, 1, &a);
	bench_job(&d, &cases, 3, 7, 2, 1, &b);
	assert_string_equal(buf_cstr(&a), buf_cstr(&b));
	assert_int_equal(count_line(&a, "require page-size 4096", &line), 1);
	assert_int_equal(line, 0);
	assert_int_equal(count_line(&a, "counter pages /proc/vmstat pswpout", &line), 1);
	assert_int_equal(count_line(&a, "counter own /sys/own", &line), 1);
	assert_int_equal(count_line(&a, "zram 64M lzo", &line), 1);
	assert_int_equal(line, 3);
	assert_int_equal(count_line(&a, "write /sys/x always", &line), 4);
	for (int run = 0; run < 4; run++) {
		char *big _cleanup_free_ =
			xasprintf("run big %d 9 /bench/tiny -m 4", run);
		char *small _cleanup_free_ = xasprintf("run small %d 9 /bench/tiny", run);

		assert_int_equal(count_line(&a, big, &at[run][0]), 1);
		assert_int_equal(count_line(&a, small, &at[run][1]), 1);
		/* no run before all of the run before it */
		if (run)
			assert_true(MIN(at[run][0], at[run][1]) >
				    MAX(at[run - 1][0], at[run - 1][1]));
	}
	assert_int_equal(count_line(&a, "done", &line), 1);
	/* the order of the cases is random: 100 boots, half and half, 5 sd are 25 */
	for (int block = 1; block <= 100; block++) {
		size_t x = 0, y = 0;

		buf_reset(&b);
		bench_job(&d, &cases, 1, 7, block, 0, &b);
		assert_int_equal(count_line(&b, "run big 1 9 /bench/tiny -m 4", &x), 1);
		assert_int_equal(count_line(&b, "run small 1 9 /bench/tiny", &y), 1);
		big_first += x < y;
	}
	assert_in_range(big_first, 25, 75);
	assert_int_equal(bench_default_runs(&d, "kvm"), 5);
	assert_int_equal(bench_default_runs(&d, "icount"), 2);
	strvec_release(&d.setup);
	strvec_release(&def_cases[0].setup);
}

/* A block with a boot that was done between two that were dropped is one block. */
static void test_dropped(void **state)
{
	struct bench_task tasks[] = {
		{ .block = 1, .state = TASK_DROPPED },
		{ .block = 1, .state = TASK_DONE },
		{ .block = 1, .state = TASK_DROPPED },
		{ .block = 2, .state = TASK_DONE },
		{ .block = 2, .state = TASK_DONE },
		{ .block = 2, .state = TASK_DONE },
		{ .block = 3, .state = TASK_DONE },
		{ .block = 3, .state = TASK_DROPPED },
		{ .block = 3, .state = TASK_DROPPED },
	};
	struct bench_live l = { .tasks = tasks, .n_tasks = ARRAY_SIZE(tasks) };

	assert_int_equal(bench_live_dropped(&l), 2);
	assert_int_equal(bench_live_done(&l), 9);
}

/* --- documents, written here by hand --- */

static const char summary_text[] =
	"{\"schema\":1,\"id\":\"20261130T130000-abcdef\",\"bench\":\"tiny\",\"host\":"
	"\"box\","
	"\"arch\":\"arm64\",\"accel\":\"icount\",\"instrument\":\"icount\","
	"\"delta_ppb\":1000000,\"floor_ppb\":200000,\"q_ppb\":100000,"
	"\"facts\":{\"cpu\":\"x\"},\"version\":2,\"seed\":77,\"blocks\":2,\"runs\":1,"
	"\"date\":1796043600,\"metric\":\"took\",\"unit\":\"ns\",\"better\":\"lower\","
	"\"setup\":\"fill page\",\"complete\":true,"
	"\"key\":{\"base_tree\":\"" TREE_A "\",\"tip_tree\":\"" TREE_B "\","
	"\"patch_ids\":[\"" ID_1 "\",\"" ID_2
	"\"],\"config\":\"\",\"compiler\":\"gcc 12\","
	"\"bench_hash\":\"\",\"host_class\":\"qemu-icount-arm64-cortex-a76\"},"
	"\"cases\":[{\"name\":\"big\",\"command\":\"tiny -m 4\",\"proof\":\"pages >= "
	"9\"}],"
	"\"kernels\":[{\"label\":\"base\",\"commit\":\"" TREE_A "\",\"tree\":\"" TREE_A
	"\","
	"\"build_id\":\"01\",\"release\":\"6.12\"},"
	"{\"label\":\"p2\",\"commit\":\"" TREE_B "\",\"tree\":\"" TREE_B "\","
	"\"build_id\":\"02\",\"release\":\"6.12\"}],"
	"\"boots\":["
	"{\"kernel\":0,\"block\":1,\"order\":1,\"state\":\"OK\",\"boot_id\":\"a\","
	"\"build_id\":\"01\",\"why\":\"job done\",\"notes\":[],\"wall_ms\":5},"
	"{\"kernel\":1,\"block\":1,\"order\":2,\"state\":\"OK\",\"notes\":[]},"
	"{\"kernel\":1,\"block\":2,\"order\":1,\"state\":\"OK\",\"notes\":[]},"
	"{\"kernel\":0,\"block\":2,\"order\":2,\"state\":\"OK\",\"notes\":[]}]}";
static const char samples_text[] =
	"{\"schema\":1,\"boot\":[0,0,1,2,3],\"case\":[0,0,0,0,0],\"run\":[0,1,1,1,1],"
	"\"value\":[1100,1000,800,800,1000],\"proven\":[1,1,1,1,0],"
	"\"counters\":{\"pages\":[9,9,9,9,8],\"other\":[1,null,null,null,null]}}";

static int parse(const char *summary, const char *samples, struct bench_session **ret,
		 struct err *err)
{
	struct json *a _cleanup_json_ = NULL, *b _cleanup_json_ = NULL;

	assert_int_equal(json_parse(str_c(summary), "a", &a, err), 0);
	assert_int_equal(json_parse(str_c(samples), "b", &b, err), 0);
	return bench_session_parse(a, b, ret, err);
}

static struct bench_session *good(void)
{
	struct bench_session *s = NULL;
	struct err err _cleanup_err_ = ERR_INIT;

	if (parse(summary_text, samples_text, &s, &err))
		fail_msg("%s", err_msg(&err));
	return s;
}

static void test_parse(void **state)
{
	struct bench_session *s _cleanup_bench_session_ = good();

	assert_string_equal(s->id, "20261130T130000-abcdef");
	assert_string_equal(s->host_alias, "box");
	assert_int_equal(s->seed, 77);
	assert_int_equal(s->version, 2);
	assert_int_equal(s->n_kernels, 2);
	assert_string_equal(s->kernels[1].label, "p2");
	assert_string_equal(s->key.tip_tree, TREE_B);
	assert_int_equal(s->key.patch_ids.n, 2);
	assert_int_equal(s->n_boots, 4);
	assert_int_equal(s->boots[2].block, 2);
	assert_int_equal(s->boots[0].wall_ms, 5);
	assert_int_equal(s->n_samples, 5);
	assert_int_equal(s->samples[0].run, 0);
	assert_int_equal(s->samples[2].value, 800);
	assert_int_equal(s->samples[0].counters.n, 2);
	assert_int_equal(s->samples[1].counters.n, 1);
	assert_string_equal(s->samples[1].counters.v[0], "pages=9");
	assert_false(s->samples[4].proven);
	assert_true(s->complete);
}

/* What is written again is what was read. */
static void test_round(void **state)
{
	struct bench_session *s _cleanup_bench_session_ = good();
	struct json *a _cleanup_json_ = NULL, *b _cleanup_json_ = NULL,
		       *x _cleanup_json_ = NULL, *y _cleanup_json_ = NULL,
		       *z _cleanup_json_ = NULL;
	struct buf one _cleanup_buf_ = BUF_INIT, two _cleanup_buf_ = BUF_INIT;

	assert_int_equal(bench_session_store(s, &a, &b, NULL), 0);
	json_parse(str_c(samples_text), "b", &y, NULL);
	json_dump(b, &one);
	json_dump(y, &two);
	assert_string_equal(buf_cstr(&one), buf_cstr(&two));
	/* The summary gets members that the text above leaves out; the rest is the same.
	 */
	struct bench_session *again _cleanup_bench_session_ = NULL;

	assert_int_equal(bench_session_parse(a, b, &again, NULL), 0);
	assert_int_equal(bench_session_store(again, &x, &z, NULL), 0);
	buf_reset(&one);
	buf_reset(&two);
	json_dump(a, &one);
	json_dump(x, &two);
	assert_string_equal(buf_cstr(&one), buf_cstr(&two));
}

/* A document from elsewhere with one thing changed is refused, never half read. */
static void test_corrupt(void **state)
{
	static const struct {
		const char *from, *to;
		bool samples;
	} cases[] = {
		{ "\"schema\":1", "\"schema\":2", false },
		{ "\"schema\":1", "\"schema\":0", false },
		{ "\"kernel\":1,\"block\":1", "\"kernel\":2,\"block\":1", false },
		{ "\"kernel\":1,\"block\":1", "\"kernel\":-1,\"block\":1", false },
		{ "\"block\":2,\"order\":1", "\"block\":3,\"order\":1", false },
		{ "\"blocks\":2", "\"blocks\":2000000000", false },
		{ "\"runs\":1", "\"runs\":0", false },
		{ "\"state\":\"OK\"", "\"state\":\"FINE\"", false },
		{ "\"name\":\"big\"", "\"name\":7", false },
		{ "\"host\":\"box\",", "", false },
		/* a name with a line of its own would be one of the cover letter */
		{ "\"name\":\"big\"", "\"name\":\"big\\n---\"", false },
		{ "\"host\":\"box\"", "\"host\":\"box\\u001b[2J\"", false },
		{ "\"unit\":\"ns\"", "\"unit\":\"ns\\r\"", false },
		{ "\"compiler\":\"gcc 12\"", "\"compiler\":\"gcc\\n12\"", false },
		{ "\"label\":\"p2\"", "\"label\":\"p\\n2\"", false },
		{ "\"date\":1796043600", "\"date\":9223372036854775807", false },
		{ "\"date\":1796043600", "\"date\":-1", false },
		{ "\"kernels\":[", "\"kernels\":[7,", false },
		{ "\"boots\":[", "\"boots\":[7,", false },
		{ "\"boot\":[0,0,1,2,3]", "\"boot\":[0,0,1,2,4]", true },
		{ "\"boot\":[0,0,1,2,3]", "\"boot\":[0,0,1,2]", true },
		{ "\"case\":[0,0,0,0,0]", "\"case\":[0,0,0,0,1]", true },
		{ "\"run\":[0,1,1,1,1]", "\"run\":[0,1,1,1,2]", true },
		{ "1000]", "-1]", true },
		{ "1000]", "null]", true },
		{ "1000]", "\"1000\"]", true },
		{ "1000]", "9223372036854775807]", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *text = cases[i].samples ? samples_text : summary_text;
		const char *at = strstr(text, cases[i].from);
		struct bench_session *s = NULL;
		struct err err _cleanup_err_ = ERR_INIT;

		assert_non_null(at);
		char *bad _cleanup_free_ =
			xasprintf("%.*s%s%s", (int)(at - text), text, cases[i].to,
				  at + strlen(cases[i].from));
		int rc = cases[i].samples ? parse(summary_text, bad, &s, &err)
					  : parse(bad, samples_text, &s, &err);

		if (rc != E_CORRUPT)
			fail_msg("%s: %d", cases[i].to, rc);
		assert_null(s);
	}
}

/* --- freshness --- */

static struct patch patches[2];
static struct series series;

static void fresh_setup(void)
{
	memset(patches, 0, sizeof(patches));
	memcpy(patches[0].patch_id, ID_1, OID_HEX);
	memcpy(patches[1].patch_id, ID_2, OID_HEX);
	memcpy(patches[1].tree, TREE_B, OID_HEX);
	series = (struct series){ .patches = patches, .n_patches = 2 };
}

static void test_stale(void **state)
{
	struct bench_session *s _cleanup_bench_session_ = good();
	struct buf why _cleanup_buf_ = BUF_INIT;

	fresh_setup();
	patches[1].patch_id[0] = '3';
	assert_int_equal(bench_freshness(s, &series, NULL, &why), FRESH_STALE);
	assert_string_equal(buf_cstr(&why), "patch 2 has changed");
	buf_reset(&why);
	fresh_setup();
	series.n_patches = 1;
	assert_int_equal(bench_freshness(s, &series, NULL, &why), FRESH_STALE);
	assert_string_equal(buf_cstr(&why), "measured with 2 patches, the series has 1");
	buf_reset(&why);
	fresh_setup();
	snprintf(s->key.bench_hash, sizeof(s->key.bench_hash), "beef");
	assert_int_equal(bench_freshness(s, &series, "cafe", &why), FRESH_STALE);
	assert_non_null(strstr(buf_cstr(&why), "benchmark"));
}

/* --- its table --- */

static void test_render(void **state)
{
	struct bench_session *s _cleanup_bench_session_ = good();
	struct buf a _cleanup_buf_ = BUF_INIT, b _cleanup_buf_ = BUF_INIT;
	struct err err _cleanup_err_ = ERR_INIT;

	if (bench_render(s, NULL, NULL, NULL, &a, &err))
		fail_msg("%s", err_msg(&err));
	assert_int_equal(bench_render(s, NULL, "table", "big", &b, &err), 0);
	assert_string_equal(buf_cstr(&a), buf_cstr(&b));
	assert_non_null(strstr(buf_cstr(&a), "-20")); /* 1000 -> 800 in both blocks */
	assert_non_null(strstr(buf_cstr(&a), "fewer"));
	assert_non_null(strstr(buf_cstr(&a), "fill page"));
	assert_null(strstr(buf_cstr(&a), "1100")); /* the warm-up is thrown away */
	assert_int_equal(bench_render(s, NULL, "table", "huge", &b, &err), E_NOTFOUND);
	assert_non_null(strstr(err_msg(&err), "big"));
	assert_int_equal(bench_render(s, NULL, "fancy", NULL, &b, &err), E_USAGE);
}

/* The instrument is the session's own, not today's setting. */
static void test_instrument(void **state)
{
	struct bench_session *s _cleanup_bench_session_ = good();
	struct instrument ins;

	s->delta_ppb = 5000000;
	assert_int_equal(bench_instrument(s, NULL, &ins, NULL), 0);
	assert_true(ins.delta > .00499 && ins.delta < .00501);
	assert_true(ins.q > .000099 && ins.q < .000101);
	s->delta_ppb = -1;
	assert_int_equal(bench_instrument(s, NULL, &ins, NULL), 0);
	assert_true(ins.delta > .00099 && ins.delta < .00101);
}

/* 1000 -> 1200 in both blocks is a finding, and so is a crash that base has not. */
static void test_findings(void **state)
{
	struct bench_session *s _cleanup_bench_session_ = good();
	struct bench_report *r _cleanup_bench_report_ = NULL,
			       *q _cleanup_bench_report_ = NULL;
	struct strvec list _cleanup_strvec_ = STRVEC_INIT;

	s->samples[4].proven = true;
	assert_int_equal(bench_report_of(s, NULL, &r, NULL), 0);
	assert_int_equal(bench_findings(r, &list), 0);
	s->samples[2].value = s->samples[3].value = 1200;
	s->boots[1].state = BOOT_CRASHED;
	assert_int_equal(bench_report_of(s, NULL, &q, NULL), 0);
	assert_int_equal(bench_findings(q, &list), 2);
	assert_non_null(strstr(list.v[0], "tiny big: more"));
	assert_non_null(strstr(list.v[1], "crashed"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),	 cmocka_unit_test(test_job),
		cmocka_unit_test(test_parse),	 cmocka_unit_test(test_round),
		cmocka_unit_test(test_corrupt),	 cmocka_unit_test(test_stale),
		cmocka_unit_test(test_render),	 cmocka_unit_test(test_instrument),
		cmocka_unit_test(test_findings), cmocka_unit_test(test_dropped),
	};

	return cmocka_run_group_tests_name("bench_session", tests, NULL, NULL);
}
