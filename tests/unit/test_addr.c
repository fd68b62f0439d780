// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mailbox lists and encoded words. Encoded forms on the reading side were written by
 * Python's email package and by git format-patch.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "series/addr.h"
#include "series/mem.h"

static void expect(const char *list, size_t n, const char *const *want)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;
	struct err e _cleanup_err_ = ERR_INIT;

	assert_int_equal(addrs_parse(&a, list, &e), 0);
	assert_int_equal(a.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(a.v[i].name, want[2 * i]);
		assert_string_equal(a.v[i].email, want[2 * i + 1]);
	}
}

static void reads_lists(void **state)
{
	expect("a@example.org", 1, (const char *[]){ "", "a@example.org" });
	expect("A B <a@example.org>, \"C, D\" <c@example.org>,e@x.example.org", 3,
	       (const char *[]){ "A B", "a@example.org", "C, D", "c@example.org", "",
				 "e@x.example.org" });
	expect("J. R. Doe <j.r@example.org>", 1,
	       (const char *[]){ "J. R. Doe", "j.r@example.org" });
	expect("d@example.org (Dora (the) D.)", 1,
	       (const char *[]){ "Dora (the) D.", "d@example.org" });
	expect("\"A \\\"B\\\" C\" <a@example.org>", 1,
	       (const char *[]){ "A \"B\" C", "a@example.org" });
	expect("A\n B\t<a@example.org>,\n <b@example.org>", 2,
	       (const char *[]){ "A B", "a@example.org", "", "b@example.org" });
	expect("", 0, NULL);
	expect(" , ,a@example.org,", 1, (const char *[]){ "", "a@example.org" });
	expect("\"with blank\"@example.org", 1,
	       (const char *[]){ "", "\"with blank\"@example.org" });
	expect("\xc5\xbdofie <z@example.org>", 1,
	       (const char *[]){ "\xc5\xbdofie", "z@example.org" });
}

static void refuses(const char *list, const char *named)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;
	struct err e _cleanup_err_ = ERR_INIT;

	assert_int_equal(addrs_parse(&a, list, &e), E_USAGE);
	assert_int_equal(a.n, 0);
	assert_non_null(strstr(err_msg(&e), named));
}

/* Python: email.utils.getaddresses() of the same lists. */
static void groups_stand_for_members(void **state)
{
	expect("undisclosed-recipients:;", 0, NULL);
	expect("friends: a@example.org, \"B, C\" <b@example.org>;, d@example.org", 3,
	       (const char *[]){ "", "a@example.org", "B, C", "b@example.org", "",
				 "d@example.org" });
	expect("z@example.org, nobody: ;", 1, (const char *[]){ "", "z@example.org" });
	expect("\"my: friends\": a@example.org;", 1,
	       (const char *[]){ "", "a@example.org" });
}

static void trailer(const char *value, const char *name, const char *email,
		    const char *rest)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;
	char *got _cleanup_free_ = NULL;
	struct str r = STR_NULL;

	assert_true(addr_trailer(str_c(value), &a, &r));
	assert_int_equal(a.n, 1);
	assert_string_equal(a.v[0].name, name);
	assert_string_equal(a.v[0].email, email);
	got = str_dup(r);
	assert_string_equal(got, rest);
}

/* Forms found in the kernel's history. */
static void reads_trailers(void **state)
{
	static const char *const none[] = { "",
					    "nobody",
					    "<>",
					    "Ann <ann>",
					    "a@b@x.org",
					    "stable",
					    "# a@example.org",
					    "Ann <a@exa mple>" };
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;

	trailer("stable@vger.kernel.org # 5.10+", "", "stable@vger.kernel.org",
		"# 5.10+");
	trailer(" <stable@vger.kernel.org>\t# v6.1", "", "stable@vger.kernel.org",
		"# v6.1");
	trailer("stable@vger.kernel.org#v6", "", "stable@vger.kernel.org", "#v6");
	trailer("Ann Other <ann@example.org> # mm parts", "Ann Other", "ann@example.org",
		"# mm parts");
	trailer("Ann Other <ann@example.org> [mm/]", "Ann Other", "ann@example.org",
		"[mm/]");
	trailer("Other, Ann <ann@example.org>", "Other, Ann", "ann@example.org", "");
	trailer("\"Other, \\\"A\\\" Ann\" <ann@example.org>", "Other, \"A\" Ann",
		"ann@example.org", "");
	trailer("a@example.org, b@example.org", "", "a@example.org", ", b@example.org");
	trailer("Ann (of Example) <ann@example.org> (reviewer:X (Y))", "Ann (of Example)",
		"ann@example.org", "(reviewer:X (Y))");
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_false(addr_trailer(str_c(none[i]), &a, NULL));
	assert_int_equal(a.n, 0);
}

