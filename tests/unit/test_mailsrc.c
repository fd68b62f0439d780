// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of mail that change while they are read.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include "series/buf.h"
#include "series/fs.h"
#include "series/mailsrc.h"
#include "series/mapped.h"
#include "series/mem.h"

/* A file of that many bytes. */
static char *file(char c, size_t n)
{
	char *path = xstrdup("/tmp/series-mapped-XXXXXX");
	struct buf b _cleanup_buf_ = BUF_INIT;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	buf_fill(&b, c, n);
	assert_int_equal(fs_write_fd(fd, b.p, b.len, path, NULL), 0);
	close(fd);
	return path;
}

static void cut_short(void **state)
{
	char *path _cleanup_free_ = file('x', 10000),
		   *other _cleanup_free_ = file('y', 5000);
	struct mapped m, n;
	int fd = open(path, O_RDONLY), fd2 = open(other, O_RDONLY);
	size_t x = 0;

	assert_int_equal(mapped_open(&m, fd, path, NULL), 0);
	assert_int_equal(mapped_open(&n, fd2, other, NULL), 0);
	assert_int_equal(truncate(path, 0), 0);
	for (size_t i = 0; i < m.bytes.len; i++)
		x += m.bytes.p[i] == 'x';
	assert_int_equal(x, 0);
	assert_true(m.torn);
	assert_false(n.torn);
	assert_int_equal(n.bytes.p[4999], 'y');
	mapped_close(&m);
	mapped_close(&m);
	mapped_close(&n);
	close(fd);
	close(fd2);
	unlink(path);
	unlink(other);
}

/* The mails before the damage come; the rest is an error that names the file. */
static void mbox_cut_short(void **state)
{
	char *path _cleanup_free_ = file(' ', 0);
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct mailsrc *s _cleanup_mailsrc_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	struct mail m;
	int rc, n = 0;

	for (int i = 0; i < 100; i++) {
		buf_printf(&b, "From a@b Thu Jan  1 00:00:00 2026\nSubject: %d\n\n", i);
		buf_fill(&b, 'x', 5000);
		buf_puts(&b, "\n\n");
	}
	assert_int_equal(fs_write_atomic(path, b.p, b.len, 0600, NULL), 0);
	assert_int_equal(mailsrc_open(path, FROM_MBOXRD, &s, &err), 0);
	assert_int_equal(mailsrc_next(s, &m, &err), 1);
	assert_int_equal(truncate(path, 3 * 4096), 0);
	while ((rc = mailsrc_next(s, &m, &err)) > 0)
		n++;
	assert_int_equal(rc, E_CORRUPT);
	assert_true(n < 100);
	assert_non_null(strstr(err_msg(&err), path));
	assert_non_null(strstr(err_msg(&err), "cut short"));
	unlink(path);
}

/* Who shares a source keeps its mails when it is closed, and can ask what became of them.
 */
static void shared(void **state)
{
	char *path _cleanup_free_ = file(' ', 0);
	static const char box[] = "From a@b Thu Jan  1 00:00:00 2026\nSubject: 1\n\nx\n";
	struct mailsrc *s _cleanup_mailsrc_ = NULL, *held _cleanup_mailsrc_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	struct mail m;

	assert_int_equal(fs_write_atomic(path, box, sizeof(box) - 1, 0600, NULL), 0);
	assert_int_equal(mailsrc_open(path, FROM_MBOXRD, &s, &err), 0);
	held = mailsrc_share(s);
	assert_int_equal(mailsrc_next(s, &m, &err), 1);
	mailsrc_closep(&s);
	assert_true(str_eqc(m.body, "x\n"));
	assert_int_equal(mailsrc_check(held, &err), 0);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(m.body.p[0], '\0');
	assert_int_equal(mailsrc_check(held, &err), E_CORRUPT);
	assert_non_null(strstr(err_msg(&err), path));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_short),
		cmocka_unit_test(mbox_cut_short),
		cmocka_unit_test(shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
