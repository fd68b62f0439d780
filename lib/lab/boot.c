// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * boot.c - one boot of one kernel: started, watched while its files grow, ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "lab_priv.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/time.h"

#define MS		 ((int64_t)1000000)
#define STEP_MS		 100  /* between two looks at the files */
#define LINGER_MS	 5000 /* for a guest that said done or panicked to go down */
#define MAX_BYTES	 ((int64_t)256 << 20) /* of console or job port */
#define DEFAULT_DEADLINE 600000
#define TAIL_LINES	 30

/* What came since *at, up to a bound per look and one for all; the file may be larger. */
static void read_more(const char *path, int64_t *at, struct buf *ret)
{
	int fd _cleanup_close_ = open(path, O_RDONLY | O_CLOEXEC);
	size_t room = (size_t)4 << 20;

	while (fd >= 0 && room && *at < MAX_BYTES) {
		ssize_t n = pread(fd, buf_reserve(ret, 65536), 65536, *at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		ret->len += (size_t)n;
		*at += n;
		room -= MIN((size_t)n, room);
	}
}

/* Look at both files; true when something came. */
static bool look(struct boot *b)
{
	struct buf console _cleanup_buf_ = BUF_INIT;
	struct buf job _cleanup_buf_ = BUF_INIT;

	read_more(b->paths.console, &b->console_at, &console);
	read_more(b->paths.job, &b->job_at, &job);
	if (console.len)
		console_feed(&b->console, buf_str(&console));
	if (job.len)
		records_feed(b, buf_str(&job));
	return console.len || job.len;
}

static bool wrong_kernel(const struct boot *b)
{
	return b->hello && b->build_id &&
	       (!b->got_build_id || strcmp(b->build_id, b->got_build_id));
}

/* The files themselves are looked at: a guest writes faster than we read. */
static bool flooded(const struct boot *b)
{
	return fs_size(b->paths.console) > MAX_BYTES ||
	       fs_size(b->paths.job) > MAX_BYTES || json_len(b->records) >= MAX_RECORDS;
}

/* Should it be ended now, and why? */
static enum boot_cut limits(struct boot *b)
{
	int64_t now = time_mono_ns();
	bool over = b->done || b->error || b->console.panic || b->console.oops;

	if (wrong_kernel(b))
		return CUT_WRONG;
	if (flooded(b))
		return CUT_FLOOD;
	if (over && !b->linger_ns)
		b->linger_ns = now + LINGER_MS * MS;
	if (over && now >= b->linger_ns)
		return b->done ? CUT_DONE : CUT_CRASH;
	if (now >= (b->hello ? b->deadline_ns : b->boot_deadline_ns))
		return CUT_DEADLINE;
	return CUT_NOT;
}

static void collect(struct boot *b, const struct proc_result *pr, struct boot_result *ret)
{
	/* All of it, but for what nobody wants to read. */
	while (look(b) && b->cut != CUT_FLOOD)
		;
	console_end(&b->console);
	*ret = (struct boot_result){ .state = BOOT_VOID };
	boot_judge(b, pr, ret);
	ret->boot_id = xstrdup_null(b->got_boot_id);
	ret->build_id = xstrdup_null(b->got_build_id);
	ret->release = xstrdup_null(b->release);
	ret->accel = xstrdup(b->accel);
	ret->console_path = xstrdup(b->paths.console);
	ret->job_path = xstrdup(b->paths.job);
	ret->log_path = xstrdup(b->paths.log);
	console_tail(b->paths.console, TAIL_LINES, &ret->console_tail);
	strvec_extend(&ret->notes, &b->console.notes);
	if (b->driver->notes)
		b->driver->notes(b, &ret->notes);
	if (b->late)
		strvec_pushf(&ret->notes,
			     "job port: %d record%s behind the last, left out", b->late,
			     b->late == 1 ? "" : "s");
	if (b->garbled)
		strvec_pushf(&ret->notes, "job port: %d line%s that %s no record",
			     b->garbled, b->garbled == 1 ? "" : "s",
			     b->garbled == 1 ? "is" : "are");
	ret->records = b->records;
	b->records = NULL;
	ret->wall_ms = (time_mono_ns() - b->start_ns) / MS;
	fs_unlink(b->paths.initrd, NULL);
	if (b->driver->clean)
		b->driver->clean(b);
	b->collected = true;
}

static void stop(const struct boot *b)
{
	if (b->driver->stop)
		b->driver->stop(b);
}

bool boot_poll(struct boot *b, int wait_ms, struct boot_result *ret)
{
	int64_t until = time_mono_ns() + wait_ms * MS;
	struct proc_result pr _cleanup_proc_ = PROC_RESULT_INIT;

	if (b->collected) {
		*ret = (struct boot_result){ .state = BOOT_VOID };
		ret->why = xstrdup("its result was collected before");
		return true;
	}
	if (intr_pending())
		stop(b);
	for (;;) {
		int64_t left = (until - time_mono_ns()) / MS;
		int step = left <= 0 ? 0 : (int)MIN(left, STEP_MS);
		bool ended = proc_poll(b->proc, step, &pr);

		look(b);
		if (!ended && !b->driver->own_limits) {
			b->cut = limits(b);
			if (b->cut != CUT_NOT) {
				stop(b);
				proc_kill(b->proc, &pr);
				ended = true;
			}
		}
		if (ended) {
			collect(b, &pr, ret);
			return true;
		}
		if (time_mono_ns() >= until)
			return false;
	}
}

static struct boot *boot_new(const struct boot_request *q, const char *accel)
{
	struct boot *b = xcalloc(1, sizeof(*b));

	b->driver = host_driver(q->host);
	b->arch = q->arch;
	b->build_id = xstrdup_null(q->build_id);
	b->accel = xstrdup(accel);
	b->dir = xstrdup(q->dir);
	b->paths.initrd = path_join(q->dir, "initramfs.cpio");
	b->paths.console = path_join(q->dir, "console.log");
	b->paths.job = path_join(q->dir, "job.jsonl");
	b->paths.log = path_join(q->dir, b->driver->log);
	b->records = json_arr();
	return b;
}

/* The clock runs from here: compiling and packing are not the guest's. */
void boot_start_clock(struct boot *b, const struct boot_request *q)
{
	int64_t all = q->deadline_ms > 0 ? q->deadline_ms : DEFAULT_DEADLINE;
	int64_t first = q->boot_deadline_ms > 0 ? q->boot_deadline_ms : all;

	b->start_ns = time_mono_ns();
	b->deadline_ns = b->start_ns + all * MS;
	b->boot_deadline_ns = b->start_ns + MIN(first, all) * MS;
}

/* Files of an earlier boot in this folder are not this one's. */
static int start(struct boot *b, const struct boot_request *q, struct err *err)
{
	const char *const old[] = { b->paths.console, b->paths.job, b->paths.log };
	int r = fs_mkdirs(q->dir, err);

	for (size_t i = 0; i < ARRAY_SIZE(old) && !r; i++)
		r = fs_unlink(old[i], err);
	return r ? r : b->driver->start(b, q, err);
}

int boot_start(const struct boot_request *q, struct boot **ret, struct err *err)
{
	const char *accel = NULL;
	struct boot *b;
	int r;

	if (q->host->arch && q->host->arch != q->arch)
		return err_set(err, E_USAGE, "host %s boots %s, not %s", q->host->name,
			       q->host->arch->name, q->arch->name);
	if (host_boots(q->host) && !fs_exists(q->image))
		return err_set(err, E_NOTFOUND, "%s: no such kernel image", q->image);
	r = host_accel(q->host, q->arch, q->image, &accel, err);
	if (r)
		return r;
	b = boot_new(q, accel);
	r = start(b, q, err);
	if (r) {
		boot_free(b);
		return r == E_INTR ? r : err_context(err, "host %s", q->host->name);
	}
	*ret = b;
	return 0;
}

void boot_free(struct boot *b)
{
	if (!b)
		return;
	if (b->proc && !b->collected)
		stop(b);
	proc_free(b->proc);
	fs_unlink(b->paths.initrd, NULL);
	free(b->paths.initrd);
	free(b->paths.console);
	free(b->paths.job);
	free(b->paths.log);
	free(b->build_id);
	free(b->accel);
	free(b->dir);
	free(b->got_boot_id);
	free(b->got_build_id);
	free(b->release);
	free(b->error);
	buf_release(&b->job_line);
	console_release(&b->console);
	json_free(b->records);
	free(b);
}

void boot_result_release(struct boot_result *r)
{
	free(r->why);
	free(r->boot_id);
	free(r->build_id);
	free(r->release);
	free(r->accel);
	free(r->console_path);
	free(r->job_path);
	free(r->log_path);
	strvec_release(&r->console_tail);
	strvec_release(&r->notes);
	json_free(r->records);
	*r = (struct boot_result){ .state = BOOT_VOID };
}
