// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every state a boot can end in, against a QEMU that does on demand what a real one will
 * not: a shell script first on PATH that writes the console and the job port by a
 * scenario. The boots are of this machine's own architecture, so its compiler is there.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/fs.h"
#include "series/lab.h"
#include "series/mem.h"

#define ID "0123456789abcdef0123456789abcdef01234567"
#define HELLO                                                                            \
	"{\"t\":\"hello\",\"boot_id\":\"11111111-2222-3333-4444-555555555555\","         \
	"\"build_id\":\"" ID "\",\"release\":\"6.12.0-series\"}"

/* Finds the paths among its arguments, demands an archive, then does $SCENARIO. */
static const char script[] =
	"#!/bin/sh\n"
	"if [ \"$1\" = --version ]; then echo 'QEMU emulator version 7.2'; exit; fi\n"
	"echo x >>\"$COUNT\"\n"
	"for a; do case $a in\n"
	"file,id=console,path=*) C=${a#*path=};;\n"
	"file,id=job,path=*) J=${a#*path=};;\n"
	"*initramfs.cpio) I=$a;;\n"
	"esac; done\n"
	"[ \"$(head -c 6 \"$I\")\" = 070701 ] || { echo 'no archive' >&2; exit 99; }\n"
	"con() { printf '%s\\n' \"$@\" >>\"$C\"; }\n"
	"job() { printf '%s\\n' \"$@\" >>\"$J\"; }\n"
	"con '[    0.000000] Booting Linux'\n"
	"eval \"$SCENARIO\"\n";

static char *dir, *old_path, *out;
static struct host *host;

static int set_up(void **state)
{
	char *bin _cleanup_free_ = NULL, *fake _cleanup_free_ = NULL;
	char *path _cleanup_free_ = NULL, *cache _cleanup_free_ = NULL;
	char *count _cleanup_free_ = NULL;

	if (fs_tmpdir("lab", &dir, NULL) || host_find(NULL, "qemu", &host, NULL))
		return -1;
	old_path = xstrdup(getenv("PATH"));
	bin = path_join(dir, "bin");
	fake = path_join(bin, arch_native()->qemu);
	path = xasprintf("%s:%s", bin, old_path);
	cache = path_join(dir, "cache");
	count = path_join(dir, "count");
	out = path_join(dir, "boot");
	if (fs_mkdirs(bin, NULL) ||
	    fs_write_atomic(fake, script, sizeof(script) - 1, 0755, NULL) ||
	    chmod(fake, 0755))
		return -1;
	setenv("PATH", path, 1);
	setenv("XDG_CACHE_HOME", cache, 1);
	setenv("COUNT", count, 1);
	if (!getenv("SERIES_TEMPLATES"))
		setenv("SERIES_TEMPLATES", "templates", 1);
	free(host->accel);
	host->accel = xstrdup("icount");
	return 0;
}

static int tear_down(void **state)
{
	int r = fs_rmtree(dir, NULL);

	host_free(host);
	free(dir);
	free(out);
	free(old_path);
	return r;
}

static struct boot_request request(void)
{
	return (struct boot_request){ .host = host,
				      .arch = arch_native(),
				      .image = "/bin/sh", /* any file */
				      .build_id = ID,
				      .job = "done\n",
				      .deadline_ms = 60000,
				      .dir = out };
}

/* Boot by a scenario, check the state and that it took no longer than limit_ms. */
static void boot(const struct boot_request *q, const char *scenario, enum boot_state want,
		 const char *why, int64_t limit_ms, struct boot_result *ret)
{
	char *initrd _cleanup_free_ = path_join(q->dir, "initramfs.cpio");
	struct err err _cleanup_err_ = ERR_INIT;
	struct boot *b = NULL;

	setenv("SCENARIO", scenario, 1);
	if (boot_start(q, &b, &err))
		fail_msg("boot_start: %s", err_msg(&err));
	while (!boot_poll(b, 1000, ret))
		;
	if (ret->state != want || !strstr(ret->why, why))
		fail_msg("%s: %s, not %s: %s", boot_state_name(ret->state), ret->why,
			 boot_state_name(want), why);
	assert_true(ret->wall_ms < limit_ms);
	boot_free(b);
	assert_false(fs_exists(initrd));
	assert_true(fs_exists(ret->console_path));
}

static void check(const struct boot_request *q, const char *scenario,
		  enum boot_state want, const char *why, int64_t limit_ms)
{
	struct boot_result res = { .state = BOOT_RUNNING };

	boot(q, scenario, want, why, limit_ms, &res);
	boot_result_release(&res);
}

