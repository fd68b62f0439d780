// SPDX-License-Identifier: GPL-2.0-or-later
/* test_thread.c - who replies to whom. Trees by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "series/fs.h"
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
	/* A reply to a mail of a ring; an id that only the reply itself has. */
	check(T("a@h|b@h||9|a", "b@h|a@h||10|b", "r@h|a@h||11|r", "s@h|s@h|b@h|12|s"),
	      "b >a >>r >s");
}

/* What is kept of a mail; the text it came from may go. */
static void test_fields(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	char text[] =
		"Message-ID: <a@h>\nIn-Reply-To: <p@h> <q@h>\nReferences: <c@h> <p@h>\n"
		"Date: Fri, 5 Jan 2024 09:00:00 -0530\n\nbody\n";
	struct mail m;

	mail_scan(str_c(text), FROM_MBOXRD, &m);
	thread_add(&t, &m);
	memset(text, 'x', sizeof(text) - 1);
	mail_scan(STR_LIT("Date: yesterday\n\n"), FROM_PLAIN, &m);
	thread_add(&t, &m);
	thread_link(&t);
	assert_int_equal(t.n, 2);
	assert_string_equal(t.v[0].id, "a@h");
	/* In-Reply-To as it stands, then References from the nearest on. */
	assert_int_equal(t.v[0].parents.n, 4);
	assert_string_equal(t.v[0].parents.v[0], "p@h");
	assert_string_equal(t.v[0].parents.v[1], "q@h");
	assert_string_equal(t.v[0].parents.v[2], "p@h");
	assert_string_equal(t.v[0].parents.v[3], "c@h");
	assert_true(t.v[0].dated);
	assert_int_equal(t.v[0].date, 1704465000); /* date -d */
	assert_int_equal(t.v[0].zone, -330);
	assert_true(str_eqc(t.v[0].mail.body, "body\n"));
	assert_int_equal(t.v[0].mail.quoting, FROM_MBOXRD);
	assert_null(t.v[1].id);
	assert_false(t.v[1].dated);
	assert_int_equal(t.v[1].date, 0);
	/* Both begin a thread; the one without a date is the earlier. */
	assert_int_equal(t.v[0].parent, 0);
	assert_int_equal(t.v[1].parent, 1);
	assert_int_equal(t.order[0], 1);
	assert_int_equal(t.order[1], 0);
}

static void test_find_and_keep(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };

	add(&t, "c@h|||9|cover");
	add(&t, "|c@h||10|no-id");
	add(&t, "r@h|c@h||11|first");
	add(&t, "r@h|c@h||12|second");
	thread_link(&t);
	assert_int_equal(thread_find(&t, "r@h"), 2);
	assert_int_equal(thread_find(&t, "gone@h"), t.n);
	assert_int_equal(t.v[2].parent, thread_find(&t, "c@h"));
	thread_keep(&t, 2);
	assert_int_equal(t.n, 1);
	assert_string_equal(t.v[0].id, "r@h");
	assert_true(str_eqc(t.v[0].mail.body, "first\n"));
	/* Its parent is gone, so it begins. */
	assert_int_equal(t.v[0].parent, 0);
	assert_int_equal(t.v[0].depth, 0);
	assert_int_equal(t.order[0], 0);
	assert_int_equal(thread_find(&t, "c@h"), t.n);
}

static void test_empty(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };

	thread_link(&t);
	assert_int_equal(t.n, 0);
	assert_int_equal(thread_find(&t, "a@h"), 0);
}

/* A chain and a fan of 100,000: neither deep recursion nor time that grows with the
 * square. */
static void test_large(void **state)
{
	enum { N = 100000 };

	for (int fan = 0; fan < 2; fan++) {
		struct thread t _cleanup_thread_ = { 0 };

		/* Backwards, so that every parent comes after its reply. */
		for (int i = N - 1; i >= 0; i--) {
			char *spec _cleanup_free_ = xasprintf("%d@h|%d@h||%d|%d", i,
							      fan ? 0 : i - 1, i % 24, i);

			add(&t, spec);
		}
		thread_link(&t);
		assert_int_equal(t.n, N);
		assert_string_equal(t.v[t.order[0]].id, "0@h");
		for (size_t i = 1; i < N; i++) {
			const struct thread_mail *m = &t.v[t.order[i]];
			const struct thread_mail *before = &t.v[t.order[i - 1]];

			assert_int_equal(m->depth, fan ? 1 : (int)i);
			assert_int_equal(m->parent, fan ? t.order[0] : t.order[i - 1]);
			assert_true(!fan || i == 1 || m->date >= before->date);
		}
	}
}

