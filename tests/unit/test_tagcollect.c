// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_tagcollect.c - tags of threads: which patch each is for and who gave it. What is
 * expected was written by hand from the mails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/addr.h"
#include "series/mem.h"
#include "series/tag.h"

#define WENDY "Wendy Writer <wendy@example.org>"
#define ADA   "Ada Able <ada@example.org>"
#define BO    "Bo Brand <bo@example.org>"
#define DIFF                                                                             \
	"---\n x.c | 1 +\n\ndiff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1 +1,2 "   \
	"@@\n x\n+"

struct one {
	const char *id, *parent, *subject, *from, *text;
};

static void add(struct thread *t, const struct one *o)
{
	struct buf raw _cleanup_buf_ = BUF_INIT;
	struct mail m;

	buf_printf(&raw, "From: %s\nSubject: %s\nMessage-ID: <%s@x>\n", o->from,
		   o->subject, o->id);
	if (*o->parent)
		buf_printf(&raw, "In-Reply-To: <%s@x>\n", o->parent);
	buf_printf(&raw, "Date: 5 Jan 2024 10:00:%02zu +0000\n\n%s\n", t->n, o->text);
	mail_scan(buf_str(&raw), FROM_PLAIN, &m);
	thread_add(t, &m);
}

/* Ada has two addresses. */
static bool mailmap(void *arg, const char *a, const char *b)
{
	return (email_same(a, "ada@example.org") && email_same(b, "able@example.net")) ||
	       (email_same(b, "ada@example.org") && email_same(a, "able@example.net"));
}

/*
 * Each tag as "MAIL:vN/PATCH TYPE NAME" and what there is of " (author)", " (not
 * sender)", " (if)", " (gone by MAIL)"; separated by ", ".
 */
static void check(const struct one *mails, size_t n, const char *tags)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct tags found _cleanup_tags_ = { 0 };
	struct buf is _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		add(&t, &mails[i]);
	thread_link(&t);
	posted_find(&t, &p);
	tags_collect(&t, &p, mailmap, NULL, &found);
	assert_int_equal(p.n_places, n);
	for (size_t i = 0; i < found.n; i++) {
		const struct tag *g = &found.v[i];

		assert_in_range(g->mail, 0, n - 1);
		assert_in_range(g->version, 0, p.n - 1);
		assert_in_range(g->patch, 0, p.v[g->version].total);
		buf_printf(&is, "%s%s:%s/%zu %s%s %s", i ? ", " : "", mails[g->mail].id,
			   p.v[g->version].label, g->patch,
			   g->kind == TAG_RETRACTION ? "drop " : "", g->type, g->name);
		if (g->proposal != NO_MAIL)
			buf_printf(&is, " (%s)", g->scope_words);
		buf_puts(&is, g->by_author ? " (author)" : "");
		buf_puts(&is, g->by_sender ? "" : " (not sender)");
		buf_puts(&is, g->condition ? " (if)" : "");
		if (g->retracted_by != NO_MAIL)
			buf_printf(&is, " (gone by %s)", mails[g->retracted_by].id);
	}
	assert_string_equal(buf_cstr(&is), tags);
}

#define COVER                                                                            \
	{                                                                                \
		"c", "", "[PATCH 0/2] mm: two", WENDY, "Two.\n"                          \
	}
#define PATCH1                                                                           \
	{                                                                                \
		"1", "c", "[PATCH 1/2] mm: one", WENDY,                                  \
			"Do.\n\nSigned-off-by: " WENDY "\n" DIFF "a\n"                   \
	}
#define PATCH2                                                                           \
	{                                                                                \
		"2", "c", "[PATCH 2/2] mm: other", WENDY,                                \
			"Do.\n\nAcked-by: " BO "\n" DIFF "b\n"                           \
	}
#define RE(id, parent, from, text)                                                       \
	{                                                                                \
		id, parent, "Re: [PATCH] mm", from, text                                 \
	}
