/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab_priv.h - what the files of lib/lab share.
 */
#ifndef LAB_PRIV_H
#define LAB_PRIV_H

#include "series/lab.h"
#include "series/proc.h"

struct boot;

/* How hosts of one type are used: a row for each type in host.c. */
struct driver {
	const char *type;
	bool boots;	 /* false: jobs run on what is running */
	bool shares;	 /* several boots side by side do not disturb each other */
	const char *log; /* name of its log in the boot's folder */
	/* Settings of this type (series.host.NAME.*) into h. */
	int (*read)(const struct config *c, struct host *h, struct err *err);
	/* Start b->proc, which ends when the boot is over; b has all that is common. */
	int (*start)(struct boot *b, const struct boot_request *q, struct err *err);
	/* The process keeps all deadlines itself; otherwise it is ended at them. */
	bool own_limits;
	/* State and why of a boot of which no kernel and no job said how it ended. */
	void (*explain)(const struct boot *b, const struct proc_result *pr,
			struct boot_result *ret);
	int (*check)(const struct host *h, const struct arch *a, struct host_check *ret,
		     struct err *err);
	/* All below may be NULL. Tell the process to end, where a signal may not reach
	 * it. */
	void (*stop)(const struct boot *b);
	/* More lines worth noting of a boot that has ended. */
	void (*notes)(const struct boot *b, struct strvec *ret);
	/* Remove what is not worth keeping in the boot's folder. */
	void (*clean)(const struct boot *b);
};
extern const struct driver driver_qemu, driver_ssh, driver_local;
const struct driver *host_driver(const struct host *h);

/* Settings of a host, for driver.read. Value of series.host.NAME.KEY, or NULL. */
const char *host_setting(const struct config *c, const struct host *h, const char *key);
int host_int_setting(const struct config *c, const struct host *h, const char *key,
		     int lo, int hi, int dflt, int *ret, struct err *err);
/* Value that must be one of the names (closed by NULL), the first when it is not set. */
int host_choice(const struct config *c, const struct host *h, const char *key,
		const char *const *names, char **ret, struct err *err);

/* Lines of a check that hosts of several types have. */
void check_memory(int64_t have_mib, int64_t want_mib, const char *remedy,
		  struct host_check *ret);
void check_cache_room(struct host_check *ret);
/* Compile the program of templates/guest, say its size; true when it is there. */
bool check_agent(const struct host *h, const struct arch *a, char **ret_path,
		 struct host_check *ret);
/* MemAvailable of this machine in MiB, -1 when unknown. */
int64_t memory_mib(void);

/* templates/guest for an arch: the init of a guest, the agent of a host. Fresh memory. */
int lab_agent(const struct config *c, const struct arch *a, char **ret, struct err *err);
/* The job as dir/job and its files below dir/files, where an agent looks for them. */
int job_stage(const struct boot_request *q, const char *dir, struct err *err);

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
	struct buf line;     /* begun, without its end */
	struct strvec notes; /* lines of note, sanitised */
	char *panic;	     /* text behind "Kernel panic - not syncing: " */
	char *oops;	     /* first line that ends a kernel: BUG, Oops, bad access */
	char *init;	     /* first complaint of our own init */
	int64_t bytes;
};

void console_feed(struct console *c, struct str text);
/* The rest without LF counts as a line. */
void console_end(struct console *c);
void console_release(struct console *c);
/* Last n lines of a console file, sanitised. */
void console_tail(const char *path, size_t n, struct strvec *ret);

/* Why we ended the process. */
enum boot_cut { CUT_NOT, CUT_DEADLINE, CUT_WRONG, CUT_CRASH, CUT_DONE, CUT_FLOOD };

struct boot {
	const struct driver *driver;
	const struct arch *arch;
	char *build_id; /* expected, or NULL */
	char *accel, *dir;
	struct boot_paths paths;
	struct proc *proc;
	int64_t start_ns, deadline_ns, boot_deadline_ns;
	int64_t linger_ns; /* when a guest that has nothing more to say is ended */
	int64_t job_at, console_at; /* bytes read of both files */
	struct buf job_line;
	struct console console;
	struct json *records;
	char *got_boot_id, *got_build_id, *release;
	char *error; /* first error record, for people */
	bool hello, done, collected;
	int garbled; /* lines that were no record */
	int late;    /* records behind "done" or a second "hello" */
	enum boot_cut cut;
};

/* Name the state of a boot whose process is gone; fills state and why of *ret. */
void boot_judge(const struct boot *b, const struct proc_result *pr,
		struct boot_result *ret);
/* The clock runs from here: compiling, packing and sending are not the guest's. */
void boot_start_clock(struct boot *b, const struct boot_request *q);
/* State and why of *ret. */
void boot_say(struct boot_result *ret, enum boot_state s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The words for a limit that passed: of init's first word, or of the whole job. */
void boot_say_silent(const struct boot *b, struct boot_result *ret);
/* boot_id of this machine as it runs, NULL if unknown; static memory. */
const char *own_boot_id(void);
/* A state by its name; false when there is none such. */
bool boot_state_find(const char *name, enum boot_state *ret);

/* More than any job has; a guest that sends them wants our memory. */
#define MAX_RECORDS ((size_t)100000)
/* Take complete lines of the job port. */
void records_feed(struct boot *b, struct str text);

#endif
