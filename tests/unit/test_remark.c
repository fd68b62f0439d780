// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_remark.c - what in replies wants an answer. Mails of ours; what is expected was
 * written down from reading them, line numbers were counted by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/remark.h"

#define LONG	 50000
#define AUTHOR	 "Ada Author <ada@example.org>"
#define REVIEWER "Rita Reviewer <rita@example.org>"

/* Message 1; hunks at 10 and 40, so lines are known. */
static const char patch[] =
	"Count the pages that were mapped.\n" /* 1 */
	"\n"
	"Signed-off-by: Ada Author <ada@example.org>\n"
	"---\n"
	" mm/count.c | 5 +++--\n"
	"\n"
	"diff --git a/mm/count.c b/mm/count.c\n"
	"--- a/mm/count.c\n"
	"+++ b/mm/count.c\n"
	"@@ -10,5 +10,6 @@ static int count(void)\n"
	" \tint n;\n"		/* 10 10 */
	" \n"			/* 11 11 */
	"-\tn = old_count();\n" /* 12 */
	"+\tn = new_count();\n" /* 12 */
	"+\tif (n)\n"		/* 13 */
	" \t\treturn n;\n"	/* 13 14 */
	" }\n"			/* 14 15 */
	"@@ -40,4 +41,4 @@ static int other(void)\n"
	" \tint n;\n" /* 40 41 */
	" \n"
	"-\tif (n)\n" /* 42 */
	"+\tif (unlikely(n == some_function_with_a_name(n, another_one, and_one_more)))\n"
	" \t\treturn n;\n" /* 43 44 */
	"-- \n2.39\n";

static void add(struct thread *t, const char *id, const char *parent, const char *from,
		const char *subject, const char *text)
{
	struct buf raw _cleanup_buf_ = BUF_INIT;
	struct mail m;

	buf_printf(&raw, "From: %s\nMessage-ID: <%s@h>\nSubject: %s\n", from, id,
		   subject);
	if (parent)
		buf_printf(&raw, "In-Reply-To: <%s@h>\n", parent);
	buf_printf(&raw, "Date: 5 Jan 2024 %02zu:%02zu:00 +0000\n\n%s", 8 + t->n / 60,
		   t->n % 60, text);
	mail_scan(buf_str(&raw), FROM_PLAIN, &m);
	thread_add(t, &m);
}

static void begin(struct thread *t)
{
	add(t, "c", NULL, AUTHOR, "[PATCH 0/2] Count pages", "Two patches.\n");
	add(t, "1", "c", AUTHOR, "[PATCH 1/2] mm: count", patch);
	add(t, "2", "c", AUTHOR, "[PATCH 2/2] mm: more",
	    "From: Carl Coauthor <carl@example.org>\n\nMore.\n");
}

/* "PATCH LINE [FILE:OLD:NEW] TEXT|", "+" in front: answered; line ends are "/". */
static char *found(struct thread *t)
{
	struct posted p _cleanup_posted_ = { 0 };
	struct remarks r _cleanup_remarks_ = { 0 };
	struct buf is _cleanup_buf_ = BUF_INIT;

	thread_link(t);
	posted_find(t, &p);
	remarks_find(t, &p, &r);
	for (size_t i = 0; i < r.n; i++) {
		const struct remark *m = &r.v[i];

		buf_printf(&is, "%s%zu %zu ", m->answer == NO_MAIL ? "" : "+", m->patch,
			   m->line);
		if (m->file)
			buf_printf(&is, "%s:%d:%d ", m->file, (int)m->old_line,
				   (int)m->new_line);
		buf_printf(&is, "%s|", m->text);
	}
	for (size_t i = 0; i < is.len; i++)
		if (is.p[i] == '\n')
			is.p[i] = '/';
	return buf_take(&is);
}

/* One reply of the reviewer to patch 1. */
static void one(const char *text, const char *want)
{
	struct thread t _cleanup_thread_ = { 0 };
	char *is _cleanup_free_ = NULL;

	begin(&t);
	add(&t, "r", "1", REVIEWER, "Re: [PATCH 1/2] mm: count", text);
	is = found(&t);
	assert_string_equal(is, want);
}

#define ATTR "On Fri, 5 Jan 2024 at 09:00, Ada Author <ada@example.org> wrote:\n"

