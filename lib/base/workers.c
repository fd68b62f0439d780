// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * workers.c - a ring of jobs: the caller puts at one end and takes at the other, threads
 * work in between.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "series/mem.h"
#include "series/workers.h"

struct slot {
	void *job;
	bool done;
};

struct workers {
	pthread_mutex_t mutex;
	pthread_cond_t given, done;
	struct slot *ring;
	size_t cap, head, next,
		tail; /* taken up to head, begun up to next, put up to tail */
	bool stop;
	work_fn *fn;
	void *arg;
	pthread_t *thread;
	size_t n, started;
};

size_t workers_processors(size_t max)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return MIN(MAX((size_t)n, 1), max);
}

static void *work(void *p)
{
	struct workers *w = p;
	size_t me;

	pthread_mutex_lock(&w->mutex);
	me = w->started++;
	for (;;) {
		struct slot *s;

		while (w->next == w->tail && !w->stop)
			pthread_cond_wait(&w->given, &w->mutex);
		if (w->next == w->tail)
			break;
		s = &w->ring[w->next++ % w->cap];
		pthread_mutex_unlock(&w->mutex);
		w->fn(s->job, me, w->arg);
		pthread_mutex_lock(&w->mutex);
		s->done = true;
		pthread_cond_signal(&w->done);
	}
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

struct workers *workers_new(size_t n, size_t ahead, work_fn *fn, void *arg)
{
	struct workers *w = xcalloc(1, sizeof(*w));
	sigset_t all, old;

	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->given, NULL);
	pthread_cond_init(&w->done, NULL);
	w->cap = ahead;
	w->ring = xcalloc(ahead, sizeof(*w->ring));
	w->thread = xcalloc(n, sizeof(*w->thread));
	w->fn = fn;
	w->arg = arg;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	while (w->n < n && !pthread_create(&w->thread[w->n], NULL, work, w))
		w->n++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return w;
}

bool workers_room(const struct workers *w)
{
	return w->tail - w->head < w->cap;
}

void workers_put(struct workers *w, void *job)
{
	pthread_mutex_lock(&w->mutex);
	w->ring[w->tail++ % w->cap] = (struct slot){ .job = job };
	pthread_cond_signal(&w->given);
	pthread_mutex_unlock(&w->mutex);
}

void *workers_take(struct workers *w)
{
	struct slot *s;
	void *job;

	pthread_mutex_lock(&w->mutex);
	if (w->head == w->tail) {
		pthread_mutex_unlock(&w->mutex);
		return NULL;
	}
	s = &w->ring[w->head % w->cap];
	if (!w->n) { /* no thread could be started: do it here */
		w->next = w->head + 1;
		w->fn(s->job, 0, w->arg);
		s->done = true;
	}
	while (!s->done)
		pthread_cond_wait(&w->done, &w->mutex);
	job = s->job;
	w->head++;
	pthread_mutex_unlock(&w->mutex);
	return job;
}

bool workers_done(struct workers *w)
{
	bool done;

	pthread_mutex_lock(&w->mutex);
	done = !w->n || w->head == w->tail || w->ring[w->head % w->cap].done;
	pthread_mutex_unlock(&w->mutex);
	return done;
}

void workers_free(struct workers *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->mutex);
	w->stop = true;
	pthread_cond_broadcast(&w->given);
	pthread_mutex_unlock(&w->mutex);
	for (size_t i = 0; i < w->n; i++)
		pthread_join(w->thread[i], NULL);
	pthread_cond_destroy(&w->given);
	pthread_cond_destroy(&w->done);
	pthread_mutex_destroy(&w->mutex);
	free(w->ring);
	free(w->thread);
	free(w);
}
