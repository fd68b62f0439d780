/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - what a long job is doing, on stderr.
 *
 * On a terminal one line that rewrites itself (what, how far, time left); otherwise a
 * plain line when the label changes and every ten seconds. Silent for the first second of a job and when
 * quiet. Label and detail are sanitised. Who waits for a child or a server calls progress_tick(), so that
 * on a terminal a job that stands still is seen, too. Jobs of several threads may show theirs;
 * a struct progress belongs to one.
 */
#ifndef SERIES_PROGRESS_H
#define SERIES_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	char *label;
	char *detail;
	int64_t done, total;	/* total 0: unknown */
	int64_t start_ns, shown_ns;
	bool tty, active;
	struct progress *outer; /* the job that this one is a part of */
};

/* Once, from main: "never" shows nothing at all. */
void progress_quiet(bool quiet);
/* Begin a job: "building arm64 2/4". */
void progress_start(struct progress *p, const char *label, int64_t total);
/* How far, and what now ("mm/rmap.o", may be NULL). */
void progress_update(struct progress *p, int64_t done, const char *detail);
/* Time goes by and nothing happens: show the innermost job again, if it is time to. */
void progress_tick(void);
/* Erase the line (a terminal) and free. */
void progress_end(struct progress *p);
/* A line of news between progress lines; printed at once, sanitised. */
void progress_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
