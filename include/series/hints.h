/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hints.h - what one mail, looked at alone, says of the series it may be of: for an index
 * that has to know which threads belong together before posted_find() can be asked.
 */
#ifndef SERIES_HINTS_H
#define SERIES_HINTS_H

#include "series/subject.h"
#include "series/thread.h"

struct hints {
	bool item;  /* a cover or a patch; a "Re:" with a patch is none here */
	bool first; /* whose title stands for the posting: a cover, 1/n, a single patch */
	struct subject subject; /* of an item */
	char *name, *email;	/* who sent an item; email "" when a list hides it */
	char *change_id;	/* NULL */
	struct strvec named; /* Message-IDs that it names as earlier or later versions */
};

/* t has this one mail and was linked. */
void hints_read(const struct thread *t, struct hints *ret);
void hints_release(struct hints *h);
#define _cleanup_hints_ __attribute__((cleanup(hints_release)))

#endif
