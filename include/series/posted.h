/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * posted.h - series that were posted, found among the mails of threads: which mails are
 * covers and patches, of which version, and which versions are of one series.
 *
 * Pure: nothing but the mails is looked at. Versions are put together from subjects,
 * In-Reply-To, author, change-id and patch-ids; versions of one series are linked by
 * change-id (its own, a line that is exactly "change-id: ID"), else by the links of a
 * cover to earlier versions, Supersedes: and Obsoleted-by:, else by titles and patches.
 */
#ifndef SERIES_POSTED_H
#define SERIES_POSTED_H

#include "series/diff.h"
#include "series/subject.h"
#include "series/thread.h"

#define NO_MAIL ((size_t)-1)

enum place_kind {
	PLACE_OTHER, /* a reply, a notice, anything */
	PLACE_COVER,
	PLACE_PATCH,
};

/*
 * What a mail of a thread is; one for each, in parallel to thread.v. Of PLACE_OTHER what
 * it speaks of: see posted_target().
 */
struct place {
	enum place_kind kind;
	size_t version; /* index in posted.v; NO_MAIL: none */
	size_t patch;	/* from 1; 0: the cover */
};

struct posted_patch {
	size_t mail; /* index in the thread, or NO_MAIL: it is not here */
	size_t from; /* index of the version it was posted in: this one, or of a partial
			reroll the one that is followed */
	char *title;
	char patch_id[PATCH_ID_HEX]; /* "" when there is no diff in the mail */
};

/* How sure it is that a version follows the one before. */
enum posted_link {
	LINK_NONE, /* the first */
	LINK_CHANGE_ID,
	LINK_NAMED, /* one names the other by a link, a Message-ID or a reply */
	LINK_TITLE, /* the same author, and titles or patches alike */
};

struct posted_version {
	int version, minor;
	bool rfc, resend;
	char *label;		    /* "v2", "RFC v1", "v5.1" */
	char *title;		    /* of the cover, else of the first patch */
	char *name, *email;	    /* who posted it */
	int64_t date;		    /* of the cover, else of the first patch */
	char *change_id;	    /* NULL */
	size_t cover;		    /* index of the mail, or NO_MAIL */
	struct posted_patch *patch; /* total of them, patch k at [k - 1] */
	size_t total, missing;
	bool partial; /* a reroll of some patches of the version before */
	enum posted_link link;
	/* Of LINK_TITLE: the title is another one, or most patches are, or no number
	 * rose. */
	bool uncertain;
	size_t follows; /* index of the version before, of the same series; or NO_MAIL */
	size_t series;	/* index in posted.series */
	/* Mails that say the same once more: doubled covers, resends. Each has its place,
	   so that replies to it count for the patch. */
	size_t *repeated;
	size_t n_repeated;
};

struct posted_series {
	size_t *v; /* indices of its versions, oldest first */
	size_t n;
};

struct posted {
	struct posted_version *v;
	size_t n;
	struct posted_series *series; /* in the order of their first mails */
	size_t n_series;
	struct place *place; /* thread.n */
	size_t n_places;
	/* Mails with "Re:" that have a whole patch, signed off, below: a new version that
	   somebody sent as a reply, or a reviewer's proposal. Some are a version above.
	 */
	size_t *possible;
	size_t n_possible;
};

/* t was linked (thread_link()). Never fails; mails of no series are PLACE_OTHER. */
void posted_find(const struct thread *t, struct posted *ret);
void posted_release(struct posted *p);
#define _cleanup_posted_ __attribute__((cleanup(posted_release)))
/* The newest version of a series that has all its patches, else the newest. */
size_t posted_newest(const struct posted *p, size_t series);
/*
 * The cover or patch that a mail speaks of: the nearest ancestor by In-Reply-To that is
 * one, no further than a cover; for a cover or patch itself, that. Where the mail that
 * In-Reply-To names is not here, a cover found by References may be further than the
 * patch that was meant: k/n of the subject then tells, or nothing. False: none.
 */
bool posted_target(const struct thread *t, const struct place *place, size_t mail,
		   struct place *ret);
/*
 * Which patch of version `to` a patch of version `from` became: the one that is the same
 * mail, else has its patch-id, else its title. 0, the cover, stays 0; NO_MAIL: none, or
 * another series.
 */
size_t posted_became(const struct posted *p, size_t from, size_t patch, size_t to);
/*
 * What "base-commit: HEX" in the cover or the first patch that has one says (7 to 40
 * digits, git-format-patch(1)), in fresh memory; NULL: nothing.
 */
char *posted_base(const struct thread *t, const struct posted_version *v);

#endif
