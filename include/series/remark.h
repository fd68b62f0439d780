/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remark.h - pieces of review that want an answer.
 *
 * A remark is a run of unquoted text in a reply of somebody else than the author, with
 * the quoted lines right above it. Greetings, signatures, tags and what robots write are
 * none. The rule is simple and honest: it is answered when the author replied to that
 * mail and quoted lines of it; else it is open. Done is what a person says (state).
 */
#ifndef SERIES_REMARK_H
#define SERIES_REMARK_H

#include "series/posted.h"

struct remark {
	size_t mail;	    /* index in the thread */
	size_t version;	    /* index in posted.v */
	size_t patch;	    /* from 1; 0: the cover */
	size_t line;	    /* in the text of the mail, from 1 */
	char *name, *email; /* who wrote it; where a list put itself into From, what it
			       says of the person, as far as it does */
	char *quoted;  /* the lines above it that were quoted, without one level of ">" */
	char *text;    /* what the reviewer wrote */
	bool question; /* there is a "?" in it */
	char *file;    /* of the patch, that the quoted lines are from; NULL */
	int64_t old_line, new_line; /* of the last quoted line in file; 0: not there */
	char *code;    /* that line of the new file, without its mark; NULL: none */
	size_t answer; /* index of the mail in which the author answered, or NO_MAIL */
};

struct remarks {
	struct remark *v;
	size_t n, cap;
};

/* All of a thread, in the order of the mails. */
void remarks_find(const struct thread *t, const struct posted *p, struct remarks *ret);
/*
 * Is it open, seen from a version of its series? What was said of an older one before this
 * one was posted is answered by it.
 */
bool remark_stands(const struct thread *t, const struct posted *p, const struct remark *m,
		   size_t version);
void remarks_release(struct remarks *r);
#define _cleanup_remarks_ __attribute__((cleanup(remarks_release)))

#endif