static void test_inline(void **state)
{
	one("Hi Ada,\n\n" ATTR "> Count the pages that were mapped.\n\nWhich pages?\n\n"
	    "> +\tn = new_count();\n> +\tif (n)\n\nPlease test for < 0.\n"
	    "It may fail.\n\nThanks,\nRita\n",
	    "1 6 Which pages?|1 11 mm/count.c:0:13 Please test for < 0./It may fail.|");
	/* A removed line has no place in the new file, a context line both. */
	one("> -\tn = old_count();\n\nWhy?\n", "1 3 mm/count.c:12:0 Why?|");
	one("> -\tif (n)\nWhy?\n", "1 2 mm/count.c:42:0 Why?|");
	/* Of two equal places the one with the same lines above. */
	one("> +\tif (n)\n>  \t\treturn n;\nx1 is better\n",
	    "1 3 mm/count.c:13:14 x1 is better|");
	one("> -\tif (n)\n"
	    "> +\tif (unlikely(n == some_function_with_a_name(n, another_one, "
	    "and_one_more)))\n"
	    ">  \t\treturn n;\nx2 is better\n",
	    "1 4 mm/count.c:43:44 x2 is better|");
	/* Equal: below the remark above. */
	one("> @@ -40,4 +41,4 @@ static int other(void)\nfirst thing\n>  \t\treturn n;\n"
	    "second thing\n",
	    "1 2 mm/count.c:0:0 first thing|1 4 mm/count.c:43:44 second thing|");
}

/* What mail clients and people do to quotes. */
static void test_quotes(void **state)
{
	/* Tabs that became blanks; a cut; a wrapped line, with and without its mark. */
	one("> +        n = new_count();\nOne thing.\n",
	    "1 2 mm/count.c:0:12 One thing.|");
	one("> diff --git a/mm/count.c b/mm/count.c\n[...]\n> +\tn = "
	    "new_count();\n\n<snip>\n"
	    "\nOne thing.\n",
	    "1 7 mm/count.c:0:12 One thing.|");
	one("> +\tif (unlikely(n == some_function_with_a_name(n,\n"
	    "> another_one, and_one_more)))\nOne thing.\n",
	    "1 3 mm/count.c:0:43 One thing.|");
	one("> +\tif (unlikely(n == some_function_with_a_name(n, another_one,\n"
	    "and_one_more)))\n>  \t\treturn n;\nOne thing.\n",
	    "1 4 mm/count.c:43:44 One thing.|");
	/* Blank quoted lines below. */
	one(">+\tn = new_count();\n>\n> \nOne thing.\n",
	    "1 4 mm/count.c:0:12 One thing.|");
	/* With the initials of who wrote it; a table of ours is text. */
	one("AA> +\tn = new_count();\nOne thing.\n", "1 2 mm/count.c:0:12 One thing.|");
	one("> +\tn = new_count();\nSlow:\n| old | new |\n| 1 s | 2 s |\n",
	    "1 2 mm/count.c:0:12 Slow:/| old | new |/| 1 s | 2 s ||");
	/* Not of the patch. */
	one("> never was there\nOne thing.\n", "1 2 One thing.|");
}

