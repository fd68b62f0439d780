// SPDX-License-Identifier: GPL-2.0-or-later
/* Warnings of a build and its first error, from lines as kbuild and gcc print them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../../lib/build/internal.h"

static void feed(struct warndb *db, const char *text)
{
	struct str rest = str_c(text), line;

	while (str_line(&rest, &line))
		warndb_line(db, line);
}

static void test_steps(void **state)
{
	struct str o;

	assert_true(step_line(STR_LIT("  CC      mm/rmap.o"), &o));
	assert_true(str_eqc(o, "mm/rmap.o"));
	assert_true(step_line(STR_LIT("  CC [M]  drivers/net/tun.o"), &o));
	assert_true(str_eqc(o, "drivers/net/tun.o"));
	assert_true(step_line(STR_LIT("  LD      .tmp_vmlinux1"), &o));
	assert_true(step_line(STR_LIT("  KSYMS   .tmp_vmlinux0.kallsyms.S"), &o));
	assert_false(step_line(STR_LIT("  123 |         int x;"), &o));
	assert_false(step_line(STR_LIT("  Kernel: arch/x86/boot/bzImage"), &o));
	assert_false(step_line(STR_LIT("make[1]: Entering directory"), &o));
	assert_false(step_line(STR_LIT(""), &o));
}

static void test_last_compilation_counts(void **state)
{
	struct warndb db = WARNDB_INIT;
	_cleanup_strvec_ struct strvec all = STRVEC_INIT, again = STRVEC_INIT;
	_cleanup_buf_ struct buf text = BUF_INIT;
	struct warndb copy = WARNDB_INIT;

	feed(&db,
	     "  CC      mm/rmap.o\n"
	     "../mm/rmap.c: In function 'f':\n"
	     "../mm/rmap.c:12:3: warning: unused variable 'x' [-Wunused-variable]\n"
	     "   12 |   int x;\n"
	     "  CC      mm/swap.o\n"
	     "../mm/swap.c:7:1: warning: 'g' defined but not used [-Wunused-function]\n"
	     "  LD      vmlinux\n"
	     "ld: warning: orphan section `.x' from `mm/rmap.o' being placed\n"
	     "WARNING: modpost: vmlinux: section mismatch in reference: a+0x10\n");
	/* mm/rmap.o again, clean now; the rest stands. */
	feed(&db, "  CC      mm/rmap.o\n");
	warndb_all(&db, &all);
	assert_int_equal(all.n, 3);
	assert_string_equal(
		all.v[0],
		"WARNING: modpost: vmlinux: section mismatch in reference: a+0x10");
	assert_string_equal(
		all.v[1],
		"ld: warning: orphan section `.x' from `mm/rmap.o' being placed");
	assert_string_equal(
		all.v[2],
		"mm/swap.c:7:1: warning: 'g' defined but not used [-Wunused-function]");
	/* What is written reads back as the same. */
	warndb_dump(&db, &text);
	feed(&copy, buf_cstr(&text));
	warndb_all(&copy, &again);
	assert_int_equal(again.n, 3);
	assert_string_equal(again.v[2], all.v[2]);
	warndb_release(&db);
	warndb_release(&copy);
}

static void test_header_warning_once(void **state)
{
	struct warndb db = WARNDB_INIT;
	_cleanup_strvec_ struct strvec all = STRVEC_INIT;

	feed(&db, "  CC      mm/a.o\n../include/mm.h:3:5: warning: w\n"
		  "  CC      mm/b.o\n../include/mm.h:3:5: warning: w\n");
	warndb_all(&db, &all);
	assert_int_equal(all.n, 1);
	warndb_release(&db);
}

static void test_new(void **state)
{
	_cleanup_strvec_ struct strvec old = STRVEC_INIT, now = STRVEC_INIT,
				       new = STRVEC_INIT;

	strvec_pushl(&old, "mm/rmap.c:12:3: warning: unused variable 'x'",
		     "mm/rmap.c:90:3: warning: unused variable 'y'", NULL);
	/* x moved, y moved and came a second time, z is new. */
	strvec_pushl(&now, "mm/rmap.c:14:3: warning: unused variable 'x'",
		     "mm/rmap.c:92:3: warning: unused variable 'y'",
		     "mm/rmap.c:99:3: warning: unused variable 'y'",
		     "mm/rmap.c:50:9: warning: unused variable 'z'", NULL);
	warnings_new(&old, &now, &new);
	assert_int_equal(new.n, 2);
	assert_string_equal(new.v[0], "mm/rmap.c:99:3: warning: unused variable 'y'");
	assert_string_equal(new.v[1], "mm/rmap.c:50:9: warning: unused variable 'z'");
}

static void test_new_same_line(void **state)
{
	_cleanup_strvec_ struct strvec old = STRVEC_INIT, now = STRVEC_INIT,
				       new = STRVEC_INIT;

	/* The one that stands where it stood is the old one, whatever the order. */
	strvec_push(&old, "a.c:20:1: warning: w");
	strvec_pushl(&now, "a.c:10:1: warning: w", "a.c:20:1: warning: w", NULL);
	warnings_new(&old, &now, &new);
	assert_int_equal(new.n, 1);
	assert_string_equal(new.v[0], "a.c:10:1: warning: w");
}

