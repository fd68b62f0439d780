/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * benchtab.h: results as people on kernel lists write them.
 *
 * A struct bench_table is plain and borrowed: whoever fills it keeps what it points to
 * alive while it is rendered. Rendering knows no clock, no locale and no terminal: the
 * same struct gives the same bytes. At most 72 columns of ASCII, as long as the names
 * given fit; names of benchmarks, cases and hosts go through as they are.
 */
#ifndef SERIES_BENCHTAB_H
#define SERIES_BENCHTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/verdict.h"

#define BENCHTAB_WIDTH 72

enum bench_style {
	BENCH_STYLE_TABLE,	  /* case | base | patched | change [95 % CI] | verdict */
	BENCH_STYLE_MEAN,	  /* Vanilla - Mean: N ns, std dev of boots: 12% */
	BENCH_STYLE_BEFORE_AFTER, /* Before the patchset: / T1: 7.9 seconds */
	BENCH_STYLE_RUNS,	  /* every run of base and patched, one a line */
	BENCH_STYLE_STEPS, /* After patch 1: avg: 10.58s, stddev: 0.04, and its effect */
	BENCH_STYLE_TIME,  /* real, user, sys of both, as time(1) prints them */
	BENCH_STYLE_CSV,   /* one comparison a line, RFC 4180 */
};

/* "table", "mean", "before-after", "runs", "steps", "time", "csv"; E_USAGE lists them. */
int bench_style_find(const char *name, enum bench_style *ret_style, struct err *err);

/* One kernel in one case, over its boots; of a boot counts the mean of its runs. */
struct bench_cell {
	int64_t mean; /* in the table's unit, rounded */
	int64_t sd;   /* of the boots, n - 1; 0 for one boot */
	size_t boots; /* that have a value */
};

/* Did the path under test really run? From counters read around every run. */
enum bench_proof {
	BENCH_PROOF_NONE,    /* the benchmark defines no proof */
	BENCH_PROOF_COUNTED, /* met in proof_met of proof_runs runs */
	BENCH_PROOF_ABSENT,  /* this kernel lacks the counters: not proven */
};

struct bench_row {
	const char *name;   /* of the case */
	const char *metric; /* "real", "user", "sys"; NULL when there is only one */
	const struct bench_cell *cells;	     /* one per kernel */
	const struct bench_samples *samples; /* for style runs; may be NULL */
	const struct verdict_case *verdict;  /* may be NULL */
	enum bench_proof proof;
	size_t proof_runs, proof_met;
};

/* A thing that happened to kernels: "WARNING", "oops", "proof not met". */
struct bench_outcome {
	const char *what;
	const size_t *boots; /* one per kernel: boots in which it happened */
};

struct bench_table {
	const char *bench; /* "swapout" */
	const char *unit; /* "ns" is scaled to us, ms or s; anything else printed as is */
	const char *setup; /* "fill page, swap on zram"; NULL for nothing to say */
	enum bench_better better;
	bool emulated;	   /* icount or TCG: every style says so */
	bool instructions; /* the instrument counts instructions (icount) */
	bool is_void;	   /* base differed from itself (A/A gate) */

	size_t kernels; /* base, after patch 1, ... */
	const char *const
		*kernel_names; /* one per kernel, for CSV; NULL: base, 1, 2, ... */
	size_t nrows;
	const struct bench_row *rows;
	size_t noutcomes;
	const struct bench_outcome *outcomes;
	/* boots per kernel in which an outcome could happen, those of dropped blocks and
	 * of base again too; NULL: boots */
	const size_t *kernel_boots;

	size_t boots, runs; /* per kernel, and per boot and case */
	size_t dropped;	    /* blocks that were void too often */
	const char *host;   /* alias */
	const char *arch;
	const char *release; /* of the base kernel */
	const char *compiler;
};

/* Appends the table in @style, lines ending in LF. */
void bench_table_render(struct buf *out, const struct bench_table *t,
			enum bench_style style);

/* The cell of kernel @k: means of boots, from the samples. No value at all: all 0. */
struct bench_cell bench_cell_of(const struct bench_samples *s, size_t k);

/*
 * The label of an emulated result, "instruction cost (emulated)" for an instrument that
 * counts instructions, else "time (emulated)"; NULL for one measured on hardware.
 */
const char *bench_table_label(const struct bench_table *t);

#endif
