// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * init.c - the first process of a guest: does a job, reports on a port of its own.
 *
 * Built static for the guest together with the files beside it and put into its
 * initramfs. It mounts what it needs, finds the virtio port "series.job", says hello with
 * the kernel's build-id and this boot's id, does the commands of /job (the language is in
 * README) and restarts, which ends QEMU because it runs with -no-reboot. Every record is
 * one line of JSON. Nothing but libc is used, and memory is bounded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include "guest.h"

#define PORT_NAME "series.job"

/* The GNU build-id (note type 3) of /sys/kernel/notes, as hex; "" without one. */
static const char *build_id(void)
{
	static char notes[65536], hex[129];
	ssize_t n = slurp("/sys/kernel/notes", notes, sizeof(notes));
	size_t at = 0;

	hex[0] = '\0';
	while (n > 0 && at + 12 <= (size_t)n) {
		uint32_t h[3]; /* length of name, of content, type */
		size_t desc;

		memcpy(h, notes + at, sizeof(h));
		if (h[0] > (size_t)n || h[1] > (size_t)n)
			break;
		desc = at + 12 + ((h[0] + 3) & ~3u);
		if (desc + h[1] > (size_t)n)
			break;
		if (h[2] == 3 && h[0] == 4 && !memcmp(notes + at + 12, "GNU", 4) &&
		    h[1] <= 64) {
			for (uint32_t i = 0; i < h[1]; i++)
				sprintf(hex + 2 * i, "%02x",
					(unsigned char)notes[desc + i]);
			break;
		}
		at = desc + ((h[1] + 3) & ~3u);
	}
	return hex;
}

/* "model name" where /proc/cpuinfo has one, else arm's implementer and part. */
static void put_cpu(void)
{
	const char *m = value_of("/proc/cpuinfo", "model name");
	char buf[128];

	if (!m) {
		const char *i = value_of("/proc/cpuinfo", "CPU implementer");

		snprintf(buf, sizeof(buf), "implementer %.16s", i ? i : "unknown");
		i = value_of("/proc/cpuinfo", "CPU part");
		snprintf(buf + strlen(buf), sizeof(buf) - strlen(buf), " part %.16s",
			 i ? i : "unknown");
		m = buf;
	}
	put_member("cpu", m);
}

static void hello(void)
{
	static const struct {
		const char *name, *path;
	} facts[] = {
		{ "boot_id", "/proc/sys/kernel/random/boot_id" },
		{ "cmdline", "/proc/cmdline" },
		{ "clocksource",
		  "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
		{ "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor" },
		{ "smt", "/sys/devices/system/cpu/smt/control" },
		{ "thp", "/sys/kernel/mm/transparent_hugepage/enabled" },
		{ "swappiness", "/proc/sys/vm/swappiness" },
	};
	struct utsname u;
	long long kib = 0;

	uname(&u);
	begin("hello");
	put_member("build_id", build_id());
	put_member("release", u.release);
	put_member("version", u.version);
	put_member("machine", u.machine);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		put_member(facts[i].name, text_of(facts[i].path));
	put_cpu();
	number(value_of("/proc/meminfo", "MemTotal"), &kib);
	put(",\"memory_kib\":%lld,\"page_size\":%ld,\"cpus\":%ld", kib,
	    sysconf(_SC_PAGESIZE), sysconf(_SC_NPROCESSORS_ONLN));
	end();
}

/* Path of the port's device, NULL if it is not there (yet). */
static int find_port(void)
{
	DIR *d = opendir("/sys/class/virtio-ports");
	struct dirent *e;
	char path[512];
	int fd = -1;

	while (d && fd < 0 && (e = readdir(d))) {
		const char *name;

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name",
			 e->d_name);
		name = text_of(path);
		if (!name || strcmp(name, PORT_NAME))
			continue;
		snprintf(path, sizeof(path), "/dev/%s", e->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC);
	}
	if (d)
		closedir(d);
	return fd;
}

static void mounts(void)
{
	static const char *const m[][2] = {
		{ "proc", "/proc" },
		{ "sysfs", "/sys" },
		{ "devtmpfs", "/dev" },
		{ "tmpfs", "/tmp" },
	};

	for (size_t i = 0; i < sizeof(m) / sizeof(m[0]); i++) {
		mkdir(m[i][1], 0755);
		if (mount(m[i][0], m[i][1], m[i][0], 0, NULL) && errno != EBUSY)
			dprintf(2, "series-init: mount %s: %s\n", m[i][0],
				strerror(errno));
	}
}

/* Everything is on its way to the host before the machine goes. */
static void leave(void)
{
	sync();
	if (port >= 0)
		close(port);
	usleep(50000);
	for (;;) {
		reboot(RB_AUTOBOOT);
		pause();
	}
}

int main(void)
{
	static char job[1 << 18];

	if (getpid() != 1) {
		fprintf(stderr,
			"init.c: this is the init of a guest, nothing to run by hand\n");
		return 1;
	}
	signal(SIGPIPE, SIG_IGN);
	mounts();
	if (slurp("/job", job, sizeof(job)) < 0)
		dprintf(2, "series-init: /job: %s\n", strerror(errno));
	do_lines(job, true);
	for (int i = 0; i < 100 && (port = find_port()) < 0; i++)
		usleep(50000);
	if (port < 0) {
		dprintf(2, "series-init: no port named " PORT_NAME "; the kernel needs "
			   "VIRTIO_PCI, VIRTIO_CONSOLE and DEVTMPFS\n");
		leave();
	}
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	hello();
	/* from here on only warnings go to the console */
	write_file("/proc/sys/kernel/printk", "5");
	if (do_lines(job, false)) {
		begin("done");
		end();
	}
	leave();
}