/* No remarks. */
static void test_none(void **state)
{
	one("Reviewed-by: Rita Reviewer <rita@example.org>\n", "");
	one("LGTM\n", "");
	one("Looks good to me, thanks!\n\nAcked-by: Rita Reviewer <rita@example.org>\n",
	    "");
	one(ATTR "> +\tif (n)\n\nLooks good.\n\n-- \nCheers,\n\nRita of the hill\n", "");
	one("Thanks, applied to for-6.9.\n", "");
	one("> +\tif (n)\n\nAh, I overlooked the caller above. Sorry for the noise!\n", "");
	one("Okay, it is locked by its user.\nThank you for the clarification.\n", "");
	one("Thank you. I have applied the patch to my tree of tables.\n", "");
	one("I thought I have already acked this one. Anyway\n\n"
	    "Acked-by: Rita Reviewer <rita@example.org>\n",
	    "");
	/* What may want something stays. */
	one("This crashes here. Sorry for the noise!\n",
	    "1 1 This crashes here. Sorry for the noise!|");
	one("Ah, you should lock it. Sorry for the noise!\n",
	    "1 1 Ah, you should lock it. Sorry for the noise!|");
	one("Ah, was that tested? Thanks for clarifying.\n",
	    "1 1 Ah, was that tested? Thanks for clarifying.|");
	one("Thanks. I have applied the patch and see a crash.\n",
	    "1 1 Thanks. I have applied the patch and see a crash.|");
	one("Applied, thanks.\n\n[1/2] mm: count\n      commit: 0123456789ab\n\nBest "
	    "regards,\n",
	    "");
	one("NAK\n", "");
	one("Hello Ada,\n\nThanks a lot!\n\nBest regards,\nRita\n", "");
	one("Makes sense.\n\n> +\tif (n)\n\nYes, agreed.\n", "");
	one("+1\n", "");
	one("Rita Reviewer wrote:\n\n[..]\n\n> Count the pages that were "
	    "mapped.\n\nYup.\n",
	    "");
	one("Le 05/01/2024 a 11:07, Ada Author a \xc3\xa9\x63rit\xc2\xa0:\n> +\tif (n)\n",
	    "");
	one("Den 2024-01-05 kl. 09:46, skrev Ada Author:\n> +\tif (n)\n", "");
	one("* Ada Author:\n\n> +\tif (n)\n\n---end quoted text---\n", "");
	one("A few nits below.\n", "");
	one("Thanks for updating the documentation, I will read it.\n", "");
	one("Thanks for the patch, but it breaks ARM.\n",
	    "1 1 Thanks for the patch, but it breaks ARM.|");
	one("[+cc Carl]\n\n#regzbot introduced: 0123456789ab\n", "");
	one("Feel free to add:\n\nTested-by: Rita Reviewer <rita@example.org>\n", "");
	one("For the series: Acked-by: Rita Reviewer <rita@example.org>\n", "");
	one("For patches 1-2, Reviewed-by: Rita Reviewer <rita@example.org>\n", "");
	one("Looks good to me, Acked-by: Rita Reviewer <rita@example.org>\n[mm "
	    "parts]\n",
	    "");
	one("One typo: cuont.\n\nFor the series: Acked-by: Rita Reviewer "
	    "<rita@example.org>\n",
	    "1 1 One typo: cuont.|");
	one("Drop foo() first, Acked-by: Rita Reviewer <rita@example.org>\n",
	    "1 1 Drop foo() first, Acked-by: Rita Reviewer <rita@example.org>|");
	one("For the series: who wrote to rita@example.org\n",
	    "1 1 For the series: who wrote to rita@example.org|");
	one("With the typo fixed you can add\nmy tag.\n",
	    "1 1 With the typo fixed you can add/my tag.|");
	one("\n\n", "");
	one("", "");
	one("Hello Ada, Bob\n\nMuch nicer!\n", "");
	one("From the arm64 side:\nReviewed-by: Rita Reviewer <rita@example.org>\n", "");
	one("For both patches:\n\nAcked-by: Rita Reviewer <rita@example.org>\n\nBut "
	    "rename n.\n",
	    "1 5 But rename n.|");
	one("This is wrong:\n\nNobody calls it.\n",
	    "1 1 This is wrong://Nobody calls it.|");
	one("Sorry, I misunderstood it.\n", "");
	/* A word more, or a question, and it is one. */
	one("Looks good, but slow.\n", "1 1 Looks good, but slow.|");
	one("Very nice, but too many patches.\n",
	    "1 1 Very nice, but too many patches.|");
	one("Looks good?\n", "1 1 Looks good?|");
	one("NAK, it breaks ARM.\n", "1 1 NAK, it breaks ARM.|");
}

