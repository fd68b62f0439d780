// SPDX-License-Identifier: GPL-2.0-or-later
/* test_posted.c - posted series in every shape that people send them. By hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "posted_mails.h"

static void test_usual(void **state)
{
	check(T(A "|c||0|[PATCH 0/2] mm: all|text", A "|1|c|1|[PATCH 1/2] mm: one|+1",
		A "|2|c|2|[PATCH 2/2] mm: two|+2",
		B "|r|1|9|Re: [PATCH 1/2] mm: one|Acked-by: Bea Reader <b@example.org>",
		B "|q|2|9|Re: [PATCH 2/2] mm: two|>"),
	      "v1 c:c 1 2");
	check(T(A "|1||0|[PATCH] mm: one|+1", B "|r|1|9|Re: [PATCH] mm: one|hm"), "v1 1");
	/* No cover: the others reply to the first; or each to the one before. */
	check(T(A "|1||0|[PATCH 1/3] a|+1", A "|2|1|1|[PATCH 2/3] b|+2",
		A "|3|2|2|[PATCH 3/3] c|+3"),
	      "v1 1 2 3");
	/* The cover is not here; nor is patch 2. */
	check(T(A "|1|x|0|[PATCH v3 1/3] a|+1", A "|3|x|2|[PATCH v3 3/3] c|+3"),
	      "v3 1 - 3");
	/* No series at all. */
	check(T(A "|1||0|a question|how?", B "|2|1|1|Re: a question|so",
		A "|3||2|[GIT PULL 1/2] a|text", A "|4||3|[PATCH] no diff in it|text",
		"tip-bot <t@example.org>|5||4|[tip: x86/mm] a|+1"),
	      "");
	check(T("|a||0||"), "");
}

static void test_versions(void **state)
{
	/* RFC, v1 without a number, v2; each a thread of its own. */
	check(T(A "|c0||0|[RFC PATCH 0/1] mm: all|t",
		A "|p0|c0|1|[RFC PATCH 1/1] mm: one|+1",
		A "|c1||1500|[PATCH 0/1] mm: all|t",
		A "|p1|c1|1501|[PATCH 1/1] mm: one|+2",
		A "|c2||3000|[PATCH v2 0/1] mm: all|t",
		A "|p2|c2|3001|[PATCH v2 1/1] mm: one|+3"),
	      "RFC v1 c:c0 p0 / ~v1 c:c1 p1 / ~v2 c:c2 p2");
	/* A new version replies to the old cover. */
	check(T(A "|c1||0|[PATCH 0/2] all|t", A "|a|c1|1|[PATCH 1/2] one|+1",
		A "|b|c1|2|[PATCH 2/2] two|+2", A "|c2|c1|1500|[PATCH v2 0/2] all|t",
		A "|d|c2|1501|[PATCH v2 1/2] one|+3",
		A "|e|c2|1502|[PATCH v2 2/2] two|+4"),
	      "v1 c:c1 a b / >v2 c:c2 d e");
	/* All of them to the first; depth says nothing. */
	check(T(A "|c1||0|[PATCH 0/1] all|t", A "|a|c1|1|[PATCH 1/1] one|+1",
		A "|c2|c1|1500|[PATCH v2 0/1] all|t",
		A "|b|c2|1501|[PATCH v2 1/1] one|+2",
		A "|c3|c1|3000|[PATCH v3 0/1] all|t",
		A "|d|c3|3001|[PATCH v3 1/1] one|+3"),
	      "v1 c:c1 a / >v2 c:c2 b / >v3 c:c3 d");
	/* A new version without a cover of its own, below the old cover. */
	check(T(A "|c1||0|[PATCH 0/2] all|t", A "|a|c1|1|[PATCH 1/2] one|+1",
		A "|b|c1|2|[PATCH 2/2] two|+2", A "|d|c1|1501|[PATCH v2 1/2] one|+3",
		A "|e|c1|1502|[PATCH v2 2/2] two|+4"),
	      "v1 c:c1 a b / >v2 d e");
	/* A single patch grows. */
	check(T(A "|a||0|[PATCH] one|+1", A "|b|a|1500|[PATCH v2] one|+2",
		A "|c||3000|[PATCH v3] one|+3"),
	      "v1 a / >v2 b / ~v3 c");
	/* Retitled, but it replies; renamed and apart, they are two. */
	check(T(A "|a||0|[PATCH] one|+1", A "|b|a|1500|[PATCH v2] uno|+2"),
	      "v1 a / ?v2 b");
	check(T(A "|a||0|[PATCH] one|+1", A "|b||1500|[PATCH v2] uno|+2"),
	      "v1 a // v2 b");
	/* The same patch under another title. */
	check(T(A "|a||0|[PATCH] one|+1", A "|b||1500|[PATCH v2] uno|+1"),
	      "v1 a / ?v2 b");
	/* A patch grows into a series of its name, in which it is not. */
	check(T(A "|a||0|[PATCH] one|+1", A "|c||1500|[PATCH v2 0/2] one|t",
		A "|b|c|1501|[PATCH v2 1/2] first|+2",
		A "|d|c|1502|[PATCH v2 2/2] then|+3"),
	      "v1 a / ?v2 c:c b d");
}

