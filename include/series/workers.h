/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.h - threads that do pieces of one job, and hand them back in the order in which
 * they were given.
 *
 * A job belongs to whoever holds it: to the caller until workers_put(), to one thread
 * until workers_take(). What the function uses besides its job must be its own: it is
 * told the number of its thread for that. Signals stay with the caller's thread.
 */
#ifndef SERIES_WORKERS_H
#define SERIES_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

struct workers;

/* thread: from 0 to n - 1. */
typedef void work_fn(void *job, size_t thread, void *arg);

/* Processors that we may use, at least 1 and at most max. */
size_t workers_processors(size_t max);
/* n threads, and room for ahead jobs that were put and not yet taken. */
struct workers *workers_new(size_t n, size_t ahead, work_fn *fn, void *arg);
/* Is there room for one more? */
bool workers_room(const struct workers *w);
/* Give a job; there must be room. */
void workers_put(struct workers *w, void *job);
/* The oldest one, done; waits for it. NULL when none is left. */
void *workers_take(struct workers *w);
/* Is the oldest one done, so that workers_take() does not wait? Also when none is left. */
bool workers_done(struct workers *w);
/* Wait for what runs and end the threads; jobs that were not taken: take them before. */
void workers_free(struct workers *w);

#endif
