// SPDX-License-Identifier: GPL-2.0-or-later
/* test_bench_def.c: definitions read from files written here, and proofs judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "series/benchdef.h"
#include "series/fs.h"
#include "series/mem.h"

static char *dir;

static int set_up(void **state)
{
	return fs_tmpdir("benchdef", &dir, NULL);
}

static int tear_down(void **state)
{
	int rc = fs_rmtree(dir, NULL);

	free(dir);
	return rc;
}

static void put(const char *name, const char *text)
{
	char *path _cleanup_free_ = path_join(dir, name);

	assert_int_equal(fs_write_atomic(path, text, strlen(text), 0644, NULL), 0);
}

static const char good[] =
	"[bench]\n\tname = tiny\n\tsummary = a tiny one\n\tsource = tiny.c\n"
	"\tcases = big\n\truns = 3\n\twarmup = 1\n\tblocks = 4\n\ttimeout = 9\n"
	"\tmemory = 64\n\tpage-size = 4096\n"
	"[metric \"took\"]\n\tpattern = ^took_ns ([0-9]+)$\n\tunit = ns\n\tbetter = "
	"lower\n"
	"[setup]\n\tcommand = compact\n\tcommand = dropcaches\n"
	"[counter \"pages\"]\n\tpath = /proc/vmstat\n\tkey = pswpout\n"
	"[case \"big\"]\n\tsummary = large\n\tfill = page\n\targs = -m 4\n"
	"\tsetup = write /sys/x always\n\tproof = pages >= 99% of 4097\n"
	"\tproof = pages <= 1% of 99\n\tproof = pages = 7\n"
	"[case \"small\"]\n\targs = -m 1\n";

static struct bench_def *load(const char *conf)
{
	struct bench_def *d = NULL;
	struct err err _cleanup_err_ = ERR_INIT;

	put("bench.conf", conf);
	put("tiny.c", "int main(void) { return 0; }\n");
	if (bench_def_load(dir, &d, &err))
		fail_msg("%s", err_msg(&err));
	return d;
}

static void test_good(void **state)
{
	struct bench_def *d _cleanup_bench_def_ = load(good);
	const struct bench_case *c = bench_def_case(d, "big");

	assert_string_equal(d->name, "tiny");
	assert_string_equal(d->summary, "a tiny one");
	assert_int_equal(d->runs, 3);
	assert_int_equal(d->warmup, 1);
	assert_int_equal(d->blocks, 4);
	assert_int_equal(d->timeout_s, 9);
	assert_int_equal(d->memory_mib, 64);
	assert_int_equal(d->page_size, 4096);
	assert_int_equal(d->n_metrics, 1);
	assert_string_equal(d->metrics[0].unit, "ns");
	assert_false(d->metrics[0].higher_better);
	assert_int_equal(d->setup.n, 2);
	assert_string_equal(d->setup.v[0], "compact");
	assert_int_equal(d->n_counters, 1);
	assert_string_equal(d->counters[0].key, "pswpout");
	assert_int_equal(d->default_cases.n, 1);
	assert_int_equal(d->n_cases, 2);
	assert_non_null(c);
	assert_string_equal(c->args, "-m 4");
	assert_int_equal(c->n_proofs, 3);
	/* 99 % of 4097 is 4056.03: a lower limit goes up; 1 % of 99 is .99: an upper goes
	 * down */
	assert_int_equal(c->proofs[0].limit, 4057);
	assert_int_equal(c->proofs[0].op, PROOF_GE);
	assert_int_equal(c->proofs[1].limit, 0);
	assert_int_equal(c->proofs[1].op, PROOF_LE);
	assert_int_equal(c->proofs[2].limit, 7);
	assert_int_equal(c->proofs[2].op, PROOF_EQ);
	assert_null(bench_def_case(d, "none"));
	assert_int_equal(strlen(d->hash), 64);
}

