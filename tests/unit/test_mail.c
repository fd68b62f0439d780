// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_mail.c - mails read: fields, ids, dates, parts, encodings, charsets, flowed text,
 * mbox. Values by hand from the RFCs; encodings also from Python's codecs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "series/mailsrc.h"
#include "series/mem.h"

#define assert_str(s, text)                                                              \
	do {                                                                             \
		char *is_ = str_dup(s);                                                  \
		assert_string_equal(is_, text);                                          \
		free(is_);                                                               \
	} while (0)

static struct mail scan(const char *text)
{
	struct mail m;

	mail_scan(str_c(text), FROM_PLAIN, &m);
	return m;
}

static void test_scan(void **state)
{
	struct mail m = scan("\n\nFrom x\nA: 1\nB:2\n  more\n\nbody\n");

	assert_str(m.head, "A: 1\nB:2\n  more\n");
	assert_str(m.body, "body\n");
	assert_str(field_get(m.head, "b"), "2\n  more");
	assert_true(field_get(m.head, "c").p == NULL);
	/* No header; no body; CRLF; a line that is no field ends them and stays. */
	m = scan("just text\n");
	assert_int_equal(m.head.len, 0);
	assert_str(m.body, "just text\n");
	m = scan("A: 1");
	assert_str(field_get(m.head, "A"), "1");
	assert_int_equal(m.body.len, 0);
	m = scan("A: 1\r\nB: 2\r\n\r\nx\r\n");
	assert_str(field_get(m.head, "B"), "2");
	assert_str(m.body, "x\r\n");
	m = scan("A: 1\nno field\nB: 2\n");
	assert_str(m.head, "A: 1\n");
	assert_str(m.body, "no field\nB: 2\n");
	m = scan("");
	assert_int_equal(m.head.len + m.body.len, 0);
	/* The first of two counts; a From_ line within is none. */
	m = scan("A: 1\n>From y\na: 2\n\n");
	assert_str(field_get(m.head, "A"), "1");
}

static void check_text(const char *value, const char *text)
{
	struct buf out _cleanup_buf_ = BUF_INIT;

	field_text(str_c(value), &out);
	assert_string_equal(buf_cstr(&out), text);
}

static void test_field_text(void **state)
{
	check_text("[PATCH v2\n 1/3] mm: a\n\t b", "[PATCH v2 1/3] mm: a b");
	check_text("\n [PATCH] x", "[PATCH] x");
	check_text("=?UTF-8?q?J=C3=BCrgen?=  =?utf-8?B?IEs=?= x", "J\xc3\xbcrgen K x");
	/* One character in two words; padding in each; a language. */
	check_text("=?UTF-8?q?=C3?=\n =?utf-8?q?=BC?=", "\xc3\xbc");
	check_text("=?utf-8?b?w7w=?= =?utf-8?b?w7w=?=", "\xc3\xbc\xc3\xbc");
	check_text("=?utf-8?b?w7w=w7w=?= =?utf-8?b?w7!w?=", "\xc3\xbc\xc3\xbc\xc3\xbc");
	check_text("=?iso-8859-1*de?q?M=FCller?=", "M\xc3\xbcller");
	/* A charset that lies, one that does not exist, none with wrong bytes. */
	check_text("=?iso-8859-1?q?M=C3=BCller?=", "M\xc3\xbcller");
	check_text("=?us-ascii?q?M=C3=BCller?=", "M\xc3\xbcller");
	check_text("=?yes?q?M=FCller?=", "M\xc3\xbcller");
	check_text("M\xfcller", "M\xc3\xbcller");
	check_text("=?utf-8?q?M=FCller?=", "M\xc3\xbcller");
	check_text("=?gb2312?b?1tA=?=", "\xe4\xb8\xad");
	check_text("=?iso-2022-jp?b?GyRCRnxLXBsoQg==?=", "\xe6\x97\xa5\xe6\x9c\xac");
	/* None of them is one. */
	check_text("=?utf-8?q?open", "=?utf-8?q?open");
	check_text("=?utf-8?x?a?= =?\?= ?= =?", "=?utf-8?x?a?= =?\?= ?= =?");
	check_text("a =?utf-8?q?\?= b", "a  b");
}

