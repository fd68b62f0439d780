// SPDX-License-Identifier: GPL-2.0-or-later
/* test_out.c - answers and progress on pipes, full disks and terminals of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/out.h"
#include "series/proc.h"
#include "series/progress.h"

static char *dir;

/* fd (1 or 2) goes to another place until back() is called. */
struct detour {
	int fd, saved, reader;
};

static struct detour detour_to(int fd, int to, int reader)
{
	struct detour d = { fd, -1, reader };

	fflush(NULL);
	d.saved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	dup2(to, fd);
	close(to);
	return d;
}

static struct detour to_pipe(int fd)
{
	int p[2];

	assert_int_equal(pipe2(p, O_CLOEXEC), 0);
	return detour_to(fd, p[1], p[0]);
}

/* A terminal of its own that does not change what is written. */
static struct detour to_tty(int fd, int rows, int columns)
{
	struct winsize ws = { .ws_row = (unsigned short)rows,
			      .ws_col = (unsigned short)columns };
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios t;
	int slave;

	assert_true(master >= 0);
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(slave >= 0);
	tcgetattr(slave, &t);
	cfmakeraw(&t);
	tcsetattr(slave, TCSANOW, &t);
	ioctl(slave, TIOCSWINSZ, &ws);
	return detour_to(fd, slave, master);
}

/* End the detour; what was written is appended to *ret. */
static void back(struct detour *d, struct buf *ret)
{
	char chunk[4096];
	ssize_t n;

	/* What a terminal was given can be read as long as its other end is open. */
	fcntl(d->reader, F_SETFL, O_NONBLOCK);
	while ((n = read(d->reader, chunk, sizeof(chunk))) > 0)
		buf_add(ret, chunk, (size_t)n);
	dup2(d->saved, d->fd);
	close(d->saved);
	close(d->reader);
}

static char *in_dir(const char *name)
{
	return path_join(dir, name);
}

static void flush_ok(struct out *o, const char *pager)
{
	struct err err = ERR_INIT;
	int rc = out_flush(o, pager, &err);

	assert_int_equal(rc, 0);
}

static void test_text(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_pipe(1);
	struct out o;

	out_init(&o, "auto", false);
	out_puts(&o, "one\n");
	out_printf(&o, "%d\n", 2);
	out_foreign(&o, STR_LIT("\033[31mthree\033]0;x\007\n"));
	out_color(&o, "32", "four %s\n", "\033[2J");
	flush_ok(&o, NULL);
	flush_ok(&o, NULL); /* once is enough */
	back(&d, &got);
	assert_string_equal(buf_cstr(&got), "one\n2\nthree\nfour \n");
	assert_false(o.tty || o.color);
	out_release(&o);
}

static void test_json(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_pipe(1);
	struct out o;

	out_init(&o, "auto", false);
	out_puts(&o, "not this");
	o.json = json_obj();
	json_set_int(o.json, "schema", 1);
	flush_ok(&o, NULL);
	back(&d, &got);
	assert_string_equal(buf_cstr(&got), "{\n  \"schema\": 1\n}\n");
	out_release(&o);
}

static void test_full_disk(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = detour_to(1, open("/dev/full", O_WRONLY | O_CLOEXEC), -1);
	struct out o;
	int rc;

	out_init(&o, "never", false);
	out_puts(&o, "text\n");
	rc = out_flush(&o, NULL, &err);
	back(&d, &got);
	assert_int_equal(rc, E_FAIL);
	assert_string_equal(err_msg(&err),
			    "write to standard output: No space left on device");
	out_release(&o);
}

static void test_reader_gone(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_pipe(1);
	struct out o;
	int rc;

	close(d.reader);
	d.reader = -1;
	out_init(&o, "never", false);
	out_puts(&o, "text\n");
	rc = out_flush(&o, NULL, &err);
	back(&d, &got);
	assert_int_equal(rc, E_FAIL);
	assert_string_equal(err_msg(&err), "");
	out_release(&o);
}

