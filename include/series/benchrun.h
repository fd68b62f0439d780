/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * benchrun.h - measuring: a session from the kernels of a series to its stored result.
 *
 * A running session is a folder, <common dir>/series/bench/ID/:
 *	session.json	what will be done: kernels, key, seed, blocks, runs, cases
 *	runs.jsonl	after every boot its runs and then the boot itself, fsynced; runs
 *			without their boot behind them do not count
 *	bBB-kKK-aAA/	a boot: console.log, and job.jsonl, where each run's record lies
 *as soon as the guest has finished it lock		held while somebody works on it
 * The boot is the unit: one that was cut off by us is done again from its beginning. The
 * folder goes when the result is in the state of the series.
 */
#ifndef SERIES_BENCHRUN_H
#define SERIES_BENCHRUN_H

#include "series/bench.h"
#include "series/benchdef.h"

struct bench_request {
	struct repo *repo;
	const struct config *config;
	const struct series *series;
	const struct bench_def *def;
	const char *arch;	    /* NULL: the host's, else this machine's */
	const char *host;	    /* NULL: "qemu" */
	const char *kconfig;	    /* as in build_request */
	bool each;		    /* every patch, not only base and tip */
	bool aa;		    /* boot base twice per block */
	bool resume;		    /* go on with the newest unfinished one that fits */
	int blocks, runs;	    /* 0: the definition's (see bench_default_runs) */
	const struct strvec *cases; /* empty or NULL: the definition's */
};

/* News for people while it runs: what happened to a boot, a session that is there. */
typedef void bench_say_fn(const char *text, void *arg);

/*
 * Build what is missing, boot, measure, store. *ret is the complete session. E_FINDINGS
 * when a kernel does not build (nothing was measured), E_INTR when interrupted (the
 * session can be resumed, the message says how), E_FAIL when the host cannot do it.
 */
int bench_run(const struct bench_request *q, bench_say_fn *say, void *arg,
	      struct bench_session **ret, struct err *err);

/*
 * Only build what such a session needs, and see that its host could take it; errors as
 * bench_run() has them.
 */
int bench_build(const struct bench_request *q, struct err *err);

/*
 * Runs per boot when nothing else was asked for: the definition's; at most 2 with icount,
 * where boots nearly repeat each other (values of one case differ by parts in a thousand
 * at most), so that more runs cost minutes of emulation and tell little.
 */
int bench_default_runs(const struct bench_def *d, const char *accel);

/* A session that began and is not stored, from its folder. */
struct bench_unfinished {
	char *id, *bench, *series, *arch, *host, *dir;
	char *broken; /* why it cannot be read (then there is only id and dir), or NULL */
	size_t boots_done, boots_all;
	bool running; /* somebody holds its lock */
};
/* All of a repository, newest first. */
int bench_unfinished_list(struct repo *r, struct bench_unfinished **ret, size_t *ret_n,
			  struct err *err);
void bench_unfinished_free(struct bench_unfinished *u, size_t n);

/* ---- the plan, pure; here for tests ---- */

/*
 * Order of the kernels in a block (from 1): ret[0..kernels-1] is a random permutation
 * that depends on seed and block alone.
 */
void bench_order(uint64_t seed, int block, size_t kernels, size_t *ret);
/*
 * Job of one boot in the language of templates/guest: page size, counters, setup, then a
 * warm-up of every case (run 0, if the definition has one) and runs 1 to runs, each time
 * all cases in fresh random order. Depends on seed, block and kernel alone.
 */
void bench_job(const struct bench_def *d, const struct strvec *cases, int runs,
	       uint64_t seed, int block, int kernel, struct buf *out);

#endif