static void check_ids(const char *value, const char *joined)
{
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	char *is _cleanup_free_ = NULL;

	field_ids(str_c(value), &ids);
	is = strvec_join(&ids, " ");
	assert_string_equal(is, joined);
}

static void test_ids(void **state)
{
	check_ids("<a@h>\n\t<b@h>", "a@h b@h");
	check_ids("<a@h> (message from J on <x@y>)", "a@h");
	check_ids("\"J's <mail>\" <a@h>", "a@h");
	check_ids("<a\n b@h>", "ab@h");
	check_ids("<a <b@h>", "b@h");
	check_ids("(open <a@h> \"quote <b@h>", "a@h b@h");
	check_ids("a@h", "a@h");
	check_ids("no id", "");
	check_ids("<a@h", "");
	check_ids("<>", "");
}

static void check_date(const char *value, int64_t t, int zone)
{
	int64_t is = 0;
	int z = -1;

	assert_true(field_date(str_c(value), &is, &z));
	assert_int_equal(is, t);
	assert_int_equal(z, zone);
}

/* Seconds from date -d. */
static void test_date(void **state)
{
	int64_t t = 7;

	check_date("Fri, 5 Jan 2024 09:00:00 +0100", 1704441600, 60);
	check_date("5 Jan 2024 09:00 -0530", 1704465000, -330);
	check_date("Fri,  5 Jan 2024 09:00:00 GMT", 1704445200, 0);
	check_date("Fri, 5 Jan 2024 09:00:00 -0800 (PST)", 1704474000, -480);
	check_date("Fri, 5 Jan 24 09:00:00 EST", 1704463200, -300);
	check_date("Tue, 5 Jan 99 09:00:00 +0000", 915526800, 0);
	check_date("Fri Jan  5 09:00:00 2024", 1704445200, 0);
	check_date("2024-01-05 09:00:00 +00.00", 1704445200, 0);
	check_date("05-Jan-2024 09:00:00 +01:00", 1704441600, 60);
	check_date("1 Jan 1970 00:00:00 +0000", 0, 0);
	assert_false(field_date(STR_LIT("yesterday"), &t, NULL));
	assert_false(field_date(STR_LIT("5 Jan 20777 09:00:00 0"), &t, NULL));
	assert_false(field_date(STR_LIT(""), &t, NULL));
	assert_int_equal(t, 7);
}

/* "type|type ..." of the parts with depths, and the text of those that are text. */
static void check_parts(const char *mail, const char *tree, const char *text)
{
	struct mail m = scan(mail);
	struct mail_parts parts _cleanup_mail_parts_;
	struct buf is _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;

	mail_parts(&m, &parts);
	for (size_t i = 0; i < parts.n; i++)
		buf_printf(&is, "%s%d %s%s", i ? ", " : "", parts.v[i].depth,
			   parts.v[i].type, parts.v[i].unfinished ? " unfinished" : "");
	assert_string_equal(buf_cstr(&is), tree);
	mail_text(&m, &out);
	assert_string_equal(buf_cstr(&out), text);
}

#define MULTI(type, boundary)                                                            \
	"Content-Type: multipart/" type "; boundary=" boundary "\n\n"