/* Tags, closings and signatures go, what is above them stays. */
static void test_ends(void **state)
{
	one("One typo: cuont.\n\nWith that fixed,\n\nReviewed-by: Rita Reviewer "
	    "<rita@example.org>\n[mm parts]\n-- \nRita\nSent from a phone\n",
	    "1 1 One typo: cuont.|");
	one("One typo: cuont.\n\nCheers,\n  Rita\n", "1 1 One typo: cuont.|");
	one("One typo: cuont.\n\n--\nRita Reviewer\n", "1 1 One typo: cuont.|");
	one("One typo: cuont.\n\nCheers,\nBigfoot\n", "1 1 One typo: cuont.|");
	one("One typo: cuont.\n\n- Masa\n", "1 1 One typo: cuont.|");
	one("One typo: cuont. Thanks,\n", "1 1 One typo: cuont. Thanks,|");
	/* A top-posted text has no quote; nothing below is the reviewer's. */
	one("This breaks ARM.\n\nRita\n\n" ATTR
	    "> Count the pages that were mapped.\n> x\n",
	    "1 1 This breaks ARM.|");
	one("This breaks ARM.\n\n-----Original Message-----\nFrom: Ada\nSent: today\n\n"
	    "Count the pages.\n",
	    "1 1 This breaks ARM.|");
	one("This breaks ARM.\n\nFrom: Ada <ada@example.org>\nSent: today\nTo: all\n\n"
	    "Count the pages.\n",
	    "1 1 This breaks ARM.|");
	/* All below is another mail, the quotes in it too. */
	one("This breaks ARM.\n\nFrom: Bob <bob@example.org>\nDate: today\n"
	    "Subject: ARM\n\nHello,\n\n> +\tif (n)\n\nI saw it.\n",
	    "1 1 This breaks ARM.|");
	one("This breaks ARM.\n\nSubject: Re: x\nFrom: Bob <bob@example.org>\n\n"
	    "I saw it.\n",
	    "1 1 This breaks ARM.|");
	/* But where it begins with a quote, it is an attribution. */
	one("-----Original Message-----\nFrom: Ada\nSent: today\nTo: all\n\n"
	    "> +\tif (n)\n\nWhy?\n",
	    "1 8 mm/count.c:0:13 Why?|");
	/* Brackets are not yet a cut. */
	one("(I executed it twice.)\n", "1 1 (I executed it twice.)|");
	one("> +\tif (n)\n<40 lines snipped>\n[ skip ]\n--snip--\nTrim\n", "");
	/* Attributions over two lines. */
	one("On Fri, 5 Jan 2024 at 09:00, Ada Author of some very long place\n"
	    "<ada@example.org> wrote:\n>\n> Count the pages that were "
	    "mapped.\n\nWhich?\n",
	    "1 6 Which?|");
}

#define DIFF  "--- a/mm/count.c\n+++ b/mm/count.c\n@@ -1 +1,2 @@\n-a\n+b\n+> c\n"
#define SHOWN "--- a/mm/count.c/+++ b/mm/count.c/@@ -1 +1,2 @@/-a/+b/+> c"

/* Patches of the reviewer are of what he says. */
static void test_diffs(void **state)
{
	one("> +\tif (n)\n\nHow about:\n\n" DIFF,
	    "1 3 mm/count.c:0:13 How about://" SHOWN "|");
	one("> +\tif (n)\n\n" DIFF, "1 3 mm/count.c:0:13 " SHOWN "|");
	one("Like this:\n---8<---\nFrom: Rita <rita@example.org>\nNot so.\n" DIFF
	    "-- \n2.39\n",
	    "1 1 Like this:/---8<---/From: Rita <rita@example.org>/Not so./" SHOWN "|");
}

static void reply(struct thread *t, const char *id, const char *parent, const char *from,
		  const char *text)
{
	add(t, id, parent, from, "Re: [PATCH 1/2] mm: count", text);
}

#define TWO                                                                              \
	"> +\tn = new_count();\n\nWhy is this new?\n\n> +\tif (n)\n\nWrong test here.\n"

static void two_and(const char *from, const char *answer, const char *want)
{
	struct thread t _cleanup_thread_ = { 0 };
	char *is _cleanup_free_ = NULL;

	begin(&t);
	reply(&t, "r", "1", REVIEWER, TWO);
	reply(&t, "a", "r", from, answer);
	is = found(&t);
	assert_string_equal(is, want);
}

#define FIRST  "1 3 mm/count.c:0:12 Why is this new?|"
#define SECOND "1 7 mm/count.c:0:13 Wrong test here.|"

