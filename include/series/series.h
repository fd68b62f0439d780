/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series.h - a series: a topic being proposed, across all its versions.
 *
 * A struct series is a snapshot: the documents of refs/series/NAME/state and the commits
 * of the branch at the time of series_load(). Changes go through store.h.
 */
#ifndef SERIES_SERIES_H
#define SERIES_SERIES_H

#include <stdbool.h>
#include <stdint.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/git.h"
#include "series/json.h"
#include "series/strvec.h"

#define SERIES_MAX_PATCHES 1000
#define SERIES_MAX_VERSION 99999
/* Of one version: the first and its RESENDs; and as many fixups. */
#define SERIES_MAX_POSTINGS 1000

struct patch {
	int n;			/* from 1 */
	char commit[OID_HEX], tree[OID_HEX], patch_id[OID_HEX];
	char *subject;
	char *author_name, *author_email;
	char *message_id;	/* of a posted version, without <>; else NULL */
};

/*
 * One posting of a version: state is "sending", "partial" or "sent". The first posting's
 * mails lie in sent/vN/, those of a resend in sent/vN/resend-TIME.RANDOM/ by the begin of
 * its Message-IDs, so that two machines' resends do not meet.
 */
struct posting {
	char *state, *prefix, *message_id; /* message_id of the cover, without <> */
	char *prepared_id;	/* it had this one before the server gave it another; or NULL */
	int64_t date;
	bool resend;
	struct strvec ids;	/* Message-IDs of its patches, in order; one may be "" */
	struct strvec to, cc;	/* of a resend; else empty, and the version's hold */
	char *transport;	/* the same: how a resend was sent */
};

/*
 * A patch that was posted later for one patch of a version, to be folded into it. Its mail
 * lies in sent/vN/fix-TIME.RANDOM/, refs/series/NAME/vN.fixK keeps the commit of the K-th.
 */
struct fixup {
	int patch;		/* of the version, from 1 */
	char commit[OID_HEX], patch_id[OID_HEX]; /* the parent is what it applies on */
	char *subject;		/* its title: "mm/rmap: batch unmap fix" */
	struct strvec parts;	/* patch-ids of the fixup! commits that it was made of */
	struct posting posting; /* message_id is that of its mail; ids is empty */
};

struct version {
	int n;
	bool rfc;		/* set aside: an RFC before a series that began again at v1 */
	char base[OID_HEX], head[OID_HEX];
	struct patch *patches;
	size_t n_patches;
	struct posting *postings;
	size_t n_postings;
	struct fixup *fixups;	/* in the order they were posted */
	size_t n_fixups;
	struct strvec to, cc;
	char *transport;	/* how it was sent: "smtp://HOST:PORT" */
};

struct series {
	struct repo *repo;	/* borrowed */
	char *name, *change_id, *branch;
	char base[OID_HEX];	/* commit the patches start on */
	char *base_ref;		/* branch it was taken from, may be NULL */
	char public_base[OID_HEX], public_for[OID_HEX]; /* see series_public_base() */
	bool base_mixed;	/* there were commits of others among the patches */
	struct strvec prefixes, to, cc, prerequisites;
	int64_t created;
	int first_version;	/* init -v N: the first that we post */
	char head[OID_HEX];	/* tip of the branch now, "" when the branch is gone */
	struct patch *patches;	/* the draft: base..head */
	size_t n_patches;
	struct version *versions; /* sorted by n */
	size_t n_versions;
	char state[OID_HEX];	/* commit of refs/series/NAME/state */
};

/* True when name is [a-z0-9][a-z0-9._-]{0,63}. */
bool series_name_ok(const char *name);
/* A valid name made from a branch name ("topic/Unmap_X" -> "topic-unmap_x"); caller frees. */
char *series_name_from(const char *branch);

/* Names of all series of the repository, sorted; refs of no valid name are left out. */
int series_names(struct repo *r, struct strvec *ret, struct err *err);
/*
 * Name of the series of a branch (NULL: the current one): branch.BRANCH.series, where the
 * series knows that branch. E_NOTFOUND says how to make one. Caller frees.
 */
int series_of_branch(struct repo *r, const struct config *c, const char *branch,
		     char **ret, struct err *err);

struct store;
/*
 * Track a branch as a new series: base found from base_ref (NULL: the upstream, else the
 * remote's main branches, but no further than what others committed), state committed, branch.BRANCH.series set. E_EXISTS.
 */
