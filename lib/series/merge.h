/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - what the files of the merge share.
 */
#ifndef SERIES_MERGE_PRIV_H
#define SERIES_MERGE_PRIV_H

#include "internal.h"
#include "series/merge.h"

struct merge {
	struct repo *repo;
	const char *name;
	struct store *store;
	enum merge_side side;
	bool theirs_newer; /* of two values that cannot both stay, the newer state's */
	char ours[OID_HEX], theirs[OID_HEX], base[OID_HEX]; /* base "" without one */
	struct tree_files o, t, b;
	struct strvec conflicts; /* labels of versions where a side was chosen */
	struct strvec *notes;
};

/* The values of one document at the three states; NULL: not there. */
struct three {
	const char *path;
	const struct json *base, *ours, *theirs;
	const char *const *own; /* fields that the caller merges itself, or NULL */
};

/*
 * Field by field, and so into objects (but a base is one value): what one side changed is
 * taken, lists of strings are united with removals respected, of two values the newer state's stays and a note says so.
 */
struct json *merge_fields(struct merge *m, const struct three *d);
/*
 * versions/N.json: postings and fixups are united and the further state of each stays.
 * E_CONFLICT when they are two versions; with a side its document comes back.
 */
int merge_version(struct merge *m, const struct three *d, struct json **ret,
		  struct err *err);
/* review/...: what one side has decided, found or answered wins over what is open. */
struct json *merge_review(struct merge *m, const struct three *d);
/* "v3" of "versions/3.json", "rfc1" of "versions/rfc1.json"; NULL of others. */
char *version_path_label(const char *path);
/* Is path below sent/LABEL/? */
bool sent_of(const char *path, const char *label);

/* The head that a version's document names, and those of its fixups, with their labels. */
void document_heads(const struct json *j, const char *label, struct strvec *ret_labels,
		    struct strvec *ret_ids);
/* Have the sent heads say what the state to says; what would be lost is kept. */
int merge_heads(struct merge *m, const char *to, struct err *err);

#endif