/* Much text does not wait for the end; on a terminal it does, for the pager. */
static void test_drain(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_pipe(1);
	struct out o;

	assert_true(fcntl(d.reader, F_SETPIPE_SZ, 1 << 18) >= 1 << 18);
	out_init(&o, "never", false);
	out_puts(&o, "little\n");
	out_drain(&o);
	assert_int_equal(o.text.len, 7);
	buf_fill(&o.text, 'x', 100000);
	out_drain(&o);
	assert_int_equal(o.text.len, 0);
	out_puts(&o, "end");
	o.tty = true;
	buf_fill(&o.text, 'y', 100000);
	out_drain(&o);
	assert_int_equal(o.text.len, 100003);
	o.tty = false;
	flush_ok(&o, NULL);
	back(&d, &got);
	assert_int_equal(got.len, 7 + 100000 + 3 + 100000);
	assert_true(str_ends(str_n(got.p, 100010), "xend"));
	out_release(&o);
}

static void test_drain_fails(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = detour_to(1, open("/dev/full", O_WRONLY | O_CLOEXEC), -1);
	struct out o;
	int rc;

	out_init(&o, "never", false);
	for (int i = 0; i < 3; i++) {
		buf_fill(&o.text, 'x', 100000);
		out_drain(&o);
		assert_int_equal(o.text.len, 0);
	}
	out_puts(&o, "end");
	rc = out_flush(&o, NULL, &err);
	back(&d, &got);
	assert_int_equal(rc, E_FAIL);
	assert_non_null(strstr(err_msg(&err), "standard output"));
	out_release(&o);
}

static bool color_with(const char *arg, const char *no_color, const char *term)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_tty(1, 24, 80);
	struct out o;

	no_color ? setenv("NO_COLOR", no_color, 1) : unsetenv("NO_COLOR");
	term ? setenv("TERM", term, 1) : unsetenv("TERM");
	out_init(&o, arg, false);
	out_color(&o, "31", "red");
	flush_ok(&o, NULL);
	back(&d, &got);
	unsetenv("NO_COLOR");
	out_release(&o);
	assert_true(o.tty);
	assert_string_equal(buf_cstr(&got), o.color ? "\033[31mred\033[m" : "red");
	return o.color;
}

static void test_color(void **state)
{
	assert_true(color_with("auto", NULL, "xterm"));
	assert_true(color_with("auto", "", "xterm"));
	assert_false(color_with("auto", "1", "xterm"));
	assert_false(color_with("auto", NULL, "dumb"));
	assert_false(color_with("auto", NULL, NULL));
	assert_true(color_with("always", "1", "dumb"));
	assert_false(color_with("never", NULL, "xterm"));
}

static void test_width(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_tty(1, 24, 123);
	struct out a, b, c;

	unsetenv("COLUMNS");
	out_init(&a, "auto", false);
	setenv("COLUMNS", "66", 1);
	out_init(&b, "auto", false);
	unsetenv("COLUMNS");
	back(&d, &got);
	d = to_pipe(1);
	out_init(&c, "auto", false);
	back(&d, &got);
	assert_int_equal(a.width, 123);
	assert_int_equal(b.width, 66);
	assert_int_equal(c.width, 80);
}

/* lines lines on a terminal of five rows; what came to the terminal in *ret. */
static void paged(int lines, const char *pager, bool no_pager, struct buf *ret)
{
	struct detour d = to_tty(1, 5, 40);
	struct out o;
	int i;

	out_init(&o, "never", no_pager);
	for (i = 1; i <= lines; i++)
		out_printf(&o, "line %d\n", i);
	flush_ok(&o, pager);
	out_release(&o);
	back(&d, ret);
}

