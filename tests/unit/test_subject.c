// SPDX-License-Identifier: GPL-2.0-or-later
/* test_subject.c - subjects of patches in the shapes that people write. By hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/subject.h"

/* "Re PATCH RFC v2 3/5 {mm net} TITLE": RESEND is in the label, "v1?" is not said. */
static void check(const char *subject, const char *want)
{
	struct buf is _cleanup_buf_ = BUF_INIT;
	char *words _cleanup_free_ = NULL;
	struct subject s;

	subject_read(str_c(subject), &s);
	if (s.reply)
		buf_puts(&is, "Re ");
	if (s.patch)
		buf_puts(&is, "PATCH ");
	subject_label(&s, &is);
	buf_puts(&is, s.versioned ? "" : "?");
	if (s.counted)
		buf_printf(&is, " %d/%d", s.n, s.total);
	words = strvec_join(&s.words, " ");
	if (*words)
		buf_printf(&is, " {%s}", words);
	buf_printf(&is, " %s", s.title);
	assert_string_equal(buf_cstr(&is), want);
	subject_release(&s);
	assert_null(s.title);
}

static void test_usual(void **state)
{
	check("[PATCH] mm: a", "PATCH v1? mm: a");
	check("[PATCH 0/7] mm: a", "PATCH v1? 0/7 mm: a");
	check("[PATCH v2 03/12] mm: a", "PATCH v2 3/12 mm: a");
	check("Re: [RFC PATCH mm v2 03/12] mm: a", "Re PATCH RFC v2 3/12 {mm} mm: a");
	check("[PATCH net-next V4 1/3] a", "PATCH v4 1/3 {net-next} a");
	check("[patch 2/3] a", "PATCH v1? 2/3 a");
	check("[RFC 0/3] a", "PATCH RFC v1? 0/3 a");
	check("[RFC v2] a", "PATCH RFC v2 a");
	check("[PATCH RESEND v6 1/9] a", "PATCH v6 RESEND 1/9 a");
	check("[REPOST PATCH v2] a", "PATCH v2 RESEND a");
	check("[PATCHSET v3 0/2] a", "PATCH v3 0/2 a");
	check("[RFC PATCHES 00/17] a", "PATCH RFC v1? 0/17 a");
	check("[PATCH 0/9 RFC] a", "PATCH RFC v1? 0/9 a");
	check("[v3 PATCH 0/3] a", "PATCH v3 0/3 a");
	check("[PATCH -next, v3 00/10] a", "PATCH v3 0/10 {-next} a");
	check("mm: a", "v1? mm: a");
	check("", "v1? ");
	check("Re:", "Re v1? ");
}

static void test_odd(void **state)
{
	/* No blank, a comma, a mark between. */
	check("[PATCH v6,19/24] a", "PATCH v6 19/24 a");
	check("[PATCH1/8] a", "PATCH v1? 1/8 a");
	check("[PATCHv5 6/7] a", "PATCH v5 6/7 a");
	check("[PATCH-v3 1/3] a", "PATCH v3 1/3 a");
	check("[PATCH-next 1/3] a", "PATCH v1? 1/3 {next} a");
	check("[RFCv2 0/6] a", "PATCH RFC v2 0/6 a");
	check("[RFC/RFT PATCH v2 0/5] a", "PATCH RFC v2 0/5 {RFT} a");
	check("[BUG/RFC] a", "RFC v1? {BUG/RFC} a");
	check("[RESEND-PATCH v2] a", "PATCH v2 RESEND a");
	check("[RESENDPATCH v2] a", "PATCH v2 RESEND a");
	check("[PATCH v2/resend] a", "PATCH v2 RESEND a");
	check("[PATCH RESEND2 1/2] a", "PATCH v1 RESEND? 1/2 a");
	check("[PATCH net 2/2,v3] a", "PATCH v3 2/2 {net} a");
	check("[net-next,v3,0/4] a", "PATCH v3 0/4 {net-next} a");
	check("[PATCH 1 of 3] a", "PATCH v1? 1/3 a");
	check("[PATCH v4a 00/38] a", "PATCH v4a 0/38 a");
	check("[PATCH v5--cover-letter 1/3] a", "PATCH v5 1/3 {cover-letter} a");
	/* Several groups, some in each other, some that never end. */
	check("[foo-list] [PATCH [RFC] v1 x/n] [RESEND] foo: do foo",
	      "PATCH RFC v1 RESEND {foo-list x/n} foo: do foo");
	check("[PATCH foo", "PATCH v1? foo");
	check("[PATCH v2 3/4: foo", "PATCH v2 3/4 foo");
	check("[PATCH [RFC v2 1/2] foo: a[i]", "PATCH RFC v2 1/2 foo: a[i]");
	check("[PATCH v2][RFC]: kdump", "PATCH RFC v2 kdump");
	check("[PATCH v6 0/6] [PATCH v6 0/6] a", "PATCH v6 0/6 a");
	check("[PATCH v3 28/30 fix 1/2] a", "PATCH v3 28/30 {fix} a");
	check("[", "v1? ");
	check("[]", "v1? ");
	check("]", "v1? ]");
	check("[[[[", "v1? [[[");
	/* The title may have brackets of its own behind its first word. */
	check("[PATCH] mm: [x] y", "PATCH v1? mm: [x] y");
	check("[PATCH]  mm:\ta   b ", "PATCH v1? mm: a b");
}