static void test_partial(void **state)
{
	/* v5.1 10/12 in small, and a v6 behind it. */
	check(T(A "|c||0|[PATCH v5 0/3] all|t", A "|1|c|1|[PATCH v5 1/3] a|+1",
		A "|2|c|2|[PATCH v5 2/3] b|+2", A "|3|c|3|[PATCH v5 3/3] c|+3",
		B "|r|2|60|Re: [PATCH v5 2/3] b|no",
		A "|2x|r|1500|[PATCH v5.1 2/3] b|+4"),
	      "v5 c:c 1 2 3 / >v5.1 (1) 2x (3)");
	/* Two patches of v2, each below its old one; then one more of them. */
	check(T(A "|c||0|[PATCH 0/4] all|t", A "|1|c|1|[PATCH 1/4] a|+1",
		A "|2|c|2|[PATCH 2/4] b|+2", A "|3|c|3|[PATCH 3/4] c|+3",
		A "|4|c|4|[PATCH 4/4] d|+4", A "|2x|2|1500|[PATCH v2 2/4] b|+5",
		A "|3x|3|1600|[PATCH v2 3/4] c|+6", A "|3y|3x|1700|[PATCH v3 3/4] c|+7"),
	      "v1 c:c 1 2 3 4 / >v2 (1) 2x 3x (4) / >v3 (1) (2x) 3y (4)");
	/* Without k/n, but with the patch's title. */
	check(T(A "|1||0|[PATCH 1/2] a|+1", A "|2|1|2|[PATCH 2/2] b|+2",
		A "|2x|2|1500|[PATCH v2] b|+5"),
	      "v1 1 2 / >v2 (1) 2x");
	/* v11.1 is one of v11, though v14 is there; another person goes on. */
	check(T(A "|1||0|[PATCH v11 1/2] a|+1", A "|2|1|2|[PATCH v11 2/2] b|+2",
		A "|3||500|[PATCH v14 1/2] a|+3", A "|4|3|502|[PATCH v14 2/2] b|+4",
		B "|2x|2|1500|[PATCH v11.1 2/2] b|+5"),
	      "v11 1 2 / ~v14 3 4 / >v11.1 (1) 2x");
	/* One that was forgotten. */
	check(T(A "|c||0|[PATCH 0/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|1500|[PATCH 2/2] b|+2"),
	      "v1 c:c 1 2");
	/* Another one with the number of before. */
	check(T(A "|1||0|[PATCH 1/3] a|+1", A "|2|1|2|[PATCH 2/3] b|+2",
		A "|3|1|2|[PATCH 3/3] c|+3", B "|r|2|3|Re: [PATCH 2/3] b|hm",
		A "|2x|r|1500|[PATCH 2/3] b|+5"),
	      "v1 1 2 3 / >v1 (1) 2x (3)");
	/* Fixes on top replace nothing. */
	check(T(A "|1||0|[PATCH v3 1/2] a|+1", A "|2|1|2|[PATCH v3 2/2] b|+2",
		A "|x|2|1500|[PATCH v3 2/2 fix] b|+5",
		A "|y|2|1600|[PATCH v3 2/2] b (fix)|+6"),
	      "v3 1 2 // v3 x // v3 y");
	/* Two patches below one thread, each with its own v2. */
	check(T(A "|1||0|[PATCH 1/2] a|+1", A "|2|1|2|[PATCH 2/2] b|+2",
		A "|x|1|60|[PATCH] other|+5", A "|y|1|1500|[PATCH v2] other|+6"),
	      "v1 1 2 // v1 x / ~v2 y");
	/* Others may post patches below ours, too. */
	check(T(A "|c||0|[PATCH 0/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|2|[PATCH 2/2] b|+2", B "|x|1|1500|[PATCH] a fix|+9",
		A "|y|2|1600|[PATCH] b fix|+8"),
	      "v1 c:c 1 2 // v1 x // v1 y");
}