static void test_pager(void **state)
{
	static const struct {
		int lines;
		const char *pager, *env;
		bool no_pager;
		const char *want;
	} rows[] = {
		/* the prompt needs the fifth row */
		{ 4, "sed 's/^/P /'", NULL, false, "line 1\nline 2\nline 3\nline 4\n" },
		{ 5, "sed 's/^/P /'", NULL, false,
		  "P line 1\nP line 2\nP line 3\nP line 4\nP line 5\n" },
		{ 5, NULL, "sed -n '$p' | tr l L", false, "Line 5\n" },
		{ 5, "sed -n 1p", "sed -n 2p", false, "line 1\n" },
		{ 5, "sed 's/^/P /'", NULL, true,
		  "line 1\nline 2\nline 3\nline 4\nline 5\n" },
		{ 5, "", "sed -n 2p", false, "line 1\nline 2\nline 3\nline 4\nline 5\n" },
		{ 5, "cat", NULL, false, "line 1\nline 2\nline 3\nline 4\nline 5\n" },
		/* one that ends before it has read everything, with whatever status */
		{ 5, "exit 1", NULL, false, "" },
		{ 5, "printf '%s' \"$LESS\"", NULL, false, "FRX" },
	};
	size_t i;

	unsetenv("LESS");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf got _cleanup_buf_ = BUF_INIT;

		rows[i].env ? setenv("PAGER", rows[i].env, 1) : unsetenv("PAGER");
		paged(rows[i].lines, rows[i].pager, rows[i].no_pager, &got);
		assert_string_equal(buf_cstr(&got), rows[i].want);
	}
	unsetenv("PAGER");
}

static void test_pager_keeps_less(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;

	setenv("LESS", "-S", 1);
	paged(9, "printf '%s' \"$LESS\"", false, &got);
	unsetenv("LESS");
	assert_string_equal(buf_cstr(&got), "-S");
}

/* A pager that does not exist costs nobody the answer. */
static void test_pager_missing(void **state)
{
	char *path _cleanup_free_ = in_dir("stderr");
	struct buf got _cleanup_buf_ = BUF_INIT, err _cleanup_buf_ = BUF_INIT;
	struct detour e =
		detour_to(2, open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), -1);

	paged(5, "no-such-pager-here", false, &got);
	back(&e, &err);
	assert_string_equal(buf_cstr(&got), "line 1\nline 2\nline 3\nline 4\nline 5\n");
}

/* Two lines of 100 columns fill six rows of 40. */
static void test_pager_wrapped(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_tty(1, 5, 40);
	struct out o;

	out_init(&o, "never", false);
	buf_fill(&o.text, 'x', 100);
	out_puts(&o, "\n");
	buf_fill(&o.text, 'y', 100);
	out_puts(&o, "\n");
	flush_ok(&o, "wc -c");
	out_release(&o);
	back(&d, &got);
	assert_string_equal(buf_cstr(&got), "202\n");
}

#define SECOND 1000000000LL

static void test_progress_plain(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_pipe(2);
	struct progress p;

	progress_start(&p, "building\033[31m arm64 2/4", 50);
	progress_update(&p, 1, NULL); /* silent for a second */
	p.start_ns -= 100 * SECOND;
	progress_update(&p, 12, "mm/\nrmap.o");
	progress_update(&p, 13, "mm/vmscan.o"); /* not within ten seconds */
	p.shown_ns -= 11 * SECOND;
	progress_update(&p, 50, NULL);
	progress_note("boot %d: \033[2Jlost", 3);
	progress_end(&p);
	progress_start(&p, "fetching", 0);
	p.start_ns -= 65 * SECOND;
	progress_update(&p, 0, NULL);
	progress_end(&p);
	back(&d, &got);
	/* 100 s for 24 % leave 316 s for the rest */
	assert_string_equal(buf_cstr(&got),
			    "building arm64 2/4: 12/50 (24%), 5m16s left, mm/ rmap.o\n"
			    "building arm64 2/4: 50/50 (100%)\n"
			    "boot 3: lost\n"
			    "fetching: 1m05s\n");
}

