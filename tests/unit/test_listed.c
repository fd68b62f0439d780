// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_listed.c - posted series as rows. Mails of ours; what is expected was written down
 * from reading them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/listed.h"
#include "series/mem.h"

#define AUTHOR	 "Ada Author <ada@example.org>"
#define REVIEWER "Rita Reviewer <Rita@example.org>"
#define TESTER	 "Tom Tester <tom@example.org>"
#define ROBOT	 "kernel test robot <lkp@intel.com>"

/* One minute later than the mail before; day: of January 2024. */
static void add(struct thread *t, int day, const char *id, const char *parent,
		const char *from, const char *subject, const char *text)
{
	struct buf raw _cleanup_buf_ = BUF_INIT;
	struct mail m;

	buf_printf(&raw,
		   "From: %s\nTo: Mara Maintainer <mara@example.org>\n"
		   "Cc: list@example.org, Rita <rita@example.org>\n"
		   "Message-ID: <%s@h>\nSubject: %s\n",
		   from, id, subject);
	if (parent)
		buf_printf(&raw, "In-Reply-To: <%s@h>\n", parent);
	buf_printf(&raw, "Date: %d Jan 2024 %02zu:%02zu:00 +0000\n\n%s", day,
		   8 + t->n / 60, t->n % 60, text);
	mail_scan(buf_str(&raw), FROM_PLAIN, &m);
	thread_add(t, &m);
}

/* A patch of one line to FILE, in FUNC. */
static void add_patch(struct thread *t, int day, const char *id, const char *parent,
		      const char *subject, const char *tags, const char *file,
		      const char *func, const char *line)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	buf_printf(&text,
		   "Why.\n\n%sSigned-off-by: " AUTHOR "\n---\n %s | 2 +-\n\n"
		   "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n"
		   "@@ -10,3 +10,3 @@ %s\n \tint n;\n-\tn = 1;\n+\t%s\n \treturn n;\n"
		   "-- \n2.39\n",
		   tags, file, file, file, file, file, func, line);
	add(t, day, id, parent, AUTHOR, subject, buf_cstr(&text));
}

static void add_v1(struct thread *t)
{
	add(t, 1, "c1", NULL, AUTHOR, "[PATCH 0/2] Count pages",
	    "Two patches.\n\nchange-id: 20240101-count-000000000001\n"
	    "base-commit: 0123456789abcdef0123456789abcdef01234567\n");
	add_patch(t, 1, "a1", "c1", "[PATCH 1/2] mm: count", "", "mm/count.c",
		  "static int count(void)", "n = 2;");
	add_patch(t, 1, "b1", "c1", "[PATCH 2/2] mm: use", "", "mm/use.c",
		  "struct use *use(int n)", "n = 3;");
}

/* The first is as it was, the second is another. */
static void add_v2(struct thread *t)
{
	add(t, 9, "c2", NULL, AUTHOR, "[PATCH v2 0/2] Count pages",
	    "Two patches.\n\nchange-id: 20240101-count-000000000001\n");
	add_patch(t, 9, "a2", "c2", "[PATCH v2 1/2] mm: count", "", "mm/count.c",
		  "static int count(void)", "n = 2;");
	add_patch(t, 9, "b2", "c2", "[PATCH v2 2/2] mm: use", "Tested-by: " TESTER "\n",
		  "mm/use.c", "struct use *use(int n)", "n = 4;");
}

static void rows(struct thread *t, struct listed_all *ret)
{
	struct posted p _cleanup_posted_ = { 0 };

	thread_link(t);
	posted_find(t, &p);
	listed_find(t, &p, ret);
}

static void check_list(const struct strvec *v, const char *want)
{
	char *is _cleanup_free_ = strvec_join(v, "|");

	assert_string_equal(is, want);
}

/* What the posting itself says. */
static void test_posted(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct listed_all all _cleanup_listed_all_ = { 0 };
	const struct listed *l;

	(void)state;
	add_v1(&t);
	add_v2(&t);
	rows(&t, &all);
	assert_int_equal(all.n, 1);
	l = &all.v[0];
	assert_string_equal(l->message_id, "c2@h");
	assert_string_equal(l->first_id, "c1@h");
	assert_string_equal(l->change_id, "20240101-count-000000000001");
	assert_string_equal(l->label, "v2");
	assert_string_equal(l->title, "Count pages");
	assert_string_equal(l->email, "ada@example.org");
	assert_int_equal(l->versions, 2);
	assert_int_equal(l->total, 2);
	assert_int_equal(l->missing, 0);
	/* date -u -d '2024-01-01 08:00' +%s and '2024-01-09 08:03' */
	assert_int_equal(l->first, 1704096000);
	assert_int_equal(l->posted, 1704787380);
	/* the last patch, '2024-01-09 08:05' */
	assert_int_equal(l->last, 1704787500);
	assert_int_equal(l->last_word, WORD_AUTHOR);
	assert_string_equal(l->last_id, "b2@h");
	assert_string_equal(l->last_answers, "ada@example.org");
	assert_null(l->base_commit);
	check_list(&l->files, "mm/count.c|mm/use.c");
	check_list(&l->funcs, "mm/count.c\tcount|mm/use.c\tuse");
	check_list(&l->people, "ada@example.org");
	check_list(&l->to, "list@example.org|mara@example.org|rita@example.org");
	check_list(&l->mail_ids, "a2@h|b2@h");
	assert_int_equal(l->patch_ids.n, 2);
	assert_int_equal(strlen(l->patch_ids.v[1]), 40);
	/* Tom's, of the message */
	assert_int_equal(l->tested, 1);
	assert_int_equal(l->covered, 0);
}

