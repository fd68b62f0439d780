// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changes/vN.txt: what people type, what is stored, and which patch they mean. Both texts
 * of each row were written by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "../../lib/desk/patchcode.h"
#include "series/changelog.h"
#include "series/mem.h"

static const struct patch patches[] = {
	{ .n = 1, .subject = (char *)"mm/rmap: add batched helper" },
	{ .n = 2, .subject = (char *)"mm/rmap: use it in try_to_unmap_one()" },
	{ .n = 3, .subject = (char *)"selftests/mm: test unmapping of batches" },
};

static char *stored(const char *typed)
{
	struct changelog c _cleanup_changelog_ = { 0 };
	struct buf b = BUF_INIT;

	changelog_parse(str_c(typed), &c);
	changelog_match(&c, patches, ARRAY_SIZE(patches));
	changelog_format(&c, &b);
	return buf_take(&b);
}

static const struct {
	const char *typed, *stored;
} rows[] = {
	{ "", "" },
	{ "\n# only a comment\n\n", "" },
	{ "\xef\xbb\xbf- one\r\n", "- one\n" },
	{ "- one\n* two\n - three\r\n", "- one\n- two\n- three\n" },
	/* Lines of an entry, with and without indent, and a paragraph of it. */
	{ "- one\nmore\n    code\n\n  paragraph\n",
	  "- one\n  more\n    code\n\n  paragraph\n" },
	{ "- one\n  - nested\n", "- one\n  - nested\n" },
	/* No "- ": as it was, and apart from entries. */
	{ "Mostly comments.\nTwo lines.\n- one\n",
	  "Mostly comments.\nTwo lines.\n\n- one\n" },
	{ "- one\n\nAfterword.\n", "- one\n\nAfterword.\n" },
	{ "-\n- \n- real\n", "- real\n" },
	/* A number alone; the order of patches; twice the same. */
	{ "patch 3:\n- c\npatch 1:\n- a\n\npatch 3/3:\n- d\n",
	  "patch 1: mm/rmap: add batched helper\n- a\n\n"
	  "patch 3: selftests/mm: test unmapping of batches\n- c\n- d\n" },
	/* The subject is stronger than the number. */
	{ "patch 1: selftests/mm: test unmapping of batches\n- c\n",
	  "patch 3: selftests/mm: test unmapping of batches\n- c\n" },
	/* Some of its words, when they fit one patch only. */
	{ "PATCH 1: Try_To_Unmap\n- b\n",
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\n- b\n" },
	/* Retitled: half of the words are there. */
	{ "patch 1: mm/rmap: add the helper\n- a\n",
	  "patch 1: mm/rmap: add batched helper\n- a\n" },
	{ "patch 1: mm/rmap: other things here\n- y\n",
	  "patch 1: mm/rmap: other things here\n- y\n" },
	/* Words of two subjects: the number decides, if it is one of theirs. */
	{ "patch 2: mm/rmap\n- b\n",
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\n- b\n" },
	{ "patch 3: mm/rmap\n- y\n", "patch 3: mm/rmap\n- y\n" },
	/* In one line, with the lines below it. */
	{ "- all\n- patch 2: use it\n  twice\n- all again\n",
	  "- all\n- all again\n\n"
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\n- use it\n  twice\n" },
	{ "patch 2: use a folio\n",
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\n- use a folio\n" },
	/* It is one too when its words are in a title; only the title itself is a
	   heading. */
	{ "patch 1: batched helper\npatch 2: add it\npatch 3: test batches\n",
	  "patch 1: mm/rmap: add batched helper\n- batched helper\n\n"
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\n- add it\n\n"
	  "patch 3: selftests/mm: test unmapping of batches\n- test batches\n" },
	{ "patch 2: batched\n",
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\n- batched\n" },
	{ "patch 2: mm/rmap: add batched helper\n", "" },
	/* Text that was indented does not become a comment or a heading. */
	{ "  #ifdef is gone\n  so is this\n", " #ifdef is gone\n so is this\n" },
	{ "one\n\n patch 2: is no heading\n - one\n",
	  "one\n\n patch 2: is no heading\n\n- one\n" },
	{ "patch 1:\n    a\n    # b\n\n    # c\n",
	  "patch 1: mm/rmap: add batched helper\n a\n # b\n\n # c\n" },
	/* What fits nothing stays, at the end. */
	{ "patch 9:\n- z\n\npatch 1: hugetlb: other\n- y\npatch 2:\n- b\n",
	  "patch 2: mm/rmap: use it in try_to_unmap_one()\n- b\n\n"
	  "patch 1: hugetlb: other\n- y\n\npatch 9:\n- z\n" },
	{ "patch 9: gone\n", "patch 9: gone\n" },
	{ "- patch 12: zone\n", "patch 12:\n- zone\n" },
	/* No heading. */
	{ "- patch two: x\n- patches 1: y\n- patch 0: z\n",
	  "- patch two: x\n- patches 1: y\n- patch 0: z\n" },
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

static void added(void **state)
{
	struct changelog c _cleanup_changelog_ = { 0 };
	struct buf b _cleanup_buf_ = BUF_INIT;

	changelog_parse(STR_LIT("- one\n"), &c);
	changelog_add(&c, 2, patches[1].subject, STR_LIT("- two\nlines"));
	changelog_add(&c, 0, "", STR_LIT(" # three "));
	changelog_add(&c, 2, patches[1].subject, STR_LIT("four"));
	changelog_format(&c, &b);
	assert_string_equal(buf_cstr(&b),
			    "- one\n- # three\n\n"
			    "patch 2: mm/rmap: use it in try_to_unmap_one()\n"
			    "- two\n  lines\n- four\n");
	assert_null(changelog_part(&c, 1));
	assert_int_equal(changelog_part(&c, 2)->n, 2);
	assert_false(changelog_empty(&c));
}

static void shown(void **state)
{
	struct changelog_entry e = { (char *)"one\n\n  two", false };
	struct changelog_entry plain = { (char *)"as\nit is", true };
	struct buf b _cleanup_buf_ = BUF_INIT;

	changelog_entry_show(&e, " - ", "patch 2: ", &b);
	changelog_entry_show(&plain, " - ", "", &b);
	changelog_entry_show(&plain, "- ", "patch 3: ", &b);
	assert_string_equal(buf_cstr(&b), " - patch 2: one\n\n     two\n"
					  "as\nit is\n"
					  "- patch 3: as\n  it is\n");
}

/* Headings as git diff prints them for kernel code. */
static void functions(void **state)
{
	static const struct {
		const char *heading, *name;
	} v[] = {
		{ "static bool try_to_unmap_one(struct folio *folio, struct vm_area_st",
		  "try_to_unmap_one()" },
		{ "int *foo (void)", "foo()" },
		{ "static void **bar(int x)", "bar()" },
		{ "SYSCALL_DEFINE3(mincore, unsigned long, start, size_t, len,",
		  "SYSCALL_DEFINE3(mincore)" },
		{ "EXPORT_SYMBOL_GPL(foo);", NULL },
		{ "int foo(int x);", NULL },
		{ "struct folio {", "struct folio" },
		{ "struct folio", "struct folio" },
		{ "struct folio *table[] = {", NULL },
		{ "static u32 masks[] = { GENMASK(3, 0), GENMASK(7, 4),", NULL },
		{ "enum ttu_flags {", "enum ttu_flags" },
		{ "static struct kmem_cache *anon_vma_cachep;", NULL },
		{ "out:", NULL },
		{ "", NULL },
		{ "(", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		char *got _cleanup_free_ = patchcode_function(str_c(v[i].heading));

		if (v[i].name) {
			assert_non_null(got);
			assert_string_equal(got, v[i].name);
		} else {
			assert_null(got);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(typed_and_stored),
		cmocka_unit_test(added),
		cmocka_unit_test(shown),
		cmocka_unit_test(functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