static void test_good(void **state)
{
	struct boot_request q = request();
	struct boot_result res = { .state = BOOT_RUNNING };

	/* a record that comes in two pieces, a line that is none, a warning */
	boot(&q,
	     "job '" HELLO "'; printf '{\"t\":\"run\",\"case\":' >>$J; sleep 0.3;"
	     "printf '\"64K\",\"run\":1}\\nnot json\\n' >>$J;"
	     "con '[  1.0] WARNING: CPU: 0 PID: 1 at mm/rmap.c:1 f+0x1/0x2'; job "
	     "'{\"t\":\"done\"}'",
	     BOOT_OK, "done", 20000, &res);
	assert_string_equal(res.boot_id, "11111111-2222-3333-4444-555555555555");
	assert_string_equal(res.build_id, ID);
	assert_string_equal(res.release, "6.12.0-series");
	assert_string_equal(res.accel, "icount");
	assert_int_equal(json_len(res.records), 3);
	assert_string_equal(json_get_str(json_at(res.records, 1), "case"), "64K");
	assert_int_equal(res.notes.n, 2);
	assert_string_equal(res.notes.v[1], "job port: 1 line that is no record");
	assert_string_equal(res.notes.v[0],
			    "WARNING: CPU: 0 PID: 1 at mm/rmap.c:1 f+0x1/0x2");
	boot_result_release(&res);
	/* no build-id expected: whatever boots is recorded */
	q.build_id = NULL;
	check(&q, "job '" HELLO "' '{\"t\":\"done\"}'", BOOT_OK, "done", 20000);
	/* it said done but does not go: ended after a while, and good */
	check(&q, "job '" HELLO "' '{\"t\":\"done\"}'; exec sleep 100", BOOT_OK, "done",
	      30000);
}

static void test_crashes(void **state)
{
	struct boot_request q = request();
	struct boot_result res = { .state = BOOT_RUNNING };

	boot(&q,
	     "job '" HELLO
	     "'; con 'before' \"[ 1.0] $(printf '\\033[2J')Kernel panic - not "
	     "syncing: Attempted to kill init!\" 'after'",
	     BOOT_CRASHED, "panic: Attempted to kill init!", 20000, &res);
	assert_int_equal(res.console_tail.n, 4);
	assert_string_equal(res.console_tail.v[1], "before");
	assert_string_equal(res.console_tail.v[2],
			    "[ 1.0] Kernel panic - not syncing: Attempted to kill init!");
	assert_string_equal(res.console_tail.v[3], "after");
	boot_result_release(&res);
	check(&q, "con 'Kernel panic - not syncing: VFS: Unable to mount root fs'",
	      BOOT_CRASHED, "panic before init spoke: VFS", 20000);
	check(&q,
	      "job '" HELLO "'; con 'Unable to handle kernel paging request at 0010' "
	      "'Kernel panic - not syncing: Oops: Fatal exception'",
	      BOOT_CRASHED,
	      "oops: Unable to handle kernel paging request at 0010 (panic: Oops", 20000);
	check(&q, "job '" HELLO "'", BOOT_CRASHED, "went down in the middle", 20000);
	/* an oops is one even if the job went on to its end */
	check(&q, "job '" HELLO "' '{\"t\":\"done\"}'; con 'kernel BUG at mm/rmap.c:1!'",
	      BOOT_CRASHED, "kernel BUG at mm/rmap.c:1!", 20000);
	/* a panic that does not end: not called a hang */
	q.deadline_ms = 3000;
	check(&q, "job '" HELLO "'; con 'Kernel panic - not syncing: x'; exec sleep 100",
	      BOOT_CRASHED, "panic: x", 9000);
}

static void test_silence(void **state)
{
	struct boot_request q = request();

	q.deadline_ms = 3000;
	check(&q, "job '" HELLO "'; exec sleep 100", BOOT_HUNG, "did not end within 3",
	      9000);
	check(&q, "exec sleep 100", BOOT_FAIL, "no word from init", 9000);
	/* qemu that does not listen to SIGTERM */
	check(&q, "trap '' TERM; job '" HELLO "'; while :; do sleep 0.1; done", BOOT_HUNG,
	      "did not end", 9000);
	q.deadline_ms = 60000;
	q.boot_deadline_ms = 500;
	check(&q, ": >$C; exec sleep 100", BOOT_FAIL, "the console is empty", 5000);
	q.boot_deadline_ms = 30000; /* the others end by themselves, on a busy machine late */
	check(&q, "exit 0", BOOT_FAIL, "went down before init spoke", 5000);
	check(&q, "con '[ 0.1] series-init: no port named series.job'", BOOT_FAIL,
	      "series-init: no port", 5000);
}

