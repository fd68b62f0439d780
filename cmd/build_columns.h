/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_columns.h - what series build builds: a column for each architecture and
 * configuration.
 */
#ifndef CMD_BUILD_COLUMNS_H
#define CMD_BUILD_COLUMNS_H

#include "build_print.h"

struct build_opts {
	struct strvec arch, config;
	bool each, bisect, gc, w1, sparse;
	int jobs;
};

/* The columns that were asked for; "--arch all" is one for each row of the table. */
void build_columns_make(struct ctx *c, const struct build_opts *o, struct build_work *w);
/*
 * Build them side by side; those without a result go from w. A compiler that is
 * not here stops the other architectures as little as findings do: it is named, and an
 * error unless all were asked for, which means those that can be built here.
 */
int build_columns_run(struct ctx *c, const struct build_opts *o, struct build_work *w,
		      struct err *err);

/*
 * rc, which building a column ended with, unless its compiler is not here and nobody named
 * its architecture: then what err says is a note, and it is 0.
 */
int build_column_missing(const struct build_opts *o, const struct column *col, int rc,
			 struct err *err);

/*
 * --bisect: of w, which has every patch, the first that does not build, by halves; printed.
 * The results are stored. E_FINDINGS: there is one.
 */
int build_bisect(struct ctx *c, const struct build_opts *o, const struct build_work *w,
		 struct err *err);

#endif