/* A kernel's number is no version of a series. */
static void test_dotted(void **state)
{
	check("[PATCH v5.1 10/12] a", "PATCH v5.1 10/12 a");
	check("[PATCH 11/11 v2.2] a", "PATCH v2.2 11/11 a");
	check("[RFC PATCH v0.9.1 0/6] a", "PATCH RFC v0.9 0/6 a");
	check("[PATCH v4.19] a", "PATCH v1? {v4.19} a");
	check("[PATCH 07/19 v6.1.y] a", "PATCH v1? 7/19 {v6.1.y} a");
	check("[PATCH v5.4 v2] a", "PATCH v2 {v5.4} a");
	check("[PATCH v2 v5.4] a", "PATCH v2 {v5.4} a");
	check("[PATCH for v5.9] a", "PATCH v1? {for v5.9} a");
	check("[PATCH] [stable v5.4] a", "PATCH v1? {stable v5.4} a");
	check("[PATCH v6.11 v5.4 v4.9 1/1] a", "PATCH v1? 1/1 {v6.11 v5.4 v4.9} a");
	check("[PATCH v5.4 v4.9] a", "PATCH v1? {v5.4 v4.9} a");
	check("[PATCH 5.12 v3] a", "PATCH v3 {5.12} a");
	check("[PATCH 5.10/5.15] a", "PATCH v1? {5.10/5.15} a");
	check("[PATCH 0.5/5] a", "PATCH v1? {0.5/5} a");
	check("[PATCH v5.11-rc1 1/2] a", "PATCH v1? 1/2 {v5.11-rc1} a");
	check("[PATCH v20240101 1/2] a", "PATCH v1? 1/2 {v20240101} a");
	check("[PATCH 99999/99999] a", "PATCH v1? {99999/99999} a");
}

static void test_others(void **state)
{
	check("[GIT PULL] a for v5.2-rc1", "v1? {GIT PULL} a for v5.2-rc1");
	check("[GIT PULL v2 1/3] a", "v2 1/3 {GIT PULL} a");
	check("[PATCH net v3 0/3][pull request] a", "PATCH v3 0/3 {net pull request} a");
	check("[tip:core/urgent 1/1] a.c: error", "v1? 1/1 {tip:core/urgent} a.c: error");
	check("[rfcomm] a", "v1? {rfcomm} a");
	check("[patchwork] a", "v1? {patchwork} a");
	check("[PATCH vfs vnew] a", "PATCH v1? {vfs vnew} a");
}

static void test_replies(void **state)
{
	check("RE: [PATCH] a", "Re PATCH v1? a");
	check("Re:Re: [PATCH] a", "Re PATCH v1? a");
	check("Re[2]: [PATCH] a", "Re PATCH v1? a");
	check("AW: Fwd: FW: [PATCH] a", "Re PATCH v1? a");
	check("\xe5\x9b\x9e\xe5\xa4\x8d: [PATCH] a", "Re PATCH v1? a");
	check("\xe5\x9b\x9e\xe5\xa4\x8d\xef\xbc\x9a[PATCH] a", "Re PATCH v1? a");
	check("[EXTERNAL] Re: [PATCH v2] a", "Re PATCH v2 {EXTERNAL} a");
	check("[Re: PATCH mm] a", "Re PATCH v1? {mm} a");
	check("[PATCH] Re: a bug", "PATCH v1? a bug");
	check("Re: [PATCH] Re: a bug", "Re PATCH v1? a bug");
	check("remoteproc: a", "v1? remoteproc: a");
	check("Regression: a", "v1? Regression: a");
}

static void test_title_same(void **state)
{
	assert_true(title_same("mm: Add  a", " mm:add A"));
	assert_true(title_same("", " "));
	assert_false(title_same("mm: add a", "mm: add"));
	assert_false(title_same("mm: add", "mm: add a"));
	assert_false(title_same("mm: \xc3\xa9", "mm: \xc3\xa8"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usual),	cmocka_unit_test(test_odd),
		cmocka_unit_test(test_dotted),	cmocka_unit_test(test_others),
		cmocka_unit_test(test_replies), cmocka_unit_test(test_title_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
