// SPDX-License-Identifier: GPL-2.0-or-later
/* test_sanitize.c - what an attacker puts into a subject line must not reach a terminal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/proc.h"
#include "series/sanitize.h"
#include "series/time.h"

#define FFFD "\357\277\275"

static void test_attacks(void **state)
{
	static const struct {
		const char *in, *want;
	} rows[] = {
		{ "plain text\n\tindented\n", "plain text\n\tindented\n" },
		{ "J\303\266rg \346\227\245", "J\303\266rg \346\227\245" },
		/* CSI: colours, cursor, clear, private modes, intermediates */
		{ "a\033[31mred\033[0m", "ared" },
		{ "a\033[2J\033[1;1Hb", "ab" },
		{ "a\033[?1049hb\033[!pc\033[0 qd", "abcd" },
		{ "a\033[", "a" },
		{ "a\033[12;", "a" },
		{ "a\033[3\nb", "a\nb" },
		{ "a\033[1\303\266b", "a\303\266b" },
		/* OSC: title by BEL and by ST, the link of OSC 8, the clipboard of OSC 52
		 */
		{ "a\033]0;owned\007b", "ab" },
		{ "a\033]2;owned\033\\b", "ab" },
		{ "\033]8;;https://evil.example.org/\033\\click\033]8;;\033\\!",
		  "click!" },
		{ "a\033]52;c;cm0gLXJmIC8K\007b", "ab" },
		/* DCS (DECRQSS), SOS, PM, APC */
		{ "a\033P$q\"p\033\\b", "ab" },
		{ "a\033Xsos\033\\b\033^pm\033\\c\033_apc\033\\d", "abcd" },
		/* an open string hides its line and nothing below */
		{ "a\033]0;x\nNAK\n", "a\nNAK\n" },
		{ "a\033Pxyz\nNAK\n", "a\nNAK\n" },
		/* a string that another sequence cuts short */
		{ "a\033]0;x\033[31mred", "ared" },
		/* C1 in UTF-8: CSI, OSC with ST, DCS, NEL, and alone */
		{ "a\302\23331mred", "ared" },
		{ "a\302\2350;owned\302\234b", "ab" },
		{ "a\302\220q\302\234b", "ab" },
		{ "a\302\205b\302\204c\302\237d", "abc" },
		/* raw C1 bytes are no UTF-8 */
		{ "a\23331mred", "a" FFFD "31mred" },
		/* other escapes: charsets, reset, keypad, DECALN */
		{ "a\033(0b\033)Bc\033cd\033=e\033#8f", "abcdef" },
		{ "a\033", "a" },
		{ "a\033\033[31mb", "ab" },
		{ "a\033\303\266", "a\303\266" },
		/* C0 and DEL: bell, backspace over text, carriage return over text, shift
		   out */
		{ "a\007b\bc\rd\016e\177f\001g", "abcdefg" },
		{ "Acked\r\nNAK\r\n", "Acked\nNAK\n" },
		/* bidi: embeddings, isolates, marks */
		{ "a\342\200\256b\342\200\254c", "abc" },
		{ "a\342\201\246b\342\201\251c\342\201\247d\342\201\250e", "abcde" },
		{ "a\342\200\216b\342\200\217c\330\234d", "abcd" },
		/* neighbours of the bidi controls stay: ZWJ, line separator, word joiner
		 */
		{ "\342\200\215\342\200\250\342\201\240",
		  "\342\200\215\342\200\250\342\201\240" },
		{ "a\300\257b", "a" FFFD FFFD "b" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char *got _cleanup_free_ = sanitize_dup(rows[i].in);

		assert_string_equal(got, rows[i].want);
	}
}

static void test_line(void **state)
{
	char *a _cleanup_free_ = sanitize_line_dup("one\ntwo\tthree\rfour");
	char *b _cleanup_free_ = sanitize_line_dup("\033]0;x\nNAK");
	char *c _cleanup_free_ = sanitize_line_dup("");
	struct buf d _cleanup_buf_ = BUF_INIT;

	assert_string_equal(a, "one two three four");
	assert_string_equal(b, " NAK");
	assert_string_equal(c, "");
	buf_puts(&d, "> ");
	sanitize_line(str_n("a\0b\033", 4), &d);
	assert_string_equal(buf_cstr(&d), "> ab");
	sanitize(STR_NULL, &d);
	assert_string_equal(buf_cstr(&d), "> ab");
}

/*
 * Whatever comes in, what goes out is UTF-8 without a single control or bidi control, and
 * as many LF as came in; a second pass changes nothing.
 */
static void test_random(void **state)
{
	static const char alphabet[] =
		"\033\033\033[]P_^X\\;?0123mhqa\n\r\t\007\302\233\235\234\220"
		"\342\200\256\201\246\216\b\177 #(\377\360\237";
	int round;

	setenv("SERIES_TEST_SEED", "7", 1);
	for (round = 0; round < 20000; round++) {
		struct buf in _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
		struct buf again _cleanup_buf_ = BUF_INIT;
		size_t n = rand_u64() % 40, lf_in = 0, lf_out = 0, i;
		struct str s;
		uint32_t cp;

		for (i = 0; i < n; i++)
			buf_putc(&in, alphabet[rand_u64() % (sizeof(alphabet) - 1)]);
		sanitize(buf_str(&in), &out);
		for (i = 0; i < in.len; i++)
			lf_in += in.p[i] == '\n';
		for (s = buf_str(&out); utf8_next(&s, &cp); lf_out += cp == '\n') {
			assert_true(cp != UTF8_INVALID);
			assert_true(cp >= 0x20 || cp == '\n' || cp == '\t');
			assert_false(cp >= 0x7f && cp < 0xa0);
			assert_false(cp >= 0x202a && cp <= 0x202e);
			assert_false(cp >= 0x2066 && cp <= 0x2069);
			assert_false(cp == 0x200e || cp == 0x200f);
		}
		assert_int_equal(lf_in, lf_out);
		sanitize(buf_str(&out), &again);
		assert_string_equal(buf_cstr(&out), buf_cstr(&again));
	}
	unsetenv("SERIES_TEST_SEED");
}

/* What sh makes of it is the word again. */
static void test_shell_word(void **state)
{
	static const char *const words[] = { "topic", "fix/a@2",  "a b",     "-x",
					     "it's",  "$(id)",	  "`id`;x&", "\"",
					     "\\",    "\xc3\xa9", "" };
	static const char *const plain[] = { "topic", "fix/a@2" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		char *word _cleanup_free_ = shell_word(words[i]);
		char *script _cleanup_free_ = xasprintf("printf %%s %s", word);
		char *argv[] = { "sh", "-c", script, NULL };
		struct proc_opts o = { .argv = argv };
		struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;

		assert_int_equal(proc_run(&o, &res, NULL), 0);
		assert_int_equal(res.status, 0);
		assert_string_equal(buf_cstr(&res.out), words[i]);
		if (i < ARRAY_SIZE(plain))
			assert_string_equal(word, plain[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attacks),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_shell_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