static void test_numbers(void **state)
{
	/* The cover has the version, or the patches have. */
	check(T(A "|c||0|[net,v3,0/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|2|[PATCH 2/2] b|+2"),
	      "v3 c:c 1 2");
	check(T(A "|c||0|[PATCH 0/2] all|t", A "|1|c|1|[PATCH v2 1/2] a|+1",
		A "|2|c|2|[PATCH v2 2/2] b|+2"),
	      "v2 c:c 1 2");
	check(T(A "|c||0|[RFC PATCH 0/1] all|t", A "|1|c|1|[PATCH 1/1] a|+1"),
	      "RFC v1 c:c 1");
	/* n is wrong on the cover, on one patch; k is beyond n. */
	check(T(A "|c||0|[PATCH 0/3] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|2|[PATCH 2/2] b|+2"),
	      "v1 c:c 1 2");
	check(T(A "|c||0|[PATCH 0/3] all|t", A "|1|c|1|[PATCH 1/3] a|+1",
		A "|2|c|2|[PATCH 2/4] b|+2", A "|3|c|3|[PATCH 3/3] c|+3"),
	      "v1 c:c 1 2 3");
	check(T(A "|c||0|[PATCH 0/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|2|[PATCH 2/2] b|+2", A "|3|c|3|[PATCH 3/2] c|+3"),
	      "v1 c:c 1 2 3");
	/* A comma, no blank; all with the same In-Reply-To, which is not here. */
	check(T(A "|1|x|1|[PATCH v6,1/3] a|+1", A "|2|x|2|[PATCH v6,2/3] b|+2",
		A "|3|x|3|[PATCH v6,3/3] c|+3"),
	      "v6 1 2 3");
	check(T(A "|1||1|[PATCH1/2] a|+1", A "|2|1|2|[PATCH2/2] b|+2"), "v1 1 2");
	check(T(A "|1||1|[PATCH 1/0] a|+1"), "v1 1");
	check(T(A "|1||1|Re: [PATCH 0/2] a|+1"), "");
}

/* More than anybody posts: no memory is spent on it. */
static void test_many_places(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	size_t places = 0;

	for (int i = 0; i < 300; i++) {
		char *mail _cleanup_free_ = xasprintf(
			A "|%d|x%d|%d|[PATCH 9999/9999] a%d|+%d", i, i, i, i, i);

		add(&t, mail);
	}
	thread_link(&t);
	posted_find(&t, &p);
	for (size_t i = 0; i < p.n; i++)
		places += p.v[i].total;
	assert_true(places <= 1 << 20);
	assert_true(p.n > 50);
}