static void test_parts(void **state)
{
	check_parts("A: b\n\nx\n", "0 text/plain", "x\n");
	check_parts(MULTI("mixed", "\"b c\"") "before\n--b c\n\none\n--b c  "
					      "\nContent-Type: TEXT/X-Patch\n"
					      "\n+two\n\n--b c--\nafter\n",
		    "0 multipart/mixed, 1 text/plain, 1 text/x-patch", "one\n+two\n");
	/* One boundary begins as the other does; the inner one lacks its end. */
	check_parts(
		MULTI("signed", "b") "--b\n" MULTI(
			"alternative",
			"bb") "--bb\n\nplain\n--bb\nContent-Type: text/html\n\n<p>\n--b\n"
			      "Content-Type: application/pgp-signature\n\nsig\n--b--\n",
		"0 multipart/signed, 1 multipart/alternative unfinished, 2 text/plain, "
		"2 text/html, 1 application/pgp-signature",
		"plain\n");
	/* And the outer one as the inner one does; a third is text. */
	check_parts(
		MULTI("mixed", "bb") "--bb\n" MULTI("alternative",
						    "b") "--b\n\none\n--bb\n\ntwo\n"
							 "--bbb\n--bb--\n",
		"0 multipart/mixed, 1 multipart/alternative unfinished, 2 text/plain, "
		"1 text/plain",
		"one\ntwo\n--bbb\n");
	check_parts(MULTI("mixed", "b") "--b\n\nno end\n",
		    "0 multipart/mixed unfinished, 1 text/plain", "no end\n");
	/* No boundary at all: all is text. */
	check_parts("Content-Type: multipart/mixed\n\nx\n", "0 text/plain", "x\n");
	check_parts(MULTI("mixed", "b") "x\n--c\ny\n", "0 text/plain unfinished",
		    "x\n--c\ny\n");
	/* An end before the first part hides nothing. */
	check_parts(MULTI("mixed", "b") "--b--\n--b\n\nx\n",
		    "0 multipart/mixed unfinished, 1 text/plain", "x\n");
	check_parts(MULTI("mixed", "b") "--b--\nx\n", "0 text/plain unfinished",
		    "--b--\nx\n");
	/* A boundary that looks like a field; a part without body; a digest. */
	check_parts(MULTI("mixed", "\"a:b\"") "--a:b\nX: y\n--a:b\n\nz\n--a:b--\n",
		    "0 multipart/mixed, 1 text/plain, 1 text/plain", "z\n");
	check_parts(MULTI("digest", "b") "--b\n\nSubject: s\n\ntext\n--b--\n",
		    "0 multipart/digest, 1 message/rfc822", "");
	check_parts(MULTI("mixed", "b") "--b\nContent-Type: application/octet-stream;\n "
					"name=x.patch\n\n"
					"p\n--b--\n",
		    "0 multipart/mixed, 1 application/octet-stream", "p\n");
}

static void test_params(void **state)
{
	struct mail m =
		scan("Content-Type: text/plain; charset = us-ascii (plain \"text\");"
		     " format=Flowed\nContent-Disposition: attachment;\n"
		     " filename*1=\".pa;tch\"; filename*0*=iso-8859-1'de'%FC\n\n");
	struct mail_parts parts _cleanup_mail_parts_;

	mail_parts(&m, &parts);
	assert_string_equal(parts.v[0].charset, "us-ascii");
	assert_true(parts.v[0].flowed);
	assert_true(parts.v[0].attachment);
	assert_string_equal(parts.v[0].filename, "\xc3\xbc.pa;tch");
}

static void check_body(const char *head, const char *body, const char *text,
		       unsigned flags)
{
	char *mail _cleanup_free_ = xasprintf("%s\n\n%s", head, body);
	struct mail m = scan(mail);
	struct buf out _cleanup_buf_ = BUF_INIT;

	assert_int_equal(mail_text(&m, &out), flags);
	assert_string_equal(buf_cstr(&out), text);
}

#define QP	"Content-Transfer-Encoding: quoted-printable"
#define B64	"Content-Transfer-Encoding: BASE64"
#define CHARSET "Content-Type: text/plain; charset="

