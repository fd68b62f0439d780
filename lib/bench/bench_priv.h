/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_priv.h: what the files of a session share. Private to lib/bench. */
#ifndef BENCH_PRIV_H
#define BENCH_PRIV_H

#include "series/bench.h"
#include "series/benchdef.h"
#include "series/benchrun.h"
#include "series/lock.h"
#include "series/verdict.h"

#define BENCH_MAX_BLOCKS  1000
#define BENCH_MAX_RUNS	  10000
#define BENCH_MAX_KERNELS 1024

/* ---- documents (store.c, parse.c) ---- */

/* Facts alone: summary.json, and session.json of a running session. */
struct json *bench_summary_json(const struct bench_session *s);
struct json *bench_boot_json(const struct bench_boot *b);
/* E_CORRUPT names what. The session has no samples yet. */
int bench_summary_parse(const struct json *j, const char *what,
			struct bench_session **ret, struct err *err);
/* One boot; *ret is overwritten and owned by the caller (bench_boot_release()). */
int bench_boot_parse(const struct json *j, const struct bench_session *s,
		     const char *what, struct bench_boot *ret, struct err *err);
void bench_boot_release(struct bench_boot *b);
void bench_sample_release(struct sample *m);
/* Append; what they own goes to the session. Returns the index. */
size_t bench_add_boot(struct bench_session *s, const struct bench_boot *b);
void bench_add_sample(struct bench_session *s, const struct sample *m);

/* ---- a running session (live.c) ---- */

enum task_state { TASK_TODO, TASK_RUNNING, TASK_DONE, TASK_DROPPED };

/* One boot of the plan. */
struct bench_task {
	int kernel, block, order;
	int attempts; /* boots that were recorded */
	int voids;    /* of them ours to repeat */
	int fails;    /* of them BOOT_FAIL */
	enum task_state state;
};

struct bench_live {
	struct bench_session *s;
	char *dir, *runs_path, *series;
	struct lock lock;
	struct bench_task *tasks; /* in the order of the plan */
	size_t n_tasks;
	bool worthless; /* base does not boot, no block is left: nothing to go on with */
};

/* Folder of all sessions: <common dir>/series/bench. The caller frees. */
char *bench_root(struct repo *r);
/* Make the folder of a new session and take its lock. The session goes to the live one.
 */
int bench_live_new(struct repo *r, const char *series, struct bench_session *s_take,
		   struct bench_live **ret, struct err *err);
/*
 * Take the lock of a session's folder, read it and what was measured. E_LOCKED when
 * somebody works on it. A record cut off at the end of runs.jsonl is cut away.
 */
int bench_live_open(const char *dir, struct bench_live **ret, struct err *err);
/* Write session.json again (its facts came with the first boot). */
int bench_live_save(const struct bench_live *l, struct err *err);
void bench_live_free(struct bench_live *l);
/*
 * A boot has ended: write its runs and itself, fsync, and note what that means for its
 * task. What b and m own goes to the session.
 */
int bench_live_add(struct bench_live *l, struct bench_task *t, struct bench_boot *b,
		   struct sample *m, size_t n, struct err *err);
/* Boots of the plan that need nothing any more. */
size_t bench_live_done(const struct bench_live *l);
/* Blocks of the plan that were dropped, whatever else of them was measured. */
size_t bench_live_dropped(const struct bench_live *l);
/* Remove the folder; a removal that was cut off leaves nothing that can be gone on with.
 */
int bench_live_remove(const struct bench_live *l, struct err *err);

/* ---- from a boot to samples (harvest.c) ---- */

/*
 * The boot's record and its samples (fresh array, *ret_n of them) from what the lab says.
 * samples' boot is not set yet.
 */
void bench_harvest(const struct bench_def *d, const struct bench_session *s,
		   const struct boot_result *r, struct bench_boot *ret_boot,
		   struct sample **ret, size_t *ret_n);
/* The guest's facts as JSON text for host_facts; NULL when it said nothing. */
char *bench_harvest_facts(const struct boot_result *r);

/* ---- what is needed before the first boot (prepare.c) ---- */

struct bench_prep {
	struct bench_session *s; /* everything but id, seed and date */
	struct host *host;
	const struct arch *arch;
	struct build_report built; /* of base, [patches,] tip */
	char *program;		   /* the benchmark's, for the guest */
};
int bench_prepare(const struct bench_request *q, struct bench_prep *ret, struct err *err);
void bench_prep_release(struct bench_prep *p);

/* Was a boot of this kernel OK (-1: of any)? */
bool bench_any_ok(const struct bench_session *s, int kernel);
/* Boot what is left of the plan; 0 when all is done. */
int bench_loop(struct bench_live *l, const struct bench_request *q,
	       const struct bench_prep *p, bench_say_fn *say, void *arg, struct err *err);

#endif
