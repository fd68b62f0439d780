/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec.h - what is derived from the command rows: full option tables, help texts and the
 * JSON that man pages and completions are made from.
 */
#ifndef SERIES_SPEC_H
#define SERIES_SPEC_H

#include "cmd.h"

/* Options that main adds by flag; they lie behind the command's own option struct. */
struct common_opts {
	const char *name;	/* CMD_SERIES, CMD_DOCS: -s NAME */
	bool json;		/* CMD_JSON: --json */
};

/* Options of the program itself, before the command. */
struct global_opts {
	const char *dir, *color, *complete;
	bool no_pager, version, dump_spec, help;
};
extern const struct opt global_options[];

/*
 * The command's rows and those that its flags add, closed by OPT_END; the caller frees.
 * *ret_common is the offset of struct common_opts in a block of *ret_size bytes.
 */
struct opt *spec_options(const struct cmd *c, size_t *ret_common, size_t *ret_size);

/* "usage: series build [options] ..." */
void spec_usage(const struct cmd *c, struct buf *out);
/* What -h prints. */
void spec_help(const struct cmd *c, struct buf *out);
/* The short help of the program: commands by group. */
void spec_overview(struct buf *out);
/* All rows as JSON: --dump-spec. */
struct json *spec_json(void);

#endif
