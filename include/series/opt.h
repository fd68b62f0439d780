/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opt.h - one option table drives parsing, -h, man pages, completions and --dump-spec.
 *
 * A row holds the offset of its field in the command's option struct. Rows end with
 * OPT_END. Long options take "--name=value" and "--name value", may be cut short when
 * that is unique, and flags can be negated with --no-NAME when the row allows it. The
 * value of an OPT_OPTIONAL row is only taken from --name=value, never from the next word.
 * An OPT_LIST row with another option behind it takes the first plain word after that:
 * "--done --in v1 ID".
 */
#ifndef SERIES_OPT_H
#define SERIES_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/strvec.h"

enum opt_kind {
	OPT_FLAG,    /* bool */
	OPT_STRING,  /* const char *, borrowed from argv */
	OPT_LIST,    /* struct strvec, one more each time */
	OPT_INT,     /* int within [lo, hi] */
	OPT_CHOICE,  /* const char *, one of choices */
	OPT_OPTIONAL, /* const char *: NULL, "" for --name alone, the value of --name=value */
};

struct opt {
	const char *name;	/* long name without dashes; NULL ends the table */
	char letter;		/* 0: none */
	enum opt_kind kind;
	size_t offset;
	const char *arg;	/* name of the argument: "REF" */
	const char *help;	/* one line, no full stop */
	const char *const *choices; /* NULL-terminated */
	const char *complete;	/* "series", "host", "arch", "bench", "file", "dir", "ref" */
	int lo, hi;
	bool negatable;
	const char *also;	/* other words people try, with blanks between: for "did you mean" */
};

#define OPT_END { .name = NULL }

/*
 * Parse argv[0..argc): options into base, the rest (and everything behind "--") into
 * *args. Options may stand behind arguments; "-" is an argument. Letters can be grouped
 * ("-ab", "-j8"). --no-NAME of a row that is not a flag forgets its value. E_USAGE names
 * the option and what it expects; base may be filled in part then, opt_release() it.
 */
int opt_parse(const struct opt *table, void *base, int argc, char **argv,
	      struct strvec *args, struct err *err);
/* Free the lists that opt_parse() filled. */
void opt_release(const struct opt *table, void *base);
/* What stands for the argument in help: arg, else "a|b|c", "N" or "VALUE"; nothing for flags. */
void opt_arg(const struct opt *row, struct buf *out);
/* Aligned help lines: "  -o, --output DIR     write the mails there". */
void opt_help(const struct opt *table, struct buf *out);

/*
 * How far a mistyped word is from a name, for "did you mean": smaller is nearer,
 * NEAREST_NONE when it is another word.
 */
#define NEAREST_NONE ((size_t)-1)
size_t nearest_score(struct str typed, const char *name);

#endif
