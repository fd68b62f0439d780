/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * update.h - the review of a series: what came back is fetched, found and kept.
 */
#ifndef SERIES_UPDATE_H
#define SERIES_UPDATE_H

#include "series/series.h"
#include "series/strvec.h"

struct update_opts {
	/*
	 * Where mails are read from: an mbox, gzipped or not (mboxrd), a Maildir, a
	 * mirror of a list (mirror.h), or the Message-ID or link of another thread. NULL:
	 * the archive's threads of all versions.
	 */
	const char *from;
	bool offline; /* what was fetched before */
};

struct updated {
	size_t mails;		       /* that are of the series or speak of it */
	size_t read, found;	       /* of opts.from: all its mails, those among mails */
	size_t tags, remarks, reports; /* new documents */
	size_t changed;		       /* known ones that say something else now */
	struct strvec news;	       /* a line for each, in the order they came */
	struct strvec old;	       /* threads that are a copy of before, and why */
	struct strvec failed;	       /* threads that could not be had, and why */
};

/*
 * Fetch, find, and write what is new into the state in one commit; nothing new: none. A
 * thread that fails stops no other: what came is kept, and failed says the rest.
 * E_NOTFOUND when nothing was posted. Free with updated_release().
 */
int series_update(struct series *s, const struct config *c, const struct update_opts *o,
		  struct updated *ret, struct err *err);
void updated_release(struct updated *u);
#define _cleanup_updated_ __attribute__((cleanup(updated_release)))

#endif