/* A long thread costs what its mails cost: no loop over mails in a loop over mails. */
static void test_long(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct place place;

	for (int i = 0; i < 20000; i++) {
		char *mail _cleanup_free_ =
			i % 2 ? xasprintf(B "|r%d|%c%d|%d|Re: [PATCH] a|ok", i,
					  i % 4 == 1 ? 'p' : 'r', i - 1 - (i % 4 != 1), i)
			      : xasprintf(A "|p%d|r%d|%d|[PATCH v%d] a|+%d", i, i - 1, i,
					  i / 2 % 900 + 1, i);

		add(&t, mail);
	}
	thread_link(&t);
	posted_find(&t, &p);
	assert_int_equal(p.n_series, 1);
	assert_int_equal(p.n, 10000);
	assert_true(posted_target(&t, p.place, 19999, &place));
}

static void test_covers(void **state)
{
	/* Prose without 0/n, by the author; by somebody else it is none. */
	check(T(A "|c||0|mm: all of it|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|2|[PATCH 2/2] b|+2", B "|r|c|3|Re: mm: all of it|t"),
	      "v1 c:c 1 2");
	check(T(A "|c||0|[PATCHSET v2] mm: all|t", A "|1|c|1|[PATCH 1/1] a|+1"),
	      "v2 c:c 1");
	check(T(B "|c||0|mm: a bug|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|2|[PATCH 2/2] b|+2"),
	      "v1 1 2");
	check(T(A "|c||0|mm: a thought|t", A "|1|c|1500|[PATCH 1/1] a|+1"), "v1 1");
	/* 1/1 stands before 0/1. */
	check(T(A "|1|c|0|[PATCH 1/1] a|+1", A "|c||1|[PATCH 0/1] all|t"), "v1 c:c 1");
	check(T(A "|1||0|[PATCH 1/1] a|+1", A "|c||1|[PATCH 0/1] all|t"), "v1 c:c 1");
	/* With "Re:", but patches are below, some of them without the number. */
	check(T(A "|o||0|[PATCH 0/1] all|t", A "|a|o|1|[PATCH 1/1] a|+9",
		A "|c|o|1500|Re: [PATCH v3 0/2] all|t", A "|1|c|1501|[PATCH 1/2] a|+1",
		A "|2|c|1502|[PATCH v3 2/2] b|+2", A "|r|o|1500|Re: [PATCH 0/1] all|t"),
	      "v1 c:o a / >v3 c:c 1 2");
	/* A reply of one's own, and another series below it. */
	check(T(A "|o||0|[PATCH RFC 0/1] all|t", A "|a|o|1|[PATCH RFC 1/1] a|+9",
		A "|c|o|1500|Re: [PATCH RFC 0/1] all|t", A "|1|c|1501|[PATCH 1/2] m|+1",
		A "|2|c|1502|[PATCH 2/2] n|+2"),
	      "RFC v1 c:o a // v1 1 2");
	/* Called 2/2, but the patches are below. */
	check(T(A "|c||0|[PATCH 2/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|2|[PATCH 2/2] b|+2"),
	      "v1 c:c 1 2");
	check(T(A "|c||0|[PATCH 1/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|2|c|2|[PATCH 2/2] b|+2"),
	      "v1 c:c 1 2");
	/* The patch replies to the old cover, as does the new one. */
	check(T(A "|c||0|[PATCH 0/1] all|t", A "|d|c|300|[PATCH v2 0/1] all|t",
		A "|1|c|302|[PATCH v2 1/1] a|+1"),
	      "v1 c:c - / >v2 c:d 1");
	/* Three times, as sending stopped. */
	check(T(A "|x||0|[PATCH 0/1] all|t", A "|y||3|[PATCH 0/1] all|t",
		A "|c||6|[PATCH 0/1] all|t", A "|1|c|7|[PATCH 1/1] a|+1"),
	      "v1 c:c 1 +x +y");
	/* A reply without "Re:" is no cover and no patch. */
	check(T(A "|c||0|[PATCH 0/1] all|t", A "|1|c|1|[PATCH 1/1] a|+1",
		B "|r|c|9|[PATCH 0/1] all|Acked-by: Bea Reader <b@example.org>",
		B "|q|1|9|[PATCH 1/1] a|Acked-by: Bea Reader <b@example.org>"),
	      "v1 c:c 1");
}

