// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hello.c - which kernel, which boot, which machine: the first record of all.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/utsname.h>
#include "guest.h"

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

void hello(void)
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
