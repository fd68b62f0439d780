/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd.h - a command is a row: what it is called, what it needs, what it does.
 *
 * Each cmd_NAME.c ends with its own const struct cmd; commands.c lists them in the order
 * of the help. main.c opens what the row's flags ask for and calls run() with resources
 * in hand; run() calls one function of desk (or below) and hands the struct it gets to a
 * text or JSON printer. Everything people read about a command (-h, man page, completion)
 * is derived from its row.
 */
#ifndef SERIES_CMD_H
#define SERIES_CMD_H

#include "series/err.h"
#include "series/git.h"
#include "series/opt.h"
#include "series/out.h"
#include "series/series.h"

enum {
	CMD_REPO = 1,	   /* ctx.repo and ctx.config are open */
	CMD_SERIES = 2,	   /* and ctx.series is loaded: -s NAME or the branch's */
	CMD_JSON = 4,	   /* takes --json */
	CMD_MAYBE_REPO = 8, /* like CMD_REPO; outside a repository ctx.repo is NULL and
			       ctx.config has the user's own settings (NULL: no git) */
	CMD_DOCS = 16,	    /* like CMD_SERIES, but series_open(): no base, no patches */
	CMD_NAME_ARG = 32,  /* the first argument, if any, is the same as -s NAME */
	CMD_MAYBE_SERIES = 64, /* like CMD_SERIES, but NULL where the branch has none */
};

struct ctx {
	struct out out;
	struct repo *repo;
	struct config *config;
	struct series *series;
	bool json;		/* --json was given */
	const char *name;	/* -s NAME, or NULL */
};

struct cmd {
	const char *name;	/* "host" */
	const char *group;	/* "prepare", "build", "measure", "post", "other" */
	const char *summary;	/* one line, no full stop */
	const char *synopsis;	/* arguments behind the options: "[NAME]" */
	const char *about;	/* paragraphs of the man page, blank line between */
	/* Sentences: what its exit status 2 means; NULL: it never ends with that. */
	const char *findings;
	const char *examples;	/* "command line\n\tWhat it does\n" ..., may be NULL */
	const struct opt *opts;
	size_t opts_size;	/* of the option struct that opts points into */
	unsigned flags;
	/* What to open with these options and arguments, 0: what flags say. May be NULL. */
	unsigned (*needs)(const void *opts, const struct strvec *args);
	int min_args, max_args;	/* max -1: any number */
	const char *complete;	/* what completes its arguments, as in struct opt */
	/* 0 or an error code; E_FINDINGS may come with answer in c->out. */
	int (*run)(struct ctx *c, void *opts, struct strvec *args, struct err *err);
};

/* All commands, closed by NULL. */
extern const struct cmd *const commands[];

/* Command by name, or NULL. */
const struct cmd *cmd_find(const char *name);
/* E_USAGE for a name that is none, with the nearest that is one. */
int cmd_unknown(const char *name, struct err *err);
/* Version of the program: "0.1.0". */
const char *cmd_version_string(void);

#endif