static void test_resend(void **state)
{
	check(T(A "|c||0|[PATCH v2 0/2] all|t", A "|1|c|1|[PATCH v2 1/2] a|+1",
		A "|2|c|2|[PATCH v2 2/2] b|+2", A "|x||9000|[PATCH v2 RESEND 0/2] all|t",
		A "|y|x|9001|[PATCH v2 RESEND 1/2] a|+1",
		A "|z|x|9002|[PATCH v2 RESEND 2/2] b|+2"),
	      "v2 c:c 1 2 +x +y +z");
	/* Nothing but the resend is here; the number was forgotten. */
	check(T(A "|1||0|[RESEND PATCH] a|+1"), "v1 RESEND 1");
	check(T(A "|1||0|[PATCH] a|+1", A "|2||1500|[PATCH v2] a|+2",
		A "|3||3000|[PATCH RESEND] a|+2"),
	      "v1 1 / ~v2 2 +3");
	/* Broken off, then sent whole, without a word. */
	check(T(A "|c||0|[PATCH 0/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		A "|x||30|[PATCH 0/2] all|t", A "|y|x|31|[PATCH 1/2] a|+1",
		A "|z|x|32|[PATCH 2/2] b|+2"),
	      "v1 c:x y z +c +1");
	/* The number of before, but other patches. */
	check(T(A "|1||0|[PATCH] a|+1", A "|2||1500|[PATCH] a|+2"), "v1 1 / ?v1 2");
}

static void test_apart(void **state)
{
	/* A series in reply to another one. */
	check(T(A "|c||0|[PATCH 0/1] all|t", A "|1|c|1|[PATCH 1/1] a|+1",
		A "|x|c|3|[PATCH 0/2] more|t", A "|y|x|4|[PATCH 1/2] m|+3",
		A "|z|x|5|[PATCH 2/2] n|+4"),
	      "v1 c:c 1 // v1 c:x y z");
	check(T(A "|c||0|[PATCH 0/1] all|t", A "|1|c|1|[PATCH 1/1] a|+1",
		A "|y|c|4|[PATCH 1/2] m|+3", A "|z|c|5|[PATCH 2/2] n|+4"),
	      "v1 c:c 1 // v1 y z");
	/* A fix in a long thread; of a discussion nothing is a patch without a diff. */
	check(T(B "|b||0|a bug|oops", A "|r|b|9|Re: a bug|hm",
		A "|1|r|30|[PATCH] mm: fix it|+1", B "|s|1|40|Re: [PATCH] mm: fix it|>",
		A "|q|r|50|[PATCH] mm: fix it otherwise|text"),
	      "v1 1");
	/* Without threads: those of one hour. */
	check(T(A "|c||0|[PATCH 0/2] all|t", A "|1||1|[PATCH 1/2] a|+1",
		A "|2||2|[PATCH 2/2] b|+2", A "|x||500|[PATCH 1/2] m|+3",
		A "|y||501|[PATCH 2/2] n|+4", B "|z||3|[PATCH 1/2] k|+5"),
	      "v1 c:c 1 2 // v1 z - // v1 x y");
	/* Two series of one hour: what is there twice opens another. */
	check(T(A "|1||1|[PATCH 1/2] a|+1", A "|2||2|[PATCH 2/2] b|+2",
		A "|3||3|[PATCH 1/2] c|+3", A "|4||4|[PATCH 2/2] d|+4"),
	      "v1 1 2 // v1 3 4");
}

