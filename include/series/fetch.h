/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetch.h - threads of mail from a public-inbox server, kept for when it is out of reach.
 *
 * The server is series.midmask, else b4.midmask, else lore.kernel.org: an address with %s
 * for the Message-ID, below which /t.mbox.gz is the thread (public-inbox, mboxrd). A
 * search is a POST to the list ("?q=QUERY&x=m", "&t=1" for threads) with an empty body,
 * for a GET gives a page.
 */
#ifndef SERIES_FETCH_H
#define SERIES_FETCH_H

#include "series/git.h"
#include "series/thread.h"

#define MID_MASK "https://lore.kernel.org/all/%s"

/*
 * The Message-ID that a word of a command line means: itself, with or without <>, or the
 * link of an archive that ends in it ("https://lore.kernel.org/r/ID/"). NULL if it has no
 * "@", or what no id has: control characters, more than 998 bytes. Fresh memory.
 */
char *fetch_message_id(const char *word);

struct fetched {
	char *path;	    /* of a gzipped mboxrd; NULL: a search that found nothing */
	bool passing;	    /* it is not kept: the file goes with this struct */
	int64_t kept_since; /* when it was fetched, if not now */
	char *why;	    /* and why the server did not help, if it was asked */
};

/*
 * Fetch the thread that has the mail. Asks again after a 429 or 503, as long as the
 * server says, three times at most. What comes is kept when it is a whole mbox. Without
 * that the copy of last time is taken and why says so; offline asks nobody. Where the
 * cache cannot be written the thread is fetched all the same. E_NOTFOUND: the server does
 * not have the mail, or there is no copy. c may be NULL.
 */
int fetch_thread(const struct config *c, const char *message_id, bool offline,
		 struct fetched *ret, struct err *err);

struct search {
	const char *query; /* as at the server's search box; may be NULL with since */
	int64_t since;	   /* what the list received since then (s since 1970); 0: all */
	bool threads;	   /* whole threads of what is found */
};

/*
 * Search the archive's list: the address up to the %s. The same as fetch_thread(), but
 * that nothing found is 0 with ret->path NULL (a server says the same of a query that it
 * does not understand), and that what is asked with a time is not kept: nobody asks that
 * again. E_FAIL where the list has no index; E_USAGE without query and time, which would
 * fetch all there is.
 */
int fetch_search(const struct config *c, const struct search *s, bool offline,
		 struct fetched *ret, struct err *err);
void fetched_release(struct fetched *f);
#define _cleanup_fetched_ __attribute__((cleanup(fetched_release)))

#endif
