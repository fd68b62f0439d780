/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listed.h - a posted series as one row of a list: what a maintainer has to know before
 * he opens it.
 *
 * Pure: made from the mails alone. The index stores these rows, the triage view shows
 * them, whatever the mails came from.
 */
#ifndef SERIES_LISTED_H
#define SERIES_LISTED_H

#include "series/posted.h"
#include "series/remark.h"
#include "series/tag.h"

enum listed_word { WORD_AUTHOR, WORD_REVIEWER, WORD_ROBOT };

struct listed {
	char *message_id;    /* of the newest version's cover, else its first patch */
	char *first_id;	     /* the same of the first version: its name for good */
	char *change_id;     /* NULL */
	char *label, *title; /* "v3", "RFC v1"; see struct posted_version */
	char *name, *email;  /* who posted it */
	int version, minor;
	bool rfc, resend, partial, uncertain;
	size_t versions;       /* that are here, this one among them */
	size_t total, missing; /* patches of the newest version */
	int64_t first, posted; /* dates of the first and of the newest version */
	/*
	 * People, not trailers, over all patches of the newest version: in its messages,
	 * and in replies to it or to an older version of what has the same patch-id now.
	 * The author's own do not count, nor what was taken back; conditional ones, those
	 * for a part, of other code, or sent by another than they name, are doubtful.
	 */
	size_t reviewed, acked, tested;
	size_t covered;	 /* patches that have a Reviewed-by or Acked-by */
	size_t doubtful; /* tags that want a decision */
	size_t naks;	 /* people, of any version, that did not take it back */
	/*
	 * Remarks about patches that are still in it. What was said of an older version
	 * before this one was posted is answered by it.
	 */
	size_t open, answered;
	size_t claims; /* of its cover, else of its only patch: see claim.h */
	char *claim;   /* the most of them, "-73 %", "2x"; NULL: none */
	/* Mails of the newest version with a signature in their fields, which nobody
	   verified here: of the sender's server, of the developer. */
	size_t mails, dkim, developer;
	size_t reports; /* of robots that something is wrong, on this version */
	/* The last mail about it by a person, the posting itself counts; WORD_ROBOT when
	   no person's has a date. */
	enum listed_word last_word;
	int64_t last;				/* its date */
	char *last_name, *last_email, *last_id; /* whose, and its Message-ID */
	char *last_answers;   /* address of whose mail it replies to, or NULL */
	char *base_commit;    /* "base-commit:" of the newest version, or NULL */
	struct strvec files;  /* that its patches touch, sorted, each once */
	struct strvec funcs;  /* "FILE\tFUNCTION", sorted, each once */
	struct strvec people; /* addresses in From of all mails about it, in lower case,
				 sorted, each once */
	struct strvec to; /* addresses it was sent to (To and Cc of the newest version),
			     the same way */
	struct strvec patch_ids; /* of the newest version, in order, "" where none is */
	struct strvec mail_ids; /* Message-IDs of the patches, the same way; "" missing */
};

struct listed_all {
	struct listed *v;
	size_t n;
};

/* A row for each series of p, in its order; t is the thread that p was found in. */
void listed_find(const struct thread *t, const struct posted *p, struct listed_all *ret);
void listed_release(struct listed *l);
void listed_all_release(struct listed_all *a);
#define _cleanup_listed_all_ __attribute__((cleanup(listed_all_release)))

#endif
