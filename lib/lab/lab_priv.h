/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab_priv.h - what the files of lib/lab share.
 */
#ifndef LAB_PRIV_H
#define LAB_PRIV_H

#include "series/lab.h"
#include "series/proc.h"

/*
 * Write an initramfs: a cpio archive of format newc with /dev/console, the files and the
 * folders above them. Guest paths are absolute and have no "..".
 */
int initramfs_write(const char *path, const struct boot_file *files, size_t n,
		    struct err *err);

/* Files that one boot reads and writes. */
struct boot_paths {
	char *initrd, *console, *job, *log;
};

/* Arguments for qemu, argv[0] included. accel is "kvm", "tcg" or "icount". */
int qemu_argv(const struct host *h, const struct arch *a, const char *accel,
	      const char *image, const char *cmdline, const struct boot_paths *p,
	      struct strvec *ret, struct err *err);
/* Debian package that brings the arch's qemu. */
const char *qemu_package(const struct arch *a);
/* First line of "qemu --version" in fresh memory. */
int qemu_version(const struct arch *a, char **ret, struct err *err);

/* What the console said so far. */
struct console {
	struct buf line;	/* begun, without its end */
	struct strvec notes;	/* lines of note, sanitised */
	char *panic;		/* text behind "Kernel panic - not syncing: " */
	char *oops;		/* first line that ends a kernel: BUG, Oops, bad access */
	char *init;		/* first complaint of our own init */
	int64_t bytes;
};

void console_feed(struct console *c, struct str text);
/* The rest without LF counts as a line. */
void console_end(struct console *c);
void console_release(struct console *c);
/* Last n lines of a console file, sanitised. */
void console_tail(const char *path, size_t n, struct strvec *ret);

/* Why we ended qemu. */
enum boot_cut { CUT_NOT, CUT_DEADLINE, CUT_WRONG, CUT_CRASH, CUT_DONE, CUT_FLOOD };

struct boot {
	const struct arch *arch;
	char *build_id;		/* expected, or NULL */
	char *accel, *dir;
	struct boot_paths paths;
	struct proc *proc;
	int64_t start_ns, deadline_ns, boot_deadline_ns;
	int64_t linger_ns;	/* when a guest that has nothing more to say is ended */
	int64_t job_at, console_at; /* bytes read of both files */
	struct buf job_line;
	struct console console;
	struct json *records;
	char *got_boot_id, *got_build_id, *release;
	char *error;		/* first error record, for people */
	bool hello, done, collected;
	int garbled;		/* lines that were no record */
	int late;		/* records behind "done" or a second "hello" */
	enum boot_cut cut;
};

/* Name the state of a boot whose qemu is gone; fills state and why of *ret. */
void boot_judge(const struct boot *b, const struct proc_result *pr,
		struct boot_result *ret);

/* More than any job has; a guest that sends them wants our memory. */
#define MAX_RECORDS ((size_t)100000)
/* Take complete lines of the job port. */
void records_feed(struct boot *b, struct str text);

#endif