static void test_base_missing(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct listed_all all _cleanup_listed_all_ = { 0 };

	(void)state;
	add(&t, 1, "c1", NULL, AUTHOR, "[RFC PATCH 0/2] Count pages",
	    "base-commit: 012345\nbase-commit: 0123456\n");
	add_patch(&t, 1, "a1", "c1", "[RFC PATCH 1/2] mm: count", "", "mm/count.c", "",
		  "n = 2;");
	rows(&t, &all);
	assert_int_equal(all.n, 1);
	assert_string_equal(all.v[0].base_commit, "0123456");
	assert_string_equal(all.v[0].label, "RFC v1");
	assert_true(all.v[0].rfc);
	assert_int_equal(all.v[0].missing, 1);
	check_list(&all.v[0].mail_ids, "a1@h|");
	check_list(&all.v[0].funcs, "");
}

/* Tags, remarks and reports of both versions, counted for the second. */
static void test_review(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct listed_all all _cleanup_listed_all_ = { 0 };
	const struct listed *l;

	(void)state;
	add_v1(&t);
	/* holds: patch 1 is as it was */
	add(&t, 2, "r1", "a1", REVIEWER, "Re: [PATCH 1/2] mm: count",
	    "Reviewed-by: " REVIEWER "\n");
	/* does not: patch 2 is another */
	add(&t, 2, "r2", "b1", REVIEWER, "Re: [PATCH 2/2] mm: use",
	    "Reviewed-by: " REVIEWER "\n");
	/* a question that v2 came after */
	add(&t, 2, "r3", "b1", TESTER, "Re: [PATCH 2/2] mm: use",
	    "> +\tn = 3;\n\nWhy three and not four?\n");
	/* v1's cover: for what is as it was */
	add(&t, 2, "r4", "c1", TESTER, "Re: [PATCH 0/2] Count pages",
	    "Acked-by: " TESTER "\n");
	add_v2(&t);
	add(&t, 10, "s1", "a2", REVIEWER, "Re: [PATCH v2 1/2] mm: count",
	    "> +\tn = 2;\n\nIs two enough?\n");
	add(&t, 10, "s2", "s1", AUTHOR, "Re: [PATCH v2 1/2] mm: count",
	    "> Is two enough?\n\nYes, it is.\n");
	add(&t, 10, "s3", "b2", REVIEWER, "Re: [PATCH v2 2/2] mm: use",
	    "> +\tn = 4;\n\nShould this not be five?\n");
	add(&t, 10, "s4", "b2", TESTER, "Re: [PATCH v2 2/2] mm: use",
	    "With the number fixed, Reviewed-by: " TESTER "\n");
	add(&t, 10, "s5", "b2", "Nora Nay <nora@example.org>",
	    "Re: [PATCH v2 2/2] mm: use", "Nacked-by: Nora Nay <nora@example.org>\n");
	add(&t, 11, "s6", "b2", ROBOT, "Re: [PATCH v2 2/2] mm: use",
	    "kernel test robot noticed the following build errors:\n\n"
	    ">> mm/use.c:11:2: error: use of undeclared identifier 'n'\n");
	rows(&t, &all);
	assert_int_equal(all.n, 1);
	l = &all.v[0];
	assert_int_equal(l->reviewed, 1);
	assert_int_equal(l->acked, 1);
	assert_int_equal(l->tested, 1);
	assert_int_equal(l->covered, 1);
	/* r2 and s4 */
	assert_int_equal(l->doubtful, 2);
	assert_int_equal(l->naks, 1);
	/* s3 and what s4 asks for */
	assert_int_equal(l->open, 2);
	/* r3 by v2, s1 by s2 */
	assert_int_equal(l->answered, 2);
	assert_int_equal(l->reports, 1);
	/* the robot's is no word */
	assert_int_equal(l->last_word, WORD_REVIEWER);
	assert_string_equal(l->last_id, "s5@h");
	assert_string_equal(l->last_name, "Nora Nay");
	check_list(&l->people,
		   "ada@example.org|nora@example.org|rita@example.org|tom@example.org");
}

/* Two series in one thread have a row each; a thread without any has none. */
static void test_rows(void **state)
{
	struct thread t _cleanup_thread_ = { 0 }, none _cleanup_thread_ = { 0 };
	struct listed_all all _cleanup_listed_all_ = { 0 };
	struct listed_all empty _cleanup_listed_all_ = { 0 };

	(void)state;
	add_patch(&t, 1, "x", NULL, "[PATCH] mm: one", "", "mm/one.c", "", "n = 2;");
	add_patch(&t, 1, "y", NULL, "[PATCH] fs: another thing", "", "fs/two.c", "",
		  "n = 9;");
	rows(&t, &all);
	assert_int_equal(all.n, 2);
	assert_string_equal(all.v[0].message_id, "x@h");
	assert_string_equal(all.v[1].message_id, "y@h");
	assert_null(all.v[1].last_answers);
	add(&none, 1, "q", NULL, AUTHOR, "A question", "How?\n");
	rows(&none, &empty);
	assert_int_equal(empty.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_posted),
		cmocka_unit_test(test_base_missing),
		cmocka_unit_test(test_review),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