static void letters_beyond_ascii(void **state)
{
	/* Python: "b\u00fccher.example".encode("idna") is xn--bcher-kva.example */
	refuses("B <a@b\xc3\xbc"
		"cher.example>",
		"idn2 b\xc3\xbc"
		"cher.example");
	refuses("m\xc3\xbcller@example.org", "in front of the @");
	expect("a@xn--bcher-kva.example", 1,
	       (const char *[]){ "", "a@xn--bcher-kva.example" });
}

static void removes_one(void **state)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;

	addrs_parse(&a, "a@example.org, b@Example.org, c@example.org", NULL);
	assert_true(addrs_remove(&a, "b@example.ORG"));
	assert_false(addrs_remove(&a, "B@example.org"));
	assert_int_equal(a.n, 2);
	assert_string_equal(a.v[1].email, "c@example.org");
}

static void reads_encoded_names(void **state)
{
	/* git format-patch */
	expect("=?UTF-8?q?=C5=BDofie=20Nov=C3=A1kov=C3=A1?= <z@example.org>", 1,
	       (const char *[]){ "\xc5\xbdofie Nov\xc3\xa1kov\xc3\xa1",
				 "z@example.org" });
	/* Python: email.header.Header("Žofie Nováková", "utf-8"), and "Müller", "latin-1"
	 */
	expect("=?utf-8?b?xb1vZmllIE5vdsOha292w6E=?= <z@example.org>, "
	       "=?iso-8859-1?q?M=FCller?= Hans <m@example.org>",
	       2,
	       (const char *[]){ "\xc5\xbdofie Nov\xc3\xa1kov\xc3\xa1", "z@example.org",
				 "M\xc3\xbcller Hans", "m@example.org" });
	/* A character cut between two words, as some mailers do. */
	expect("=?UTF-8?B?w6TDtsM=?= =?UTF-8?B?vA==?= <u@example.org>", 1,
	       (const char *[]){ "\xc3\xa4\xc3\xb6\xc3\xbc", "u@example.org" });
}

static void names_what_is_no_address(void **state)
{
	refuses("a@example.org, Doe, J <j@example.org>", "'Doe'");
	refuses("nobody", "'nobody'");
	refuses("a@b@example.org", "'a@b@example.org'");
	refuses("a b@example.org", "'a b@example.org'");
	refuses("<a@example.org", "'<a@example.org'");
	refuses("\"A <a@example.org>", "A <a@example.org>");
	refuses("friends: a@example.org", "friends");
	refuses("friends: others: a@example.org;;", "others");
	refuses("a@example.org; b@example.org", "b@example.org");
	refuses("mailto:a@example.org", "mailto");
	refuses("@example.org", "'@example.org'");
	refuses("a@", "'a@'");
	refuses("a@exa..mple.org", "exa..mple");
	refuses("a@example.org>", "a@example.org>");
	refuses("A <a@example.org> B", "A <a@example.org> B");
	/* A name that would start a header line of its own. */
	refuses("=?utf-8?q?A=0ABcc:_x?= <a@example.org>", "a@example.org");
}

/* RFC 5321 section 4.1.2 lets a quoted local part hold nearly all; we take no line ends
 * and nothing that would end the <> of an envelope. */
