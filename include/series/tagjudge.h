/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tagjudge.h - does a tag that was given to a patch of a version hold for the draft?
 *
 * It does when the patch-id is the same, or nothing but context, comments or the message
 * changed. A Tested-by holds when no code of the whole series changed. Patches are
 * followed from version to version by patch-id, title, and git range-diff. What was
 * compared is kept in <common dir>/series/tags-judged, by patch-ids and commits, so that
 * asking again starts no git.
 */
#ifndef SERIES_TAGJUDGE_H
#define SERIES_TAGJUDGE_H

#include "series/reviewdoc.h"

struct judged_tag {
	const struct review_tag *tag; /* borrowed */
	size_t patch; /* of the draft, from 1; 0: of none, or of all together */
	size_t given; /* the patch of its version that became this one; 0: not known */
	enum tag_state state;
	bool applied;	    /* the commit has it */
	char *why;	    /* in words, "" when there is nothing to say */
	char from[OID_HEX]; /* the commit that it was given to, "" for a cover */
	size_t lines;	    /* of code by which the patch differs from it */
};

/*
 * By patch of the draft, those of none first; of one patch in the order they came. A tag
 * for a cover stands once for each patch that was in its version. Of several by one
 * person for one patch the best stays: the first that holds, else the last. A retraction
 * shows in what it takes back.
 */
struct judged {
	struct judged_tag *v;
	size_t n, cap;
};

/* series_find_patches() was called. E_USAGE: series.tags.changed is none of ask, keep,
 * drop. */
int tags_judge(const struct series *s, const struct config *c, const struct review *r,
	       struct judged *ret, struct err *err);
/* What is to be decided: ids, or at least four digits they begin with; "ID:3": for patch
 * 3 of the draft alone. */
struct tag_wishes {
	struct strvec keep, drop;
	const char *reason; /* or NULL */
};
/*
 * Store decisions with the tags. A tag for a cover that is kept without a patch is kept
 * for those for which it does not hold by itself; one that is dropped, for all. Either
 * takes the place of what was decided before. All or nothing: E_NOTFOUND and E_USAGE name
 * the id that is none, not enough, both kept and dropped, or a NAK's without a reason.
 */
int tags_decide(struct series *s, const struct config *c, const struct tag_wishes *w,
		struct err *err);
/*
 * What git range-diff shows of the patch that a tag was given to and what it is now,
 * appended to *out; nothing when that cannot be told.
 */
int judged_diff(struct series *s, const struct judged_tag *e, struct buf *out,
		struct err *err);
void judged_release(struct judged *j);
/* Of the kinds that go into commits, so that one for the cover is for each patch. */
bool tag_is_for_commits(const struct review_tag *t);
/* It holds, and its commit does not have it. */
bool judged_is_ready(const struct judged_tag *e);
/* The user has to decide: the commit may have it, and the code changed since. */
bool judged_is_open(const struct judged_tag *e);
/* The commit has it, and should not: taken back, or dropped. */
bool judged_is_stale(const struct judged_tag *e);
size_t judged_count(const struct judged *j, bool (*is)(const struct judged_tag *e));
/* What tags_decide() knows this tag for this patch by, with so many digits, in fresh
 * memory: "1f560979", of a cover "1f560979:3". */
char *judged_name(const struct judged_tag *e, int digits);
/* What to do about a NAK, with its name; in fresh memory. */
char *judged_nak_remedy(const struct judged_tag *e, int digits);
#define _cleanup_judged_ __attribute__((cleanup(judged_release)))
/* Array of {id, type, line, name, email, message_id, version, label, state, why, applied,
 * lines}; patch 0: of all patches. */
struct json *judged_json(const struct judged *j, size_t patch);

#endif
