// SPDX-License-Identifier: GPL-2.0-or-later
/* test_opt.c - every kind of option, every way to write it, every error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/opt.h"

struct opts {
	bool each, edit, no_verify, resend, resume;
	const char *output, *color;
	struct strvec arch;
	int jobs;
};

static const char *const colors[] = { "auto", "always", "never", NULL };

static const struct opt table[] = {
	{ .name = "each",
	  .letter = 'e',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct opts, each),
	  .help = "every patch" },
	{ .name = "edit",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct opts, edit),
	  .help = "open the editor",
	  .negatable = true },
	{ .name = "no-verify",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct opts, no_verify),
	  .help = "send without the checks" },
	{ .name = "resend",
	  .letter = 'r',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct opts, resend),
	  .help = "send again" },
	{ .name = "resume",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct opts, resume),
	  .help = "go on" },
	{ .name = "output",
	  .letter = 'o',
	  .kind = OPT_STRING,
	  .offset = offsetof(struct opts, output),
	  .arg = "DIR",
	  .help = "write the mails there",
	  .negatable = true },
	{ .name = "color",
	  .kind = OPT_CHOICE,
	  .offset = offsetof(struct opts, color),
	  .choices = colors,
	  .help = "when to colour the answer" },
	{ .name = "arch",
	  .letter = 'a',
	  .kind = OPT_LIST,
	  .offset = offsetof(struct opts, arch),
	  .arg = "ARCH",
	  .help = "build for ARCH",
	  .negatable = true },
	{ .name = "jobs",
	  .letter = 'j',
	  .kind = OPT_INT,
	  .offset = offsetof(struct opts, jobs),
	  .lo = 1,
	  .hi = 4096,
	  .help = "at most N at a time" },
	OPT_END,
};

/* The words of a line, separated by blanks; "_" stands for an empty word. */
struct run {
	struct opts o;
	struct strvec words, args;
	struct err err;
	int rc;
	char *rest;
};

static void run_release(struct run *r)
{
	opt_release(table, &r->o);
	strvec_release(&r->words);
	strvec_release(&r->args);
	err_release(&r->err);
	free(r->rest);
}

static struct run run(const char *line)
{
	struct run r = { .o.jobs = 3, .o.color = "auto" };
	size_t i;

	strvec_split(&r.words, str_c(line), ' ');
	for (i = 0; i < r.words.n; i++)
		if (!strcmp(r.words.v[i], "_"))
			r.words.v[i][0] = '\0';
	r.rc = opt_parse(table, &r.o, (int)r.words.n, r.words.v, &r.args, &r.err);
	r.rest = strvec_join(&r.args, "|");
	return r;
}
#define RUN(line) __attribute__((cleanup(run_release))) struct run r = run(line)

static void test_nothing(void **state)
{
	RUN("");
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.args.n, 0);
	assert_int_equal(r.o.jobs, 3);
	assert_string_equal(r.o.color, "auto");
}

static void test_long(void **state)
{
	RUN("--each --output out --color=never --arch arm64 --arch=x86_64 --jobs 8 one");
	assert_int_equal(r.rc, 0);
	assert_true(r.o.each);
	assert_false(r.o.edit || r.o.resend || r.o.resume || r.o.no_verify);
	assert_string_equal(r.o.output, "out");
	assert_string_equal(r.o.color, "never");
	assert_int_equal(r.o.arch.n, 2);
	assert_string_equal(r.o.arch.v[0], "arm64");
	assert_string_equal(r.o.arch.v[1], "x86_64");
	assert_int_equal(r.o.jobs, 8);
	assert_string_equal(r.rest, "one");
}

static void test_short(void **state)
{
	RUN("-er -j16 -o dir -aarm64 -a x86_64");
	assert_int_equal(r.rc, 0);
	assert_true(r.o.each && r.o.resend);
	assert_int_equal(r.o.jobs, 16);
	assert_string_equal(r.o.output, "dir");
	assert_int_equal(r.o.arch.n, 2);
	assert_string_equal(r.o.arch.v[0], "arm64");
}

static void test_group_with_value(void **state)
{
	RUN("-erj 9 -eodir");
	assert_int_equal(r.rc, 0);
	assert_true(r.o.each && r.o.resend);
	assert_int_equal(r.o.jobs, 9);
	assert_string_equal(r.o.output, "dir");
}

