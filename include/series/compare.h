/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - two states of a series side by side: versions that were posted, or the
 * branch.
 */
#ifndef SERIES_COMPARE_H
#define SERIES_COMPARE_H

#include "series/rangediff.h"
#include "series/series.h"

/* One side of a comparison: "v3", "rfc1", "the branch", "A..B". */
struct side {
	char *name;
	int version; /* 0: not a posted one */
	char base[OID_HEX], tip[OID_HEX]; /* "": made for the comparison */
};

void side_release(struct side *s);
/*
 * What the user means by at most two words: "v3" or "3" (a posted version), "rfc1" (one
 * that an RFC had), "branch" or "draft", a range of commits "A..B"; also "v1..v2" for two.
 * Without the second it is the branch, without both the last version and the branch. The
 * patches of the branch are looked for when it is one of them. E_NOTFOUND says which
 * versions there are.
 */
int sides_choose(struct series *s, const struct config *c, const struct strvec *args,
		 struct side *ret_from, struct side *ret_to, struct err *err);
/* One of these words alone. */
int side_choose(struct series *s, const struct config *c, const char *word,
		struct side *ret, struct err *err);
/* Is it "v3", "3", "rfc1", "branch" or "draft"? */
bool side_is_word(const char *word);
/* The branch as it is; E_NOTFOUND when it is gone or has no patches. */
int side_branch(const struct series *s, struct side *ret, struct err *err);
/* A posted version. */
void side_version(const struct version *v, struct side *ret);

struct compared {
	const struct range_pair *pair;	 /* borrowed from comparison.range */
	char *from_subject, *to_subject; /* NULL on the side where it is not */
	bool retitled;			 /* both are there and have other subjects */
	bool code_changed;		 /* both are there, and not only context differs */
	struct strvec code;		 /* where: "mm/rmap.c: f()", "mm/Kconfig" */
};

struct comparison {
	struct side from, to;
	struct rangediff range;
	struct compared *v; /* one per pair of range, in its order */
	size_t n;
	size_t counts[4]; /* by enum range_mark */
	size_t moved;
};

/*
 * Takes both sides over, also on errors. creation as in git_range_diff(). What that calls
 * a dropped and a new patch is one changed patch when both have the same title.
 * E_NOTFOUND where the commits of a version are not here, with what brings them.
 */
int compare_make(struct repo *r, struct side *from_take, struct side *to_take,
		 int creation, struct comparison *ret, struct err *err);
void comparison_release(struct comparison *c);
#define _cleanup_comparison_ __attribute__((cleanup(comparison_release)))
/*
 * The document of "series diff --json": from, to, counts, and patches with the places
 * that changed and, with_diff, the text of git range-diff.
 */
struct json *comparison_json(const struct comparison *c, bool with_diff);

#endif