/* All mails of a source, which may be closed then. */
static void test_read(void **state)
{
	static const char box[] =
		"From a Thu Jan  1 00:00:00 2026\nMessage-ID: <a@h>\n\nx\n\n"
		"From b Thu Jan  1 00:00:00 2026\nIn-Reply-To: <a@h>\n\ny\n";
	struct thread t _cleanup_thread_ = { 0 };
	struct mailsrc *s _cleanup_mailsrc_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	char *dir _cleanup_free_ = NULL, *path _cleanup_free_ = NULL;

	assert_int_equal(fs_tmpdir("thread", &dir, NULL), 0);
	path = path_join(dir, "box");
	assert_int_equal(fs_write_atomic(path, box, sizeof(box) - 1, 0600, NULL), 0);
	assert_int_equal(mailsrc_open(path, FROM_MBOXRD, &s, &err), 0);
	assert_int_equal(thread_read(&t, s, &err), 0);
	fs_rmtree(dir, NULL);
	mailsrc_close(s);
	s = NULL;
	thread_link(&t);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.v[1].parent, 0);
	assert_true(str_eqc(t.v[1].mail.body, "y\n"));
}

/* Files of a Maildir are open one at a time: their mails are copied. */
static void test_read_maildir(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct mailsrc *s = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	char *dir _cleanup_free_ = NULL, *cur _cleanup_free_ = NULL,
		  *new _cleanup_free_ = NULL;
	char *one _cleanup_free_ = NULL, *two _cleanup_free_ = NULL;

	assert_int_equal(fs_tmpdir("thread", &dir, NULL), 0);
	cur = path_join(dir, "cur");
	new = path_join(dir, "new");
	one = path_join(cur, "1.a");
	two = path_join(new, "2.b");
	assert_int_equal(fs_mkdirs(cur, NULL) | fs_mkdirs(new, NULL), 0);
	fs_write_atomic(one, "Message-ID: <a@h>\n\nx\n", 21, 0600, NULL);
	fs_write_atomic(two, "In-Reply-To: <a@h>\n\ny\n", 22, 0600, NULL);
	assert_int_equal(mailsrc_open(dir, FROM_MBOXRD, &s, &err), 0);
	assert_int_equal(thread_read(&t, s, &err), 0);
	mailsrc_close(s);
	fs_rmtree(dir, NULL);
	thread_link(&t);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.v[1].parent, 0);
	assert_true(str_eqc(t.v[0].mail.body, "x\n"));
	assert_true(str_eqc(t.v[1].mail.body, "y\n"));
}

/* Texts are made once and kept, but those of long mails. */
static void test_text(void **state)
{
	struct thread t _cleanup_thread_ = { 0 };
	struct buf raw _cleanup_buf_ = BUF_INIT, own _cleanup_buf_ = BUF_INIT;
	struct str text;
	struct mail m;

	mail_scan(STR_LIT("Content-Transfer-Encoding: base64\n\nZcOpCg==\n"), FROM_PLAIN,
		  &m);
	thread_add(&t, &m);
	buf_puts(&raw, "Subject: x\n\n");
	buf_fill(&raw, 'y', 65537);
	mail_scan(buf_str(&raw), FROM_PLAIN, &m);
	thread_add(&t, &m);
	text = thread_text(&t, 0, &own);
	assert_true(str_eqc(text, "e\xc3\xa9\n"));
	assert_ptr_equal(thread_text(&t, 0, &own).p, text.p);
	assert_int_equal(own.len, 0);
	for (int i = 0; i < 2; i++) {
		text = thread_text(&t, 1, &own);
		assert_ptr_equal(text.p, own.p);
		assert_int_equal(text.len, 65538);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),   cmocka_unit_test(test_odd),
		cmocka_unit_test(test_fields), cmocka_unit_test(test_find_and_keep),
		cmocka_unit_test(test_empty),  cmocka_unit_test(test_large),
		cmocka_unit_test(test_read),   cmocka_unit_test(test_read_maildir),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
