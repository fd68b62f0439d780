/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * triage_run.h - programs that get the mails of a series: from the command line, and from
 * the full-screen view.
 */
#ifndef CMD_TRIAGE_RUN_H
#define CMD_TRIAGE_RUN_H

#include "triage_opts.h"

/*
 * All mails of a row in a folder of their own: as an mbox, or decoded as series show has
 * them. The caller removes the folder.
 */
int triage_write(const struct triage *t, size_t row, bool mbox, char **ret_dir,
		 char **ret_path, struct err *err);

enum triage_program { RUN_PAGER, RUN_MUTT, RUN_BROWSER };
/* What is to be run in the foreground; *ret_dir (may become NULL) goes when it has ended.
 */
int triage_program(struct ctx *c, const struct triage *t, size_t row, const char *id,
		   enum triage_program which, struct strvec *ret_argv, char **ret_dir,
		   struct err *err);
/*
 * Make a series triage-NAME of it with the branch triage/NAME, which is not checked out,
 * or take the one that is there; then series build of it, or series bench.
 */
int triage_build(struct ctx *c, const struct triage *t, size_t row, bool bench,
		 struct err *err);
/* --pager, --mutt, --browser, --build, --bench of the command line. */
bool triage_runs(const struct triage_cmd_opts *o);
int triage_run(struct ctx *c, const struct triage_cmd_opts *o, const struct triage *t,
	       struct err *err);

/* Does a row apply to series.triage.base? series itself finds out, in the background. */
struct triage_try;
int triage_try_start(const struct triage *t, size_t row, struct triage_try **ret,
		     struct err *err);
/* Wait up to wait_ms; true when it ended and what it found is noted. */
bool triage_try_poll(struct triage_try *y, struct triage *t, int wait_ms);
size_t triage_try_row(const struct triage_try *y);
/* Ends it when it runs. NULL is allowed. */
void triage_try_free(struct triage_try *y);
/* --try: all rows of v that were not tried yet, one after the other. */
int triage_try_all(struct triage *t, const size_t *v, size_t n, struct err *err);

#endif