static void quoted_local_parts(void **state)
{
	static const char *const bad[] = {
		"\"a\rRCPT TO:<x@y>\"@example.org",
		"\"a\r\nDATA\"@example.org",
		"<\"a\rb\"@example.org>",
		"\"a>b\"@example.org",
		"\"a\" \"b\"@example.org",
		"\"a\\\"@example.org",
		"\"\"@example.org",
		"\"\033[31m\"@example.org",
		"\"a\" b <c@example.org> \"d\"@example.org",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		refuses(bad[i], "is no mail address");
	expect("\"a b\"@example.org", 1,
	       (const char *const[]){ "", "\"a b\"@example.org" });
	expect("\"a\\\"b\"@example.org", 1,
	       (const char *const[]){ "", "\"a\\\"b\"@example.org" });
}

static void what_a_header_can_hold(void **state)
{
	struct addr ok = { "W. Dev", "w@example.org" };
	struct addr bad[] = { { "W\nBcc: x@example.org", "w@example.org" },
			      { "W", "w@example.org\nBcc: x" },
			      { "W", "w" },
			      { "W", "w@example.org>" } };

	assert_true(addr_ok(&ok));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(addr_ok(&bad[i]));
}

static void encodes(const char *name, const char *want)
{
	struct addr a = { (char *)name, (char *)"a@example.org" };
	struct buf b _cleanup_buf_ = BUF_INIT;

	addr_encode(&a, &b);
	assert_string_equal(buf_cstr(&b), want);
}

static void writes_names(void **state)
{
	encodes("", "a@example.org");
	encodes("A B-C", "A B-C <a@example.org>");
	encodes("Doe, J.", "\"Doe, J.\" <a@example.org>");
	encodes("A \"B\" \\C", "\"A \\\"B\\\" \\\\C\" <a@example.org>");
	encodes("M\xc3\xbcller, H.", "=?UTF-8?q?M=C3=BCller=2C_H=2E?= <a@example.org>");
	/* What looks like an encoded word must not be read as one. */
	encodes("=?x", "=?UTF-8?q?=3D=3Fx?= <a@example.org>");
}

static void folds(void **state)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;

	addrs_parse(&a,
		    "First Person <first.person@example.org>, "
		    "Second Person <second.person@example.org>, c@example.org",
		    NULL);
	header_addrs("To", &a, &b);
	assert_string_equal(buf_cstr(&b), "To: First Person <first.person@example.org>,\n"
					  " Second Person <second.person@example.org>, "
					  "c@example.org\n");
}

static void folds_text(void **state)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	header_text(
		"Subject", "[PATCH 1/2]",
		str_c("mm: a title of more than seventy columns that has to be folded  "
		      "twice perhaps"),
		&b);
	assert_string_equal(
		buf_cstr(&b),
		"Subject: [PATCH 1/2] mm: a title of more than seventy columns "
		"that has to be\n folded  twice perhaps\n");
}

/* Encoded words: at most 75 characters each, cut between characters only. */
static void cuts_between_characters(void **state)
{
	struct buf text _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	struct buf back _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	for (int i = 0; i < 40; i++)
		buf_puts(&text, i % 3 ? "\xe2\x82\xac" : "\xf0\x9f\x90\xa7 x");
	rfc2047_encode(buf_str(&text), 9, &out);
	rest = buf_str(&out);
	while (str_line(&rest, &line)) {
		struct buf one _cleanup_buf_ = BUF_INIT, wide _cleanup_buf_ = BUF_INIT;

		line = str_trim(line);
		assert_true(line.len <= 75);
		rfc2047_decode(line, &one);
		for (size_t i = 0; i < one.len;) {
			unsigned char c = one.p[i];
			size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 1;

			assert_true(c < 0x80 || c >= 0xc0);
			i += n;
			assert_true(i <= one.len);
		}
	}
	rfc2047_decode(buf_str(&out), &back);
	assert_string_equal(buf_cstr(&back), buf_cstr(&text));
}

static void finds_by_address(void **state)
{
	struct addrs a _cleanup_addrs_ = ADDRS_INIT;

	addrs_parse(&a, "A <a@Example.org>", NULL);
	assert_non_null(addrs_find(&a, "a@example.ORG"));
	assert_null(addrs_find(&a, "A@example.org"));
	assert_null(addrs_find(&a, "b@example.org"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_lists),
		cmocka_unit_test(reads_encoded_names),
		cmocka_unit_test(groups_stand_for_members),
		cmocka_unit_test(reads_trailers),
		cmocka_unit_test(letters_beyond_ascii),
		cmocka_unit_test(removes_one),
		cmocka_unit_test(names_what_is_no_address),
		cmocka_unit_test(writes_names),
		cmocka_unit_test(folds),
		cmocka_unit_test(folds_text),
		cmocka_unit_test(cuts_between_characters),
		cmocka_unit_test(finds_by_address),
		cmocka_unit_test(quoted_local_parts),
		cmocka_unit_test(what_a_header_can_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
