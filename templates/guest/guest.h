/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guest.h - what the files of the guest's init share.
 */
#ifndef SERIES_GUEST_H
#define SERIES_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MAX_OUT 65536	  /* bytes of a program's output that are kept */
#define MAX_JOB (1 << 18) /* bytes of a job */

extern int port;      /* the job port, -1 when there is none */
extern int kmsg;      /* /dev/kmsg, read up to what was reported, or -1 */
extern bool hosted;   /* on a system that is not ours: see hosted.c */
extern char why[512]; /* why the last command failed */

/* Remember why a command failed; returns false so that "return fail(...)" reads well. */
bool fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A record: begin, any number of puts, end (which sends it). */
void begin(const char *type);
void put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void put_text(const char *s, size_t n);
void put_member(const char *name, const char *value);
/* Warnings and worse since the last look, as the member "dmesg". */
void put_dmesg(void);
void end(void);

/* First max-1 bytes of a file with a NUL behind; -1 when it cannot be read. */
ssize_t slurp(const char *path, char *buf, size_t max);
/* A small file without the LF at its end, NULL when it cannot be read; static memory. */
const char *text_of(const char *path);
/* Value behind KEY in a file of "KEY value" or "KEY: value" lines; static memory. */
const char *value_of(const char *path, const char *key);
bool number(const char *s, long long *ret);
bool write_file(const char *path, const char *text);

/* Commands of run.c: w[0..n) are the words of the line. */
bool do_counter(int n, char **w);
bool do_forget(int n, char **w);
bool do_run(int n, char **w);

/*
 * Do the job; true when it came to "done". With modules only the insmod lines at its
 * beginning, quietly: the port may need them, and they are done again with the rest.
 */
bool do_lines(const char *job, bool modules);

/* The first record. */
void hello(void);

/* What hosted.c does for the others; in a guest all of it does nothing. */
int hosted_main(int argc, char **argv);
/* Whoever waits for us wants us to end (a signal, the caller is gone). */
bool told_to_stop(void);
/* Kill what the program pid and its children left, and nobody else. */
void kill_rest(pid_t pid);
/* Before a file is written: its text comes back at the end. */
void keep_old(const char *path);
/* A swap area was switched on: it is switched off at the end. */
void keep_swap(const char *dev);
/* Find or make a zram device that nobody uses; its name ("zram0") in static memory. */
const char *zram_device(void);
/* The path with "zram0" replaced by the device that we have; static memory or path. */
const char *real_path(const char *path);
/* The file of the job that has this path in a guest; static memory or path. */
const char *file_path(const char *path);
/* Is the device one that we made, so that it may be overwritten? */
bool our_device(const char *dev);

#endif
