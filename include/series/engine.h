/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - how a job runs: argv, deadline and output files in, state and log out.
 *
 * One interface for every place a job can run; "local" runs processes here.
 */
#ifndef SERIES_ENGINE_H
#define SERIES_ENGINE_H

#include <stdbool.h>
#include <stdint.h>
#include "series/err.h"
#include "series/str.h"
#include "series/strvec.h"

struct job {
	struct strvec argv;
	struct strvec env;	/* "K=V", "K" unsets */
	const char *cwd;
	int64_t deadline_ms;	/* 0: none */
	const char *log_path;	/* stdout and stderr, appended; NULL: dropped */
	const int *keep;	/* descriptors that stay open in it (proc.h) */
	size_t n_keep;
	void (*on_line)(struct str line, void *arg); /* each line of stdout and stderr, or NULL */
	void *arg;
};

enum job_state { JOB_OK, JOB_FAILED, JOB_TIMEOUT, JOB_INTERRUPTED };

struct job_result {
	enum job_state state;
	int rc;			/* exit status, 128 + signal */
	int64_t wall_ms;
};

/* Run one job to its end. 0 when it ran (see state); E_FAIL when it could not start. */
int engine_run(const struct job *j, struct job_result *ret, struct err *err);

#endif