static void test_people(void **state)
{
	/* By address, by name, behind a list. */
	check(T(A "|1||0|[PATCH] a|+1", "Thor <A@EXAMPLE.org>|2||1500|[PATCH v2] a|+2",
		"A U Thor <a@home.example.org>|3||3000|[PATCH v3] a|+3",
		"'A U Thor' via list <list@example.org>|4||4500|[PATCH v4] a|+4",
		"Somebody via list <list@example.org>|5||6000|[PATCH v5] a|+5"),
	      "v1 1 / ~v2 2 / ~v3 3 / ~v4 4 // v5 5");
	check(T("'A' via list <list@example.org>|1||0|[PATCH] a|+1",
		"'B' via list <list@example.org>|2||1500|[PATCH v2] a|+2"),
	      "v1 1 // v2 2");
	/* Two people in one posting: each patch from its author. */
	check(T(A "|c||0|[PATCH 0/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
		B "|2|c|2|[PATCH 2/2] b|+2"),
	      "v1 c:c 1 2");
}

/* What texts say: change-ids, links. */
static void test_named(void **state)
{
	check(T(A "|1||0|[PATCH] a|t\nchange-id: 20240101-a-b\n+\n@@ -1 +1 @@",
		A "|2||1500|[PATCH v2] b|t\nchange-id: 20240101-a-b\n@@ -1 +1 @@",
		A "|3||3000|[PATCH v3] b|t\nchange-id: 20240101-c\n@@ -1 +1 @@"),
	      "v1 1 / =v2 2 // v3 3");
	/* Two of them are two series, though what has none stands between: the first by
	   the title, or the one that is named. */
	check(T(A "|1||0|[PATCH] a|t\nchange-id: 20240101-a\n@@ -1 +1 @@",
		A "|2||1500|[PATCH v2] a|+2",
		A "|3||3000|[PATCH v3] a|t\nchange-id: 20240101-c\n@@ -1 +1 @@"),
	      "v1 1 / ~v2 2 // v3 3");
	check(T(A "|1||0|[PATCH] a|t\nchange-id: 20240101-a\n@@ -1 +1 @@",
		A "|2@x||1500|[PATCH v2] a|+2",
		A "|3||3000|[PATCH v3] a|t\nchange-id: 20240101-c\n"
		  "v2: https://lists.example.org/all/2@x/\n@@ -1 +1 @@"),
	      "v1 1 // v2 2@x / >v3 3");
	/* A reply below it, with another title. */
	check(T(A "|1||0|[PATCH] a|t\nchange-id: 20240101-a\n@@ -1 +1 @@",
		A "|2||1500|[PATCH v2] a|+2",
		A "|3|2|3000|[PATCH v3] b|t\nchange-id: 20240101-c\n@@ -1 +1 @@"),
	      "v1 1 / ~v2 2 // v3 3");
	/* Of another series. */
	check(T(A "|1||0|[PATCH] a|t\nchange-id: 20240101-a-b\n@@ -1 +1 @@",
		A "|2||1500|[PATCH v2] b|prerequisite-change-id: 20240101-a-b:v1\n"
		  " change-id: 20240101-a-b\n> change-id: 20240101-a-b\n@@ -1 +1 @@"),
	      "v1 1 // v2 2");
	/* Another person goes on, and says with what. */
	check(T(A "|c1@x||0|[PATCH 0/1] all|t", A "|1|c1@x|1|[PATCH 1/1] a|+1",
		B "|c2@x||3000|[PATCH v2 0/1] whole|Changes since v1:\n\n"
		  "https://lists.example.org/r/c1%40x/",
		B "|2|c2@x|3001|[PATCH v2 1/1] a|+1"),
	      "v1 c:c1@x 1 // v2 c:c2@x 2");
	check(T(A "|c1@x||0|[PATCH 0/1] all|t", A "|1|c1@x|1|[PATCH 1/1] a|+1",
		A "|c2@x||3000|[PATCH v2 0/1] whole|v1: "
		  "https://lists.example.org/all/c1@x/T/",
		A "|2|c2@x|3001|[PATCH v2 1/1] b|+2"),
	      "v1 c:c1@x 1 / >v2 c:c2@x 2");
	/* What it stands on is no version of it. */
	check(T(A "|c1@x||0|[PATCH v1 0/1] all|t", A "|1|c1@x|1|[PATCH v1 1/1] a|+1",
		A "|c2@x||3000|[PATCH v2 0/1] other|This depends on v1 of\n"
		  "https://lists.example.org/all/c1@x/",
		A "|2|c2@x|3001|[PATCH v2 1/1] b|+2"),
	      "v1 c:c1@x 1 // v2 c:c2@x 2");
	/* v1 is not here, but both name it. */
	check(T(A "|2@x||0|[PATCH v2] a|v1: https://lists.example.org/r/1@x\n@@ -1 +1 @@",
		A "|3@x||3000|[PATCH v3] b|v1: https://lists.example.org/r/1@x\n@@ -1 +1 "
		  "@@"),
	      "v2 2@x / >v3 3@x");
	check(T(A "|1@x||0|[PATCH] a|+1",
		A "|2@x||3000|[PATCH] b|Supersedes: <1@x>\n@@ -1 +1 @@"),
	      "v1 1@x / >v1 2@x");
	check(T(A "|1@x||0|[PATCH] a|+1",
		A "|r@x|1@x|2000|Re: [PATCH] a|\nObsoleted-by: <2@x>",
		A "|2@x||3000|[PATCH v2] b|+2"),
	      "v1 1@x / >v2 2@x");
}

