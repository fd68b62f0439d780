/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_print.h - the answer of series build.
 */
#ifndef CMD_BUILD_PRINT_H
#define CMD_BUILD_PRINT_H

#include "series/build.h"
#include "cmd.h"

/* One arch and config. */
struct column {
	const char *arch, *config;
	const char *what; /* row of --config matrix that chose the arch ("32-bit"), or NULL */
	struct build_report report;
};

/* Rows: the base and patches. Columns: what was asked for, reports empty if not built. */
struct build_work {
	const char **commits, **labels, **subjects;
	struct strvec names; /* owns the labels */
	struct strvec archs, configs; /* own those of the columns */
	size_t n;
	char *base_subject;
	struct column *cols;
	size_t n_cols;
};

void build_print_text(struct ctx *c, const struct build_work *w);
/* The caller owns it. */
struct json *build_print_json(const struct ctx *c, const struct build_work *w);

#endif