static void test_answers(void **state)
{
	/* Quoted and answered: one, or both. */
	two_and(AUTHOR, "> Why is this new?\n\nBecause.\n", "+" FIRST SECOND);
	two_and(AUTHOR,
		"> Why is this new?\n>\n> > +\tif (n)\n>\n> Wrong test here.\n\nOK.\n",
		"+" FIRST "+" SECOND);
	/* What stands quoted below the last word of the author is not answered. */
	two_and(AUTHOR, "> Why is this new?\n\nBecause.\n\n> Wrong test here.\n",
		"+" FIRST SECOND);
	/* Top-posted: all that is quoted. */
	two_and(AUTHOR,
		"Will do both.\n\n" ATTR "> Why is this new?\n> Wrong test here.\n",
		"+" FIRST "+" SECOND);
	/* Without a quote nobody can say. */
	two_and(AUTHOR, "Will do.\n", FIRST SECOND);
	two_and(AUTHOR, "> Why is this new?\n> Wrong test here.\n", FIRST SECOND);
	/* Another address of the author; the author's client wrapped. */
	two_and("Ada Author <ada@work.example.org>",
		"> Why is\n> this new?\n\nBecause.\n", "+" FIRST SECOND);
	/* Somebody else answers: that is a text of its own. */
	two_and("Bob Third <bob@example.org>",
		"> Why is this new?\n\nIt counts better.\n",
		FIRST SECOND "1 3 It counts better.|");
}

/* Who counts. */
static void test_people(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	char *is _cleanup_free_ = NULL;

	begin(&t);
	reply(&t, "a", "1", AUTHOR, "I forgot a test.\n");
	reply(&t, "b", "2", "Carl Coauthor <carl@example.org>", "Mine is better.\n");
	reply(&t, "d", "1", "Carl Coauthor <carl@example.org>",
	      "I only wrote patch 2.\n");
	reply(&t, "e", "c", REVIEWER, "What is this for?\n");
	reply(&t, "g", "1", "'Ada Author' via list <list@example.org>", "It was me.\n");
	reply(&t, "i", "1", "'Bob Third' via list <list@example.org>",
	      "It was not me.\n");
	/* from another address, as her company writes her name */
	reply(&t, "k", "1", "\"Author King, Ada\" <aking@example.org>", "So was this.\n");
	reply(&t, "l", "1", "Ada <other@example.org>", "Another Ada.\n");
	reply(&t, "f", NULL, REVIEWER, "Of no series.\n");
	is = found(&t);
	assert_string_equal(
		is, "1 1 I only wrote patch 2.|0 1 What is this for?|1 1 It was not me.|"
		    "1 1 Another Ada.|");
}

/* A text with a NUL is one text. */
static void test_nul(void **state)
{
	static const char raw[] = "From: Rita <rita@example.org>\nIn-Reply-To: <1@h>\n\n"
				  "\0Why\0 this?\n";
	struct thread t _cleanup_thread_ = { 0 };
	char *is _cleanup_free_ = NULL;
	struct mail m;

	begin(&t);
	mail_scan(str_n(raw, sizeof(raw) - 1), FROM_PLAIN, &m);
	thread_add(&t, &m);
	is = found(&t);
	assert_string_equal(is, "1 1  Why  this?|");
}

/* A list that put itself into From: the reviewer is who it says that wrote. */
static void test_list_sender(void **state)
{
	static const char raw[] = "From: 'Rita Reviewer' via list <list@example.org>\n"
				  "X-Original-From: Rita Reviewer <rita@example.org>\n"
				  "In-Reply-To: <1@h>\n\nWhat is this for?\n";
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct remarks r _cleanup_remarks_ = { 0 };
	struct mail m;

	begin(&t);
	mail_scan(str_c(raw), FROM_PLAIN, &m);
	thread_add(&t, &m);
	thread_link(&t);
	posted_find(&t, &p);
	remarks_find(&t, &p, &r);
	assert_int_equal(r.n, 1);
	assert_string_equal(r.v[0].name, "Rita Reviewer");
	assert_string_equal(r.v[0].email, "rita@example.org");
}

