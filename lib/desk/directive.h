/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * directive.h - lines of a cover letter that stand for something else.
 */
#ifndef SERIES_DIRECTIVE_H
#define SERIES_DIRECTIVE_H

#include "series/finding.h"
#include "series/git.h"
#include "series/series.h"

struct render {
	struct series *series;
	const struct config *config;
	struct str text;	/* all of cover.txt */
	const char *where;	/* "cover.txt:12": the directive at hand */
	struct findings *findings;
	bool emulated;		/* set when a table is of an emulated machine */
};

/*
 * Append what the line stands for. What is wrong with it is a finding; an error only when
 * stored results cannot be read.
 */
int directive_render(struct render *r, struct str line, struct buf *out, struct err *err);

#endif
