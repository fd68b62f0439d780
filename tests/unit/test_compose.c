// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bodies of mails: when and how they are encoded, and what git am would cut. The cases of
 * message_cut() were tried on git mailinfo 2.39.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "series/compose.h"
#include "series/mem.h"

static void qp_only_where_needed(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	assert_false(body_needs_qp(str_c("plain\n\xc3\xa4\n.\n> From x\nFromage \n")));
	assert_true(body_needs_qp(str_c("a\r\nb\n")));
	assert_true(body_needs_qp(str_c("a\nFrom here\n")));
	assert_true(body_needs_qp(str_c("a\n>>From here\n")));
	assert_true(body_needs_qp(str_n("a\0b\n", 4)));
	buf_fill(&b, 'x', 998);
	buf_putc(&b, '\n');
	assert_false(body_needs_qp(buf_str(&b)));
	buf_reset(&b);
	buf_fill(&b, 'x', 999);
	assert_true(body_needs_qp(buf_str(&b)));
}

static void encodes(const char *body, const char *want)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	qp_encode(str_c(body), &b);
	assert_string_equal(buf_cstr(&b), want);
}

static void quoted_printable(void **state)
{
	encodes("a=b\n", "a=3Db\n");
	encodes("a\r\n", "a=0D\n");
	encodes("a \t\nb\t \n", "a =09\nb\t=20\n");
	encodes("From x\n From\n", "=46rom x\n From\n");
	encodes(">From x\n> From\n", "=3EFrom x\n> From\n");
	encodes("\xc3\xa4\n", "=C3=A4\n");
	encodes("\x7f\x01\n", "=7F=01\n");
	/* 76 columns with the soft line end (RFC 2045, 6.7 (5)) */
	encodes("0123456789012345678901234567890123456789012345678901234567890123456789"
		"01234567890\n",
		"0123456789012345678901234567890123456789012345678901234567890123456789"
		"01234=\n567890\n");
}

static void cut(const char *message, const char *word)
{
	char *why _cleanup_free_ = message_cut(message);

	if (!word) {
		assert_null(why);
		return;
	}
	assert_non_null(why);
	assert_non_null(strstr(why, word));
}

static void knows_what_git_am_cuts(void **state)
{
	cut("mm: fine\n\nText.\n -- \n--\n----\n--- \xc3\xa4 is two dashes more\n",
	    "line 7");
	cut("mm: fine\n\nText.\n", NULL);
	cut("mm: fine\n\na\n---\nb\n", "line 4, '---'");
	cut("mm: fine\n\na\n---  \nb\n", "line 4");
	cut("mm: fine\n\na\n--- a/mm/rmap.c\n", "line 4");
	cut("mm: fine\n\na\n----\n--\n -- \n---x\n", NULL);
	cut("mm: fine\n\ndiff --git a/x b/x\n", "line 3");
	cut("mm: fine\n\ndiff -u x y\n", "line 3");
	cut("mm: fine\n\ndifferent -x\nIndexes: y\n", NULL);
	cut("mm: fine\n\nIndex: x\n", "line 3");
	cut("[RFC] mm: x\n", "bracket");
	cut(" \t[RFC] mm: x\n", "bracket");
	cut(" mm: x\n", NULL);
	cut("re: mm: x\n", "Re:");
	cut("Re-do it\n", NULL);
	cut(": x\n", "colon");
	cut("[mm no end\n", NULL);
	cut("re:\n", NULL);
	cut("mm: x\n\n--- \fx\n", "line 3");
	cut("mm: x\n\nFrom: carried by an in-body From: above it\n", NULL);
}

static void notes_must_not_start_a_diff(void **state)
{
	char *ok = notes_cut(str_c("text\n---\n-- \n@@ but no\n"));
	char *bad _cleanup_free_ = notes_cut(str_c("text\n--- a/x\n+++ b/x\n"));

	assert_null(ok);
	assert_non_null(strstr(bad, "line 2"));
}

static const char format_patch[] =
	"From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
	"From: Wendy Writer <wendy@example.org>\n"
	"Date: Tue, 14 Nov 2023 22:14:20 +0000\n"
	"Subject: [PATCH] mm: x\n"
	"\n"
	"Text.\n"
	"---\n"
	"\n"
	"Notes:\n"
	"    seen\n"
	"\n"
	" f | 2 +-\n"
	"\n"
	"diff --git a/f b/f\n";

static void takes_format_patch_apart(void **state)
{
	struct patch_mail m;

	assert_int_equal(patch_mail_parse(str_c(format_patch), &m, NULL), 0);
	assert_true(str_eqc(m.message, "Text.\n"));
	assert_true(str_eqc(m.notes, "Notes:\n    seen\n"));
	assert_true(str_starts(m.rest, " f | 2 +-\n"));
	assert_true(str_eqc(m.date, "Tue, 14 Nov 2023 22:14:20 +0000"));
	assert_int_equal(patch_mail_parse(str_c("no mail"), &m, NULL), E_CORRUPT);
	assert_int_equal(patch_mail_parse(str_c("From x\n\nno dashes\n"), &m, NULL),
			 E_CORRUPT);
}

