// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * job.c - the commands of the job language (README) and the loop that does them.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include "guest.h"

#define MAX_WORDS 128

static int job_line; /* line of /job that is being done, for messages */

/* Into one file, or into all that a pattern matches (one at least). */
static bool do_write(int n, char **w)
{
	char text[1024] = "";
	bool ok = true;
	glob_t g;

	if (n < 3)
		return fail("write PATH TEXT");
	for (int i = 2; i < n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
			 i > 2 ? " " : "", w[i]);
	w[1] = (char *)real_path(w[1]);
	if (!strpbrk(w[1], "*?[")) {
		keep_old(w[1]);
		return write_file(w[1], text);
	}
	if (glob(w[1], 0, NULL, &g))
		return fail("%s: no such file", w[1]);
	for (size_t i = 0; i < g.gl_pathc && ok; i++) {
		keep_old(g.gl_pathv[i]);
		ok = write_file(g.gl_pathv[i], text);
	}
	globfree(&g);
	return ok;
}

static bool do_insmod(int n, char **w)
{
	int fd;
	long r;

	if (n < 2)
		return fail("insmod PATH [PARAMETERS]");
	w[1] = (char *)file_path(w[1]);
	fd = open(w[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail("%s: %s", w[1], strerror(errno));
	r = syscall(SYS_finit_module, fd, n > 2 ? w[2] : "", 0);
	close(fd);
	if (r < 0 && errno != EEXIST)
		return fail("%s: %s", w[1], strerror(errno));
	return true;
}

/* Header of a swap area, as in include/linux/swap.h: union swap_header, version 1. */
static bool do_mkswap(int n, char **w)
{
	long page = sysconf(_SC_PAGESIZE);
	uint32_t info[3] = { 1, 0, 0 }; /* version, last page, bad pages */
	uint64_t size = 0;
	char *head;
	int fd;
	bool ok;

	if (n != 2)
		return fail("mkswap DEVICE");
	if (hosted && !our_device(w[1]))
		return fail("%s is not ours to overwrite", w[1]);
	fd = open(w[1], O_RDWR | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &size) < 0 || size < 10 * (uint64_t)page) {
		fail("%s: %s", w[1], size ? "too small for swap" : strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	head = calloc(1, page);
	info[1] = size / page - 1;
	memcpy(head + 1024, info, sizeof(info));
	memcpy(head + page - 10, "SWAPSPACE2", 10);
	ok = pwrite(fd, head, page, 0) == page && fsync(fd) == 0;
	free(head);
	close(fd);
	return ok || fail("%s: %s", w[1], strerror(errno));
}

static bool do_swapon(int n, char **w)
{
	if (n != 2)
		return fail("swapon DEVICE");
	/* before all areas that the host has itself */
	if (swapon(w[1], hosted ? SWAP_FLAG_PREFER | SWAP_FLAG_PRIO_MASK : 0))
		return fail("%s: %s", w[1], strerror(errno));
	keep_swap(w[1]);
	return true;
}

static bool do_swapoff(int n, char **w)
{
	if (n != 2)
		return fail("swapoff DEVICE");
	return !swapoff(w[1]) || fail("%s: %s", w[1], strerror(errno));
}

static bool do_zram(int n, char **w)
{
	char dev[64], path[128];
	char *words[] = { "", dev };
	const char *name;

	if (n != 3)
		return fail("zram SIZE ALGORITHM");
	name = zram_device();
	if (!name)
		return false;
	snprintf(dev, sizeof(dev), "/dev/%s", name);
	swapoff(dev);
	snprintf(path, sizeof(path), "/sys/block/%s/reset", name);
	if (!write_file(path, "1"))
		return false;
	snprintf(path, sizeof(path), "/sys/block/%s/comp_algorithm", name);
	if (!write_file(path, w[2]))
		return false;
	snprintf(path, sizeof(path), "/sys/block/%s/disksize", name);
	return write_file(path, w[1]) && do_mkswap(2, words) && do_swapon(2, words);
}

static bool do_dropcaches(int n, char **w)
{
	sync();
	return write_file("/proc/sys/vm/drop_caches", "3");
}

static bool do_compact(int n, char **w)
{
	return write_file("/proc/sys/vm/compact_memory", "1");
}

static bool do_require(int n, char **w)
{
	long long v;

	if (n == 3 && !strcmp(w[1], "page-size") && number(w[2], &v))
		return v == sysconf(_SC_PAGESIZE) ||
		       fail("pages have %ld bytes here, the job is for %lld",
			    sysconf(_SC_PAGESIZE), v);
	if (n == 3 && !strcmp(w[1], "file"))
		return !access(file_path(w[2]), F_OK) ||
		       fail("%s: %s", w[2], strerror(errno));
	return fail("require page-size BYTES | require file PATH");
}

static bool do_fact(int n, char **w)
{
	const char *v;

	if (n < 3 || n > 4)
		return fail("fact NAME PATH [KEY]");
	w[2] = (char *)real_path(w[2]);
	v = n == 4 ? value_of(w[2], w[3]) : text_of(w[2]);
	begin("fact");
	put_member("name", w[1]);
	put_member("value", v);
	end();
	return true;
}

static bool do_log(int n, char **w)
{
	begin("log");
	put_dmesg();
	end();
	return true;
}

static bool do_sleep(int n, char **w)
{
	long long ms;

	if (n != 2 || !number(w[1], &ms) || ms < 0)
		return fail("sleep MILLISECONDS");
	usleep(ms * 1000);
	return true;
}

static const struct {
	const char *name;
	bool (*run)(int n, char **w);
} table[] = {
	{ "compact", do_compact },
	{ "counter", do_counter },
	{ "dropcaches", do_dropcaches },
	{ "fact", do_fact },
	{ "forget", do_forget },
	{ "insmod", do_insmod },
	{ "log", do_log },
	{ "mkswap", do_mkswap },
	{ "require", do_require },
	{ "run", do_run },
	{ "sleep", do_sleep },
	{ "swapoff", do_swapoff },
	{ "swapon", do_swapon },
	{ "write", do_write },
	{ "zram", do_zram },
};

/* Words of a line, in place; "..." keeps blanks, \ takes the next byte inside it. */
static int split(char *l, char **w)
{
	int n = 0;

	while (n < MAX_WORDS - 1) {
		char *to;

		l += strspn(l, " \t\r");
		if (!*l || *l == '#')
			break;
		w[n++] = to = l;
		if (*l == '"') {
			for (l++; *l && *l != '"'; l++) {
				if (*l == '\\' && l[1])
					l++;
				*to++ = *l;
			}
			l += *l == '"';
		} else {
			l += strcspn(l, " \t\r");
			to = l;
		}
		l += *l != '\0';
		*to = '\0';
	}
	w[n] = NULL;
	return n;
}

static bool command(int n, char **w)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(w[0], table[i].name))
			return table[i].run(n, w);
	return fail("no such command");
}

/* A failed command: with "may" in front of it a remark, otherwise the end of the job. */
static void put_error(const char *type, const char *cmd)
{
	begin(type);
	put(",\"line\":%d", job_line);
	put_member("cmd", cmd);
	put_member("msg", why);
	put_dmesg();
	end();
}

/*
 * Do the lines of text. With modules only the insmod lines at its beginning, and quietly:
 * the job port may need them, and they are done again (and then reported) with the rest.
 */
bool do_lines(const char *job, bool modules)
{
	char *copy = strdup(job), *text = copy, *line;

	for (job_line = 1; (line = strsep(&text, "\n")); job_line++) {
		char *w[MAX_WORDS], **v = w;
		int n = split(line, w);
		bool may = n > 1 && !strcmp(w[0], "may");

		v += may;
		n -= may;
		if (!n)
			continue;
		if (told_to_stop()) {
			fail("stopped from outside");
			put_error("error", v[0]);
			break;
		}
		if (modules && strcmp(v[0], "insmod"))
			break;
		if (!strcmp(v[0], "done"))
			return true;
		if (command(n, v) || modules)
			continue;
		put_error(may ? "remark" : "error", v[0]);
		if (!may)
			return false;
	}
	free(copy);
	if (!modules && !line) {
		fail("the job has no \"done\"");
		put_error("error", "done");
	}
	return false;
}
