// SPDX-License-Identifier: GPL-2.0-or-later
/* test_robot.c - who is a program, and what it reports. Worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/robot.h"

static void test_names(void **state)
{
	static const struct {
		const char *head, *robot;
	} rows[] = {
		{ "From: kernel test robot <robot@example.org>\n", "kernel test robot" },
		{ "From: LKP <lkp@example.org>\n", "kernel test robot" },
		{ "From:   syzbot <syzbot+0123@example.org>\n", "syzbot" },
		{ "From: syzbot ci <syzbot+ci01@example.org>\n", "syzbot" },
		{ "From: sashiko-bot@example.org\n", "AI review" },
		{ "From: bot+bpf-ci@example.org\n", "AI review" },
		{ "From: Claude Code <cc@example.org>\n", "AI review" },
		{ "From: Claude Able <claude@example.org>\n", NULL },
		{ "From: patchwork-bot+mm@example.org\n", "patchwork" },
		{ "From: pr-tracker-bot@example.org\n", "pull request tracker" },
		{ "From: \"tip-bot2 for Ada Able\" <tip-bot2@example.org>\n", "tip" },
		{ "From: bugzilla-daemon@example.org\n", "bugzilla" },
		{ "From: Some <build-bot@example.org>\n", "robot" },
		{ "From: helper[bot] <x@example.org>\n", "robot" },
		{ "From: Ada <ada@example.org>\nAuto-Submitted: auto-replied\n",
		  "robot" },
		{ "From: Ada <ada@example.org>\nAuto-Submitted: no\n", NULL },
		{ "From: Ada <ada@example.org>\n"
		  "Subject: Patch \"mm: x\" has been added to the 6.1-stable tree\n",
		  "stable queue" },
		{ "From: Ada <ada@example.org>\nSubject: FAILED: patch \"[PATCH] x\" "
		  "failed to "
		  "apply to 6.1\n",
		  "stable queue" },
		{ "From: Ada <ada@example.org>\n"
		  "Subject: + mm-x.patch added to mm-unstable branch\n",
		  "-mm queue" },
		{ "From: Ada <ada@example.org>\n"
		  "Subject: [merged mm-stable] mm-x.patch removed from -mm tree\n",
		  "-mm queue" },
		{ "From: Ada Abbot <abbot@example.org>\n", NULL },
		{ "From: Ada Able <ada@example.org>\nSubject: Re: [PATCH] x\n", NULL },
		{ "Subject: x\n", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *raw _cleanup_free_ = xasprintf("%s\ntext\n", rows[i].head);
		struct mail m;

		mail_scan(str_c(raw), FROM_PLAIN, &m);
		if (!rows[i].robot || !robot_name(&m))
			assert_ptr_equal(robot_name(&m), rows[i].robot);
		else
			assert_string_equal(robot_name(&m), rows[i].robot);
	}
}

#define LKP "From: kernel test robot <lkp@example.org>\n"
#define SYZ "From: syzbot <syzbot@example.org>\n"
#define AI  "From: sashiko-bot@example.org\n"

static void test_reports(void **state)
{
	static const struct {
		const char *raw, *summary;
		bool good;
	} rows[] = {
		{ LKP "\nHi,\n\nkernel test robot noticed the following build errors:\n\n"
		      "   mm/x.c: in function y\n>> mm/x.c:1:2: error: z\n",
		  "mm/x.c:1:2: error: z", false },
		{ LKP "\nkernel test robot noticed a 2% regression of x.ops on:\n",
		  "a 2% regression of x.ops on:", false },
		{ LKP "\nkernel test robot noticed the following build warnings:\n\n"
		      "mm/x.c:3:1: warning: unused\n",
		  "mm/x.c:3:1: warning: unused", false },
		{ LKP "Subject: [x:y] BUILD SUCCESS 0123\n\nall\n",
		  "[x:y] BUILD SUCCESS 0123", true },
		{ SYZ "Subject: [syzbot] x\n\nHello,\n\nWARNING: CPU: 0 at mm/x.c:1\n",
		  "WARNING: CPU: 0 at mm/x.c:1", false },
		{ SYZ "Subject: Re: x\n\nthe reproducer did not trigger any issue:\n\n"
		      "Tested-by: syzbot@example.org\n",
		  "Re: x", true },
		{ AI "\nThanks! Review found 1 potential issue(s):\n- [High] It "
		     "leaks.\n--\n",
		  "[High] It leaks.", false },
		{ AI "\n> int x;\n\n[ ... ]\n\nCan it be NULL?\n", "Can it be NULL?",
		  false },
		{ AI "Subject: Re: y\n\nNo issues found.\n", "Re: y", true },
		{ "From: patchwork-bot@example.org\nSubject: Re: x\n\nHello:\n\n"
		  "This series was applied to x/y.git (main)\nby Ada:\n",
		  "This series was applied to x/y.git (main)", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct robot_report r;
		struct mail m;

		mail_scan(str_c(rows[i].raw), FROM_PLAIN, &m);
		assert_true(robot_read(&m, &r));
		assert_string_equal(r.robot, robot_name(&m));
		assert_string_equal(r.summary, rows[i].summary);
		assert_int_equal(r.good, rows[i].good);
		robot_report_release(&r);
	}
}

static void test_none(void **state)
{
	static const char *const raw[] = {
		"From: Ada Able <ada@example.org>\n\nWARNING: CPU: 0\n",
		SYZ "Subject: [syzbot] Monthly mm report\n\nBUG: x\n",
		"",
	};

	for (size_t i = 0; i < ARRAY_SIZE(raw); i++) {
		struct robot_report r;
		struct mail m;

		mail_scan(str_c(raw[i]), FROM_PLAIN, &m);
		assert_false(robot_read(&m, &r));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
