/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h: a session judged, ready to be shown in any style.
 *
 * Which boots count: a void one (lost host, wrong kernel, no start of ours) is left out
 * and its repetition in the same block stands for it; a block that lost a kernel for good
 * is counted as dropped and none of its values is used. A kernel that failed to boot in a
 * block did so twice. What a kernel did itself (crash, hang, warning, proof not met)
 * is an outcome of that kernel and removes nothing. A kernel behind the first with the
 * commit of the first is base again (A/A): it is no column, it decides whether the
 * session is void.
 */
#ifndef SERIES_REPORT_H
#define SERIES_REPORT_H

#include "series/bench.h"
#include "series/benchtab.h"

struct bench_report {
	/*
	 * Borrows names from the session, which must live as long, and the rest from the
	 * report. The caller may set table.setup before rendering.
	 */
	struct bench_table table;
	struct verdict_set verdicts; /* one per case, in the session's order */
	double aa_p;		     /* p of base against itself; 1 without A/A */
	/* what the table points to */
	struct bench_row *rows;
	struct bench_cell *cells;
	struct bench_samples *samples;
	int64_t *values;
	const char **kernel_names;
	struct bench_outcome *outcomes;
	size_t *counts, *kernel_boots;
};

/*
 * Judges @s with @ins (NULL: the built-in instrument that the session names) and fills
 * the table. A sample whose counters are empty makes its case "not proven". E_CORRUPT
 * when the session contradicts itself, E_USAGE when there are no two kernels to compare,
 * E_NOTFOUND for an unknown instrument. The caller frees *ret_report.
 */
int bench_report_new(const struct bench_session *s, const struct instrument *ins,
		     struct bench_report **ret_report, struct err *err);
void bench_report_free(struct bench_report *r);
void bench_report_freep(struct bench_report **r);
#define _cleanup_bench_report_ __attribute__((cleanup(bench_report_freep)))

/*
 * The instrument of a session: as it was fixed when the session began; where that was not
 * recorded, series.instrument.NAME.delta|floor|q of @c (NULL: none) over the built-in
 * one. E_USAGE for a setting that is no fraction.
 */
int bench_instrument(const struct bench_session *s, const struct config *c,
		     struct instrument *ret_ins, struct err *err);
/* The session judged with its instrument, table.setup filled; errors of both. */
int bench_report_of(const struct bench_session *s, const struct config *c,
		    struct bench_report **ret_report, struct err *err);
/*
 * What speaks against the series, a line each: cases that are slower (need more)
 * by more than the instrument's delta, outcomes
 * that base has not, a void session. Returns how many.
 */
size_t bench_findings(const struct bench_report *r, struct strvec *ret);
/*
 * Judge @s with its instrument and append its table in @style (NULL: "table"), what an
 * @bench line of a cover stands for. @case_name NULL: all cases, else that one (its
 * verdict stays corrected for all). Same session, same bytes. E_USAGE lists the styles,
 * E_NOTFOUND the cases; else as bench_report_new().
 */
int bench_render(const struct bench_session *s, const struct config *c, const char *style,
		 const char *case_name, struct buf *out, struct err *err);

/*
 * An array for --json, one object per case: name, case, host, arch, emulated, boots,
 * runs, unit, base and patched {mean, sd, boots}, effect (ratio patched over base), ci
 * [lo, hi], p, could_see (a fraction), verdict, below_delta, proof {runs, met}, void,
 * steps [{kernel, measured, effect ...}], outcomes [{what, boots {KERNEL: n}, finding}].
 * What cannot be told is null. The caller frees it.
 */
struct json *bench_report_json(const struct bench_report *r);

#endif
