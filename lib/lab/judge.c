// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge.c - the state of a boot whose QEMU is gone.
 *
 * QEMU's exit status says little (a panic ends it with 0), so what counts is what came:
 * the "done" record of a kernel with the expected build-id in a boot of its own.
 */
#include <signal.h>
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

static enum boot_state say(struct boot_result *ret, enum boot_state s, const char *fmt,
			   ...) __attribute__((format(printf, 3, 4)));
static enum boot_state say(struct boot_result *ret, enum boot_state s, const char *fmt,
			   ...)
{
	va_list ap;

	va_start(ap, fmt);
	free(ret->why);
	ret->why = xvasprintf(fmt, ap);
	va_end(ap);
	return ret->state = s;
}

static bool disk_full(const char *dir)
{
	struct statvfs v;

	return !statvfs(dir, &v) && (uint64_t)v.f_bavail * v.f_frsize < MIN_FREE;
}

/* Is the boot_id ours, of the machine we run on? Then no guest said it. */
static bool own_boot_id(const char *id)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	return !fs_read("/proc/sys/kernel/random/boot_id", 4096, &b, NULL) &&
	       str_eqc(str_trim(buf_str(&b)), id);
}

/* The kernel in the guest is the expected one, in a new boot; otherwise *ret says so. */
static bool right_kernel(const struct boot *b, struct boot_result *ret)
{
	if (b->build_id && (!b->got_build_id || strcmp(b->build_id, b->got_build_id))) {
		say(ret, BOOT_WRONG_KERNEL, "expected build-id %s, but %s (%s) booted",
		    b->build_id,
		    b->got_build_id ? b->got_build_id : "a kernel without one",
		    b->release ? b->release : "unknown release");
		return false;
	}
	if (!b->got_boot_id || own_boot_id(b->got_boot_id)) {
		say(ret, BOOT_WRONG_KERNEL, "no boot_id of a new boot came (%s)",
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
		say(ret, BOOT_CRASHED, "oops%s: %s (panic: %s)", when, c->oops, c->panic);
	else if (c->panic)
		say(ret, BOOT_CRASHED, "panic%s: %s", when, c->panic);
	else
		say(ret, BOOT_CRASHED, "oops%s: %s", when, c->oops);
}

/* QEMU itself failed: its own last words. */
static void qemu_failed(const struct boot *b, const struct proc_result *pr,
			struct boot_result *ret)
{
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;

	console_tail(b->paths.log, 1, &words);
	if (pr->signal)
		say(ret, BOOT_INFRA_FAIL, "%s: ended by signal %d (%s)%s%s",
		    b->arch->qemu, pr->signal, strsignal(pr->signal), words.n ? ": " : "",
		    words.n ? words.v[0] : "");
	else
		say(ret, BOOT_INFRA_FAIL, "%s: exit status %d%s%s", b->arch->qemu,
		    pr->status, words.n ? ": " : "", words.n ? words.v[0] : "");
}

static void silent(const struct boot *b, struct boot_result *ret)
{
	struct buf t _cleanup_buf_ = BUF_INIT;

	time_duration_ms(
		((b->hello ? b->deadline_ns : b->boot_deadline_ns) - b->start_ns) /
			1000000,
		&t);
	if (b->hello)
		say(ret, BOOT_HUNG, "the job did not end within %s", buf_cstr(&t));
	else if (b->console.init)
		say(ret, BOOT_FAIL, "%s", b->console.init);
	else
		say(ret, BOOT_FAIL, "no word from init within %s; the console %s",
		    buf_cstr(&t), b->console.bytes ? "ends as shown" : "is empty");
}

static void ended_early(const struct boot *b, struct boot_result *ret)
{
	if (b->hello)
		say(ret, BOOT_CRASHED, "the guest went down in the middle of the job");
	else if (b->console.init)
		say(ret, BOOT_FAIL, "%s", b->console.init);
	else
		say(ret, BOOT_FAIL,
		    "the guest went down before init spoke; the console %s",
		    b->console.bytes ? "ends as shown" : "is empty");
}

void boot_judge(const struct boot *b, const struct proc_result *pr,
		struct boot_result *ret)
{
	bool ours = b->cut != CUT_NOT; /* we ended qemu: its status is ours */

	if (pr->interrupted)
		say(ret, BOOT_VOID, "interrupted");
	else if (b->hello && !right_kernel(b, ret))
		return;
	else if (b->console.panic || b->console.oops)
		crashed(b, ret);
	else if (b->done)
		say(ret, BOOT_OK, "job done");
	else if (b->error)
		say(ret, BOOT_INFRA_FAIL, "%s", b->error);
	else if (!ours && (pr->signal == SIGKILL || pr->signal == SIGTERM))
		say(ret, BOOT_VOID, "%s was killed from outside (signal %d)",
		    b->arch->qemu, pr->signal);
	else if (!ours && pr->status)
		qemu_failed(b, pr, ret);
	else if (disk_full(b->dir))
		say(ret, BOOT_INFRA_FAIL, "no space left in %s", b->dir);
	else if (b->cut == CUT_FLOOD)
		say(ret, BOOT_HUNG, "the guest flooded its console or job port");
	else if (b->cut == CUT_DEADLINE)
		silent(b, ret);
	else
		ended_early(b, ret);
}
