/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - everything about a posting that makes a reviewer sigh.
 *
 * A check is a row {id, default severity, what it says} of one table (lib/desk/check.c)
 * and a function in a file of its own (lib/desk/check_NAME.c). Rows without a function
 * are found by whoever makes the mails (post.h); they are in the table so that one
 * setting, series.check.ID = off | warn | error, holds for all.
 */
#ifndef SERIES_CHECK_H
#define SERIES_CHECK_H

#include <stdbool.h>
#include "series/post.h"

enum check_outcome {
	CHECK_PASSED,
	CHECK_FOUND,
	CHECK_OFF,     /* by a setting, or not among those asked for */
	CHECK_SKIPPED, /* there is nothing to look at: no mails, a posting that is
			  repeated */
};

struct check_result {
	const char *id, *about; /* of the table */
	enum severity severity;
	bool fixed; /* no setting changes it: nothing could be sent */
	enum check_outcome outcome;
};

struct checks {
	struct check_result *v; /* in the order of the table */
	size_t n;
};

/*
 * Look at what post_prepare() made and add to p->findings; the severities that the
 * settings say are given to those that are there already, and those that are off or not
 * named by only (NULL or empty: all) are taken away. again: a version is posted once
 * more, so that only its mails are looked at. Nothing of the user's is touched: not the
 * work tree, the index nor the object database. Answers of checkpatch are kept below
 * $XDG_CACHE_HOME/series/checkpatch/. E_USAGE names an id or a setting that is none.
 * Free with checks_release().
 */
int check_posting(struct series *s, const struct config *c, struct post *p, bool again,
		  const struct strvec *only, struct checks *ret, struct err *err);
struct thread;
struct posted;
/*
 * The checks that need only mails, of a version that others posted; c may be NULL. Add to
 * *found, without remedies, which are the poster's business.
 */
int check_posted(const struct thread *t, const struct posted *p, size_t version,
		 const struct config *c, const struct strvec *only,
		 struct findings *found, struct checks *ret, struct err *err);
/* The table with the severities of the settings (NULL: the default ones); nothing is
   looked at. */
int check_list(const struct config *c, const struct strvec *only, struct checks *ret,
	       struct err *err);
void checks_release(struct checks *c);
#define _cleanup_checks_ __attribute__((cleanup(checks_release)))
/* Array of {id, severity, fixed, about, state}. */
struct json *checks_json(const struct checks *c);

#endif