static void header_like(const char *message, bool want)
{
	assert_int_equal(message_header_like(message_body(message)), want);
}

static void knows_what_reads_as_a_header(void **state)
{
	header_like("mm: x\n\n\nFrom: somebody\n", true);
	header_like("mm: x\n\nsubject: y\n", true);
	header_like("mm: x\n\n[PATCH] y\n", true);
	header_like("mm: x\n\nText\nFrom: later\nDate: fine\n", false);
	header_like("mm: x\n", false);
}

static void finds_the_text_below_the_title(void **state)
{
	assert_true(str_eqc(message_body("mm: x\nand y\n\n\n text\n\nb\n\n"),
			    " text\n\nb"));
	assert_true(str_eqc(message_body("\nmm: x\n"), ""));
	assert_true(str_eqc(message_body(""), ""));
}

/* What git 2.39 am commits of these, tried by hand. */
static void reads_messages_back(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	char *where _cleanup_free_ = NULL;

	message_read_back(str_c("mm: x"), str_c("\n\na \t\n\n \n\nb\f\r\n\n"), &b);
	assert_string_equal(buf_cstr(&b), "mm: x\n\na\n\nb\f\n");
	assert_null(message_change("mm: x\n\na\n\nb\f", buf_str(&b)));
	where = message_change("mm: x\n\na \n\nb\f\n", buf_str(&b));
	assert_string_equal(where, "line 3, 'a '");
	buf_reset(&b);
	message_read_back(str_c("mm: x"), str_c(""), &b);
	assert_string_equal(buf_cstr(&b), "mm: x\n");
}

static void compares_messages(void **state)
{
	assert_true(message_same("mm: x\n\nA  b\nc\n", str_c("mm: x"), str_c("A b\nc")));
	assert_false(message_same("mm: x\n\nA b\n", str_c("mm: x"), str_c("A")));
	assert_false(message_same("mm: x\n", str_c("mm: x"), str_c("more")));
	assert_false(message_same("[a] mm: x\n", str_c("mm: x"), str_c("")));
}

static void writes_headers(void **state)
{
	struct addr from = { (char *)"W. W.", (char *)"w@example.org" };
	struct addrs to _cleanup_addrs_ = ADDRS_INIT, cc _cleanup_addrs_ = ADDRS_INIT;
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct mail_spec m = { .from = &from, .to = &to, .cc = &cc, .tag = "[PATCH 1/2]",
			       .title = str_c("mm: x"), .message_id = "b@example.org",
			       .in_reply_to = "a@example.org", .references = &refs,
			       .date_text = STR_LIT("Tue, 14 Nov 2023 22:14:20 +0000"),
			       .body = str_c("Hello\n") };

	addrs_parse(&to, "t@example.org", NULL);
	strvec_pushl(&refs, "z@example.org", "a@example.org", NULL);
	assert_int_equal(mail_compose(&m, &b, NULL), 0);
	assert_string_equal(buf_cstr(&b), "From: \"W. W.\" <w@example.org>\n"
					  "To: t@example.org\n"
					  "Subject: [PATCH 1/2] mm: x\n"
					  "Date: Tue, 14 Nov 2023 22:14:20 +0000\n"
					  "Message-ID: <b@example.org>\n"
					  "In-Reply-To: <a@example.org>\n"
					  "References: <z@example.org>\n"
					  " <a@example.org>\n"
					  "MIME-Version: 1.0\n"
					  "Content-Type: text/plain; charset=UTF-8\n"
					  "Content-Transfer-Encoding: 8bit\n"
					  "\n"
					  "Hello\n");
}

static void makes_message_ids(void **state)
{
	/* 1700000000 is 2023-11-14 22:13:20 UTC (date -u -d @1700000000) */
	char *id _cleanup_free_ = message_id(1700000000, "abcdefgh", 2, 3, "w@example.org");

	assert_string_equal(id, "20231114221320.abcdefgh-series-v2-3@example.org");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(qp_only_where_needed),
		cmocka_unit_test(quoted_printable),
		cmocka_unit_test(knows_what_git_am_cuts),
		cmocka_unit_test(notes_must_not_start_a_diff),
		cmocka_unit_test(takes_format_patch_apart),
		cmocka_unit_test(knows_what_reads_as_a_header),
		cmocka_unit_test(finds_the_text_below_the_title),
		cmocka_unit_test(reads_messages_back),
		cmocka_unit_test(compares_messages),
		cmocka_unit_test(writes_headers),
		cmocka_unit_test(makes_message_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
