// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check.c - can this host be used for this arch, and what is missing?
 */
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/xdg.h"

/* Room for an initramfs, logs and a few kernels. */
#define WANT_FREE_MIB 512

static void check_qemu(const struct host *h, const struct arch *a, struct host_check *ret)
{
	char *path _cleanup_free_ = fs_find_program(a->qemu), *v _cleanup_free_ = NULL;
	struct err e _cleanup_err_ = ERR_INIT;

	if (!path)
		strvec_pushf(&ret->problems, "%s not found: install %s", a->qemu,
			     qemu_package(a));
	else if (qemu_version(a, &v, &e))
		strvec_pushf(&ret->problems, "%s does not start: %s", path, err_msg(&e));
	else
		strvec_pushf(&ret->ok, "%s: %s", path, v);
}

static void check_init(const struct host *h, const struct arch *a, struct host_check *ret)
{
	char *source _cleanup_free_ = xdg_template("guest"), *path _cleanup_free_ = NULL;
	struct err e _cleanup_err_ = ERR_INIT;

	if (!source)
		strvec_push(&ret->problems,
			    "templates/guest not found: set SERIES_TEMPLATES");
	else if (lab_compile(h->config, a, source, &path, NULL, &e))
		strvec_push(&ret->problems, err_msg(&e));
	else
		strvec_pushf(&ret->ok, "guest init for %s: %lld kB", a->name,
			     (long long)fs_size(path) / 1000);
}

static void check_accel(const struct host *h, const struct arch *a,
			struct host_check *ret)
{
	bool native = a == arch_native();
	bool kvm = !access("/dev/kvm", R_OK | W_OK);

	if (!strcmp(h->accel, "kvm") && !native)
		strvec_pushf(
			&ret->problems,
			"kvm runs only %s here, not %s: set series.host.%s.accel to auto",
			arch_native()->name, a->name, h->name);
	else if (!strcmp(h->accel, "kvm") && !kvm)
		strvec_pushf(&ret->problems,
			     "/dev/kvm cannot be used: load kvm, join its group, or set "
			     "series.host.%s.accel to auto",
			     h->name);
	else if (strcmp(h->accel, "auto"))
		strvec_pushf(&ret->ok, "accelerator: %s, as configured", h->accel);
	else if (native && kvm)
		strvec_push(&ret->ok,
			    "accelerator: kvm if a first boot with it works, else "
			    "icount (emulated)");
	else
		strvec_pushf(&ret->ok, "accelerator: icount (emulated; %s)",
			     native ? "/dev/kvm cannot be used"
				    : "not this machine's arch");
}

/* MemAvailable in MiB, -1 when unknown. */
static int64_t memory_mib(void)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str rest, line;
	int64_t kib;

	if (fs_read("/proc/meminfo", 65536, &b, NULL))
		return -1;
	rest = buf_str(&b);
	while (str_line(&rest, &line)) {
		struct str word;

		if (str_skip(&line, "MemAvailable:") && str_word(&line, &word) &&
		    str_to_i64(word, 0, INT64_MAX, &kib))
			return kib / 1024;
	}
	return -1;
}

static void check_room(const struct host *h, struct host_check *ret)
{
	char *cache _cleanup_free_ = xdg_cache(NULL);
	int64_t mem = memory_mib(), room;
	struct statvfs v;

	if (mem >= 0 && mem < h->memory_mib)
		strvec_pushf(&ret->problems,
			     "%lld MiB of memory are available, a guest has %d: end "
			     "something or "
			     "set series.host.%s.memory",
			     (long long)mem, h->memory_mib, h->name);
	else
		strvec_pushf(&ret->ok, "memory: %d MiB a guest, %lld available here",
			     h->memory_mib, (long long)mem);
	if (fs_mkdirs(cache, NULL) || statvfs(cache, &v)) {
		strvec_pushf(&ret->problems, "%s cannot be made: set XDG_CACHE_HOME",
			     cache);
		return;
	}
	room = (int64_t)((uint64_t)v.f_bavail * v.f_frsize >> 20);
	if (room < WANT_FREE_MIB)
		strvec_pushf(&ret->problems, "%lld MiB are free in %s: make room for %d",
			     (long long)room, cache, WANT_FREE_MIB);
	else
		strvec_pushf(&ret->ok, "disk: %lld MiB free in %s", (long long)room,
			     cache);
}

int host_check(const struct host *h, const struct arch *a, struct host_check *ret,
	       struct err *err)
{
	if (h->arch && h->arch != a)
		return err_set(err, E_USAGE, "host %s boots %s, not %s", h->name,
			       h->arch->name, a->name);
	check_qemu(h, a, ret);
	check_init(h, a, ret);
	check_accel(h, a, ret);
	check_room(h, ret);
	return 0;
}

void host_check_release(struct host_check *c)
{
	strvec_release(&c->ok);
	strvec_release(&c->problems);
}