static void test_progress_tty(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_tty(2, 24, 21);
	struct progress p;

	progress_start(&p, "building", 10);
	p.start_ns -= 10 * SECOND;
	progress_update(&p, 5, "mm/rmap.o");
	progress_note("news");
	p.shown_ns -= SECOND;
	progress_update(&p, 10, NULL);
	progress_end(&p);
	progress_note("end");
	back(&d, &got);
	assert_string_equal(buf_cstr(&got), "\rbuilding: 5/10 (50%)\033[K\r\033[Knews\n"
					    "\rbuilding: 10/10 (100\033[K\r\033[Kend\n");
}

/* A job that stands still is seen, the innermost one, once a second; only on a terminal.
 */
static void test_progress_tick(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_tty(2, 24, 80);
	struct progress outer, inner;

	progress_tick();
	progress_start(&outer, "sending", 6);
	progress_update(&outer, 0, "mail");
	progress_tick(); /* silent for a second */
	outer.start_ns -= 65 * SECOND;
	progress_tick();
	progress_tick(); /* not within a second */
	progress_start(&inner, "asking", 0);
	progress_tick();
	inner.start_ns -= 130 * SECOND;
	progress_tick();
	progress_end(&inner);
	outer.shown_ns -= SECOND;
	progress_tick();
	progress_end(&outer);
	progress_tick();
	back(&d, &got);
	assert_string_equal(buf_cstr(&got),
			    "\rsending: 0/6 (0%), 1m05s, mail\033[K"
			    "\rasking: 2m10s\033[K\r\033[K"
			    "\rsending: 0/6 (0%), 1m05s, mail\033[K\r\033[K");
	buf_reset(&got);
	d = to_pipe(2);
	progress_start(&outer, "sending", 6);
	outer.start_ns -= 65 * SECOND;
	progress_tick();
	progress_end(&outer);
	back(&d, &got);
	assert_int_equal(got.len, 0);
}

/* While a child is waited for, unless the terminal is the child's. */
static void test_progress_child(void **state)
{
	char *argv[] = { "sleep", "0.1", NULL };
	struct proc_opts o = { .argv = argv };
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_tty(2, 24, 80);
	struct progress p;

	progress_start(&p, "first", 0);
	p.start_ns -= 65 * SECOND;
	assert_int_equal(proc_run(&o, NULL, NULL), 0);
	progress_end(&p);
	o.foreground = true;
	progress_start(&p, "second", 0);
	p.start_ns -= 65 * SECOND;
	assert_int_equal(proc_run(&o, NULL, NULL), 0);
	progress_end(&p);
	back(&d, &got);
	assert_string_equal(buf_cstr(&got), "\rfirst: 1m05s\033[K\r\033[K");
}

static void test_progress_quiet(void **state)
{
	struct buf got _cleanup_buf_ = BUF_INIT;
	struct detour d = to_pipe(2);
	struct progress p;

	progress_quiet(true);
	progress_start(&p, "building", 10);
	p.start_ns -= 10 * SECOND;
	progress_update(&p, 5, NULL);
	progress_note("news");
	progress_end(&p);
	progress_quiet(false);
	back(&d, &got);
	assert_int_equal(got.len, 0);
}

static int setup(void **state)
{
	signal(SIGPIPE, SIG_IGN);
	return fs_tmpdir("out", &dir, NULL);
}

static int teardown(void **state)
{
	int rc = fs_rmtree(dir, NULL);

	free(dir);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_drain),
		cmocka_unit_test(test_drain_fails),
		cmocka_unit_test(test_reader_gone),
		cmocka_unit_test(test_color),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_pager),
		cmocka_unit_test(test_pager_keeps_less),
		cmocka_unit_test(test_pager_missing),
		cmocka_unit_test(test_pager_wrapped),
		cmocka_unit_test(test_progress_plain),
		cmocka_unit_test(test_progress_tty),
		cmocka_unit_test(test_progress_tick),
		cmocka_unit_test(test_progress_child),
		cmocka_unit_test(test_progress_quiet),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
