// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts of a boot: the archive, the call of QEMU, the console, hosts from settings.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../lib/lab/lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"

static char *dir;

static int set_up(void **state)
{
	return fs_tmpdir("lab", &dir, NULL);
}

static int tear_down(void **state)
{
	int r = fs_rmtree(dir, NULL);

	free(dir);
	return r;
}

/* A header of format newc by hand: ino mode nlink uid gid mtime size maj min rmaj rmin
 * name sum. */
static void head(struct buf *b, const char *ino, const char *mode, const char *links,
		 const char *size, const char *rmaj, const char *rmin, const char *name)
{
	buf_printf(
		b,
		"070701%s%s%s000000000000000000000000%s0000000000000000%s%s%08X00000000",
		ino, mode, links, size, rmaj, rmin, (unsigned)strlen(name) + 1);
	buf_puts(b, name);
	buf_putc(b, '\0');
	while (b->len % 4)
		buf_putc(b, '\0');
}

static void test_archive(void **state)
{
	char *path _cleanup_free_ = path_join(dir, "initrd");
	char *from _cleanup_free_ = path_join(dir, "from");
	struct buf want _cleanup_buf_ = BUF_INIT, got _cleanup_buf_ = BUF_INIT;
	struct boot_file f[] = {
		{ .guest_path = "/init", .data = "12345", .len = 5, .mode = 0755 },
		{ .guest_path = "/a/b/c", .path = from, .mode = 0644 },
	};

	assert_int_equal(fs_write_atomic(from, "four", 4, 0600, NULL), 0);
	/* 040755 octal is 41ED hex, 020600 is 2180, 0100755 is 81ED, 0100644 is 81A4 */
	head(&want, "00000001", "000041ED", "00000002", "00000000", "00000000",
	     "00000000", "a");
	head(&want, "00000002", "000041ED", "00000002", "00000000", "00000000",
	     "00000000", "a/b");
	head(&want, "00000003", "000041ED", "00000002", "00000000", "00000000",
	     "00000000", "dev");
	head(&want, "00000004", "00002180", "00000001", "00000000", "00000005",
	     "00000001", "dev/console");
	head(&want, "00000005", "000081ED", "00000001", "00000005", "00000000",
	     "00000000", "init");
	buf_add(&want, "12345\0\0\0", 8);
	head(&want, "00000006", "000081A4", "00000001", "00000004", "00000000",
	     "00000000", "a/b/c");
	buf_add(&want, "four", 4);
	head(&want, "00000007", "00000000", "00000001", "00000000", "00000000",
	     "00000000", "TRAILER!!!");
	assert_int_equal(initramfs_write(path, f, 2, NULL), 0);
	assert_int_equal(fs_read(path, 0, &got, NULL), 0);
	assert_int_equal(got.len, want.len);
	assert_memory_equal(got.p, want.p, want.len);
}

static void test_archive_refuses(void **state)
{
	static const char *const bad[] = { "init", "/", "/a//b", "/a/../b", "/a/" };
	char *path _cleanup_free_ = path_join(dir, "initrd2");

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct boot_file f = { .guest_path = bad[i], .data = "", .mode = 0644 };

		assert_int_equal(initramfs_write(path, &f, 1, NULL), E_FAIL);
		assert_false(fs_exists(path));
	}
	struct boot_file f = { .guest_path = "/x",
			       .path = "/nonexistent/y",
			       .mode = 0644 };
	struct err err _cleanup_err_ = ERR_INIT;

	assert_int_equal(initramfs_write(path, &f, 1, &err), E_NOTFOUND);
	assert_non_null(strstr(err_msg(&err), "/nonexistent/y"));
	assert_false(fs_exists(path));
}

static const struct arch *arch(const char *name)
{
	const struct arch *a = NULL;

	assert_int_equal(arch_find(name, &a, NULL), 0);
	return a;
}

static char *call(struct host *h, const char *arch_name, const char *accel)
{
	struct boot_paths p = { "i,rd", "con,sole", "job", "log" };
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;

	assert_int_equal(
		qemu_argv(h, arch(arch_name), accel, "Image", "quiet", &p, &v, NULL), 0);
	return strvec_join(&v, " ");
}

