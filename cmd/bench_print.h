/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_print.h: what "series bench" and "series report" print. */
#ifndef CMD_BENCH_PRINT_H
#define CMD_BENCH_PRINT_H

#include "series/bench.h"
#include "series/benchdef.h"
#include "series/report.h"
#include "cmd.h"

/* A session for --json: its summary, its verdicts and whether it is still true. */
struct json *bench_print_session(const struct bench_session *s,
				 const struct bench_report *r, const struct series *series);
/* A definition: what it runs, and the proof it asks for. */
void bench_print_def(struct out *o, const struct bench_def *d);
struct json *bench_def_json(const struct bench_def *d);
/* Definitions, sessions of the series, sessions that were begun: text or JSON into c->out. */
int bench_print_list(struct ctx *c, struct err *err);
/* One line on how old and how true a session is. */
void bench_print_fresh(struct out *o, const struct bench_session *s,
		       const struct series *series);
/* Arguments, else series.bench, else the @bench lines of the cover. E_USAGE for none. */
int bench_which(struct ctx *c, const struct strvec *args, struct strvec *ret,
		struct err *err);

#endif