#define CHECK(expected, ...)                                                             \
	do {                                                                             \
		const struct one m[] = { COVER, PATCH1, PATCH2, __VA_ARGS__ };           \
		check(m, ARRAY_SIZE(m), expected);                                       \
	} while (0)

static void test_targets(void **state)
{
	CHECK("r:v1/1 Reviewed-by Ada Able", RE("r", "1", ADA, "Reviewed-by: " ADA));
	/* deep below a patch; on the cover: all patches */
	CHECK("s:v1/2 Reviewed-by Ada Able", RE("r", "2", BO, "Hm."),
	      RE("q", "r", WENDY, "Yes."), RE("s", "q", ADA, "Reviewed-by: " ADA));
	CHECK("r:v1/0 Acked-by Ada Able", RE("r", "c", ADA, "Acked-by: " ADA));
	/* in words */
	CHECK("r:v1/0 Acked-by Ada Able",
	      RE("r", "1", ADA, "For the series:\nAcked-by: " ADA));
	CHECK("r:v1/1 Acked-by Ada Able, r:v1/2 Acked-by Ada Able",
	      RE("r", "c", ADA, "For patches 1-2:\nAcked-by: " ADA));
	/* there is no patch 7 */
	CHECK("r:v1/1 Acked-by Ada Able",
	      RE("r", "1", ADA, "For patch 7:\nAcked-by: " ADA));
	/* a reply without "Re:" */
	CHECK("r:v1/1 Acked-by Ada Able", { "r", "1", "mm: one", ADA, "Acked-by: " ADA });
	/* nothing that is here */
	CHECK("", RE("r", "gone", ADA, "Acked-by: " ADA));
}

/* A tag for a patch that somebody wrote in a reply is none for the patch it answers. */
static void test_proposal(void **state)
{
	CHECK("s:v1/1 Tested-by Ada Able (for the patch in the reply of Bo Brand), "
	      "u:v1/1 Acked-by Ada Able",
	      { "r", "1", "Re: [PATCH 1/2] mm: one", BO,
		"Rather like this?\n\n---\nSubject: mm: this way\n\nIt is "
		"shorter.\n\nSigned-off-by: " BO "\n" DIFF "c\n" },
	      RE("s", "r", ADA, "Tested-by: " ADA), RE("u", "1", ADA, "Acked-by: " ADA));
	/* below scissors as well */
	CHECK("s:v1/1 Tested-by Ada Able (for the patch in the reply of Bo Brand)",
	      RE("r", "1", BO, "Rather:\n---8<---\nSubject: this way\n" DIFF "c\n"),
	      RE("s", "r", ADA, "Tested-by: " ADA));
}

static void test_single(void **state)
{
	const struct one m[] = {
		{ "p", "", "[PATCH] mm: one", WENDY, "Do.\n" DIFF "a\n" },
		RE("r", "p", ADA, "For the series:\nAcked-by: " ADA),
		RE("s", "p", BO, "Reviewed-by: " BO),
	};

	check(m, ARRAY_SIZE(m), "r:v1/1 Acked-by Ada Able, s:v1/1 Reviewed-by Bo Brand");
}

static void test_left_out(void **state)
{
	/* the patch has it already, whatever the address is called */
	CHECK("", RE("r", "2", BO, "Acked-by: " BO));
	CHECK("", RE("r", "2", BO, "Acked-by: bo@EXAMPLE.org"));
	CHECK("", RE("r", "1", ADA, "Signed-off-by: " WENDY));
	CHECK("r:v1/1 Acked-by Bo Brand", RE("r", "1", BO, "Acked-by: " BO));
	/* once per person, type and patch */
	CHECK("r:v1/1 Acked-by Ada Able", RE("r", "1", ADA, "Acked-by: " ADA),
	      RE("s", "1", ADA, "Again.\n\nAcked-by: ada@example.org"));
	CHECK("r:v1/0 Acked-by Ada Able", RE("r", "c", ADA, "Acked-by: " ADA),
	      RE("s", "c", ADA, "Acked-by: Ada Able <able@example.net>"));
	CHECK("r:v1/0 Acked-by Ada Able, s:v1/0 Tested-by Ada Able",
	      RE("r", "c", ADA, "Acked-by: " ADA), RE("s", "c", ADA, "Tested-by: " ADA));
	/* two people of one first name */
	CHECK("r:v1/1 Acked-by Ada Able, s:v1/1 Acked-by Ada",
	      RE("r", "1", ADA, "Acked-by: " ADA),
	      RE("s", "1", "Ada <a@example.com>", "Acked-by: Ada <a@example.com>"));
	/* programs */
	CHECK("", RE("r", "1", "kernel test robot <lkp@x>",
		     "Tested-by: kernel test robot <lkp@x>"));
	CHECK("", RE("r", "1", "sashiko-bot@x", "Reviewed-by: Ada <ada@x>"));
	/* a patch is no reply */
	CHECK("",
	      { "3", "1", "[PATCH] mm: else", ADA, "Acked-by: " ADA "\n" DIFF "c\n" });
}

