// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_tui.c - what the screen of triage is made of, without a screen: the line editor,
 * text that is wrapped and folded, cells that are cut.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/mem.h"
#include "triage_row.h"
#include "tui/pager.h"
#include "tui/prompt.h"

/* Type these keys; what stands there then, "|" where the cursor is. */
static void types(const char *text, const int32_t *keys, size_t n, const char *expected)
{
	struct line_edit e;
	struct buf is _cleanup_buf_ = BUF_INIT;

	line_edit_init(&e, text);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(line_edit_key(&e, keys[i]), EDIT_GOES_ON);
	buf_addstr(&is, str_n(buf_cstr(&e.text), e.at));
	buf_putc(&is, '|');
	buf_puts(&is, buf_cstr(&e.text) + e.at);
	assert_string_equal(buf_cstr(&is), expected);
	line_edit_release(&e);
}
#define TYPES(text, expected, ...)                                                       \
	types(text, (int32_t[]){ __VA_ARGS__ },                                          \
	      ARRAY_SIZE(((int32_t[]){ __VA_ARGS__ })), expected)

static void test_edit(void **state)
{
	struct line_edit e;

	TYPES("ab", "abc|", 'c');
	TYPES("ab", "a|b", TK_LEFT);
	TYPES("ab", "xa|b", TK_HOME, 'x', TK_RIGHT);
	TYPES("ab", "a|", TK_BACKSPACE);
	TYPES("ab", "|b", TK_HOME, TK_DELETE);
	TYPES("one two", "one |", TK_CTRL('W'));
	TYPES("one two ", "one |", TK_CTRL('W'));
	TYPES("one two", "|two", TK_LEFT, TK_LEFT, TK_LEFT, TK_CTRL('U'));
	TYPES("one two", "one|", TK_LEFT, TK_LEFT, TK_LEFT, TK_LEFT, TK_CTRL('K'));
	/* A letter and what combines with it are one; a wide one is, too. */
	TYPES("cafe\u0301", "caf|", TK_BACKSPACE);
	TYPES("cafe\u0301", "caf|e\u0301", TK_LEFT);
	TYPES("\u65e5\u672c", "\u65e5|\u672c", TK_LEFT);
	TYPES("", "\u00e4\u65e5|", 0xe4, 0x65e5);
	TYPES("x", "x|", TK_F1, TK_PAGE_UP, TK_CTRL('X'));
	line_edit_init(&e, "");
	assert_int_equal(line_edit_key(&e, TK_BACKSPACE), EDIT_GIVEN_UP);
	assert_int_equal(line_edit_key(&e, TK_ESCAPE), EDIT_GIVEN_UP);
	assert_int_equal(line_edit_key(&e, TK_CTRL('C')), EDIT_GIVEN_UP);
	assert_int_equal(line_edit_key(&e, TK_ENTER), EDIT_DONE);
	line_edit_release(&e);
}

/* The rows of a pager, "/" between them. */
static void rows(struct pager *p, size_t width, const char *expected)
{
	struct buf is _cleanup_buf_ = BUF_INIT;

	p->width = 0;
	pager_layout(p, width);
	for (size_t i = 0; i < p->n_rows; i++) {
		const struct pager_row *r = &p->row[i];

		buf_puts(&is, i ? "/" : "");
		if (r->fold)
			buf_printf(&is, "+%zu", p->line[r->line].run);
		else
			buf_addstr(&is, str_n(p->text.p + r->at, r->len));
	}
	assert_string_equal(buf_cstr(&is), expected);
}

static void test_pager(void **state)
{
	struct pager *p = pager_new("t");

	pager_add(p, STYLE_PLAIN, 0, 0, str_c("abcdef"));
	pager_add(p, STYLE_PLAIN, 0, 0, str_c(""));
	pager_add(p, STYLE_PLAIN, 0, 0, str_c("a\tb\033[31mc\033]0;x\007"));
	pager_add(p, STYLE_PLAIN, 0, 0, str_c("\u65e5\u672c\u8a9e"));
	pager_ready(p);
	rows(p, 80, "abcdef//a       bc/\u65e5\u672c\u8a9e");
	rows(p, 5, "abcde/f//a    /   bc/\u65e5\u672c/\u8a9e");
	pager_free(p);
	p = pager_new("t");
	for (size_t i = 0; i < FOLD; i++)
		pager_add(p, STYLE_PLAIN, LINE_QUOTE, 0, str_c(">"));
	pager_add(p, STYLE_PLAIN, 0, 0, str_c("x"));
	for (size_t i = 0; i <= FOLD; i++)
		pager_add(p, STYLE_PLAIN, LINE_QUOTE, 0, str_c(">"));
	/* The next mail's quote is another one. */
	pager_add(p, STYLE_PLAIN, LINE_QUOTE, 1, str_c("> y"));
	pager_ready(p);
	rows(p, 80, ">/>/>/>/>/>/x/+7/> y");
	pager_go_mail(p, 1);
	assert_int_equal(p->top, 8);
	pager_free(p);
}