static void test_encodings(void **state)
{
	check_body(QP, "a=3Db =C3=bc=\nc=\r\nd \n",
		   "a=b \xc3\xbc"
		   "cd \n",
		   0);
	/* The vector of RFC 2045 section 6.7; what is none stays. */
	/* What the end cuts short stays, but for the mark of a line that goes on. */
	check_body(QP, "x =4", "x =4\n", TEXT_ENCODING_BROKEN);
	check_body(QP, "x=", "x\n", 0);
	check_body(QP, "Now's the time =\nfor all=20\n=3D =xy =4\n=46rom\n",
		   "Now's the time for all \n= =xy =4\nFrom\n", TEXT_ENCODING_BROKEN);
	check_body(QP, "=zz = =\n", "=zz = \n", TEXT_ENCODING_BROKEN);
	check_body(QP, "end=", "end\n", 0);
	/* Line ends anywhere; padding in between; a list's footer; garbage. */
	check_body(B64, "aGVs\nbG8K\n", "hello\n", 0);
	check_body(B64, "aGV\r\nsb\nG8K", "hello\n", 0);
	check_body(B64, "YQ==\nYgo=\n", "ab\n", 0);
	check_body(B64, "aGVsbG8=\n__\nfooter\n", "hello__\nfooter\n",
		   TEXT_ENCODING_BROKEN);
	check_body(B64, "aGV!sbG8K", "hello\n", TEXT_ENCODING_BROKEN);
}

static void test_charsets(void **state)
{
	check_body(CHARSET "koi8-r", "\xf0\xd2", "\xd0\x9f\xd1\x80\n", 0);
	check_body(CHARSET "iso-8859-1", "\xfc\x92", "\xc3\xbc\xe2\x80\x99\n", 0);
	check_body(CHARSET "iso-8859-1", "\xc3\xbc", "\xc3\xbc\n", TEXT_CHARSET_LIES);
	check_body(CHARSET "us-ascii", "\xc3\xbc", "\xc3\xbc\n", TEXT_CHARSET_LIES);
	check_body(CHARSET "utf-8", "\xfc \xc3\xbc", "\xc3\xbc \xc3\xbc\n",
		   TEXT_CHARSET_LIES);
	check_body(CHARSET "y", "\xc3\xbc", "\xc3\xbc\n", TEXT_CHARSET_UNKNOWN);
	check_body(CHARSET "8", "\xfc", "\xc3\xbc\n",
		   TEXT_CHARSET_UNKNOWN | TEXT_CHARSET_LIES);
	check_body("X: y", "\xc3\xbc", "\xc3\xbc\n", 0);
	check_body("X: y", "\xfc", "\xc3\xbc\n", 0);
	check_body(CHARSET "iso-2022-jp", "\x1b$BF|K\\\x1b(B x\n",
		   "\xe6\x97\xa5\xe6\x9c\xac x\n", 0);
	/* 0xff is nothing in EUC-JP; the rest is. */
	check_body(CHARSET "euc-jp", "\xc6\xfc\xff", "\xe6\x97\xa5\xc3\xbf\n",
		   TEXT_CHARSET_LIES);
	/* iconv() knows UTF-8 by other names, and takes what is beyond U+10FFFF for text.
	 */
	check_body(CHARSET "utf'8", "\xf6\x8e\x8a\x90",
		   "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n",
		   TEXT_CHARSET_LIES);
	/* A slash would be an option of iconv's. */
	check_body(CHARSET "utf-8//IGNORE", "\xfc", "\xc3\xbc\n",
		   TEXT_CHARSET_UNKNOWN | TEXT_CHARSET_LIES);
}

/*
 * Text that ends in another state than it began in, which looking through it must leave;
 * and a character that stands in two of the pieces that a long text is read in.
 */
static void test_charset_states(void **state)
{
	check_body(CHARSET "iso-2022-jp", "a\x1b$B$\"", "a\xe3\x81\x82\n", 0);
	for (size_t before = 65530; before < 65540; before++) {
		struct buf in _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;

		buf_fill(&in, 'x', before);
		buf_addstr(&out, buf_str(&in));
		buf_puts(&in, "\xc4\xe3\n");
		buf_puts(&out, "\xe4\xbd\xa0\n");
		check_body(CHARSET "gb2312", buf_cstr(&in), buf_cstr(&out), 0);
	}
}

