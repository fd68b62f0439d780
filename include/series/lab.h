/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab.h - hosts: places where a kernel boots and a job runs.
 *
 * A boot is started, polled and ended; several may run side by side. The host "qemu" is
 * there without any configuration; a host of type "ssh" is a machine of its own, which is
 * brought back to its own kernel after every boot; a host of type "local" is this machine,
 * which is never booted. The job goes in with the kernel; records come back as lines of
 * JSON, apart from the console.
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
#define BOOT_STATES (BOOT_VOID + 1)
const char *boot_state_name(enum boot_state s); /* "OK", "CRASHED", ... */

/* Programs that reach a machine from outside; each is words, run without a shell. */
enum host_hook {
	HOOK_CONSOLE, /* prints the console as it comes, until it is ended */
	HOOK_RESET,   /* the gentle way to restart a machine that does not answer */
	HOOK_POWER,   /* the last one: power off and on */
	HOOK_BOOT,    /* boot = hook: boots the kernel of $SERIES_KERNEL once */
	HOOK_N
};
/* Name of its setting: series.host.NAME.powerHook ... */
const char *host_hook_name(enum host_hook h);

struct host {
	const struct config *config; /* borrowed, for series.arch.*; may be NULL */
	char *name, *alias;	/* alias: what mail may show; default the name */
	char *type;		/* "qemu", "ssh", "local" */
	const struct arch *arch; /* NULL: any; local: this machine's */

	/* qemu */
	char *accel;		/* "auto", "kvm", "tcg", "icount"; others: "hardware" */
	char *machine, *cpu;	/* NULL: the arch table's */
	int memory_mib, cpus;	/* memory of others: 0, not known from here */
	struct strvec extra;	/* more arguments for qemu */

	/* ssh */
	char *destination;	/* for ssh(1), as in the user's ssh config */
	char *boot;		/* how: "kexec", "grub", "bootctl", "hook" */
	bool allow_reboot;	/* without it nothing is booted */
	char *dir;		/* on the host: ours, and there after a restart too */
	char *cmdline;		/* more kernel parameters; NULL: none */
	char *initrd;		/* "auto", "none", or a file of this machine */
	int timeout_s;		/* for the host to come up, each time */
	struct strvec hooks[HOOK_N]; /* words; none: not set */
};

/* Names of all hosts, "qemu" included. */
void host_names(const struct config *c, struct strvec *ret);
/* E_NOTFOUND names the hosts there are. */
int host_find(const struct config *c, const char *name, struct host **ret, struct err *err);
/* Does it boot what is to be measured? A local host only runs jobs. */
bool host_boots(const struct host *h);
/* May several boots run side by side on it without a change of what is measured? */
bool host_shares(const struct host *h);
void host_free(struct host *h);
void host_freep(struct host **h);
#define _cleanup_host_ __attribute__((cleanup(host_freep)))
/*
 * Accelerator that a boot of this arch would use: for auto "kvm" only after a real probe
 * boot (of image, 20 s at most; remembered in the cache per host kernel, qemu and image),
 * else "icount"; other settings as they are. Who compares kernels asks once, with the
 * base's image, and puts the answer into the host: then all boot the same way. A host that
 * is no emulator says "hardware". Borrowed.
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

/*
 * A host that boots nothing: the kernel it runs (build-id, hex) and the boot it is in.
 * Fresh memory.
 */
int host_running(const struct host *h, char **ret_build_id, char **ret_boot_id,
		 struct err *err);

/* What is remembered of a host from one use to the next. */
struct host_state {
	char *quarantine;	/* why it is not to be used; NULL: it may be */
	char *away;		/* the kernel under test that it was sent to; NULL: at home */
	int64_t since;		/* of the quarantine, else of the journey; Unix time */
	char *home_build_id;	/* of its own kernel, and of the boot it was sent from; */
	char *home_boot_id;	/* NULL when it is not away */
	char *away_boot_id;	/* of the kernel under test, once it came up */
};
#define HOST_STATE_INIT { NULL, NULL, 0, NULL, NULL, NULL }
/* E_CORRUPT names the file. *ret is overwritten. */
int host_state(const struct host *h, struct host_state *ret, struct err *err);
void host_state_release(struct host_state *s);
/*
 * Bring it back to its own kernel if it is away (by its hooks if need be), and lift the
 * quarantine. Notes of what is done, a line each, go to say (may be NULL).
 */
int host_reset(const struct host *h, void (*say)(const char *line, void *arg), void *arg,
	       struct err *err);
/*
 * The arch of the machine behind a destination of ssh(1); E_TIMEOUT when it cannot be
 * reached.
 */
int host_ask_arch(const char *destination, const struct arch **ret, struct err *err);
/* argv for a shell on it, the user's terminal as it is; E_USAGE where there is none. */
int host_shell(const struct host *h, struct strvec *ret_argv, struct err *err);

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
	const char *release;	/* of the kernel, for its modules; NULL: has none */
	const char *modules;	/* tar of what becomes /lib/modules/RELEASE; NULL: none */
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
	 * Where console.log, job.jsonl and the host's own log are kept: a directory of this boot's own,
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
	char *log_path;		/* what the host's driver or QEMU said */
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