/* Plain diffs, that git makes no patch-id of. */
static void test_plain_diff(void **state)
{
#define PLAIN(x) "t\n--- a.c.orig\n+++ a.c\n@@ -1 +1 @@\n-a\n+" x
	check(T(A "|1||0|[PATCH] a|" PLAIN("b"), A "|2||1500|[PATCH v2] x|" PLAIN("b"),
		A "|3||3000|[PATCH] y|" PLAIN("c")),
	      "v1 1 / ?v2 2 // v1 3");
}

static void test_possible(void **state)
{
	static const struct {
		const char *mails[4], *want;
		size_t n;
	} cases[] = {
		/* A new version with "Re:"; what a reviewer would write; a quoted one. */
		{ { A "|1||0|[PATCH] a|+1", A "|2|1|9|Re: [PATCH v2] a|+2" },
		  "v1 1 / >v2 2",
		  1 },
		{ { A "|1||0|[PATCH] a|+1", B "|2|1|9|Re: [PATCH] a|+2" }, "v1 1", 1 },
		{ { A "|1||0|[PATCH] a|+1", B "|2|1|9|Re: [PATCH] a|>" }, "v1 1", 0 },
		{ { A "|1||0|[PATCH] a|+1", B "|2|1|9|Re: [PATCH] a|try:\n@@ -1 +1 @@" },
		  "v1 1",
		  0 },
		{ { A "|2||9|Re: [PATCH v2] a|+2" }, "v2 2", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct thread t _cleanup_thread_ = { 0 };
		struct posted p _cleanup_posted_ = { 0 };

		check(cases[i].mails, cases[i].want);
		read_mails(cases[i].mails, &t, &p);
		assert_int_equal(p.n_possible, cases[i].n);
	}
}

/* "ID:v0:2" is patch 2 of version 0. */
static void check_targets(const char *const *mails, const char *want)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct buf is _cleanup_buf_ = BUF_INIT;

	read_mails(mails, &t, &p);
	for (size_t i = 0; i < t.n; i++) {
		struct place place = { 0 };

		buf_printf(&is, "%s%s:", i ? " " : "", t.v[i].id);
		if (posted_target(&t, p.place, i, &place))
			buf_printf(&is, "%zu:%zu", place.version, place.patch);
	}
	assert_string_equal(buf_cstr(&is), want);
}