struct series_init_opts {
	const char *name, *branch, *base_ref;
	int version;		/* 0: 1 */
	const char *command;	/* for remedies; NULL: "series init" */
	char **ret_why;		/* why a base that no branch told; may be NULL, caller frees */
	/* Of a series that began elsewhere; NULL: as above. */
	const char *change_id;
	const char *base;	/* a commit; base_ref is kept where it gives the same one */
	const char *head;	/* fill() moves the branch there, in the same transaction */
	/*
	 * Last word before the state is written: base, head and name of s are known, its
	 * lists may be filled, t takes more documents and refs. An error makes nothing.
	 */
	int (*fill)(struct series *s, struct store *t, void *arg, struct err *err);
	void *arg;
};
int series_create(struct repo *r, const struct config *c, const struct series_init_opts *o,
		  char **ret_name, struct err *err);

/* Load documents, find the base (recorded, base ref with its reflog), list the patches. */
int series_load(struct repo *r, const struct config *c, const char *name,
		struct series **ret, struct err *err);
/* The documents and the branch alone: s->base is the recorded one, no patches. */
int series_open(struct repo *r, const struct config *c, const char *name,
		struct series **ret, struct err *err);
/*
 * The rest of series_load(). A merge among the patches is E_FAIL and named; a base that
 * cannot be found is E_NOTFOUND and asks for "series base --set".
 */
int series_find_patches(struct series *s, const struct config *c, struct err *err);
/* Commits that the base ref has beyond the base; E_NOTFOUND without a base ref. */
int series_behind(const struct series *s, int64_t *ret, struct err *err);
/* Record the base from a ref or revision; s->base and s->base_ref follow. */
int series_set_base(struct series *s, const struct config *c, const char *given,
		    struct err *err);
/*
 * Record what the series needs below it: each a range A..B, a commit, the name of another
 * series here or a <MESSAGE-ID>; none clears. s->prerequisites has the trailers, in the
 * order the patches apply. Call after series_find_patches().
 */
int series_set_prerequisites(struct series *s, const struct config *c,
			     const struct strvec *what, struct err *err);
/* The commit for base-commit: where the prerequisite patches start, else the base. */
const char *series_public_base(const struct series *s);
void series_free(struct series *s);
void series_freep(struct series **s);
#define _cleanup_series_ __attribute__((cleanup(series_freep)))

/* Number of the draft: last posted + 1, or first_version. */
int series_draft(const struct series *s);
/*
 * May the draft be v1 of a series whose versions until now were RFCs? When all of them are
 * out, and when none was set aside before under the same number.
 */
bool series_may_restart(const struct series *s);
/* Version n, or NULL; those that were set aside are not looked at. */
const struct version *series_version(const struct series *s, int n);
/* The version that "2", "v2" or "rfc1" names, or NULL. */
const struct version *series_version_named(const struct series *s, const char *name);
/* "v2", or "rfc1" for one that was set aside: as refs/series/NAME/ has it. Caller frees. */
char *version_label(const struct version *v);
/* Its document ("versions/2.json") and the folder of posting k's mails. Caller frees. */
char *version_path(const struct version *v);
char *version_mails(const struct version *v, size_t k);
/* The folder of a reply of ours in its thread, by the Message-ID. Caller frees. */
char *version_reply_mails(const struct version *v, const struct posting *p);
/* The same of fixup k (from 0), and its label: "v2.fix1". Caller frees. */
char *version_fixup_mails(const struct version *v, size_t k);
char *version_fixup_label(const struct version *v, size_t k);
/* One more fixup, all zero, at the end. Borrowed until the next. */
struct fixup *version_add_fixup(struct version *v);
/* Was it posted as an RFC? */
bool version_is_rfc(const struct version *v);
/* Does prefix ("RFC PATCH mm v2") hold this word? */
bool prefix_has(const char *prefix, const char *word);
/* Message-ID to link to and to thread on: the last posting that is no resend; NULL. */
const char *version_link(const struct version *v);
/* The newest version, or NULL. One that was set aside comes before all others. */
const struct version *series_last(const struct series *s);
/* Number of the version's last posting state: "sent", "partial", "sending"; NULL if none. */
const char *version_state(const struct version *v);
/* The document versions/N.json of a version, and back (lib/series/version.c). */
struct json *version_json(const struct version *v);
/* Put the document and refs/series/NAME/vN, which is not there yet, into a transaction. */
void version_put(const struct version *v, const char *name, struct store *t);
/* E_CORRUPT names what (a path or a ref). Free with version_release(). */
int version_parse(const struct json *j, const char *what, struct version *ret,
		  struct err *err);
void version_release(struct version *v);
void posting_release(struct posting *p);
void fixup_release(struct fixup *f);
/* All of it in fresh memory. */
void version_copy(const struct version *v, struct version *ret);

#endif
