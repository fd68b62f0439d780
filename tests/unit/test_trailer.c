// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trailers: which lines are some, and where those of a message begin. Where git
 * interpret-trailers --parse 2.39 says another thing, a comment tells.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../../lib/desk/suggest.h"
#include "series/buf.h"
#include "series/mem.h"
#include "series/trailer.h"

static const struct {
	const char *line, *key, *value; /* key NULL: none */
} lines[] = {
	{ "Reviewed-by: A <a@example.org>", "Reviewed-by", "A <a@example.org>" },
	{ "X-2: y", "X-2", "y" },
	{ "Cc:\ta@example.org  ", "Cc", "a@example.org" },
	{ "Cc:", "Cc", "" },
	{ "Cc: ", "Cc", "" },
	/* git takes an address of a page for a trailer, too */
	{ "https://example.org/x", NULL, NULL },
	{ "mm/rmap: fix it", NULL, NULL },
	{ "see this: x", NULL, NULL },
	{ " Cc: x", NULL, NULL },
	{ ": x", NULL, NULL },
	{ "Reviewed-by", NULL, NULL },
	{ "", NULL, NULL },
};

static void read_lines(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct str key, value;
		bool is = trailer_read(str_c(lines[i].line), &key, &value);

		assert_int_equal(is, lines[i].key != NULL);
		assert_true(!is || str_eqc(key, lines[i].key));
		assert_true(!is || str_eqc(value, lines[i].value));
	}
}

static void by_name(void **state)
{
	struct str value;

	assert_true(trailer_is(STR_LIT("fixes:1234 "), "Fixes", &value));
	assert_true(str_eqc(value, "1234"));
	assert_false(trailer_is(STR_LIT("Fixes-not: 1234"), "Fixes", &value));
	assert_false(trailer_is(STR_LIT("Fixes"), "Fixes", &value));
}

static void kinds(void **state)
{
	assert_true(trailer_is_person(STR_LIT("assisted-BY: x")));
	assert_false(trailer_is_person(STR_LIT("-by: x")));
	assert_false(trailer_is_person(STR_LIT("Cc: x")));
	assert_true(trailer_is_known(STR_LIT("Acked-by: x")));
	assert_true(trailer_is_known(STR_LIT("cc: x")));
	assert_true(trailer_is_known(STR_LIT("Stable-dep-of: x")));
	assert_false(trailer_is_known(STR_LIT("Problem: x")));
	assert_false(trailer_is_known(STR_LIT("Link to it: x")));
}

/* "|" stands where they begin. */
static const char *const messages[] = {
	"|",
	"Text.\n|",
	"Text.\n\n|Cc: a\nSigned-off-by: b\n\n",
	/* Others may stand among those that are known, with lines that go on. */
	"Text.\n\n|X-Y: a\nCc: b,\n\tc\n[b: reworded]\nSigned-off-by: b\n",
	"Text.\n\nNote: this matters.\n|",
	"Text.\n\nNote: this matters.\nMore: of it.\n\n|Signed-off-by: b\n",
	"Text.\n\nText: a\nmore text\nCc: b\nmore\n|",
	/* Without a blank line between, which git does not take. */
	"Text.\n|Signed-off-by: b\n",
	"Text.\nrmap: one\n|Cc: a\n  b\nSigned-off-by: b\n",
	/* All there is: a sentence may look like one. */
	"rmap: fix the build\n|",
	"rmap: fix the build\n|Signed-off-by: b\n",
	"|Signed-off-by: b\n",
	"Text.\n\nCc: a\n\n|Signed-off-by: b\n",
	"Text.\n\n[b: reworded]\n|Signed-off-by: b\n",
	"Text.\n\n  indented: x\n|Signed-off-by: b",
};

static void begin(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		struct buf text _cleanup_buf_ = BUF_INIT;
		struct str rest = str_c(messages[i]), above;

		assert_true(str_cut(&rest, '|', &above));
		buf_addstr(&text, above);
		buf_addstr(&text, rest);
		assert_int_equal(trailers_at(buf_str(&text)), above.len);
	}
}

static bool same_text(const char *a, const char *b)
{
	const struct commit old = { .message = (char *)a },
			    now = { .message = (char *)b };

	return taglines_same_text(&old, &now);
}

static void text_above(void **state)
{
	static const char old[] = "mm: x\n\nWhy.\nhttps://example.org/1\n\n"
				  "Note: slow.\n\nSigned-off-by: b\n";

	assert_true(same_text(old, "mm: y\n\nWhy.\nhttps://example.org/1\n\n"
				   "Note: slow.\n\nAcked-by: c\nSigned-off-by: b\n"));
	assert_true(same_text(old, "mm: x\n\nWhy.\nhttps://example.org/1\n\n"
				   "Note: slow.\n\nAcked-by: c\n\nCc: d\n"));
	assert_false(same_text(old, "mm: x\n\nWhy.\nhttps://example.org/1\n\n"
				    "Note: fast.\n\nSigned-off-by: b\n"));
	assert_false(same_text("mm: x\n\nhttps://example.org/1\n",
			       "mm: x\n\nhttps://example.org/2\n"));
	assert_true(same_text("mm: x\n", "mm: x\n\nSigned-off-by: b\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_lines), cmocka_unit_test(by_name),
		cmocka_unit_test(kinds),      cmocka_unit_test(begin),
		cmocka_unit_test(text_above),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