static void test_people(void **state)
{
	CHECK("r:v1/1 Acked-by Bo Brand (not sender)",
	      RE("r", "1", ADA, "Acked-by: " BO));
	CHECK("r:v1/1 Acked-by Bo Brand (author) (not sender)",
	      RE("r", "1", WENDY, "Acked-by: " BO));
	CHECK("r:v1/1 Tested-by Wendy Writer (author)",
	      RE("r", "1", WENDY, "Tested-by: " WENDY));
	/* another address: the name, a list that writes its own, .mailmap */
	CHECK("r:v1/1 Acked-by Ada Able",
	      RE("r", "1", "Ada Able <able@example.com>", "Acked-by: " ADA));
	CHECK("r:v1/1 Acked-by Able, Ada",
	      RE("r", "1", ADA, "Acked-by: \"Able, Ada\" <able@example.com>"));
	CHECK("r:v1/1 Acked-by Ada Able",
	      RE("r", "1", "'Ada Able' via list <list@example.org>", "Acked-by: " ADA));
	CHECK("r:v1/1 Nacked-by Ada Able",
	      RE("r", "1", "'Ada Able' via list <list@example.org>", "NAK."));
	CHECK("r:v1/1 Acked-by A.", RE("r", "1", ADA, "Acked-by: A. <able@example.net>"));
	CHECK("r:v1/1 Acked-by Ada", RE("r", "1", ADA, "Acked-by: Ada"));
	CHECK("r:v1/1 Acked-by Bo (not sender)", RE("r", "1", ADA, "Acked-by: Bo"));
}

static void test_later(void **state)
{
	/* the condition is met: the later one counts */
	CHECK("s:v1/1 Acked-by Ada Able",
	      RE("r", "1", ADA, "With that fixed:\nAcked-by: " ADA),
	      RE("s", "1", ADA, "Acked-by: " ADA));
	CHECK("r:v1/1 Acked-by Ada Able", RE("r", "1", ADA, "Acked-by: " ADA),
	      RE("s", "1", ADA, "With that fixed:\nAcked-by: " ADA));
	/* taken back; by another; for another patch; on the cover */
	CHECK("r:v1/1 Acked-by Ada Able (gone by s), s:v1/1 drop Acked-by Ada Able",
	      RE("r", "1", ADA, "Acked-by: " ADA), RE("s", "1", ADA, "I revoke my Ack."));
	CHECK("r:v1/1 Acked-by Ada Able, s:v1/1 drop Acked-by Bo Brand",
	      RE("r", "1", ADA, "Acked-by: " ADA), RE("s", "1", BO, "I revoke my Ack."));
	CHECK("r:v1/1 Acked-by Ada Able, s:v1/2 drop Acked-by Ada Able",
	      RE("r", "1", ADA, "Acked-by: " ADA), RE("s", "2", ADA, "I revoke my Ack."));
	CHECK("r:v1/1 Acked-by Ada Able (gone by s), s:v1/0 drop  Ada Able",
	      RE("r", "1", ADA, "Acked-by: " ADA),
	      RE("s", "c", ADA, "Please drop my tags."));
	CHECK("r:v1/1 Acked-by Ada Able, s:v1/1 drop Reviewed-by Ada Able",
	      RE("r", "1", ADA, "Acked-by: " ADA),
	      RE("s", "1", ADA, "Please drop my R-b."));
	/* and given again */
	CHECK("r:v1/1 Acked-by Ada Able (gone by s), s:v1/1 drop Acked-by Ada Able, "
	      "u:v1/1 Acked-by Ada Able",
	      RE("r", "1", ADA, "Acked-by: " ADA), RE("s", "1", ADA, "I revoke my Ack."),
	      RE("u", "1", ADA, "Acked-by: " ADA));
	/* only if */
	CHECK("r:v1/1 Acked-by Ada Able, s:v1/1 drop Acked-by Ada Able (if)",
	      RE("r", "1", ADA, "Acked-by: " ADA),
	      RE("s", "1", ADA, "If you change it, drop my Ack."));
	/* a NAK in words is of who sent it */
	CHECK("r:v1/1 Nacked-by Ada Able", RE("r", "1", ADA, "NAK."));
}

