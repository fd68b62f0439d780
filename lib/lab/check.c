// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check.c - can this host be used for this arch, and what is missing? What is asked is
 * the driver's; the lines that several have are here.
 */
#include <string.h>
#include <sys/statvfs.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/xdg.h"

/* Room for an initramfs, logs and a few kernels. */
#define WANT_FREE_MIB 512

bool check_agent(const struct host *h, const struct arch *a, char **ret_path,
		 struct host_check *ret)
{
	char *path _cleanup_free_ = NULL;
	struct err e _cleanup_err_ = ERR_INIT;

	if (lab_agent(h->config, a, &path, &e)) {
		strvec_push(&ret->problems, err_msg(&e));
		return false;
	}
	strvec_pushf(&ret->ok, "%s for %s: %lld kB",
		     strcmp(h->type, "qemu") ? "agent" : "guest init", a->name,
		     (long long)fs_size(path) / 1000);
	if (ret_path) {
		*ret_path = path;
		path = NULL;
	}
	return true;
}

int64_t memory_mib(void)
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

void check_memory(int64_t have_mib, int64_t want_mib, const char *remedy,
		  struct host_check *ret)
{
	if (have_mib >= 0 && have_mib < want_mib)
		strvec_pushf(&ret->problems,
			     "%lld MiB of memory are available, %lld are needed: %s",
			     (long long)have_mib, (long long)want_mib, remedy);
	else
		strvec_pushf(&ret->ok, "memory: %lld MiB needed, %lld available",
			     (long long)want_mib, (long long)have_mib);
}

void check_cache_room(struct host_check *ret)
{
	char *cache _cleanup_free_ = xdg_cache(NULL);
	struct statvfs v;
	int64_t room;

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
	return host_driver(h)->check(h, a, ret, err);
}

void host_check_release(struct host_check *c)
{
	strvec_release(&c->ok);
	strvec_release(&c->problems);
}
