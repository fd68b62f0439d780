/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.h: from the samples of a session to what may be said about the kernels.
 *
 * A session measures kernels 0 (base) to K (last patch) in blocks; a block boots every
 * kernel once, a boot runs every case several times. The boot is the unit: its runs are
 * correlated and count as one observation, the mean of ln(value). Effects, intervals and
 * limits are on the scale of logarithms, patched over base: -0.1 is about 10 % less.
 */
#ifndef SERIES_VERDICT_H
#define SERIES_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "series/buf.h"
#include "series/err.h"

/* ---- the instrument ---- */

/*
 * What the way of measuring can tell, fixed before measuring. All fractions on the log
 * scale. The defaults may be overridden from config
 * (series.instrument.NAME.delta|floor|q).
 */
struct instrument {
	const char *name; /* static or borrowed */
	double delta;	  /* closer than this is the same */
	double floor;	  /* smaller effects are never called faster or slower */
	double q; /* two boots of the same kernel may always differ by this (sd) */
	bool instructions; /* it counts instructions: the words never speak of speed */
};

/*
 * Copies the built-in instrument @name: "real" (delta .01, floor .002, q 0) or "icount"
 * (delta .001, floor .0002, q .0001). E_NOTFOUND for another name.
 */
int instrument_find(const char *name, struct instrument *ret_ins, struct err *err);
/* 0 when the values make sense (0 <= floor <= delta < 1, 0 <= q < 1), E_USAGE if not. */
int instrument_check(const struct instrument *ins, struct err *err);

/* ---- samples in ---- */

#define SAMPLE_NONE INT64_MIN /* this run has no value: it failed, that is an outcome */

/* One case (and metric). Borrowed. values[(k * blocks + b) * runs + r] > 0 or
 * SAMPLE_NONE. */
struct bench_samples {
	const char *name;
	size_t kernels, blocks, runs;
	const int64_t *values;
};

enum bench_better { BENCH_LOWER, BENCH_HIGHER };

#define VERDICT_ALPHA .05
#define VERDICT_ALPHA_UNTIL                                                              \
	.035		   /* for the stated 95 % when the session may stop early        \
			    */
#define VERDICT_VOID_P .01 /* base against itself */

struct verdict_rule {
	struct instrument ins;
	enum bench_better better;
	double alpha;  /* 0 means VERDICT_ALPHA */
	uint64_t seed; /* of the simulated limit for equal variances */
};

/* ---- verdicts out ---- */

enum verdict_word {
	VERDICT_NONE, /* one block, or no block with both kernels: numbers only */
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_UNCHANGED,
	VERDICT_INCONCLUSIVE,
};

/* One kernel over another. */
struct verdict {
	enum verdict_word word;
	bool instructions; /* say fewer, more, same instructions */
	bool below_delta;  /* faster or slower, yet the whole interval lies inside +-delta
			    */
	size_t blocks;	   /* blocks that had both */
	double effect;	   /* ln(new / old) */
	double lo, hi;	   /* its 95 % interval; infinite without a verdict */
	double se, nu;
	double p_raw; /* of this comparison alone */
	double p;     /* Holm-corrected: over the cases, for a step over the steps */
	double mde;   /* what the session could see with probability .8 */
};

/* One case. */
struct verdict_case {
	struct verdict total;  /* last kernel over base: paired t over blocks */
	size_t nsteps;	       /* K when K > 1, else 0 */
	struct verdict *steps; /* kernel k + 1 over kernel k */
	bool pooled;	       /* steps from the pooled block model */
	double ratio, limit; /* of the kernels' residual variances, and what 1 % exceed */
};

struct verdict_set {
	size_t n;
	struct verdict_case *cases;
};

/*
 * Judges @n cases of one session. The last kernel over base: paired t over blocks on mean
 * logs, corrected over the cases (Holm). With more than two kernels also each step:
 * pooled block model, nu = K(B - 1), corrected over the steps of the case, intervals
 * adjusted for their number (Bonferroni); paired t for each when the kernels' variances
 * differ.
 *
 * faster/slower: corrected p < alpha and |effect| >= floor. unchanged: p >= alpha and the
 * 1 - 2 alpha interval (90 %) inside +-delta. Else inconclusive. E_CORRUPT for a value
 * that is not positive, E_USAGE for a matrix without base and patched kernel.
 * @ret_set is released with verdict_set_release().
 */
int verdict_judge(const struct bench_samples *cases, size_t n,
		  const struct verdict_rule *rule, struct verdict_set *ret_set,
		  struct err *err);
void verdict_set_release(struct verdict_set *set);

/*
 * The gate of an A/A session (kernel 0 and the last one are the same build): *ret_p is
 * the smallest p, corrected over the cases; below VERDICT_VOID_P the session is void.
 * Says nothing else.
 */
int verdict_aa(const struct bench_samples *cases, size_t n,
	       const struct verdict_rule *rule, double *ret_p, struct err *err);

/*
 * Stop rule of --until: true when every total has at least 6 blocks and an interval whose
 * half width is at most @width (a fraction, log scale), or when 20 blocks are done. Never
 * looks at p. The rule must have been judged with VERDICT_ALPHA_UNTIL.
 */
bool verdict_until(const struct verdict_set *set, double width);

/* ---- words ---- */

/* "faster", "slower", "unchanged", "inconclusive", "none"; with instructions "fewer ..."
 */
const char *verdict_word(const struct verdict *v);
/* The word with what belongs to it: ", below delta" or " (could see 3.4 %)". "" for none.
 */
void verdict_text(struct buf *out, const struct verdict *v);
/* "-12.5 % [-12.9, -12.1]"; without an interval "-12.5 %". */
void verdict_change(struct buf *out, const struct verdict *v);

/* @x with @decimals (0..9) digits behind the point, whatever the locale; |x| < 1e9. */
void verdict_fixed(struct buf *out, double x, int decimals);
/* @x >= 0 with two significant digits: 12, 1.5, 0.15; no more than 6 decimals. */
void verdict_two_digits(struct buf *out, double x);

#endif
