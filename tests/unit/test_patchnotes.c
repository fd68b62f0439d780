// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * notes.txt: what people type, what is stored, and which patch they mean. Both texts of
 * each row were written by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/patchnotes.h"

static const struct patch patches[] = {
	{ .n = 1, .subject = (char *)"mm/rmap: add batched helper" },
	{ .n = 2, .subject = (char *)"mm/rmap: use it in try_to_unmap_one()" },
};

static void read_notes(const char *typed, struct patchnotes *ret)
{
	patchnotes_parse(str_c(typed), ret);
	patchnotes_match(ret, patches, ARRAY_SIZE(patches));
}

static char *stored(const char *typed)
{
	struct patchnotes p _cleanup_patchnotes_ = { 0 };
	struct buf b = BUF_INIT;

	read_notes(typed, &p);
	patchnotes_format(&p, &b);
	return buf_take(&b);
}

static const struct {
	const char *typed, *stored;
} rows[] = {
	{ "", "" },
	{ "\xef\xbb\xbfpatch 2:\r\n\r\ntext\r\n\r\n",
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\ntext\n" },
	/* Headings of patches say nothing alone. */
	{ "patch 1:\n\npatch 2: mm/rmap: use it in try_to_unmap_one()\n", "" },
	/* Other words do, and those that are in a title too. */
	{ "patch 2: not for stable\n",
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\nnot for stable\n" },
	{ "patch 1: batched helper\n\npatch 2: text\nmore\n",
	  "patch 1: mm/rmap: add batched helper\nbatched helper\n\n"
	  "patch 2: text\nmore\n" },
	{ "patch 9: for nobody\n", "patch 9: for nobody\n" },
	/* Twice the same patch. */
	{ "patch 1:\na\n\npatch 1/2:\nb\n",
	  "patch 1: mm/rmap: add batched helper\na\n\nb\n" },
	{ "for nobody\n\npatch 1:\n\\patch 2: text\n\\\\patch 2: more\n\\x\n",
	  "for nobody\n\npatch 1: mm/rmap: add batched helper\n"
	  "\\patch 2: text\n\\\\patch 2: more\n\\x\n" },
};

static void typed_and_stored(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *once _cleanup_free_ = stored(rows[i].typed), *twice _cleanup_free_;

		assert_string_equal(once, rows[i].stored);
		twice = stored(once);
		assert_string_equal(twice, rows[i].stored);
	}
}

static void replaced(void **state)
{
	struct patchnotes p _cleanup_patchnotes_ = { 0 };

	read_notes("patch 2:\nold\n", &p);
	patchnotes_set(&p, 1, patches[0].subject, STR_LIT("\n\npatch 2: text\n \n"));
	assert_int_equal(p.n, 2);
	assert_string_equal(patchnotes_get(&p, 1)->text, "patch 2: text\n");
	patchnotes_set(&p, 2, patches[1].subject, STR_LIT("new"));
	assert_string_equal(patchnotes_get(&p, 2)->text, "new\n");
	patchnotes_set(&p, 1, patches[0].subject, STR_LIT(" \n"));
	assert_null(patchnotes_get(&p, 1));
	assert_int_equal(p.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(typed_and_stored),
		cmocka_unit_test(replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