static void test_targets(void **state)
{
	/* A tag deep below a patch; below the cover; a mail that replies to nothing. */
	check_targets(T(A "|c||0|[PATCH 0/2] all|t", A "|1|c|1|[PATCH 1/2] a|+1",
			A "|2|c|2|[PATCH 2/2] b|+2", B "|r|2|9|Re: [PATCH 2/2] b|why?",
			A "|s|r|10|Re: [PATCH 2/2] b|so",
			B "|u|s|11|Re: [PATCH 2/2] b|ok",
			B "|w|c|12|Re: [PATCH 0/2] all|ok", B "|x||13|hello|you"),
		      "c:0:0 1:0:1 2:0:2 r:0:2 s:0:2 u:0:2 w:0:0 x:");
	/* A patch alone; a resend's reply counts for the same patch. */
	check_targets(T(A "|1||0|[PATCH] a|+1", B "|r|1|9|Re: [PATCH] a|ok",
			A "|2||3000|[PATCH RESEND] a|+1", B "|s|2|3009|Re: [PATCH] a|ok"),
		      "1:0:1 r:0:1 2:0:1 s:0:1");
	/* Of the series that the other one replies to nothing is meant. */
	check_targets(T(A "|c||0|[PATCH 0/1] all|t", A "|1|c|1|[PATCH 1/1] a|+1",
			A "|x|c|3|[PATCH 0/1] more|t", A "|y|x|4|[PATCH 1/1] m|+3",
			B "|r|x|9|Re: [PATCH 0/1] more|ok"),
		      "c:0:0 1:0:1 x:1:0 y:1:1 r:1:0");
}

/* References lead to the cover, but In-Reply-To names what is not here. */
static void test_gap(void **state)
{
	static const struct {
		const char *subject;
		bool is;
		size_t patch;
	} cases[] = {
		{ "Re: [PATCH 2/2] b", true, 2 },     { "Re: [PATCH 0/2] all", true, 0 },
		{ "Re: [PATCH v2 2/2] b", false, 0 }, { "Re: [PATCH 3/2] b", false, 0 },
		{ "Re: something", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct thread t _cleanup_thread_ = { 0 };
		struct posted p _cleanup_posted_ = { 0 };
		struct buf raw _cleanup_buf_ = BUF_INIT;
		struct place place;
		struct mail m;

		add(&t, A "|c||0|[PATCH 0/2] all|t");
		add(&t, A "|1|c|1|[PATCH 1/2] a|+1");
		buf_printf(&raw,
			   "From: b@example.org\nMessage-ID: <r>\nIn-Reply-To: <gone>\n"
			   "References: <c> <gone>\nSubject: %s\n\nok\n",
			   cases[i].subject);
		mail_scan(buf_str(&raw), FROM_PLAIN, &m);
		thread_add(&t, &m);
		thread_link(&t);
		posted_find(&t, &p);
		assert_int_equal(posted_target(&t, p.place, 2, &place), cases[i].is);
		if (cases[i].is)
			assert_int_equal(place.patch, cases[i].patch);
	}
}

static void test_newest(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };

	read_mails(T(A "|1||0|[PATCH 1/2] a|+1", A "|2|1|1|[PATCH 2/2] b|+2",
		     A "|3||3000|[PATCH v2 1/2] a|+3"),
		   &t, &p);
	assert_int_equal(p.n, 2);
	assert_int_equal(p.v[1].missing, 1);
	assert_int_equal(posted_newest(&p, 0), 0);
	assert_int_equal(p.v[1].follows, 0);
	assert_int_equal(p.v[0].follows, NO_MAIL);
	assert_int_equal(p.v[0].date, 1704067200); /* date -d '2024-01-01 UTC' +%s */
	assert_string_equal(p.v[0].name, "A U Thor");
	assert_string_equal(p.v[0].patch[1].title, "b");
	assert_string_equal(p.v[1].patch[1].title, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usual),	    cmocka_unit_test(test_versions),
		cmocka_unit_test(test_partial),	    cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_covers),	    cmocka_unit_test(test_resend),
		cmocka_unit_test(test_apart),	    cmocka_unit_test(test_people),
		cmocka_unit_test(test_named),	    cmocka_unit_test(test_plain_diff),
		cmocka_unit_test(test_possible),    cmocka_unit_test(test_targets),
		cmocka_unit_test(test_many_places), cmocka_unit_test(test_long),
		cmocka_unit_test(test_gap),	    cmocka_unit_test(test_newest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