static void test_argv(void **state)
{
	struct host *h _cleanup_host_ = NULL;
	char *s;

	assert_int_equal(host_find(NULL, "qemu", &h, NULL), 0);
	strvec_pushl(&h->extra, "-device", "virtio-rng-pci", NULL);
	h->cpus = 4;
	s = call(h, "arm64", "icount");
	assert_string_equal(
		s,
		"qemu-system-aarch64 -nodefaults -no-user-config -display none "
		"-no-reboot "
		"-accel tcg,thread=single -icount shift=0,sleep=off -M "
		"virt,gic-version=2 "
		"-cpu cortex-a76 -smp 1 -m 1024 -kernel Image -initrd i,rd -append "
		"console=ttyAMA0 loglevel=7 panic=-1 oops=panic softlockup_panic=1 quiet "
		"-chardev file,id=console,path=con,,sole -serial chardev:console -device "
		"virtio-serial-pci,max_ports=2 -chardev file,id=job,path=job -device "
		"virtserialport,chardev=job,name=series.job -device virtio-rng-pci");
	free(s);
	h->machine = xstrdup("microvm");
	h->cpu = xstrdup("Nehalem");
	h->memory_mib = 256;
	s = call(h, "x86_64", "tcg");
	assert_non_null(strstr(s, "qemu-system-x86_64 "));
	assert_non_null(strstr(s, " -accel tcg -M microvm -cpu Nehalem -smp 4 -m 256 "));
	assert_non_null(strstr(s, "console=ttyS0 "));
	assert_null(strstr(s, "icount"));
	free(s);
	s = call(h, arch_native()->name, "kvm");
	assert_non_null(strstr(s, " -accel kvm "));
	free(s);
}

static void test_argv_refuses(void **state)
{
	const struct arch *other =
		arch(arch_native() == arch("arm64") ? "x86_64" : "arm64");
	struct boot_paths p = { "i", "c", "j", "l" };
	struct host *h _cleanup_host_ = NULL;
	struct strvec v _cleanup_strvec_ = STRVEC_INIT;
	struct err err _cleanup_err_ = ERR_INIT;

	assert_int_equal(host_find(NULL, "qemu", &h, NULL), 0);
	assert_int_equal(qemu_argv(h, other, "kvm", "I", NULL, &p, &v, &err), E_USAGE);
	assert_non_null(strstr(err_msg(&err), other->name));
	assert_int_equal(v.n, 0);
}

/* Feed text in pieces of n bytes. */
static void feed(struct console *c, const char *text, size_t n)
{
	for (size_t len = strlen(text); len; len -= MIN(n, len), text += n)
		console_feed(c, str_n(text, MIN(n, len)));
	console_end(c);
}

static void test_console_oops(void **state)
{
	static const char text[] =
		"[    0.017930] Run /init as init process\r\n"
		"[    1.5][   T46] Unable to handle kernel NULL pointer dereference at "
		"virtual "
		"address 0000000000000010\r\n"
		"[    1.500000] Internal error: Oops: 0000000096000004 [#1] SMP\n"
		"[    1.600000] Kernel panic - not syncing: Oops: \033[31mFatal "
		"exception\n"
		"[    1.700000] ---[ end Kernel panic - not syncing: Oops: Fatal "
		"exception ]---";

	for (size_t n = 1; n < 200; n += 7) {
		struct console c = { .bytes = 0 };

		feed(&c, text, n);
		assert_string_equal(c.oops,
				    "Unable to handle kernel NULL pointer dereference at "
				    "virtual address 0000000000000010");
		assert_string_equal(c.panic, "Oops: Fatal exception");
		assert_int_equal(c.bytes, strlen(text));
		assert_int_equal(c.notes.n, 4);
		console_release(&c);
	}
}