static void test_output(void **state)
{
	struct pager *p = pager_new("t");

	pager_add_output(p,
			 str_c("plain\n\033[32m+a\033[0m\n\033[1mb\033[0m \033[31mc\n"));
	pager_ready(p);
	rows(p, 80, "plain/+a/b c");
	assert_int_equal(p->line[0].style, STYLE_PLAIN);
	assert_int_equal(p->line[1].style, STYLE_GREEN);
	assert_int_equal(p->line[2].style, STYLE_BOLD);
	pager_free(p);
}

static void cell(const struct triage_row *r, enum triage_cell c, size_t width,
		 const char *expected)
{
	struct triage t = { .now = 1000000 };
	struct buf b _cleanup_buf_ = BUF_INIT;

	triage_cell(&t, r, c, width, &b);
	assert_string_equal(buf_cstr(&b), expected);
}

static void test_cells(void **state)
{
	struct triage_mark m = { .flagged = true, .note = "n" };
	struct listed l = { .title = "\u65e5\u672c\u8a9e",
			    .name = "A\033[31mda",
			    .email = "a@h",
			    .version = 12,
			    .versions = 4,
			    .total = 30,
			    .covered = 4,
			    .missing = 2,
			    .reviewed = 1,
			    .naks = 1,
			    .open = 12,
			    .reports = 3,
			    .last = 1000000 - 7200 };
	struct triage_row r = { .l = &l, .mark = &m };

	cell(&r, CELL_MARK, 2, "!n");
	cell(&r, CELL_AGE, 4, "2h");
	cell(&r, CELL_VERSION, 6, "v12+3");
	cell(&r, CELL_PATCHES, 6, "4/30-2");
	cell(&r, CELL_PATCHES, 5, "4/30-");
	cell(&r, CELL_TAGS, 5, "1/0/0");
	cell(&r, CELL_AGAINST, 9, "N1 o12 b3");
	cell(&r, CELL_AGAINST, 7, "N1o12b3");
	l.claim = "-73 %";
	l.mails = 3;
	cell(&r, CELL_CLAIM, 6, "-73%");
	cell(&r, CELL_SIGNED, 2, "");
	l.dkim = 3;
	l.developer = 1;
	cell(&r, CELL_SIGNED, 2, "dS");
	l.developer = 3;
	l.dkim = 2;
	cell(&r, CELL_SIGNED, 2, "Ds");
	cell(&r, CELL_APPLIES, 1, "");
	r.applies = APPLIES_NO;
	cell(&r, CELL_APPLIES, 1, "-");
	cell(&r, CELL_AUTHOR, 8, "Ada");
	/* Half a wide character is none. */
	cell(&r, CELL_SUBJECT, 6, "\u65e5\u672c\u8a9e");
	cell(&r, CELL_SUBJECT, 5, "\u65e5\u672c~");
	cell(&r, CELL_SUBJECT, 4, "\u65e5~");
}

static void test_widths(void **state)
{
	static const size_t screens[] = { 40, 59, 60, 79, 80, 100, 120, 149, 150, 200 };
	const struct triage t = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(screens); i++) {
		size_t w[N_CELLS], sum = 0;

		triage_widths(&t, screens[i], true, w);
		for (size_t k = 0; k < N_CELLS; k++)
			sum += w[k] ? w[k] + 1 : 0;
		/* One blank between two cells, none behind the last. */
		if (sum - 1 != screens[i])
			fail_msg("%zu columns make %zu", screens[i], sum - 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edit),   cmocka_unit_test(test_pager),
		cmocka_unit_test(test_output), cmocka_unit_test(test_cells),
		cmocka_unit_test(test_widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