static void test_first_error(void **state)
{
	_cleanup_free_ char *e = first_error(STR_LIT(
		"  CC      mm/swap.o\n"
		"  CC      mm/rmap.o\n"
		"In file included from ../mm/rmap.c:1:\n"
		"../include/mm.h: In function 'f':\n"
		"../include/mm.h:3:9: error: 'y' undeclared\n"
		"    3 |  return y;\n"
		"      |         ^\n"
		"../include/mm.h:3:9: note: each undeclared identifier\n"
		"../mm/rmap.c:8:1: error: another\n"
		"make[3]: *** [../scripts/Makefile.build:229: mm/rmap.o] Error 1\n"));

	assert_string_equal(e, "In file included from ../mm/rmap.c:1:\n"
			       "include/mm.h: In function 'f':\n"
			       "include/mm.h:3:9: error: 'y' undeclared\n"
			       "    3 |  return y;\n"
			       "      |         ^\n"
			       "include/mm.h:3:9: note: each undeclared identifier");
}

static void test_first_error_link(void **state)
{
	_cleanup_free_ char *e = first_error(STR_LIT(
		"  LD      .tmp_vmlinux1\n"
		"ld: mm/rmap.o: in function `f':\n"
		"rmap.c:(.text+0x4): undefined reference to `g'\n"
		"make[2]: *** [../scripts/Makefile.vmlinux:34: vmlinux] Error 1\n"));

	assert_string_equal(e, "ld: mm/rmap.o: in function `f':\n"
			       "rmap.c:(.text+0x4): undefined reference to `g'");
}

static void test_first_error_make(void **state)
{
	_cleanup_free_ char *e = first_error(STR_LIT(
		"  HOSTCC  scripts/x\n/bin/sh: 1: bc: not found\n"
		"make[2]: *** [../Kbuild:24: include/generated/timeconst.h] Error 127\n"
		"make[1]: *** [../Makefile:1] Error 2\n"));

	assert_string_equal(e, "/bin/sh: 1: bc: not found\n"
			       "make[2]: *** [../Kbuild:24: "
			       "include/generated/timeconst.h] Error 127");
	assert_null(first_error(STR_LIT("  CC      a.o\nall is well\n")));
}

static void test_machine(void **state)
{
	struct str line;

	assert_true(machine_error(
		STR_LIT("  CC      a.o\n../a.c:1: fatal error: error writing "
			"to /tmp/x.s: No space left on device\n"),
		&line));
	assert_true(str_starts(line, "../a.c:1"));
	assert_false(machine_error(STR_LIT("../a.c:1:1: error: x\n"), &line));
	/* gcc 12 on a pr_err() of that text: the code says it, not the machine */
	assert_false(machine_error(
		STR_LIT("../a.c:4:9: error: 'x' undeclared\n"
			"    4 |         pr_err(\"Cannot allocate memory\\n\", x);\n"
			"../a.c:5:9: warning: 'No space left on device' is long\n"),
		&line));
}

/* A line of a megabyte is cut, wherever it comes. */
static void test_long_lines(void **state)
{
	_cleanup_buf_ struct buf log = BUF_INIT;
	_cleanup_strvec_ struct strvec all = STRVEC_INIT;
	struct warndb db = WARNDB_INIT;

	buf_puts(&log, "a.c:1:1: warning: ");
	buf_fill(&log, 'x', 1 << 20);
	assert_true(warndb_line(&db, buf_str(&log)));
	warndb_all(&db, &all);
	assert_int_equal(all.n, 1);
	assert_int_equal(strlen(all.v[0]), 1000);
	warndb_release(&db);
	buf_reset(&log);
	buf_puts(&log, "a.c:1:1: error: ");
	buf_fill(&log, 'x', 1 << 20);
	_cleanup_free_ char *e = first_error(buf_str(&log));

	assert_int_equal(strlen(e), 1000);
}

static void test_hostile_paths(void **state)
{
	static const char *const bad[] = { "--eval=x.c", "CC=evil.c", "a b.c", "$(x).c",
					   "a/../../b.c", "../a.c", "/a.c", "a\n.c", "%.c",
					   "" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(judge_plain_path(str_c(bad[i])));
	assert_true(judge_plain_path(STR_LIT("arch/x86/lib/x86-opcode_map.c")));
	assert_true(judge_plain_path(STR_LIT("drivers/clk/st,stm32..c")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_last_compilation_counts),
		cmocka_unit_test(test_header_warning_once),
		cmocka_unit_test(test_new),
		cmocka_unit_test(test_new_same_line),
		cmocka_unit_test(test_first_error),
		cmocka_unit_test(test_first_error_link),
		cmocka_unit_test(test_first_error_make),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_hostile_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