/* Every field of what one mail says, as it stands in the text below. */
static void test_fields(void **state)
{
	const struct one m[] = {
		COVER, PATCH1, PATCH2,
		RE("r", "1", ADA,
		   "Fine, but for the title.\n\n" /* lines 1 and 2 */
		   "With that fixed:\n\n"	  /* 3 and 4 */
		   "reviwed-by: \"Able, Ada\" <ada@example.org> # callers, too\n"
		   "[not the docs]\n\n"			     /* 5 to 7 */
		   "For the arm64 bits:\nAcked-by: " BO "\n" /* 8 and 9 */
		   "Cc: stable@example.org\n"),		     /* 10 */
	};
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct tags found _cleanup_tags_ = { 0 };
	const struct tag *g;

	for (size_t i = 0; i < ARRAY_SIZE(m); i++)
		add(&t, &m[i]);
	thread_link(&t);
	posted_find(&t, &p);
	tags_collect(&t, &p, NULL, NULL, &found);
	assert_int_equal(found.n, 3);

	g = &found.v[0];
	assert_int_equal(g->kind, TAG_COLLECTED);
	assert_string_equal(g->type, "Reviewed-by");
	assert_string_equal(g->value, "\"Able, Ada\" <ada@example.org> # callers, too");
	assert_string_equal(g->note, "[not the docs]");
	assert_string_equal(g->name, "Able, Ada");
	assert_string_equal(g->email, "ada@example.org");
	assert_string_equal(g->condition, "With that fixed");
	assert_int_equal(g->line, 5);
	assert_true(g->misspelt);
	assert_false(g->informal);
	assert_int_equal(g->scope, SCOPE_HERE);
	assert_null(g->scope_words);
	assert_int_equal(g->mail, 3);
	assert_int_equal(g->version, 0);
	assert_int_equal(g->patch, 1);
	assert_true(g->by_sender);
	assert_false(g->by_author);
	assert_true(g->retracted_by == NO_MAIL && g->proposal == NO_MAIL);

	g = &found.v[1];
	assert_string_equal(g->type, "Acked-by");
	assert_int_equal(g->scope, SCOPE_PART);
	assert_string_equal(g->scope_words, "For the arm64 bits");
	assert_int_equal(g->line, 9);
	assert_null(g->note);
	assert_false(g->misspelt);
	assert_false(g->by_sender);

	g = &found.v[2];
	assert_int_equal(g->kind, TAG_SHOWN);
	assert_string_equal(g->type, "Cc");
	assert_string_equal(g->value, "stable@example.org");
	assert_int_equal(g->line, 10);
}

