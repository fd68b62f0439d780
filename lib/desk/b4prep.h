/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * b4prep.h - what b4 prep knows of a branch: its cover letter and the JSON of its
 * tracking. Formats as b4 0.12 writes them (b4/ez.py).
 *
 * The text of both is the message of an empty commit, first of the branch ("commit") or
 * last ("tip-commit"): the cover, a line "--- b4-submit-tracking ---", comments, JSON. Or
 * they are branch.NAME.description and branch.NAME.b4-tracking ("branch-description").
 */
#ifndef DESK_B4PREP_H
#define DESK_B4PREP_H

#include "series/git.h"
#include "series/json.h"
#include "series/series.h"

struct b4prep {
	char *strategy;		 /* one of the three */
	struct commit cover;	 /* the commit that holds it; id "" when it is config */
	char *text;		 /* the cover, comments and all */
	struct json *doc;	 /* {"series": {...}} */
	const struct json *s;	 /* the inner object; borrowed */
	const char *change_id;	 /* borrowed */
	const char *base_branch; /* borrowed, may be NULL */
	int revision;
};

void b4prep_release(struct b4prep *b);
#define _cleanup_b4prep_ __attribute__((cleanup(b4prep_release)))

/*
 * Read what is there for the branch, its tip being head. E_NOTFOUND: b4 did not prepare
 * it. E_CORRUPT names where the JSON is damaged, E_FAIL a strategy that is unknown.
 */
int b4prep_read(struct repo *r, const struct config *c, const char *branch,
		const char *head, struct b4prep *ret, struct err *err);
/* The newest commit of b4's on the first-parent line of head, at most max back, not
 * beyond stop (may be NULL). E_NOTFOUND. Free with commit_release(). */
int b4prep_find(struct repo *r, const char *head, const char *stop, struct commit *ret,
		struct err *err);

/* The cover taken apart. */
struct b4cover {
	char *title;		/* without [PREFIXES] */
	struct strvec prefixes; /* those of the title */
	struct strvec to, cc;	/* of the trailers To: and Cc: */
	struct strvec odd;	/* such trailers that name no address */
	char *body, *notes;	/* as cover.txt has them */
	struct b4change *changes;
	size_t n_changes, cap_changes;
	bool untouched; /* still the text that b4 prep -n writes */
};

struct b4change {
	int n;
	struct buf text;
};

/* linked[N], for N < n: version N has a document, so that its link is made from that. */
void b4cover_parse(struct str text, const bool *linked, size_t n, struct b4cover *ret);
void b4cover_release(struct b4cover *c);
#define _cleanup_b4cover_ __attribute__((cleanup(b4cover_release)))

/*
 * The versions of the history that have a tag sent/BRANCH-vN, each with patches and
 * Message-IDs. Those that cannot be used go to *notes. base: of the branch today.
 */
int b4sent_read(struct repo *r, const struct b4prep *b, const char *branch,
		const char *base, struct version **ret, size_t *ret_n,
		struct strvec *notes, struct err *err);

#endif
