// SPDX-License-Identifier: GPL-2.0-or-later
/* test_thread.c - who replies to whom. Trees by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/mem.h"
#include "series/thread.h"

/* Mails as "ID|IN-REPLY-TO|REFERENCES|HOUR|TEXT", ids without <>, blanks between. */
static void add(struct thread *t, const char *spec)
{
	struct str rest = str_c(spec), f[5];
	struct buf raw _cleanup_buf_ = BUF_INIT;
	static const char *const names[] = { "Message-ID", "In-Reply-To", "References" };
	struct mail m;

	for (int i = 0; i < 5; i++)
		str_cut(&rest, '|', &f[i]);
	for (int i = 0; i < 3; i++) {
		struct str word;

		buf_printf(&raw, "%s:", names[i]);
		while (str_word(&f[i], &word))
			buf_printf(&raw, " <" STR_FMT ">", STR_ARG(word));
		buf_putc(&raw, '\n');
	}
	buf_printf(&raw, "Date: 5 Jan 2024 " STR_FMT ":00:00 +0000\n\n" STR_FMT "\n",
		   STR_ARG(f[3]), STR_ARG(f[4]));
	mail_scan(buf_str(&raw), FROM_PLAIN, &m);
	thread_add(t, &m);
}

/* Bodies in order, ">" for each level. */
static void check(const char *const *mails, const char *tree)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct buf is _cleanup_buf_ = BUF_INIT;

	for (; *mails; mails++)
		add(&t, *mails);
	thread_link(&t);
	thread_link(&t);
	for (size_t i = 0; i < t.n; i++) {
		const struct thread_mail *m = &t.v[t.order[i]];

		buf_puts(&is, i ? " " : "");
		buf_fill(&is, '>', (size_t)m->depth);
		buf_addstr(&is, str_trim(m->mail.body));
	}
	assert_string_equal(buf_cstr(&is), tree);
}

#define T(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_tree(void **state)
{
	check(T("c@h|||9|cover", "2@h|c@h|c@h|11|two", "1@h|c@h|c@h|10|one",
		"r@h|1@h|c@h 1@h|12|reply"),
	      "cover >one >>reply >two");
	/* The parent's mail is not here: the nearest reference that is. */
	check(T("c@h|||9|cover", "r@h|gone@h|c@h gone@h|12|reply"), "cover >reply");
	/* In-Reply-To wins over References in any order; the first of several ids. */
	check(T("a@h|||9|a", "b@h|||10|b", "r@h|b@h a@h|b@h a@h|12|r"), "a b >r");
	check(T("r@h|a@h|a@h|9|early", "a@h|||10|a"), "a >early");
}

static void test_odd(void **state)
{
	/* Rings, and one that replies to itself. */
	check(T("a@h|b@h||9|a", "b@h|a@h||10|b", "s@h|s@h||11|s"), "b >a s");
	/* Twice the same; one id with two texts. */
	check(T("a@h|||9|a", "a@h|||9|a", "a@h|||10|other", "|a@h||11|no-id"),
	      "a >no-id other");
	check(T("a@h|||9|a", "a@h|||10|b", "a@h|||11|b", "a@h|||12|a"), "a b");
	check(T("|||9|x"), "x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