static void test_console_notes(void **state)
{
	static const char *const lines[] = {
		"WARNING: CPU: 0 PID: 1 at mm/rmap.c:12 try_to_unmap_one+0x1/0x2",
		"BUG: KASAN: slab-out-of-bounds in foo+0x1/0x2",
		"watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [swapout:54]",
		"rcu: INFO: rcu_preempt self-detected stall on CPU",
		"INFO: task swapout:54 blocked for more than 120 seconds.",
		"Out of memory: Killed process 54 (swapout) total-vm:1kB",
		"swapout: page allocation failure: order:4, mode:0x1",
	};
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct console c = { .bytes = 0 };

	buf_puts(
		&b,
		"[    0.1] traps: prog[12] general protection fault ip:1 sp:2 error:0\n");
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		buf_printf(&b, "[  12.%06zu] %s\n[  13.0] an ordinary line\n", i,
			   lines[i]);
	feed(&c, buf_cstr(&b), 100);
	assert_int_equal(c.notes.n, ARRAY_SIZE(lines));
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_string_equal(c.notes.v[i], lines[i]);
	assert_null(c.panic);
	assert_null(c.oops);
	console_release(&c);
}

static void test_hosts(void **state)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct err err _cleanup_err_ = ERR_INIT;
	struct host *h _cleanup_host_ = NULL;
	struct config *c = NULL;
	static const char *const set[][2] = {
		{ "series.host.Big.Box.memory", "4096" },
		{ "series.host.Big.Box.arch", "aarch64" },
		{ "series.host.Big.Box.alias", "lab 1" },
		{ "series.host.Big.Box.extra", "-device" },
		{ "series.host.Big.Box.extra", "x,y" },
		{ "series.host.qemu.accel", "tcg" },
		{ "series.host.odd.accel", "warp" },
		{ "series.host.far.type", "ssh" },
		{ "series.host.big.memory", "2" },
		{ "series.host.far.powerHook", "pdu 'port 3' cycle" },
		{ "series.host.far.timeout", "60" },
		{ "series.host.open.type", "ssh" },
		{ "series.host.open.resetHook", "pdu 'port 3" },
		{ "series.host.dash.type", "ssh" },
		{ "series.host.dash.ssh", "-oProxyCommand=x" },
		{ "series.host.dir.type", "ssh" },
		{ "series.host.dir.dir", "/tmp/a b" },
		{ "series.host.hook.type", "ssh" },
		{ "series.host.hook.boot", "hook" },
		{ "series.host.here.type", "local" },
		{ "series.host.what.type", "telnet" },
	};

	static const char *const wrong[][2] = {
		{ "open", "a quote is not closed" },
		{ "dash", "not a destination" },
		{ "dir", "absolute path" },
		{ "hook", "bootHook is not set" },
		{ "what", "expected qemu, ssh or local" },
	};

	setenv("GIT_CONFIG_COUNT", "21", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	for (size_t i = 0; i < ARRAY_SIZE(set); i++) {
		char *k _cleanup_free_ = xasprintf("GIT_CONFIG_KEY_%zu", i);
		char *v _cleanup_free_ = xasprintf("GIT_CONFIG_VALUE_%zu", i);

		setenv(k, set[i][0], 1);
		setenv(v, set[i][1], 1);
	}
	assert_int_equal(config_load(dir, &c, NULL), 0);
	host_names(c, &names);
	assert_int_equal(names.n, 11);
	assert_string_equal(names.v[0], "qemu");
	assert_true(strvec_has(&names, "Big.Box"));
	assert_int_equal(host_find(c, "Big.Box", &h, NULL), 0);
	assert_string_equal(h->alias, "lab 1");
	assert_string_equal(h->arch->name, "arm64");
	assert_int_equal(h->memory_mib, 4096);
	assert_int_equal(h->extra.n, 2);
	assert_string_equal(h->extra.v[1], "x,y");
	assert_string_equal(h->accel, "auto");
	host_free(h);
	h = NULL;
	assert_int_equal(host_find(c, NULL, &h, NULL), 0);
	assert_string_equal(h->accel, "tcg");
	assert_string_equal(h->alias, "qemu");
	assert_null(h->arch);
	assert_int_equal(host_find(c, "odd", &h, &err), E_USAGE);
	assert_non_null(strstr(err_msg(&err), "warp"));
	host_free(h);
	assert_int_equal(host_find(c, "far", &h, NULL), 0);
	assert_string_equal(h->destination, "far");
	assert_string_equal(h->boot, "kexec");
	assert_string_equal(h->accel, "hardware");
	assert_false(h->allow_reboot);
	assert_int_equal(h->timeout_s, 60);
	assert_int_equal(h->hooks[HOOK_POWER].n, 3);
	assert_string_equal(h->hooks[HOOK_POWER].v[1], "port 3");
	host_free(h);
	assert_int_equal(host_find(c, "here", &h, NULL), 0);
	assert_false(host_boots(h));
	assert_ptr_equal(h->arch, arch_native());
	host_free(h);
	h = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(host_find(c, wrong[i][0], &h, &err), E_USAGE);
		assert_non_null(strstr(err_msg(&err), wrong[i][1]));
		assert_null(h);
	}
	assert_int_equal(host_find(c, "big", &h, &err), E_USAGE);
	assert_int_equal(host_find(c, "none", &h, &err), E_NOTFOUND);
	assert_non_null(strstr(err_msg(&err), "qemu, "));
	config_free(c);
}

