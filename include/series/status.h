/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.h - where a series stands: patches x {builds}, measurements, postings, what is
 * wrong or stale, and what to do next.
 *
 * Made from the documents of the state alone: nothing is built, nothing scanned, the work
 * tree is not looked at. One struct for the text and for status --json.
 */
#ifndef SERIES_STATUS_H
#define SERIES_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include "series/build.h"
#include "series/finding.h"
#include "series/tagjudge.h"

struct status_patch {
	const struct patch *patch;  /* borrowed; NULL for the row of the base */
	int since;		    /* version that first had this very change */
	bool changed;		    /* the last posted version has it otherwise, or not */
	enum build_outcome *builds; /* one per status.archs */
	struct status_remarks {
		size_t open, answered;
	} remarks;		       /* on it, of all versions */
	struct status_remarks reports; /* of robots; what came again counts once */
};

/* One case of the newest session of a benchmark on a host and arch. */
struct status_bench {
	char *name, *case_name, *host, *arch;
	double effect, lo, hi; /* ratio patched over base, 95 % interval; NAN: unknown */
	char *change;	       /* "-46.6 % [-47.0, -46.1]", "" when unknown */
	char *verdict;	       /* "faster", "fewer instructions"; "" without one */
	char *verdict_text; /* with what belongs to it: "inconclusive (could see 3 %)" */
	bool fresh, emulated;
	char *why; /* why it is not fresh, "" when it is */
};

/* Mails on their way. */
struct status_outbox {
	size_t total, accepted, unsure;
};

struct status {
	const struct series *series; /* borrowed */
	const char *state;	     /* "preparing", "partial", "sent" */
	int64_t behind;	     /* commits of the base ref beyond the base, -1: unknown */
	struct strvec archs; /* that something of the series was built for */
	struct status_patch base;
	struct status_patch *patches; /* series->n_patches */
	struct status_bench *bench;
	size_t n_bench;
	struct status_outbox outbox; /* total 0: none */
	struct review review;
	struct judged tags; /* of review, judged */
	/* on covers, and on patches that are gone */
	struct status_remarks remarks, reports;
	struct findings findings;
	char *next; /* one command or sentence */
};

int status_make(struct series *s, const struct config *c, struct status **ret,
		struct err *err);
void status_free(struct status *st);
void status_freep(struct status **st);
#define _cleanup_status_ __attribute__((cleanup(status_freep)))
/* The document of status --json. */
struct json *status_json(const struct status *st);

#endif
