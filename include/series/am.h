/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * am.h - patches that somebody posted, applied to the branch that is checked out, with
 * the tags that replies gave them.
 *
 * am_open() decides what is to be applied and touches nothing; am_try() applies it where
 * nobody sees it; am_apply() hands mails to git am -3, so that hooks, signatures and what
 * a conflict leaves are git's.
 */
#ifndef SERIES_AM_H
#define SERIES_AM_H

#include "series/git.h"
#include "series/tag.h"

struct am_opts {
	const char *version; /* "2", "v2", "5.1", "rfc1"; NULL: the newest complete one */
	size_t asked;	     /* version of the mail that was asked for, or NO_MAIL */
	const char *patches; /* "1,3-5"; NULL: all */
	const struct strvec *take; /* addresses of people whose tags are taken though
				      something speaks against it; may be NULL */
	bool no_tags;
	bool link, msgid; /* a trailer Link:, Message-ID: */
};

/* What becomes of a tag. All but AM_TAG_TAKEN want a decision of the user. */
enum am_tag_state {
	AM_TAG_TAKEN,
	AM_TAG_CHANGED,	    /* given to another version, and the patch is not the same */
	AM_TAG_CONDITIONAL, /* "with that fixed" */
	AM_TAG_PART,	    /* "for the arm64 bits" */
	AM_TAG_PROPOSAL,    /* for a patch in a reply */
	AM_TAG_OTHER,	    /* somebody else sent it */
	AM_TAG_AUTHOR,	    /* the author's own opinion */
	AM_TAG_OFFERED,	    /* Reported-by, Suggested-by */
	AM_TAG_RETRACTED,   /* never taken */
	AM_TAG_NAK,	    /* never taken */
};

struct am_tag {
	const struct tag *tag; /* borrowed from struct am */
	size_t patch;	       /* of the version, from 1; 0: a NAK of the cover */
	enum am_tag_state state;
	bool same; /* it was given to this very patch; of a NAK */
	bool take; /* it goes into the commit; may be set by who asks the user */
};

struct am_patch {
	size_t n;    /* of the version, from 1 */
	size_t mail; /* index in the thread */
	const char *title;
	/* am_try(): its change is there already, nothing is to be applied */
	bool there;
	bool strip_cr; /* am_try(): it applies without the CRs at its line ends */
};

struct am {
	struct repo *repo; /* all borrowed */
	const struct config *config;
	const struct thread *thread;
	const struct posted *posted;
	const struct am_opts *opts;
	size_t version;		/* index in posted->v */
	struct am_patch *patch; /* those to be applied */
	size_t n_patches;
	struct tags tags;
	struct am_tag *tag; /* by patch, in the order they came */
	size_t n_tags, cap_tags;
	struct strvec notes; /* what the user should know: a newer version, ... */
};

/*
 * Which version and patches of a series, and with which tags. E_FAIL names patches that
 * are not here; E_NOTFOUND, E_USAGE: a version or patch that is none. Settings:
 * series.tags.changed (keep takes tags of changed patches, drop says they are not asked
 * for).
 */
int am_open(struct repo *r, const struct config *c, const struct thread *t,
	    const struct posted *p, size_t series, const struct am_opts *o,
	    struct am *ret, struct err *err);
void am_release(struct am *a);
#define _cleanup_am_ __attribute__((cleanup(am_release)))
/* In words, "changed since v1"; "" for one that is taken. Appended to *out. */
void am_tag_why(const struct am *a, const struct am_tag *t, struct buf *out);
/* May the user say yes to it? */
bool am_tag_asks(const struct am *a, const struct am_tag *t);
/* A NAK of what is to be applied, that nobody took back; or NULL. */
const struct am_tag *am_nak(const struct am *a);

/* What came of a trial. */
struct am_trial {
	size_t fails; /* index of the patch that does not apply; n_patches: all do */
	char *why;    /* git's words: file and line; "" */
	struct strvec
		missing; /* "FILE (BLOB)": what a merge would need and is not here */
};

/*
 * Apply all to a commit, in a room apart; sets patch[].there. What does not apply is no
 * error.
 */
int am_try(struct am *a, const char *on, struct am_trial *ret, struct err *err);
void am_trial_release(struct am_trial *t);
#define _cleanup_am_trial_ __attribute__((cleanup(am_trial_release)))

/* A commit on which all patches apply. */
struct am_base {
	char commit[OID_HEX];
	char *name; /* "v6.12-rc3", "origin/main"; "" when it has none */
	char *said; /* a base-commit that is named and not here, or NULL */
};

/*
 * The likeliest base: base-commit, the newest commit with the files that the index lines
 * name, upstream and main branches. E_NOTFOUND: they apply on none of these; ret->said is
 * set then, too.
 */
int am_find_base(struct am *a, struct am_base *ret, struct err *err);
void am_base_release(struct am_base *b);
#define _cleanup_am_base_ __attribute__((cleanup(am_base_release)))
/*
 * Apply them there into the repository's objects, of which no ref knows: then git am -3
 * has the files that the patches were made for, and can merge. t: the trial that failed
 * here; its missing is what is not here even then.
 */
int am_make_objects(struct am *a, const char *base, struct am_trial *t, struct err *err);
/* git switch -c branch commit. */
int am_switch(const struct am *a, const char *branch, const char *commit,
	      struct err *err);

/*
 * May it begin: HEAD, a work tree, an index without changes, no am, rebase or the like in
 * progress, and the files of the patches as HEAD has them. E_FAIL says what to do.
 */
int am_ready(const struct am *a, struct err *err);

struct am_result {
	char base[OID_HEX], head[OID_HEX];
	char **commit; /* of each patch that was applied, in order; NULL: it was there */
	size_t n_commits;
	bool stopped; /* git am waits, see the message */
};

/*
 * git am -3 of the patches that are not there; signoff: with the user's Signed-off-by
 * last. E_FAIL with ret->stopped: a conflict is left as git am leaves it; E_INTR with it:
 * so is what was interrupted. E_FAIL also when fewer commits came than patches, which are
 * named.
 */
int am_apply(struct am *a, bool signoff, struct am_result *ret, struct err *err);
/*
 * A work tree apart, at HEAD, with the folders that the patches touch: for a conflict
 * that is resolved there, while the user's own work tree stays as it is. One at a time;
 * what is begun is written down in <common dir>/series/am-resolve.json. E_EXISTS: another
 * is not at its end. *ret_repo is the caller's.
 */
int am_resolve_begin(const struct am *a, char **ret_path, struct repo **ret_repo,
		     struct err *err);

struct am_resolved {
	char *path, *branch; /* branch NULL: detached */
	char base[OID_HEX], head[OID_HEX];
	size_t commits, patches; /* that were made; that were to be */
};

/*
 * The commits that were made there come to the branch, and the work tree goes.
 * E_NOTFOUND: none is there. E_FAIL: git am is not at its end in it; the branch is
 * another or has moved, or has changes in the way.
 */
int am_resolve_end(struct repo *r, struct am_resolved *ret, struct err *err);
/* It goes, whatever is in it. */
int am_resolve_abort(struct repo *r, struct am_resolved *ret, struct err *err);
void am_resolved_release(struct am_resolved *r);
#define _cleanup_am_resolved_ __attribute__((cleanup(am_resolved_release)))
void am_result_release(struct am_result *r);
#define _cleanup_am_result_ __attribute__((cleanup(am_result_release)))

#endif