/* The quote is kept: without one ">", at most 30 lines, the last ones. */
static void test_quoted(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct remarks r _cleanup_remarks_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;

	buf_puts(&text, "Hi Ada,\n\n" ATTR "> > inner\n>\n> +\tif (n)\n\nHm, no.\n");
	for (int i = 1; i <= 32; i++)
		buf_printf(&text, "> line %d\n", i);
	buf_puts(&text, "\nToo long?\n");
	begin(&t);
	reply(&t, "r", "1", REVIEWER, buf_cstr(&text));
	thread_link(&t);
	posted_find(&t, &p);
	remarks_find(&t, &p, &r);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.v[0].quoted, "> inner\n\n+\tif (n)");
	assert_string_equal(r.v[0].code, "\tif (n)");
	assert_false(r.v[0].question);
	assert_true(r.v[1].question);
	assert_true(str_starts(str_c(r.v[1].quoted), "line 4\n"));
	assert_true(str_ends(str_c(r.v[1].quoted), "\nline 32"));
	assert_null(r.v[1].file);
	assert_null(r.v[1].code);
}

/* All lines of a patch quoted, with this last word, and a remark below each. */
static void put_long(struct thread *t, const char *word, const char *sep)
{
	struct buf text _cleanup_buf_ = BUF_INIT, reply _cleanup_buf_ = BUF_INIT,
			answer _cleanup_buf_ = BUF_INIT;

	buf_printf(&text,
		   "Why.\n---\ndiff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n"
		   "@@ -1,1 +1,%d @@\n one\n",
		   LONG + 1);
	for (int i = 0; i < LONG; i++) {
		buf_printf(&text, "+line %d here\n", i);
		buf_printf(&reply, "> +line %d %s\n", i, word);
		buf_printf(&reply, "%sremark %d\n%s", sep, i, sep);
		buf_printf(&answer, "> remake %d\n\nok\n\n", i);
	}
	add(t, "p", NULL, AUTHOR, "[PATCH] mm: long", buf_cstr(&text));
	add(t, "r", "p", REVIEWER, "Re: [PATCH] mm: long", buf_cstr(&reply));
	add(t, "a", "r", AUTHOR, "Re: [PATCH] mm: long", buf_cstr(&answer));
}

/* A long mail costs what its lines cost: no loop over lines in a loop over lines. */
static void test_long(void **state)
{
	/* Quoted as they are; not as they are; so that the remark may be the end of
	   one that was wrapped. */
	static const struct {
		const char *word, *sep;
	} cases[] = {
		{ "here", "\n" },
		{ "there", "\n" },
		{ "there", "" },
	};

	for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
		struct thread t _cleanup_thread_ = { 0 };
		struct posted p _cleanup_posted_ = { 0 };
		struct remarks r _cleanup_remarks_ = { 0 };
		clock_t begin = clock();

		put_long(&t, cases[k].word, cases[k].sep);
		thread_link(&t);
		posted_find(&t, &p);
		remarks_find(&t, &p, &r);
		assert_int_equal(r.n, LONG);
		for (int i = 0; i < LONG; i++)
			assert_int_equal(r.v[i].new_line, k ? 0 : i + 2);
		/* some tenths, where it was minutes */
		assert_true(clock() - begin < 20 * CLOCKS_PER_SEC);
	}
}

/* Of many equal lines the one that those above decide, wherever it stands. */
static void test_equal_lines(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *is _cleanup_free_ = NULL;

	buf_puts(&text, "Why.\n---\ndiff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n"
			"@@ -0,0 +1,2000 @@\n");
	for (int i = 0; i < 1000; i++)
		buf_printf(&text, "+\tif (x == %d)\n+\t\treturn 0;\n", i);
	add(&t, "1", NULL, AUTHOR, "[PATCH] mm: equal", buf_cstr(&text));
	/* 2 * 900 + 2, the second below it, the first */
	add(&t, "r", "1", REVIEWER, "Re: [PATCH] mm: equal",
	    "> +\tif (x == 900)\n> +\t\treturn 0;\nx1 is better\n> +\t\treturn 0;\nx2 is "
	    "better\n");
	is = found(&t);
	assert_string_equal(is,
			    "1 3 a.c:0:1802 x1 is better|1 5 a.c:0:1804 x2 is better|");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inline),	    cmocka_unit_test(test_quotes),
		cmocka_unit_test(test_none),	    cmocka_unit_test(test_ends),
		cmocka_unit_test(test_answers),	    cmocka_unit_test(test_people),
		cmocka_unit_test(test_quoted),	    cmocka_unit_test(test_nul),
		cmocka_unit_test(test_list_sender), cmocka_unit_test(test_diffs),
		cmocka_unit_test(test_long),	    cmocka_unit_test(test_equal_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
