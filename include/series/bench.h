/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench.h - benchmarks: definitions, sessions, stored results.
 *
 * The boot is the unit: a block is one boot of every kernel in fresh random order. A
 * session writes a line to <common dir>/series/bench/ID/ after every run and one
 * state commit (bench/HASH/summary.json, samples.json) at its end; an interrupted one goes
 * on with bench --resume.
 */
#ifndef SERIES_BENCH_H
#define SERIES_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include "series/build.h"
#include "series/err.h"
#include "series/json.h"
#include "series/lab.h"
#include "series/series.h"

/* One run's value. */
struct sample {
	int boot;		/* index into bench_session.boots */
	int case_i;		/* index into bench_session.cases */
	int run;		/* from 1; 0 is the warm-up */
	int64_t value;		/* ns for swapout; INT64_MIN: the run failed, no value */
	/* "NAME=DELTA"; empty when a counter of the case's proof cannot be read */
	struct strvec counters;
	bool proven;		/* the proof counters say the path really ran */
};

/* One boot of one kernel. */
struct bench_boot {
	int kernel;		/* index into bench_session.kernels */
	int block;		/* from 1 */
	int order;		/* place in the block, from 1 */
	char *boot_id, *build_id;
	enum boot_state state;
	char *why;
	struct strvec notes;	/* the kernel's WARNING, BUG ... and runs that failed */
	int64_t wall_ms;
};

struct bench_kernel {
	char *label;		/* "base", "p1" ... the last is the patched one */
	char commit[OID_HEX], tree[OID_HEX];
	char *build_id, *release;
};

struct evidence_key {
	char base_tree[OID_HEX], tip_tree[OID_HEX];
	struct strvec patch_ids;
	char config[SHA256_HEX];
	char *compiler;
	char bench_hash[SHA256_HEX];
	char *host_class;	/* "qemu-icount-arm64-cortex-a76" */
};

struct bench_session {
	char *id, *bench;	/* "20261130T130000-abcdef", "swapout" */
	char *host_alias, *arch, *accel, *instrument; /* "real" or "icount" */
	char *host_facts;	/* CPU model, memory, page size, for the record: JSON text */
	int version;		/* draft it was measured for */
	uint64_t seed;
	int blocks, runs;
	int64_t date;
	char *metric, *unit;	/* "pageout", "ns" */
	bool higher_better;
	struct evidence_key key;
	struct strvec cases;	/* "64K", "4K", "64K-zero" ... */
	struct strvec commands; /* one per case: program and arguments */
	struct strvec proofs;	/* one per case: its rules joined by "; ", "" for none */
	char *setup;		/* what the table says of it: "fill page (64K, 4K), ..." */
	/*
	 * The instrument as it was fixed when the session began, in 1e-9 on the log scale;
	 * negative when it was not recorded.
	 */
	int64_t delta_ppb, floor_ppb, q_ppb;
	/* base, [patches,] tip; behind them base again (its commit) in an A/A session */
	struct bench_kernel *kernels;
	size_t n_kernels;
	struct bench_boot *boots;
	size_t n_boots;
	struct sample *samples;
	size_t n_samples;
	bool complete;
};

void bench_session_free(struct bench_session *s);
void bench_session_freep(struct bench_session **s);
#define _cleanup_bench_session_ __attribute__((cleanup(bench_session_freep)))
/* The two documents of a stored session, and back. */
int bench_session_store(const struct bench_session *s, struct json **ret_summary,
			struct json **ret_samples, struct err *err);
int bench_session_parse(const struct json *summary, const struct json *samples,
			struct bench_session **ret, struct err *err);
/* All stored sessions of a series, newest first; bench NULL: of every benchmark. */
int bench_sessions(struct series *s, const char *bench, struct bench_session ***ret,
		   size_t *ret_n, struct err *err);
void bench_sessions_free(struct bench_session **s, size_t n);
/* HASH of bench/HASH/: the first 16 hex digits of the sha256 of "bench ID\n". */
void bench_session_hash(const char *id, char ret[17]);

enum freshness { FRESH_SAME, FRESH_OTHER_BASE, FRESH_STALE };
/*
 * Is the session still true of the draft? Same trees and patch-ids: same; same patch-ids
 * on another base: other base; else stale, and *ret_why says what differs. bench_hash is
 * the benchmark's today; NULL: that of the shipped one of this name, "": not compared.
 */
enum freshness bench_freshness(const struct bench_session *b, const struct series *s,
			       const char *bench_hash, struct buf *ret_why);

#endif
