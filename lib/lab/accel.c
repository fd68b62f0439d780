// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * accel.c - does KVM boot here? /dev/kvm may be there and boot nothing, so it is tried.
 *
 * The answer is kept in the cache under the hash of what it depends on: this machine's
 * kernel, the version of qemu, the image that was booted and the host's settings. A probe
 * that was killed from outside leaves no answer.
 */
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/xdg.h"

#define PROBE_MS 20000

/* Path of the remembered answer. */
static int answer_path(const struct host *h, const struct arch *a, const char *image,
		       char **ret, struct err *err)
{
	char *version _cleanup_free_ = NULL, *all _cleanup_free_ = NULL;
	char *extra _cleanup_free_ = strvec_join(&h->extra, "\n");
	char *dir _cleanup_free_ = xdg_cache("lab");
	char img[SHA256_HEX], key[SHA256_HEX];
	struct utsname u;
	int r = qemu_version(a, &version, err);

	if (!r)
		r = sha256_file(image, img, err);
	if (r)
		return r;
	uname(&u);
	all = xasprintf("%s\n%s\n%s\n%s\n%s\n%s\n%s\n%d %d\n%s\n", u.release, u.version,
			a->qemu, version, img, h->machine ? h->machine : "",
			h->cpu ? h->cpu : "", h->memory_mib, h->cpus, extra);
	sha256_hex(all, strlen(all), key);
	*ret = xasprintf("%s/kvm-%s", dir, key);
	return 0;
}

/* A boot that does nothing but say hello and done. */
static int probe(const struct host *h, const struct arch *a, const char *image,
		 enum boot_state *ret, char **ret_why, struct err *err)
{
	char *dir _cleanup_free_ = NULL;
	char accel[] = "kvm";
	struct host kvm = *h;
	struct boot_request q = { .host = &kvm,
				  .arch = a,
				  .image = image,
				  .job = "done\n",
				  .deadline_ms = PROBE_MS };
	struct boot_result res = { .state = BOOT_VOID };
	struct boot *b = NULL;
	int r = fs_tmpdir("series-kvm", &dir, err);

	if (r)
		return r;
	kvm.accel = accel;
	q.dir = dir;
	r = boot_start(&q, &b, err);
	if (!r) {
		while (!boot_poll(b, 1000, &res))
			;
		r = intr_check(err);
		*ret = res.state;
		*ret_why = xasprintf("%s: %s", boot_state_name(res.state), res.why);
	}
	boot_result_release(&res);
	boot_free(b);
	fs_rmtree(dir, NULL);
	return r;
}

static int kvm_works(const struct host *h, const struct arch *a, const char *image,
		     bool *ret, struct err *err)
{
	char *path _cleanup_free_ = NULL, *why _cleanup_free_ = NULL;
	char *dir _cleanup_free_ = NULL, *text _cleanup_free_ = NULL;
	struct buf known _cleanup_buf_ = BUF_INIT;
	enum boot_state state = BOOT_VOID;
	int r = answer_path(h, a, image, &path, err);

	if (r)
		return r;
	if (!fs_read(path, 4096, &known, NULL)) {
		*ret = str_starts(buf_str(&known), "works");
		return 0;
	}
	r = probe(h, a, image, &state, &why, err);
	if (r)
		return r;
	*ret = state == BOOT_OK;
	if (state == BOOT_VOID)
		return 0;
	dir = path_dir(path);
	text = xasprintf("%s\n%s\n", *ret ? "works" : "fails", why);
	r = fs_mkdirs(dir, err);
	return r ? r : fs_write_atomic(path, text, strlen(text), 0644, err);
}

int host_accel(const struct host *h, const struct arch *a, const char *image,
	       const char **ret, struct err *err)
{
	static const char *const names[] = { "kvm", "tcg", "icount", "hardware" };
	bool works = false;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(h->accel, names[i])) {
			*ret = names[i];
			return 0;
		}
	if (a == arch_native() && !access("/dev/kvm", R_OK | W_OK)) {
		r = kvm_works(h, a, image, &works, err);
		if (r)
			return r;
	}
	*ret = works ? "kvm" : "icount";
	return 0;
}
