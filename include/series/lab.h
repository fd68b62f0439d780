/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab.h - hosts: places where a kernel boots and a job runs.
 *
 * A boot is started, polled and ended; several may run side by side. The host "qemu" is
 * there without any configuration. The job goes in with the initramfs; records come back
 * as lines of JSON on a port of their own, apart from the console.
 */
#ifndef SERIES_LAB_H
#define SERIES_LAB_H

#include <stdbool.h>
#include <stdint.h>
#include "series/arch.h"
#include "series/err.h"
#include "series/git.h"
#include "series/json.h"
#include "series/sha256.h"
#include "series/strvec.h"

enum boot_state {
	BOOT_RUNNING,
	BOOT_OK,	   /* new boot_id, expected build-id, "done" record */
	BOOT_BUILD_FAIL,   /* there was no kernel to boot */
	BOOT_FAIL,	   /* no init of ours before the deadline or the end */
	BOOT_WRONG_KERNEL, /* another build-id than expected */
	BOOT_CRASHED,	   /* panic, oops in the job */
	BOOT_HUNG,	   /* nothing came until the deadline */
	BOOT_INFRA_FAIL,   /* qemu missing, disk full, a job command that failed */
	BOOT_VOID,	   /* ours to repeat: killed, host overloaded */
};
const char *boot_state_name(enum boot_state s); /* "OK", "CRASHED", ... */

struct host {
	const struct config *config; /* borrowed, for series.arch.*; may be NULL */
	char *name, *alias;	/* alias: what mail may show; default the name */
	char *type;		/* "qemu" */
	const struct arch *arch; /* NULL: any */
	char *accel;		/* "auto", "kvm", "tcg", "icount" */
	char *machine, *cpu;	/* NULL: the arch table's */
	int memory_mib, cpus;
	struct strvec extra;	/* more arguments for qemu */
};

/* Names of all hosts, "qemu" included. */
void host_names(const struct config *c, struct strvec *ret);
/* E_NOTFOUND names the hosts there are. */
int host_find(const struct config *c, const char *name, struct host **ret, struct err *err);
void host_free(struct host *h);
void host_freep(struct host **h);
#define _cleanup_host_ __attribute__((cleanup(host_freep)))
/*
 * Accelerator that a boot of this arch would use: for auto "kvm" only after a real probe
 * boot (of image, 20 s at most; remembered in the cache per host kernel, qemu and image),
 * else "icount"; other settings as they are. Who compares kernels asks once, with the
 * base's image, and puts the answer into the host: then all boot the same way. Borrowed.
 */
int host_accel(const struct host *h, const struct arch *a, const char *image,
	       const char **ret, struct err *err);

struct host_check {
	struct strvec ok;	/* what was found, a line each */
	struct strvec problems;	/* with their remedies */
};
/* Look whether the host can be used for the arch; problems are no error. */
int host_check(const struct host *h, const struct arch *a, struct host_check *ret,
	       struct err *err);
void host_check_release(struct host_check *c);

/* A file that goes into the guest: from path, or from data. */
struct boot_file {
	const char *guest_path;	/* "/bench/swapout" */
	const char *path;
	const void *data;
	size_t len;
	unsigned mode;		/* 0755 */
};

struct boot_request {
	const struct host *host;
	const struct arch *arch;
	const char *image;	/* kernel to boot */
	const char *build_id;	/* expected, from vmlinux; NULL: recorded, not checked */
	const struct boot_file *files;
	size_t n_files;
	/*
	 * What the guest's init does, one command a line, in the job language of
	 * templates/guest (see its README): mount, load modules, set knobs, read counters,
	 * run programs, each with records on the job port.
	 */
	const char *job;
	const char *cmdline;	/* more kernel parameters, may be NULL */
	int64_t deadline_ms;	/* for the whole boot and job */
	int64_t boot_deadline_ms; /* until the first record; 0: deadline_ms */
	/*
	 * Where console.log, job.jsonl and qemu.log are kept: a directory of this boot's own,
	 * made if missing.
	 */
	const char *dir;
};

struct boot_result {
	enum boot_state state;
	char *why;		/* one line for people: "panic: ...", "no record for 60 s" */
	char *boot_id, *build_id, *release;
	char *accel;		/* "icount" ... */
	char *console_path, *job_path;
	struct strvec console_tail; /* last lines, sanitised */
	struct strvec notes;	/* WARNING, BUG, RCU stall ... lines found on the console */
	struct json *records;	/* array: every record that came, in order */
	int64_t wall_ms;
};

struct boot;
/* Start; E_FAIL when the host cannot even be tried (then the state is BOOT_INFRA_FAIL). */
int boot_start(const struct boot_request *q, struct boot **ret, struct err *err);
/* Wait up to wait_ms; true when it ended and *ret is filled. */
bool boot_poll(struct boot *b, int wait_ms, struct boot_result *ret);
/* End it if it runs, remove its scratch files, free. NULL is allowed. */
void boot_free(struct boot *b);
void boot_result_release(struct boot_result *r);

/*
 * Program for the guest from a C file, or from all *.c of a folder: built static for the
 * arch with its cross compiler and kept in the cache under the hash of source, compiler and
 * flags. Path in fresh memory; ret_hash may be NULL. A missing compiler is named with its
 * package.
 */
int lab_compile(const struct config *c, const struct arch *a, const char *source,
		char **ret_path, char ret_hash[SHA256_HEX], struct err *err);

#endif
