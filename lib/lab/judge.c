// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge.c - the state of a boot whose process is gone.
 *
 * An exit status says little (a panic ends QEMU with 0), so what counts is what came: the
 * "done" record of a kernel with the expected build-id in a boot of its own. Where
 * nothing came, the driver of the host says what it knows.
 */
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/time.h"

/* Less room than this where the logs are and qemu cannot have written them whole. */
#define MIN_FREE ((uint64_t)64 << 10)

const char *boot_state_name(enum boot_state s)
{
	static const char *const names[] = {
		[BOOT_RUNNING] = "RUNNING",
		[BOOT_OK] = "OK",
		[BOOT_BUILD_FAIL] = "BUILD_FAIL",
		[BOOT_FAIL] = "BOOT_FAIL",
		[BOOT_WRONG_KERNEL] = "WRONG_KERNEL",
		[BOOT_CRASHED] = "CRASHED",
		[BOOT_HUNG] = "HUNG",
		[BOOT_INFRA_FAIL] = "INFRA_FAIL",
		[BOOT_VOID] = "VOID",
	};

	return (size_t)s < ARRAY_SIZE(names) ? names[s] : "?";
}

bool boot_state_find(const char *name, enum boot_state *ret)
{
	for (int i = 0; name && i < BOOT_STATES; i++)
		if (!strcmp(name, boot_state_name(i))) {
			*ret = i;
			return true;
		}
	return false;
}

void boot_say(struct boot_result *ret, enum boot_state s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	free(ret->why);
	ret->why = xvasprintf(fmt, ap);
	va_end(ap);
	ret->state = s;
}

static bool disk_full(const char *dir)
{
	struct statvfs v;

	return !statvfs(dir, &v) && (uint64_t)v.f_bavail * v.f_frsize < MIN_FREE;
}

const char *own_boot_id(void)
{
	static char id[64];
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (fs_read("/proc/sys/kernel/random/boot_id", 4096, &b, NULL))
		return NULL;
	snprintf(id, sizeof(id), STR_FMT, STR_ARG(str_trim(buf_str(&b))));
	return id;
}

/* A boot of its own: not this machine's, but where jobs run on just that. */
static bool right_boot(const struct boot *b)
{
	const char *own = own_boot_id();
	bool ours = own && b->got_boot_id && !strcmp(own, b->got_boot_id);

	return b->got_boot_id && ours == !b->driver->boots;
}

/* The kernel in the guest is the expected one, in a new boot; otherwise *ret says so. */
static bool right_kernel(const struct boot *b, struct boot_result *ret)
{
	if (b->build_id && (!b->got_build_id || strcmp(b->build_id, b->got_build_id))) {
		boot_say(ret, BOOT_WRONG_KERNEL,
			 "expected build-id %s, but %s (%s) booted", b->build_id,
			 b->got_build_id ? b->got_build_id : "a kernel without one",
			 b->release ? b->release : "unknown release");
		return false;
	}
	if (!right_boot(b)) {
		boot_say(ret, BOOT_WRONG_KERNEL, "no boot_id of a new boot came (%s)",
			 b->got_boot_id ? b->got_boot_id : "none");
		return false;
	}
	return true;
}

static void crashed(const struct boot *b, struct boot_result *ret)
{
	const struct console *c = &b->console;
	const char *when = b->hello ? "" : " before init spoke";

	if (c->oops && c->panic)
		boot_say(ret, BOOT_CRASHED, "oops%s: %s (panic: %s)", when, c->oops,
			 c->panic);
	else if (c->panic)
		boot_say(ret, BOOT_CRASHED, "panic%s: %s", when, c->panic);
	else
		boot_say(ret, BOOT_CRASHED, "oops%s: %s", when, c->oops);
}

void boot_say_silent(const struct boot *b, struct boot_result *ret)
{
	struct buf t _cleanup_buf_ = BUF_INIT;

	time_duration_ms(
		((b->hello ? b->deadline_ns : b->boot_deadline_ns) - b->start_ns) /
			1000000,
		&t);
	if (b->hello)
		boot_say(ret, BOOT_HUNG, "the job did not end within %s", buf_cstr(&t));
	else if (b->console.init)
		boot_say(ret, BOOT_FAIL, "%s", b->console.init);
	else
		boot_say(ret, BOOT_FAIL, "no word from init within %s; the console %s",
			 buf_cstr(&t), b->console.bytes ? "ends as shown" : "is empty");
}

/* Neither kernel nor job said how it ended. Without room the logs are not whole. */
static void unexplained(const struct boot *b, const struct proc_result *pr,
			struct boot_result *ret)
{
	b->driver->explain(b, pr, ret);
	if (ret->state != BOOT_VOID && disk_full(b->dir))
		boot_say(ret, BOOT_INFRA_FAIL, "no space left in %s", b->dir);
}

void boot_judge(const struct boot *b, const struct proc_result *pr,
		struct boot_result *ret)
{
	if (pr->interrupted)
		boot_say(ret, BOOT_VOID, "interrupted");
	else if (b->hello && !right_kernel(b, ret))
		return;
	else if (b->console.panic || b->console.oops)
		crashed(b, ret);
	else if (b->done)
		boot_say(ret, BOOT_OK, "job done");
	else if (b->error)
		boot_say(ret, BOOT_INFRA_FAIL, "%s", b->error);
	else
		unexplained(b, pr, ret);
}