static void test_flowed(void **state)
{
	const char *plain = CHARSET "utf-8; format=flowed";
	const char *delsp = CHARSET "utf-8; format=flowed; delsp=yes";

	check_body(plain, "one \ntwo\n  stuffed\n", "one two\n stuffed\n", TEXT_FLOWED);
	check_body(delsp, "one \ntwo\n", "onetwo\n", TEXT_FLOWED);
	check_body(plain, "a\n-- \nsig\n", "a\n-- \nsig\n", 0);
	check_body(plain, "> q \n> r\n>> s \nt\n", "> q r\n>> s \nt\n", TEXT_FLOWED);
	check_body(plain, ">\n> a\n", ">\n> a\n", 0);
	/* A blank behind the marks is stuffing; nothing was stuffed. */
	check_body(plain, "> a\n> \n>> \n>  \n> b\n>", "> a\n>\n>>\n>  b\n>\n",
		   TEXT_FLOWED);
	check_body(plain, "> no end", "> no end\n", 0);
	check_body(plain, "> no end ", "> no end \n", 0);
	check_body(delsp, ">  \n> b\n", "> b\n", TEXT_FLOWED);
	check_body(plain, "a \r\nb\r\n", "a b\n", TEXT_FLOWED);
}

/*
 * RFC 3676 section 4.3: "-- " ends the paragraph above it, and is fixed; in quoted text
 * too, below the empty context line of a patch. Longer or shorter, stuffed or quoted
 * deeper, it is a line like others.
 */
static void test_flowed_signature(void **state)
{
	const char *plain = CHARSET "utf-8; format=flowed";
	const char *delsp = CHARSET "utf-8; format=flowed; delsp=yes";

	check_body(plain, "  }\n  \n-- \n2.25.1\n", " }\n \n-- \n2.25.1\n", 0);
	check_body(plain, ">>   }\n>>   \n>> -- \n>> 2.25.1\n",
		   ">>   }\n>>   \n>> -- \n>> 2.25.1\n", 0);
	check_body(delsp, "bye \n-- \nAnna\n", "bye\n-- \nAnna\n", 0);
	check_body(plain, "bye \r\n-- \r\nAnna\r\n", "bye \n-- \nAnna\n", 0);
	check_body(plain, "bye \n-- ", "bye \n-- \n", 0);
	check_body(plain, "a \n--\nb \n--- \nc\n", "a --\nb --- c\n", TEXT_FLOWED);
	check_body(plain, "a \n--x\nb \n-- x\nc \n-", "a --x\nb -- x\nc -\n",
		   TEXT_FLOWED);
	check_body(plain, "a \n--  \nb\n", "a --  b\n", TEXT_FLOWED);
	check_body(plain, "a \n  -- \nb\n", "a  -- b\n", TEXT_FLOWED);
	check_body(plain, "> a \n>> -- \nb\n", "> a \n>> -- \nb\n", 0);
	check_body(plain, "> - one \n> -- two\n", "> - one -- two\n", TEXT_FLOWED);
}

/* The same wherever the pieces end that a long text is read in. */
static void test_flowed_pieces(void **state)
{
	for (size_t before = 65530; before < 65540; before++) {
		struct buf in _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;

		buf_fill(&in, 'x', before);
		buf_addstr(&out, buf_str(&in));
		buf_puts(&in, "\n> \n> y \n> z\r\n-- \n");
		buf_puts(&out, "\n>\n> y z\n-- \n");
		check_body(CHARSET "utf-8; format=flowed", buf_cstr(&in), buf_cstr(&out),
			   TEXT_FLOWED);
	}
}

static void unquote(enum from_quoting quoting, const char *body, const char *bytes)
{
	char *mail _cleanup_free_ = xasprintf("A: b\n\n%s", body);
	struct mail_parts parts _cleanup_mail_parts_;
	struct buf out _cleanup_buf_ = BUF_INIT;
	struct mail m;

	mail_scan(str_c(mail), quoting, &m);
	mail_parts(&m, &parts);
	part_bytes(&m, &parts.v[0], mail_sink_buf, &out);
	assert_string_equal(buf_cstr(&out), bytes);
}

