// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * init.c - the first process of a guest: does a job, reports on a port of its own.
 *
 * Built static for the guest together with the files beside it and put into its
 * initramfs. (Started as anything but the first process it is the agent of a host that
 * has a system of its own: hosted.c.) It mounts what it needs, finds the virtio port
 * "series.job", says hello with the kernel's build-id and this boot's id, does the
 * commands of /job (the language is in README) and restarts, which ends QEMU because it
 * runs with -no-reboot. Every record is one line of JSON. Nothing but libc is used, and
 * memory is bounded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include "guest.h"

#define PORT_NAME "series.job"

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

int main(int argc, char **argv)
{
	static char job[MAX_JOB];

	if (getpid() != 1)
		return hosted_main(argc, argv);
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
