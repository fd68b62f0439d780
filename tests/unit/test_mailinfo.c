// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_mailinfo.c - the commit in a mail. What is expected is what git mailinfo 2.39 printed for
 * the same bytes, but where mailinfo.h says that ours loses less.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/mailinfo.h"

static struct mailinfo read(const char *text)
{
	struct mailinfo i;
	struct mail m;

	mail_scan(str_c(text), FROM_PLAIN, &m);
	mailinfo_read(&m, &i);
	return i;
}

static void check_author(const char *from, const char *name, const char *email)
{
	struct buf mail _cleanup_buf_ = BUF_INIT;
	struct mailinfo i _cleanup_mailinfo_;

	buf_printf(&mail, "From: %s\n\n", from);
	i = read(buf_cstr(&mail));
	assert_string_equal(i.name, name);
	assert_string_equal(i.email, email);
}

static void test_author(void **state)
{
	check_author("A U Thor <a@x.org>", "A U Thor", "a@x.org");
	check_author("a@x.org (A U Thor)", "A U Thor", "a@x.org");
	check_author("A (zzz) U Thor <a@x.org> (Comment)", "A (zzz) U Thor (Comment)", "a@x.org");
	check_author("\"A U (\\\"Q\\\") Thor\" <a@x.org>", "A U (\"Q\") Thor", "a@x.org");
	check_author("\"Thor, A\" <a@x.org>", "Thor, A", "a@x.org");
	check_author("a@x.org", "a@x.org", "a@x.org");
	check_author("John Doe <johndoe>", "John Doe", "johndoe");
	check_author("=?utf-8?q?J=C3=BCrgen?= <j@x.org>", "J\xc3\xbcrgen", "j@x.org");
	/* git 2.39 takes the address for a name of two letters. */
	check_author("Xi <xi@x.org>", "Xi", "xi@x.org");
}

static void check_subject(const char *subject, const char *title)
{
	struct buf is _cleanup_buf_ = BUF_INIT;

	mailinfo_subject(str_c(subject), &is);
	assert_string_equal(buf_cstr(&is), title);
}

static void test_subject(void **state)
{
	check_subject("[PATCH v2 1/3] mm: a", "mm: a");
	check_subject("Re: [PATCH] [RFC] mm:  a\t b ", "mm: a b");
	check_subject(" : re:[a]x", "x");
	check_subject("Reword it", "Reword it");
	check_subject("[open", "[open");
	check_subject("", "");
}

static void test_message(void **state)
{
	struct mailinfo i _cleanup_mailinfo_ =
		read("From: s@x.org\nSubject: [PATCH] outer\nDate: d\n\n\nFrom: A <a@x.org>\n"
		     "Subject: inner\n folded\n\nwhy\n--\n---x\n\n---\n stat\n\ndiff --git a b\n-- \n2\n");

	assert_string_equal(i.name, "A");
	assert_string_equal(i.subject, "inner folded");
	assert_string_equal(i.date, "d");
	assert_string_equal(buf_cstr(&i.message), "why\n--\n---x\n\n");
	assert_string_equal(buf_cstr(&i.patch), "---\n stat\n\ndiff --git a b\n-- \n2\n");
}

/* Without a patch the fields in the text are not the mail's. */
static void test_no_patch(void **state)
{
	struct mailinfo i _cleanup_mailinfo_ = read("Subject: outer\n\nSubject: inner\n\nwhy\n");

	assert_string_equal(i.subject, "outer");
	assert_string_equal(buf_cstr(&i.message), "why\n");
	assert_int_equal(i.patch.len, 0);
}

static void check(const char *mail, const char *message, const char *patch)
{
	struct mailinfo i _cleanup_mailinfo_ = read(mail);

	assert_string_equal(buf_cstr(&i.message), message);
	assert_string_equal(buf_cstr(&i.patch), patch);
}

static void test_bytes(void **state)
{
	/* The message is UTF-8, the patch keeps its bytes; wire line ends go, encoded ones stay. */
	check("Content-Type: text/plain; charset=iso-8859-1\r\n\r\nM\xfcller\r\n---\r\n+M\xfcller\r\n",
	      "M\xc3\xbcller\n", "---\n+M\xfcller\n");
	/* As git am of the same file: mailsplit takes them away before anything is decoded. */
	check("Content-Transfer-Encoding: quoted-printable\r\n\r\nx=\r\ny\r\n---\r\n+a=0D\r\n", "xy\n",
	      "---\n+a\r\n");
	check("Content-Transfer-Encoding: quoted-printable\n\nx\n---\n+a=0D\n", "x\n", "---\n+a\r\n");
	check("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nwhy\n--b\n"
	      "Content-Type: text/x-patch\n\ndiff -a\n--b--\n",
	      "why\n", "diff -a\n\n");
	/* Where no boundary follows, the line end is the part's own. */
	check("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nwhy\n---\n+x\n", "why\n", "---\n+x\n");
	/* git's empty line behind a multipart comes when its charset is done with. */
	check("Content-Type: multipart/mixed; boundary=b\n\n--b\n"
	      "Content-Type: text/plain; charset=koi8-r\n\n\xf0\n--b--\n",
	      "\xd0\x9f\n\n", "");
}

static void test_flowed(void **state)
{
	check("Content-Type: text/plain; format=flowed\n\none \ntwo\nend \n-- \n sig \nx\n", "one two\nend -- \nsig x\n", "");
	check("Content-Type: text/plain; format=flowed; delsp=yes\n\none \ntwo\n", "onetwo\n", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_author),	 cmocka_unit_test(test_subject),
		cmocka_unit_test(test_message),	 cmocka_unit_test(test_no_patch),
		cmocka_unit_test(test_bytes), cmocka_unit_test(test_flowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
