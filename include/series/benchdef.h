/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * benchdef.h - what a benchmark is: templates/bench/NAME/bench.conf and its source.
 *
 * The file has the syntax of git's configuration and is read by git itself; its keys are
 * explained in templates/bench/swapout/bench.conf. A definition is plain data: the job of
 * a boot, the value of a run and the proof that it measured what it says are made from
 * it.
 */
#ifndef SERIES_BENCHDEF_H
#define SERIES_BENCHDEF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/json.h"
#include "series/sha256.h"
#include "series/strvec.h"

enum proof_op { PROOF_GE, PROOF_LE, PROOF_EQ };

/* "COUNTER >= 99% of 4096": limit is the number already reduced by the percentage. */
struct proof_rule {
	char *counter;
	enum proof_op op;
	int64_t limit;
	char *text; /* as written, for messages */
};

struct bench_metric {
	char *name, *pattern, *unit;
	bool higher_better;
};

struct bench_counter {
	char *name, *path, *key; /* key NULL: the file is the number */
};

struct bench_case {
	char *name, *summary, *fill, *args;
	struct strvec setup; /* job commands before every run */
	struct proof_rule *proofs;
	size_t n_proofs;
};

struct bench_def {
	char *name, *summary;
	char *dir, *source; /* folder of the definition, path of the C file */
	struct strvec default_cases;
	int runs, warmup, blocks;
	int timeout_s, memory_mib;
	int64_t page_size;	      /* 0: any */
	struct bench_metric *metrics; /* the first is judged */
	size_t n_metrics;
	struct strvec setup; /* job commands, once per boot */
	struct bench_counter *counters;
	size_t n_counters;
	struct bench_case *cases;
	size_t n_cases;
	char hash[SHA256_HEX]; /* over bench.conf and the source */
};

/*
 * Read the definition of a shipped benchmark by its name, or of the user's own by the
 * path of its folder (anything with a slash). E_NOTFOUND lists the shipped ones; a key
 * that is unknown or wrong is E_USAGE naming file and key.
 */
int bench_def_load(const char *name, struct bench_def **ret, struct err *err);
void bench_def_free(struct bench_def *d);
void bench_def_freep(struct bench_def **d);
#define _cleanup_bench_def_ __attribute__((cleanup(bench_def_freep)))

/* Names of the shipped benchmarks, sorted. */
int bench_def_names(struct strvec *ret, struct err *err);

/* Case by name, or NULL. */
const struct bench_case *bench_def_case(const struct bench_def *d, const char *name);

/* The largest value of a run: means and sums of such still fit into 64 bits. */
#define BENCH_MAX_VALUE (INT64_C(1) << 62)
/*
 * Value of a metric in a program's output: the group of its pattern on the last line that
 * matches. False when there is none or it is no whole number from 1 to BENCH_MAX_VALUE.
 */
bool bench_metric_value(const struct bench_metric *m, struct str output, int64_t *ret);

enum proof_state { PROOF_MET, PROOF_NOT_MET, PROOF_ABSENT };
/*
 * Judge the counters of one run (an object: NAME -> difference or null) by the rules of
 * its case. A counter that is null or missing is PROOF_ABSENT; *why gets the first rule
 * that does not hold ("64kB-swpout is 0, expected >= 99% of 4096").
 */
enum proof_state bench_proof(const struct bench_case *c, const struct json *counters,
			     struct buf *why);

#endif
