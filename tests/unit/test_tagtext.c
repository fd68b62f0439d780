// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tags put into messages: where they go, what is left out, and that all else stays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "../../lib/desk/tagtext.h"
#include "series/mem.h"

#define RITA "Reviewed-by: Rita Reader <rita@example.org>\n"
#define TOM  "Tested-by: Tom Tester <tom@example.org>\n"
#define ANN  "Acked-by: Ann Acker <ann@example.org>\n"
#define ME   "Signed-off-by: Wendy Writer <wendy@example.org>\n"
#define HIS  "Signed-off-by: Otto Other <otto@example.org>\n"

/* A message; lines to add, with "|" between; the order; what comes out; how many. */
static const struct row {
	const char *name, *message, *lines, *order, *want;
	size_t n;
} rows[] = {
	{ "before the sender's", "a: b\n\nText.\n\n" ME,
	  "Reviewed-by: Rita Reader <rita@example.org>|"
	  "Acked-by: Ann Acker <ann@example.org>",
	  "*", "a: b\n\nText.\n\n" RITA ANN ME, 2 },
	{ "a title alone", "a: b\n", "Tested-by: Tom Tester <tom@example.org>", "*",
	  "a: b\n\n" TOM, 1 },
	{ "no trailers, no line end", "a: b\n\nText: with a colon is text.",
	  "Tested-by: Tom Tester <tom@example.org>", "*",
	  "a: b\n\nText: with a colon is text.\n\n" TOM, 1 },
	{ "behind those that are there",
	  "a: b\n\nText.\n\nFixes: 123456789012 (\"x\")\n" ANN ME,
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\nFixes: 123456789012 (\"x\")\n" ANN RITA ME, 1 },
	{ "the sender's goes to the end", "a: b\n\nText.\n\n" ME ANN,
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" ANN RITA ME, 1 },
	{ "of another author", "a: b\n\nText.\n\n" HIS ME,
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" HIS RITA ME, 1 },
	{ "never doubled, whatever the name or case",
	  "a: b\n\nText.\n\nreviewed-by: R. Reader <rita@EXAMPLE.org>\n" ME,
	  "Reviewed-by: Rita Reader <rita@example.org>|"
	  "Tested-by: Tom Tester <tom@example.org>|"
	  "Tested-by: Tom <tom@example.org>",
	  "*", "a: b\n\nText.\n\nreviewed-by: R. Reader <rita@EXAMPLE.org>\n" TOM ME, 1 },
	{ "nothing new: nothing changes", "a: b\n\nText.\n\n" ME RITA "\n\n\n",
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" ME RITA "\n\n\n", 0 },
	{ "another type of the same person counts", "a: b\n\nText.\n\n" RITA ME,
	  "Tested-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" RITA "Tested-by: Rita Reader <rita@example.org>\n" ME, 1 },
	{ "a note, a comma, a comment stay", "a: b\n\nText.\n\n" ME,
	  "Acked-by: Ann Acker, PhD <ann@example.org> # mm parts|"
	  "Reviewed-by: Rita Reader <rita@example.org>\n[only the arm64 bits]",
	  "*",
	  "a: b\n\nText.\n\nAcked-by: Ann Acker, PhD <ann@example.org> # mm parts\n" RITA
	  "[only the arm64 bits]\n" ME,
	  2 },
	{ "a pair and a work note stay together",
	  "a: b\n\nText.\n\n" HIS "[wendy: rebased,\n fixed the build]\n"
	  "Co-developed-by: Wendy Writer <wendy@example.org>\n" ME,
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" HIS RITA "[wendy: rebased,\n fixed the build]\n"
	  "Co-developed-by: Wendy Writer <wendy@example.org>\n" ME,
	  1 },
	{ "a note of a tag stays with it", "a: b\n\nText.\n\n" ANN "[mm parts]\n" ME,
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" ANN "[mm parts]\n" RITA ME, 1 },
	{ "what stands below three dashes", "a: b\n\nText.\n\n" ME "---\nnote\n",
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" RITA ME "---\nnote\n", 1 },
	{ "three dashes and a blank", "a: b\n\nText.\n\n" ME "--- \n" TOM,
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" RITA ME "--- \n" TOM, 1 },
	/* b4 0.12 with trailer-order = tested*,reviewed*,* : below HIS all is sorted. */
	{ "an order", "a: b\n\nText.\n\nCc: x@example.org\n" HIS ANN ME,
	  "Reviewed-by: Rita Reader <rita@example.org>|"
	  "Tested-by: Tom Tester <tom@example.org>",
	  "Tested*, reviewed*,*",
	  "a: b\n\nText.\n\nCc: x@example.org\n" HIS TOM RITA ANN ME, 2 },
	{ "an order that does not name all", "a: b\n\nText.\n\n" ANN ME,
	  "Reviewed-by: Rita Reader <rita@example.org>|"
	  "Tested-by: Tom Tester <tom@example.org>",
	  "tested-by", "a: b\n\nText.\n\n" TOM ANN RITA ME, 2 },
	{ "nobody of ours signed", "a: b\n\nText.\n\n" HIS,
	  "Reviewed-by: Rita Reader <rita@example.org>", "*",
	  "a: b\n\nText.\n\n" HIS RITA, 1 },
};

/*
 * What was put in is found, counts as there the second time, and each line of it stands
 * once; title and text stay what they were.
 */
static void check_again(const struct row *row, const struct strvec *lines,
			const struct tag_style *style, const struct buf *once)
{
	struct buf twice _cleanup_buf_ = BUF_INIT;
	size_t text = strcspn(row->message, "\n") + 1;

	assert_int_equal(tagtext_add(buf_str(once), lines, style, &twice), 0);
	assert_string_equal(buf_cstr(&twice), buf_cstr(once));
	assert_memory_equal(buf_cstr(once), row->message, text);
	for (size_t i = 0; i < lines->n; i++) {
		char *type _cleanup_free_ =
			xasprintf("%.*s", (int)strcspn(lines->v[i], ":"), lines->v[i]);
		const char *from = strrchr(lines->v[i], '<') + 1;
		char *email _cleanup_free_ =
			xasprintf("%.*s", (int)strcspn(from, ">"), from);
		const char *first = strstr(buf_cstr(once), lines->v[i]);

		assert_true(tagtext_has(buf_str(once), type, email));
		if (first)
			assert_null(strstr(first + 1, lines->v[i]));
	}
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct tag_style style = { .order = rows[i].order };
		struct strvec lines _cleanup_strvec_ = STRVEC_INIT;
		struct buf out _cleanup_buf_ = BUF_INIT;
		size_t n;

		strvec_push(&style.own, "wendy@example.org");
		strvec_split(&lines, str_c(rows[i].lines), '|');
		n = tagtext_add(str_c(rows[i].message), &lines, &style, &out);
		if (n != rows[i].n || strcmp(buf_cstr(&out), rows[i].want) != 0)
			fail_msg("%s: %zu\n%s", rows[i].name, n, buf_cstr(&out));
		check_again(&rows[i], &lines, &style, &out);
		strvec_release(&style.own);
	}
}

/* A message, a type, an address: is it there? */
static void test_has(void **state)
{
	static const char message[] =
		"a: b\n\nText.\n\nReviewed-by: Early Bird <early@example.org>\n\n" RITA
		"acked-by: \"Acker, Ann\" <ann@Example.ORG> # mm\n"
		"Tested-by: tom@example.org\n"
		"Suggested-by: Su Gest <su@example.org>\n[su: only this]\n" ME
		"--- \nReviewed-by: Below Line <below@example.org>\n";
	struct str m = str_c(message);

	assert_true(tagtext_has(m, "Reviewed-by", "rita@example.org"));
	/* the type and the domain in any case, the person before the @ as it is */
	assert_true(tagtext_has(m, "REVIEWED-BY", "rita@EXAMPLE.org"));
	assert_false(tagtext_has(m, "Reviewed-by", "Rita@example.org"));
	assert_true(tagtext_has(m, "Acked-by", "ann@example.org"));
	assert_true(tagtext_has(m, "Tested-by", "tom@example.org"));
	assert_true(tagtext_has(m, "Signed-off-by", "wendy@example.org"));
	/* another type, another person, part of an address */
	assert_false(tagtext_has(m, "Tested-by", "rita@example.org"));
	assert_false(tagtext_has(m, "Reviewed-by", "ann@example.org"));
	assert_false(tagtext_has(m, "Reviewed-by", "ita@example.org"));
	assert_false(tagtext_has(m, "Reviewed-by", "rita@example.or"));
	/* in a paragraph of its own; below what git am cuts */
	assert_true(tagtext_has(m, "Reviewed-by", "early@example.org"));
	assert_false(tagtext_has(m, "Reviewed-by", "below@example.org"));
	assert_false(tagtext_has(str_c(""), "Reviewed-by", "rita@example.org"));
	assert_false(tagtext_has(str_c("a: b\n"), "Reviewed-by", ""));
}

/* A message; lines that go, with "|" between; what is left; how many were found. */
static const struct {
	const char *name, *message, *lines, *want;
	size_t n;
} gone[] = {
	{ "one of a block", "a: b\n\nText.\n\n" RITA ANN ME,
	  "Acked-by: Ann Acker <ann@example.org>", "a: b\n\nText.\n\n" RITA ME, 1 },
	{ "type and address tell it, whatever the name and comment",
	  "a: b\n\nText.\n\nacked-by: A. <ann@EXAMPLE.org> # mm\n" RITA ME,
	  "Acked-by: Ann Acker <ann@example.org>", "a: b\n\nText.\n\n" RITA ME, 1 },
	{ "another type, another person stay", "a: b\n\nText.\n\n" RITA ANN ME,
	  "Tested-by: Rita Reader <rita@example.org>|Acked-by: X <x@example.org>",
	  "a: b\n\nText.\n\n" RITA ANN ME, 0 },
	{ "its note and what it goes on in go, a note of another's stays",
	  "a: b\n\nText.\n\nAcked-by: Ann Acker\n <ann@example.org>\n" ANN
	  "[only mm]\n" RITA "[only mm]\n" ME,
	  "Acked-by: Ann Acker <ann@example.org>\n[only mm]",
	  "a: b\n\nText.\n\nAcked-by: Ann Acker\n <ann@example.org>\n" RITA
	  "[only mm]\n" ME,
	  1 },
	{ "goes on in a line", "a: b\n\nText.\n\nAcked-by: Ann <ann@example.org> # and\n"
			       "  more\n[wendy: rebased]\n" ME,
	  "Acked-by: Ann Acker <ann@example.org>",
	  "a: b\n\nText.\n\n[wendy: rebased]\n" ME, 1 },
	{ "the block is left empty", "a: b\n\nText.\n\n" RITA,
	  "Reviewed-by: Rita Reader <rita@example.org>", "a: b\n\nText.\n", 1 },
	{ "a paragraph between is left empty", "a: b\n\nText.\n\n" RITA "\n" ME,
	  "Reviewed-by: Rita Reader <rita@example.org>", "a: b\n\nText.\n\n" ME, 1 },
	{ "the last paragraph is left empty, dashes follow",
	  "a: b\n\nText.\n\n" ME "\n" RITA "---\n" RITA,
	  "Reviewed-by: Rita Reader <rita@example.org>",
	  "a: b\n\nText.\n\n" ME "---\n" RITA, 1 },
	{ "no line end", "a: b\n\nText.\n\n" ME "Acked-by: Ann <ann@example.org>",
	  "Acked-by: Ann Acker <ann@example.org>", "a: b\n\nText.\n\n" ME, 1 },
	{ "text is left alone", "a: b\n\n" RITA "Text goes on, and on.\n\n" ME,
	  "Reviewed-by: Rita Reader <rita@example.org>",
	  "a: b\n\n" RITA "Text goes on, and on.\n\n" ME, 0 },
	{ "nothing to take out: byte for byte", "a: b\n\nText.\n\n\n" ME "\n\n", "",
	  "a: b\n\nText.\n\n\n" ME "\n\n", 0 },
	{ "blank lines at the end stay", "a: b\n\nText.\n\n" RITA ME "\n\n",
	  "Reviewed-by: Rita Reader <rita@example.org>", "a: b\n\nText.\n\n" ME "\n\n",
	  1 },
};

static void test_gone(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(gone); i++) {
		struct strvec lines _cleanup_strvec_ = STRVEC_INIT;
		struct buf out _cleanup_buf_ = BUF_INIT;
		size_t n;

		strvec_split(&lines, str_c(gone[i].lines), '|');
		n = tagtext_remove(str_c(gone[i].message), &lines, &out);
		if (n != gone[i].n || strcmp(buf_cstr(&out), gone[i].want) != 0)
			fail_msg("%s: %zu\n%s", gone[i].name, n, buf_cstr(&out));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_has),
	};

	return cmocka_run_group_tests_name("tagtext", tests, NULL, NULL);
}
