/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_posted.h - what was posted in a thread: series, their versions, patches that are
 * missing or come from another version. On the terminal and as JSON.
 */
#ifndef SERIES_SHOW_POSTED_H
#define SERIES_SHOW_POSTED_H

#include "series/out.h"
#include "show_review.h"

/*
 * A paragraph for each series with what came back for it, and an empty line; nothing
 * where nothing was posted.
 */
void show_posted(struct out *o, const struct show_review *r);
/* Array of series, each with its versions, oldest first, and what came back. */
struct json *posted_json(const struct show_review *r);
/* Array of the Message-IDs of posted.possible. */
struct json *possible_json(const struct thread *t, const struct posted *p);

#endif