static void test_wrong_kernel(void **state)
{
	struct boot_request q = request();
	char *own _cleanup_free_ = NULL;
	struct buf id _cleanup_buf_ = BUF_INIT;

	q.build_id = "ffff";
	check(&q, "job '" HELLO "'; exec sleep 100", BOOT_WRONG_KERNEL,
	      "expected build-id ffff, but " ID " (6.12.0-series) booted", 5000);
	/* not even if it did the job and crashed behind it */
	check(&q,
	      "job '" HELLO "' '{\"t\":\"done\"}'; con 'Kernel panic - not syncing: x'",
	      BOOT_WRONG_KERNEL, "ffff", 5000);
	q.build_id = NULL;
	check(&q, "job '{\"t\":\"hello\",\"build_id\":\"ab\"}' '{\"t\":\"done\"}'",
	      BOOT_WRONG_KERNEL, "no boot_id", 20000);
	/* this machine's own boot is not a new one */
	assert_int_equal(fs_read("/proc/sys/kernel/random/boot_id", 100, &id, NULL), 0);
	own = xasprintf("job '{\"t\":\"hello\",\"boot_id\":\"" STR_FMT
			"\"}' '{\"t\":\"done\"}'",
			STR_ARG(str_trim(buf_str(&id))));
	check(&q, own, BOOT_WRONG_KERNEL, "no boot_id of a new boot", 20000);
}

static void test_not_the_kernel(void **state)
{
	struct boot_request q = request();
	struct err err _cleanup_err_ = ERR_INIT;
	struct boot *b = NULL;
	char *path _cleanup_free_ = xstrdup(getenv("PATH"));

	check(&q, "echo \"qemu: could not load kernel 'x'\" >&2; exit 1", BOOT_INFRA_FAIL,
	      "exit status 1: qemu: could not load kernel 'x'", 5000);
	check(&q, "kill -SEGV $$", BOOT_INFRA_FAIL, "signal 11", 5000);
	check(&q, "job '" HELLO "'; kill -KILL $$", BOOT_VOID, "killed from outside",
	      5000);
	check(&q,
	      "job '" HELLO
	      "' '{\"t\":\"error\",\"line\":7,\"cmd\":\"zram\",\"msg\":\"no "
	      "memory\"}'",
	      BOOT_INFRA_FAIL, "job line 7 (zram): no memory", 5000);
	/* a "done" without a hello is nobody's */
	check(&q, "job '{\"t\":\"done\"}'", BOOT_FAIL, "before init spoke", 5000);

	/* the compiler's cache is filled by now: no program at all is enough to see it */
	q.image = "/nonexistent/Image";
	assert_int_equal(boot_start(&q, &b, &err), E_NOTFOUND);
	q = request();
	setenv("PATH", "/nonexistent", 1);
	assert_int_equal(boot_start(&q, &b, &err), E_FAIL);
	assert_non_null(strstr(err_msg(&err), "install "));
	setenv("PATH", path, 1);
	q.dir = "/proc/nonexistent";
	assert_true(boot_start(&q, &b, &err) < 0);
	assert_null(b);
}

static void test_freed_while_running(void **state)
{
	struct boot_request q = request();
	struct boot_result res;
	struct boot *b = NULL;
	char *pidfile _cleanup_free_ = path_join(dir, "pid");
	struct buf pid _cleanup_buf_ = BUF_INIT;
	int64_t n = 0;

	setenv("PIDFILE", pidfile, 1);
	setenv("SCENARIO",
	       "echo $$ >$PIDFILE.new; mv $PIDFILE.new $PIDFILE; exec sleep 100", 1);
	assert_int_equal(boot_start(&q, &b, NULL), 0);
	for (int i = 0; i < 100 && !fs_exists(pidfile); i++)
		assert_false(boot_poll(b, 100, &res));
	assert_int_equal(fs_read(pidfile, 100, &pid, NULL), 0);
	assert_true(str_to_i64(str_trim(buf_str(&pid)), 2, 1 << 30, &n));
	assert_int_equal(kill((pid_t)n, 0), 0);
	boot_free(b);
	assert_int_equal(kill((pid_t)n, 0), -1);
}

static int runs(void)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	fs_read(getenv("COUNT"), 100000, &b, NULL);
	return (int)b.len / 2;
}