/* One for named patches is whole for each of them. */
static void test_spread(void **state)
{
	const struct one m[] = {
		COVER,
		PATCH1,
		PATCH2,
		RE("r", "c", ADA,
		   "Once the docs are there, for patches 1 and 2:\n\n"
		   "Acked-by: " ADA " # mm\n[read only]\n"),
	};
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct tags found _cleanup_tags_ = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(m); i++)
		add(&t, &m[i]);
	thread_link(&t);
	posted_find(&t, &p);
	tags_collect(&t, &p, NULL, NULL, &found);
	assert_int_equal(found.n, 2);
	for (size_t i = 0; i < found.n; i++) {
		const struct tag *g = &found.v[i];

		assert_int_equal(g->patch, i + 1);
		assert_string_equal(g->type, "Acked-by");
		assert_string_equal(g->value, ADA " # mm");
		assert_string_equal(g->note, "[read only]");
		assert_string_equal(g->email, "ada@example.org");
		assert_int_equal(g->scope, SCOPE_PATCHES);
		assert_int_equal(g->n_scope_patches, 2);
		assert_int_equal(g->scope_patches[0], 1);
		assert_int_equal(g->scope_patches[1], 2);
		assert_string_equal(g->condition,
				    "Once the docs are there, for patches 1 and 2");
		assert_int_equal(g->line, 3);
		assert_true(g->by_sender && !g->by_author);
	}
}

/* Two versions in one thread: what is said of each, and taken back in the later. */
static void test_versions(void **state)
{
	const struct one m[] = {
		COVER,
		PATCH1,
		PATCH2,
		{ "d", "", "[PATCH v2 0/2] mm: two", WENDY, "Two.\n" },
		{ "3", "d", "[PATCH v2 1/2] mm: one", WENDY,
		  "Do.\n\nReviewed-by: " ADA "\n" DIFF "a\n" },
		{ "4", "d", "[PATCH v2 2/2] mm: other", WENDY, "Do.\n" DIFF "c\n" },
		RE("r", "1", ADA, "Reviewed-by: " ADA),
		RE("s", "3", ADA, "Reviewed-by: " ADA),
		RE("u", "2", BO, "Tested-by: " BO),
		RE("v", "4", BO, "I revoke my Tested-by."),
		RE("w", "4", ADA, "Acked-by: " ADA),
	};

	/* v2 1/2 has hers already; what Bo takes back of v2 he gave to v1 */
	check(m, ARRAY_SIZE(m),
	      "r:v1/1 Reviewed-by Ada Able, u:v1/2 Tested-by Bo Brand (gone by v), "
	      "v:v2/2 drop Tested-by Bo Brand, w:v2/2 Acked-by Ada Able");
}

/* A made-up thread: each of many people counts, and none twice. */
static void test_many(void **state)
{
	const struct one p1 = { "p", "", "[PATCH] mm: one", WENDY, "Do.\n" DIFF "a\n" };
	struct thread t _cleanup_thread_ = { 0 };
	struct posted p _cleanup_posted_ = { 0 };
	struct tags found _cleanup_tags_ = { 0 };

	add(&t, &p1);
	for (int i = 0; i < 1200; i++) {
		char *who _cleanup_free_ =
			xasprintf("P%d Q%d <p%d@example.org>", i / 2, i / 2, i / 2);
		char *id _cleanup_free_ = xasprintf("r%d", i);
		char *text _cleanup_free_ = xasprintf("Acked-by: %s", who);
		const struct one o = { id, "p", "Re: [PATCH] mm: one", who, text };

		add(&t, &o);
	}
	thread_link(&t);
	posted_find(&t, &p);
	tags_collect(&t, &p, NULL, NULL, &found);
	assert_int_equal(found.n, 600);
	for (size_t i = 0; i < found.n; i++) {
		char *name _cleanup_free_ = xasprintf("P%zu Q%zu", i, i);

		assert_string_equal(found.v[i].name, name);
		assert_int_equal(found.v[i].mail, 1 + 2 * i);
		assert_int_equal(found.v[i].patch, 1);
		assert_true(found.v[i].by_sender);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_targets),	 cmocka_unit_test(test_single),
		cmocka_unit_test(test_proposal), cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_people),	 cmocka_unit_test(test_later),
		cmocka_unit_test(test_fields),	 cmocka_unit_test(test_spread),
		cmocka_unit_test(test_versions), cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
