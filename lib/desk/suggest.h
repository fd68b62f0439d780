/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - parts of suggest.c: where patches went (flow.c) and what became of their
 * tags (taglines.c).
 */
#ifndef SERIES_SUGGEST_H
#define SERIES_SUGGEST_H

#include "series/changes.h"
#include "series/compare.h"
#include "series/patchnotes.h"
#include "series/tagjudge.h"

#define NOWHERE SIZE_MAX

/* For each pair of a comparison the pair that its lines went to or come from. */
struct flow {
	const struct comparison *c; /* borrowed */
	char *last;		    /* "v3", "RFC v2": the old side */
	/*
	 * Of a dropped patch: the changed one that at least half of its lines turned up
	 * in. Of a new one: the changed or dropped one that at least half of its lines
	 * were in. Else NOWHERE.
	 */
	size_t *other;
	bool *taken; /* of a dropped one: the new base has it (suggest.c fills this in) */
	char *base;  /* what that is called, NULL where there is no need */
};

int flow_find(struct repo *r, const struct comparison *c, struct flow *ret,
	      struct err *err);
void flow_release(struct flow *w);

/* Reviewed-by, Acked-by, Tested-by: what others gave. */
struct tagline {
	char *type, *name, *email; /* type in the usual spelling; email may be "" */
};

struct taglines {
	struct tagline *v;
	size_t n, cap;
};

void taglines_release(struct taglines *t);
/* Title apart, is it the same message but for its trailers? */
bool taglines_same_text(const struct commit *a, const struct commit *b);
/* Tags of now that old has not, each once, to *ret. */
void taglines_gained(const struct commit *old, const struct commit *now, struct taglines *ret);
/* An entry for each tag of old that now has not; why: what stands behind it, or "". */
void suggest_lost_tags(int patch, const struct commit *old, const struct commit *now,
		       const char *why, struct suggestions *to);
/* The same, without those of patch (of the draft) that were judged not to hold. */
void taglines_collected(const struct commit *old, const struct commit *now, size_t patch,
			const struct judged *tags, struct taglines *ret);
/* For each person and patch an entry with thanks for the remarks done in the draft. */
int suggest_remarks(const struct series *s, const struct review *r,
		    struct suggestions *to, struct err *err);
/* Places as patchcode.h has them, sorted: "f() and g() in mm/rmap.c", "5 files". */
void suggest_put_places(const struct strvec *places, struct buf *out);
/* One entry of the series for all. */
void suggest_gained_tags(const struct taglines *t, struct suggestions *to);

/* Append one; more can be said of it through the result, until the next call. */
struct suggestion *suggest(struct suggestions *to, int patch, char *text_take);

/* Set noted of those that the note of their patch speaks of. */
void suggestions_note(struct suggestions *s, const struct patchnotes *notes);

#endif