static void test_accel(void **state)
{
	const char *image = "/bin/cat", *got = NULL;
	int before = runs();

	assert_int_equal(host_accel(host, arch_native(), image, &got, NULL), 0);
	assert_string_equal(got, "icount");
	free(host->accel);
	host->accel = xstrdup("auto");
	setenv("SCENARIO", "exit 1", 1);
	assert_int_equal(host_accel(host, arch_native(), image, &got, NULL), 0);
	assert_string_equal(got, "icount");
	if (!access("/dev/kvm", R_OK | W_OK)) {
		/* asked once, and remembered, until the image is another */
		assert_int_equal(runs(), before + 1);
		setenv("SCENARIO", "job '" HELLO "' '{\"t\":\"done\"}'", 1);
		assert_int_equal(host_accel(host, arch_native(), image, &got, NULL), 0);
		assert_string_equal(got, "icount");
		assert_int_equal(runs(), before + 1);
		assert_int_equal(host_accel(host, arch_native(), "/bin/ls", &got, NULL),
				 0);
		assert_string_equal(got, "kvm");
		assert_int_equal(runs(), before + 2);
		/* killed from outside: not for now, and asked again */
		host->memory_mib++;
		setenv("SCENARIO", "kill -9 $$", 1);
		assert_int_equal(host_accel(host, arch_native(), image, &got, NULL), 0);
		assert_string_equal(got, "icount");
		setenv("SCENARIO", "job '" HELLO "' '{\"t\":\"done\"}'", 1);
		assert_int_equal(host_accel(host, arch_native(), image, &got, NULL), 0);
		assert_string_equal(got, "kvm");
		assert_int_equal(runs(), before + 4);
	} else {
		assert_int_equal(runs(), before);
	}
}

static void test_compile(void **state)
{
	struct err err _cleanup_err_ = ERR_INIT;
	char *src _cleanup_free_ = path_join(dir, "p.c"), *p1 _cleanup_free_ = NULL;
	char *p2 _cleanup_free_ = NULL, *p3 _cleanup_free_ = NULL;
	char *cross _cleanup_free_ = NULL;
	char h1[SHA256_HEX], h2[SHA256_HEX], h3[SHA256_HEX];
	struct stat s1, s2;
	const struct arch *none = NULL;

	assert_int_equal(
		fs_write_atomic(src, "int main(void){return 3;}\n", 26, 0644, NULL), 0);
	assert_int_equal(lab_compile(NULL, arch_native(), src, &p1, h1, &err), 0);
	assert_true(fs_is_exec(p1));
	assert_int_equal(stat(p1, &s1), 0);
	assert_int_equal(lab_compile(NULL, arch_native(), src, &p2, h2, &err), 0);
	assert_string_equal(p1, p2);
	assert_int_equal(stat(p2, &s2), 0);
	assert_int_equal(s1.st_ino, s2.st_ino);
	assert_int_equal(
		fs_write_atomic(src, "int main(void){return 4;}\n", 26, 0644, NULL), 0);
	assert_int_equal(lab_compile(NULL, arch_native(), src, &p3, h3, &err), 0);
	assert_string_not_equal(h1, h3);
	assert_int_equal(
		fs_write_atomic(src, "int main(void){return x;}\n", 26, 0644, NULL), 0);
	free(p3);
	p3 = NULL;
	assert_int_equal(lab_compile(NULL, arch_native(), src, &p3, h3, &err), E_FAIL);
	assert_non_null(strstr(err_msg(&err), "undeclared"));
	assert_null(p3);
	assert_int_equal(arch_find("s390", &none, NULL), 0);
	cross = fs_find_program("s390x-linux-gnu-gcc");
	if (!cross) {
		assert_int_equal(lab_compile(NULL, none, src, &p3, h3, &err), E_FAIL);
		assert_non_null(strstr(err_msg(&err), "install gcc-s390x-linux-gnu"));
	}
}

/* A gigabyte (of a file with holes) at once: the boot ends, and not all of it is read. */
static void test_flood(void **state)
{
	struct boot_request q = request();
	struct boot_result r;

	boot(&q, "truncate -s 1G \"$C\"; sleep 60", BOOT_HUNG, "flooded", 30000, &r);
	boot_result_release(&r);
	boot(&q, "job '" HELLO "'; truncate -s 1G \"$J\"; sleep 60", BOOT_HUNG, "flooded",
	     30000, &r);
	boot_result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_crashes),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_wrong_kernel),
		cmocka_unit_test(test_not_the_kernel),
		cmocka_unit_test(test_freed_while_running),
		cmocka_unit_test(test_compile),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_accel), /* last: it changes the host */
	};

	return cmocka_run_group_tests_name("lab", tests, set_up, tear_down);
}