static void test_mixed_and_end(void **state)
{
	RUN("one -e two - --jobs 2 -- --edit -r --");
	assert_int_equal(r.rc, 0);
	assert_true(r.o.each);
	assert_false(r.o.edit || r.o.resend);
	assert_string_equal(r.rest, "one|two|-|--edit|-r|--");
}

static void test_values_like_options(void **state)
{
	RUN("--output --each -o -- --output=a=b --arch _ -a -");
	assert_int_equal(r.rc, 0);
	assert_false(r.o.each);
	assert_string_equal(r.o.output, "a=b");
	assert_int_equal(r.o.arch.n, 2);
	assert_string_equal(r.o.arch.v[0], "");
	assert_string_equal(r.o.arch.v[1], "-");
}

static void test_empty_value(void **state)
{
	RUN("--output=");
	assert_int_equal(r.rc, 0);
	assert_string_equal(r.o.output, "");
}

static void test_abbreviation(void **state)
{
	RUN("--ea --resu --out d --j=5 --no-v --no-ed");
	assert_int_equal(r.rc, 0);
	assert_true(r.o.each && r.o.resume && r.o.no_verify);
	assert_false(r.o.resend || r.o.edit);
	assert_string_equal(r.o.output, "d");
	assert_int_equal(r.o.jobs, 5);
}

static void test_negation(void **state)
{
	RUN("--edit --no-edit --output x --no-output -a one --no-arch -a two");
	assert_int_equal(r.rc, 0);
	assert_false(r.o.edit);
	assert_null(r.o.output);
	assert_int_equal(r.o.arch.n, 1);
	assert_string_equal(r.o.arch.v[0], "two");
}

static void test_last_wins(void **state)
{
	RUN("--no-edit --edit -j1 -j2 -oa -ob --color never --color always");
	assert_int_equal(r.rc, 0);
	assert_true(r.o.edit);
	assert_int_equal(r.o.jobs, 2);
	assert_string_equal(r.o.output, "b");
	assert_string_equal(r.o.color, "always");
}

static void test_limits(void **state)
{
	RUN("-j1 -j4096 -j 0004");
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.o.jobs, 4);
}

/* A list whose value stands behind other options. */
static void test_later(void **state)
{
	static const struct {
		const char *line, *arch, *rest;
	} rows[] = {
		{ "--arch --output out arm64 one", "arm64", "one" },
		{ "--arch --outp=out arm64 one", "arm64", "one" },
		{ "-a -o out arm64", "arm64", "" },
		{ "--arch --resend -- arm64 one", "arm64", "one" },
		/* What is no option is a value as it was. */
		{ "--arch --other one", "--other", "one" },
		{ "--arch -x one", "-x", "one" },
		{ "--arch - one", "-", "one" },
		{ "--arch=--resend one", "--resend", "one" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		RUN(rows[i].line);
		assert_int_equal(r.rc, 0);
		assert_int_equal(r.o.arch.n, 1);
		assert_string_equal(r.o.arch.v[0], rows[i].arch);
		assert_string_equal(r.rest, rows[i].rest);
	}
}

static void test_errors(void **state)
{
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "--jobs x", "--jobs: expected a number from 1 to 4096, not 'x'" },
		{ "--jobs=0", "--jobs: expected a number from 1 to 4096, not '0'" },
		{ "-j4097", "-j: expected a number from 1 to 4096, not '4097'" },
		{ "-j 99999999999999999999",
		  "-j: expected a number from 1 to 4096, not '99999999999999999999'" },
		{ "--jobs 3x", "--jobs: expected a number from 1 to 4096, not '3x'" },
		{ "--jobs _", "--jobs: expected a number from 1 to 4096, not ''" },
		{ "--job=x", "--jobs: expected a number from 1 to 4096, not 'x'" },
		{ "--color red", "--color: expected auto, always or never, not 'red'" },
		{ "--color=", "--color: expected auto, always or never, not ''" },
		{ "--color=auto,",
		  "--color: expected auto, always or never, not 'auto,'" },
		{ "--output", "--output: expected DIR behind it" },
		{ "--arch --resend", "--arch: expected ARCH behind it" },
		{ "-a --arch --resend x", "--arch: expected ARCH behind it" },
		{ "-eo", "-o: expected DIR behind it" },
		{ "--jobs", "--jobs: expected N behind it" },
		{ "--color", "--color: expected auto|always|never behind it" },
		{ "--each=yes", "--each: expected no value, not 'yes'" },
		{ "--no-output=x", "--no-output: expected no value, not 'x'" },
		{ "--ouptut x", "unknown option --ouptut; did you mean --output?" },
		{ "--achr=arm64", "unknown option --achr; did you mean --arch?" },
		{ "--no-verfy", "unknown option --no-verfy; did you mean --no-verify?" },
		{ "--frobnicate", "unknown option --frobnicate; see -h for the options" },
		{ "--no-each", "unknown option --no-each; see -h for the options" },
		{ "--=x", "unknown option --; see -h for the options" },
		{ "-ex", "unknown option -x; see -h for the options" },
		{ "-\303\266", "unknown option -\303\266; see -h for the options" },
		{ "--res", "--res: could be --resend or --resume; write more of it" },
		{ "--e", "--e: could be --each or --edit; write more of it" },
		{ "--no", "--no: could be --no-edit or --no-verify; write more of it" },
		{ "--no-", "--no-: could be --no-edit or --no-verify; write more of it" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		RUN(rows[i].line);
		assert_int_equal(r.rc, E_USAGE);
		assert_int_equal(r.err.code, E_USAGE);
		assert_string_equal(err_msg(&r.err), rows[i].want);
	}
}