/* Whatever decides what is measured decides the hash. */
static void test_hash(void **state)
{
	struct bench_def *a _cleanup_bench_def_ = load(good),
			    *b _cleanup_bench_def_ = NULL, *c _cleanup_bench_def_ = NULL,
			    *d _cleanup_bench_def_ = NULL;
	char *more _cleanup_free_ = xasprintf("%s\n# a remark\n", good);

	b = load(good);
	assert_string_equal(a->hash, b->hash);
	c = load(more);
	assert_string_not_equal(a->hash, c->hash);
	put("bench.conf", good);
	put("tiny.c", "int main(void) { return 1; }\n");
	assert_int_equal(bench_def_load(dir, &d, NULL), 0);
	assert_string_not_equal(a->hash, d->hash);
}

/* Each is refused, and the message names the file and what is wrong. */
static void test_bad(void **state)
{
	static const struct {
		const char *from, *to, *words;
	} cases[] = {
		{ "runs = 3", "runs = many", "bench.runs: expected a number" },
		{ "runs = 3", "runs = 0", "bench.runs" },
		{ "summary = a tiny one", "sumary = a tiny one", "bench.sumary" },
		{ "cases = big", "cases = big huge", "bench.cases" },
		{ "([0-9]+)", "[0-9]+", "group" },
		{ "([0-9]+)", "([0-9]+", "pattern" },
		{ "better = lower", "better = less", "metric.took.better" },
		{ "99% of 4097", "most of 4097", "case.big.proof" },
		{ "pages = 7", "pages == 7", "one of >=" },
		{ "name = tiny", "name = ../tiny", "the name is one word" },
		{ "name = tiny", "name = ..", "the name is one word" },
		{ "name = tiny", "name = \"a b\"", "the name is one word" },
		{ "source = tiny.c", "source = ..", "file beside bench.conf" },
		/* a value with a line of its own would be a command of the guest's job */
		{ "args = -m 4", "args = \"-m 4\\ndone\"", "one line" },
		{ "command = compact", "command = \"compact\\nwrite /a b\"", "one line" },
		{ "write /sys/x always", "\"write /sys/x a\\nforget\"", "one line" },
		{ "key = pswpout", "key = \"a\\ndone\"", "one line" },
		{ "key = pswpout", "key = pswpout more", "is one word" },
		{ "path = /proc/vmstat", "path = /proc/vmstat x", "without blanks" },
		{ "path = /proc/vmstat", "path = proc/vmstat", "absolute path" },
		{ "[counter \"pages\"]", "[counter \"pages now\"]", "name of a counter" },
		{ "[counter \"pages\"]", "[counter \"pages=1\"]", "name of a counter" },
		/* a proof by a counter that nobody reads */
		{ "pages = 7", "page = 7", "there is no [counter \"page\"]" },
		{ "[setup]", "[set]", "no such section" },
		{ "source = tiny.c", "source = missing.c", "missing.c" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *at = strstr(good, cases[i].from);
		struct bench_def *d = NULL;
		struct err err _cleanup_err_ = ERR_INIT;

		assert_non_null(at);
		char *text _cleanup_free_ =
			xasprintf("%.*s%s%s", (int)(at - good), good, cases[i].to,
				  at + strlen(cases[i].from));
		put("bench.conf", text);
		assert_true(bench_def_load(dir, &d, &err) < 0);
		if (!strstr(err_msg(&err), cases[i].words) || !strstr(err_msg(&err), dir))
			fail_msg("%s: %s", cases[i].to, err_msg(&err));
	}
}

static void test_missing(void **state)
{
	struct bench_def *d = NULL;
	struct err err _cleanup_err_ = ERR_INIT;

	assert_int_equal(bench_def_load("nosuch", &d, &err), E_NOTFOUND);
	assert_non_null(strstr(err_msg(&err), "swapout"));
}

/* The one that is shipped, by the numbers of the design. */
static void test_swapout(void **state)
{
	struct bench_def *d _cleanup_bench_def_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	const struct bench_case *c;
	int64_t limit = 0;

	if (bench_def_load("swapout", &d, &err))
		fail_msg("%s", err_msg(&err));
	c = bench_def_case(d, "64K");
	assert_non_null(c);
	for (size_t i = 0; i < c->n_proofs; i++)
		if (!strcmp(c->proofs[i].counter, "64kB-swpout"))
			limit = c->proofs[i].limit;
	assert_int_equal(limit, 4056); /* 99 % of 256 MiB / 64 KiB, rounded up */
	assert_int_equal(d->default_cases.n, 4);
	assert_int_equal(d->page_size, 4096);
}

static void test_value(void **state)
{
	struct bench_metric m = { .name = "took", .pattern = "^took_ns ([0-9]+)$" };
	int64_t v = -5;

	assert_true(bench_metric_value(&m, STR_LIT("x\ntook_ns 12\ny took_ns 3\n"), &v));
	assert_int_equal(v, 12);
	assert_true(bench_metric_value(&m, STR_LIT("took_ns 1\ntook_ns 2"), &v));
	assert_int_equal(v, 2);
	assert_false(bench_metric_value(&m, STR_LIT("took_ns 0\n"), &v));
	assert_false(bench_metric_value(&m, STR_LIT(""), &v));
	assert_false(
		bench_metric_value(&m, STR_LIT("took_ns 99999999999999999999\n"), &v));
	assert_int_equal(v, 2);
}

static enum proof_state judge(const struct bench_case *c, const char *counters,
			      struct buf *why)
{
	struct json *j _cleanup_json_ = NULL;

	assert_int_equal(json_parse(str_c(counters), "test", &j, NULL), 0);
	buf_reset(why);
	return bench_proof(c, j, why);
}

static void test_proof(void **state)
{
	struct proof_rule rules[] = {
		{ (char *)"made", PROOF_GE, 4056, (char *)"made >= 99% of 4096" },
		{ (char *)"lost", PROOF_LE, 40, (char *)"lost <= 1% of 4096" },
		{ (char *)"none", PROOF_EQ, 0, (char *)"none = 0" }
	};
	struct bench_case c = { .name = (char *)"x", .proofs = rules, .n_proofs = 3 };
	struct bench_case bare = { .name = (char *)"y" };
	struct buf why _cleanup_buf_ = BUF_INIT;

	assert_int_equal(judge(&c, "{\"made\":4056,\"lost\":40,\"none\":0}", &why),
			 PROOF_MET);
	assert_int_equal(judge(&c, "{\"made\":4055,\"lost\":0,\"none\":0}", &why),
			 PROOF_NOT_MET);
	assert_string_equal(buf_cstr(&why), "made is 4055, expected >= 99% of 4096");
	assert_int_equal(judge(&c, "{\"made\":4096,\"lost\":41,\"none\":0}", &why),
			 PROOF_NOT_MET);
	assert_int_equal(judge(&c, "{\"made\":4096,\"lost\":0,\"none\":1}", &why),
			 PROOF_NOT_MET);
	assert_int_equal(judge(&c, "{\"made\":4096,\"lost\":0,\"none\":-1}", &why),
			 PROOF_NOT_MET);
	assert_int_equal(judge(&c, "{\"made\":4096,\"lost\":null,\"none\":0}", &why),
			 PROOF_ABSENT);
	assert_int_equal(judge(&c, "{\"made\":4096,\"none\":0}", &why), PROOF_ABSENT);
	assert_non_null(strstr(buf_cstr(&why), "lost"));
	assert_int_equal(judge(&bare, "{}", &why), PROOF_MET);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	cmocka_unit_test(test_hash),
		cmocka_unit_test(test_bad),	cmocka_unit_test(test_missing),
		cmocka_unit_test(test_swapout), cmocka_unit_test(test_value),
		cmocka_unit_test(test_proof),
	};

	return cmocka_run_group_tests_name("bench_def", tests, set_up, tear_down);
}