#define HELLO "{\"t\":\"hello\",\"boot_id\":\"a\",\"build_id\":\"b\"}\n"

/* What follows the last word, or comes from another boot, is no result of this one. */
static void test_records_late(void **state)
{
	struct boot b = { .records = json_arr() };

	records_feed(&b, STR_LIT(HELLO "{\"t\":\"run\"}\n"));
	records_feed(&b, STR_LIT("{\"t\":\"hello\",\"boot_id\":\"z\"}\n{\"t\":\"done\"}\n"
				 "{\"t\":\"run\"}\n{\"t\":\"error\"}\n"));
	assert_true(b.done);
	assert_null(b.error);
	assert_string_equal(b.got_boot_id, "a");
	assert_int_equal(json_len(b.records), 3);
	assert_int_equal(b.late, 3);
	free(b.got_boot_id);
	free(b.got_build_id);
	buf_release(&b.job_line);
	json_free(b.records);
}

/* Nothing that a guest writes makes us hold more than a bound. */
static void test_records_garbage(void **state)
{
	struct boot b = { .records = json_arr() };
	struct buf text _cleanup_buf_ = BUF_INIT;

	buf_fill(&text, '[', 900000);
	buf_puts(&text, "\n\n");
	buf_add(&text, "\0{\"t\":\"run\"}\n", 14);
	buf_puts(&text, "{\"t\":7}\n\033]0;title\007\n{\"t\":\"run\"");
	records_feed(&b, buf_str(&text));
	assert_int_equal(b.garbled, 5);
	assert_int_equal(json_len(b.records), 0);
	buf_reset(&text);
	buf_fill(&text, ' ', 3 << 20);
	records_feed(&b, buf_str(&text));
	assert_true(b.job_line.len <= 1 << 20);
	records_feed(&b, STR_LIT("}\n" HELLO));
	assert_int_equal(b.garbled, 6);
	assert_true(b.hello);
	for (size_t i = 0; i < MAX_RECORDS + 10; i++)
		records_feed(&b, STR_LIT("{\"t\":\"\"}\n"));
	assert_int_equal(json_len(b.records), MAX_RECORDS);
	assert_int_equal(b.late, 11);
	free(b.got_boot_id);
	free(b.got_build_id);
	buf_release(&b.job_line);
	json_free(b.records);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_archive),
		cmocka_unit_test(test_archive_refuses),
		cmocka_unit_test(test_argv),
		cmocka_unit_test(test_argv_refuses),
		cmocka_unit_test(test_console_oops),
		cmocka_unit_test(test_console_notes),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_records_late),
		cmocka_unit_test(test_records_garbage),
	};

	return cmocka_run_group_tests_name("lab parts", tests, set_up, tear_down);
}