/* An optional value is glued on with "=" or is not there; the next word is never taken. */
static void test_optional(void **state)
{
	struct optional {
		const char *again;
	};
	static const struct opt rows[] = {
		{ .name = "again", .letter = 'a', .kind = OPT_OPTIONAL, .arg = "vN",
		  .offset = offsetof(struct optional, again), .help = "once more",
		  .negatable = true },
		OPT_END
	};
	static const struct {
		const char *words[3], *again, *arg;
	} cases[] = {
		{ { "x" }, NULL, "x" },
		{ { "--again", "v2" }, "", "v2" },
		{ { "--again=v2" }, "v2", NULL },
		{ { "--again=" }, "", NULL },
		{ { "-a", "v2" }, "", "v2" },
		{ { "-av2" }, "v2", NULL },
		{ { "--again=v2", "--no-again" }, NULL, NULL },
		{ { "--ag", "x" }, "", "x" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strvec args _cleanup_strvec_ = STRVEC_INIT;
		struct optional o = { NULL };
		char *words[3];
		int n = 0;

		for (; n < 3 && cases[i].words[n]; n++)
			words[n] = (char *)cases[i].words[n];
		assert_int_equal(opt_parse(rows, &o, n, words, &args, NULL), 0);
		assert_int_equal(!o.again, !cases[i].again);
		if (o.again)
			assert_string_equal(o.again, cases[i].again);
		assert_int_equal(args.n, cases[i].arg ? 1 : 0);
		if (args.n)
			assert_string_equal(args.v[0], cases[i].arg);
	}
	struct buf b _cleanup_buf_ = BUF_INIT;

	opt_help(rows, &b);
	assert_string_equal(buf_cstr(&b), "  -a, --[no-]again[=vN]  once more\n");
}

static void test_help(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	opt_help(table, &b);
	assert_string_equal(buf_cstr(&b),
			    "  -e, --each             every patch\n"
			    "      --[no-]edit        open the editor\n"
			    "      --no-verify        send without the checks\n"
			    "  -r, --resend           send again\n"
			    "      --resume           go on\n"
			    "  -o, --[no-]output DIR  write the mails there\n"
			    "      --color auto|always|never\n"
			    "                         when to colour the answer\n"
			    "  -a, --[no-]arch ARCH   build for ARCH\n"
			    "  -j, --jobs N           at most N at a time\n");
}

/* Help that would pass column 80 goes on below itself. */
static void test_help_wraps(void **state)
{
	static const struct opt rows[] = {
		{ .name = "base", .kind = OPT_STRING, .arg = "REF",
		  .help = "branch the patches were started from, or the commit before "
			  "the first one" },
		{ .name = "fits", .kind = OPT_FLAG,
		  .help = "short" },
		OPT_END
	};
	struct buf b _cleanup_buf_ = BUF_INIT;

	opt_help(rows, &b);
	assert_string_equal(
		buf_cstr(&b),
		"      --base REF  branch the patches were started from, or the commit "
		"before the\n"
		"                  first one\n"
		"      --fits      short\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_group_with_value),
		cmocka_unit_test(test_mixed_and_end),
		cmocka_unit_test(test_values_like_options),
		cmocka_unit_test(test_empty_value),
		cmocka_unit_test(test_abbreviation),
		cmocka_unit_test(test_negation),
		cmocka_unit_test(test_last_wins),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_optional),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_help_wraps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
