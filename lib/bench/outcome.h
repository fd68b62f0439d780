/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outcome.h: what a boot says about its kernel. Private to lib/bench. */
#ifndef BENCH_OUTCOME_H
#define BENCH_OUTCOME_H

#include "series/bench.h"

enum outcome_kind {
	OUTCOME_CRASHED,
	OUTCOME_HUNG,
	OUTCOME_NO_BOOT,
	OUTCOME_UNPROVEN, /* set by whoever sees the samples */
	OUTCOME_RUN,	  /* a run that failed */
	OUTCOME_TAINT,
	OUTCOME_LOCKUP,	  /* from here on: messages of the kernel */
	OUTCOME_RCU,
	OUTCOME_HUNG_TASK,
	OUTCOME_OOM,
	OUTCOME_ALLOC,
	OUTCOME_WARNING,
	OUTCOME_BUG,
	OUTCOME_OTHER,
	OUTCOME_KINDS,
};

/* How notes of our own begin; all others are the kernel's words. */
#define NOTE_RUN   "run failed: "
#define NOTE_PROOF "proof not met: "
#define NOTE_TAINT "kernel tainted: "

/* True when the boot counts: false for void ones, which are nothing about the kernel. */
bool outcome_counts(enum boot_state state);
/* "crashed", "WARNING" ... Static. */
const char *outcome_name(enum outcome_kind kind);
/* Bits 1 << kind from its state and the kernel's messages. */
unsigned outcome_of_boot(const struct bench_boot *b);

#endif
