/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tag.h - review tags in replies: found (what a mail says) and collected (about which
 * patch it says so).
 *
 * Pure: nothing but mails is looked at. Whether a tag still holds for other patches than
 * those it was given to is judged elsewhere (lib/desk).
 */
#ifndef SERIES_TAG_H
#define SERIES_TAG_H

#include "series/posted.h"

enum tag_kind {
	TAG_COLLECTED, /* Reviewed-by, Acked-by, Tested-by */
	TAG_OFFERED,   /* Reported-by, Suggested-by: by a decision */
	TAG_NAK,
	TAG_SHOWN,     /* any other: never taken from a reply */
	TAG_RETRACTION /* "please drop my Reviewed-by" */
};

enum tag_scope {
	SCOPE_HERE,    /* what the mail replies to */
	SCOPE_SERIES,  /* "for the series" */
	SCOPE_PATCHES, /* "for patches 1-3" */
	SCOPE_PART,    /* "for the arm64 bits": kept in words */
};

struct tag {
	enum tag_kind kind;
	char *type;  /* as it should be written: "Reviewed-by"; of a retraction what goes,
			"": all tags */
	char *value; /* what stands behind the colon, as it was written, on one line; of
			an informal one the sentence */
	char *note;  /* "[mm parts]" from the line below it, or NULL */
	char *name, *email; /* the person in it; "" when it is not there. tags_collect():
			       of an informal one who sent it */
	size_t line;	    /* in the text of the mail (mail_text()), from 1 */
	bool misspelt;	    /* as it stood there, type is what was meant */
	bool informal;	    /* a NAK or retraction in plain words: no trailer */
	char *condition;    /* the sentence that makes it conditional, or NULL */
	enum tag_scope scope;
	char *scope_words; /* "for the arm64 bits", NULL with SCOPE_HERE */
	size_t *scope_patches;
	size_t n_scope_patches; /* of SCOPE_PATCHES, ascending */

	/* Filled by tags_collect(). */
	size_t mail;	 /* index in the thread */
	size_t version;	 /* index in posted.v */
	size_t patch;	 /* from 1; 0: the cover, which is all patches */
	bool by_sender;	 /* the person is who sent the mail: address, else name */
	bool by_author;	 /* who posted the patches gave it */
	size_t proposal; /* index of the reply whose own patch it is for, or NO_MAIL */
	size_t retracted_by; /* index of the mail that took it back, or NO_MAIL */
};

struct tags {
	struct tag *v;
	size_t n, cap;
};

/*
 * Appends what one text, of a mail that is no patch, says, by lines. Quoted lines, what
 * stands below "-- " or scissors, forwarded mail, diffs and prose give nothing; a tag at
 * the end of a line of text needs an address. A "# comment" or a note limits nothing: it
 * stays with the tag. mail, version, patch stay 0.
 */
void tags_find(struct str text, struct tags *ret);
/* From a person of this address: who may be another that tags name? See tags_collect().
 */
typedef bool same_person(void *arg, const char *email_a, const char *email_b);
/*
 * All tags of a thread, in the order of the mails: targets by posted_target(); what the
 * patch itself has already is left out, as is what robots say; a person counts once per
 * type and patch, and without the condition of before when that is gone. One for patches
 * that are named is there once for each; where such a patch is not, it is SCOPE_PART. So
 * is one that answers a reply with a patch in it, which was another than the one posted.
 * Retractions take back what that person gave to the patch, in earlier versions of the
 * series too. same (may be NULL) knows other addresses of people (.mailmap).
 */
void tags_collect(const struct thread *t, const struct posted *p, same_person *same,
		  void *arg, struct tags *ret);
void tags_release(struct tags *t);
#define _cleanup_tags_ __attribute__((cleanup(tags_release)))
/* "Reviewed-by" for "reviewd-by"; NULL when it is no tag at all. *ret_misspelt may be
 * NULL. */
const char *tag_type(struct str word, bool *ret_misspelt);

/*
 * As it goes into a commit: the type as everybody writes it, the rest as it stood, a note
 * on a line of its own. "" for an informal one. Fresh memory.
 */
char *tag_line(const struct tag *t);

#endif