static void test_quoting(void **state)
{
	const char *body = ">From a\n>>From b\n> From c\nx >From d\n>From\n";

	unquote(FROM_PLAIN, body, body);
	unquote(FROM_MBOXO, body, "From a\n>>From b\n> From c\nx >From d\n>From\n");
	unquote(FROM_MBOXRD, body, "From a\n>From b\n> From c\nx >From d\n>From\n");
	unquote(FROM_MBOXRD, ">>>From >From x\n>From y", ">>From >From x\nFrom y");
}

/* As Windows writes it. */
static void test_mbox_crlf(void **state)
{
	struct mbox box = {
		STR_LIT("From a@b Mon Sep 17 00:00:00 2001\r\nA: 1\r\n\r\nx\r\n\r\n"
			"From c Thu Jan  1 00:00:00 2026\r\nA: 2\r\n\r\ny\r\n"),
		FROM_MBOXRD
	};
	struct mail m;

	assert_true(mbox_next(&box, &m, NULL));
	assert_str(m.body, "x\r\n");
	assert_true(mbox_next(&box, &m, NULL));
	assert_str(m.head, "A: 2\r\n");
	assert_str(m.body, "y\r\n");
	assert_false(mbox_next(&box, &m, NULL));
}

static void test_mbox(void **state)
{
	struct mbox box = { STR_LIT("junk\n\nFrom a@b Mon Sep 17 00:00:00 2001\nA: "
				    "1\n\nFrom here no line\n\n"
				    "From the start\n\nx\n\nFrom c Thu Jan  1 00:00:00 "
				    "2026 +0100\nA: 2\n\n"
				    "y\nFrom d Thu Jan  1 00:00:00 2026\nz"),
			    FROM_MBOXRD };
	struct str line;
	struct mail m;

	assert_true(mbox_next(&box, &m, &line));
	assert_str(line, "From a@b Mon Sep 17 00:00:00 2001");
	assert_str(m.body, "From here no line\n\nFrom the start\n\nx\n");
	/* What looks like a From_ line below a line of text is text. */
	assert_true(mbox_next(&box, &m, NULL));
	assert_str(m.head, "A: 2\n");
	assert_str(m.body, "y\nFrom d Thu Jan  1 00:00:00 2026\nz");
	assert_false(mbox_next(&box, &m, NULL));
	assert_true(mbox_from_line(STR_LIT("From x Thu Jan  1 00:00:00 1991")));
	assert_false(mbox_from_line(STR_LIT("From x Thu Jan  1 00:00:00 90")));
	assert_false(mbox_from_line(STR_LIT("From x at 9:30:00 of that day")));
	/* git mailsplit is content with this one. */
	assert_true(mbox_from_line(STR_LIT("From x Thu Jan  1 00:00 2026")));
	assert_false(mbox_from_line(STR_LIT("From x Thu Jan  1 at 0:00 2026")));
}

/* Long input must cost time in proportion: each of these took minutes with a bad loop. */
static void test_large(void **state)
{
	static const char *const bits[] = { "A: b\n", "<",	"=?a?q?", "(",
					    "\"",     ">",	"\n--b",  "--b\n",
					    "=",      "[",	"From ",  "\n>From ",
					    "=?x?=",  "=?a?x? " };

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		struct buf text _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
		struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
		struct mail m;

		for (int k = 0; k < 1000000; k++)
			buf_puts(&text, bits[i]);
		buf_puts(&text, "?=");
		field_text(buf_str(&text), &out);
		field_ids(buf_str(&text), &ids);
		mail_scan(buf_str(&text), FROM_MBOXRD, &m);
		m.head = STR_LIT(MULTI("mixed", "b"));
		m.body = buf_str(&text);
		mail_text(&m, &out);
		assert_false(out.full);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_field_text),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_date),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_params),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_charsets),
		cmocka_unit_test(test_charset_states),
		cmocka_unit_test(test_flowed),
		cmocka_unit_test(test_flowed_signature),
		cmocka_unit_test(test_flowed_pieces),
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_mbox),
		cmocka_unit_test(test_mbox_crlf),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
