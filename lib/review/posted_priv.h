/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * posted_priv.h - what the steps of posted_find() hand to each other: the mails that are
 * covers or patches (items), and what was posted at once (postings).
 */
#ifndef REVIEW_POSTED_PRIV_H
#define REVIEW_POSTED_PRIV_H

#include "sender.h"
#include "series/posted.h"

#define NONE ((size_t)-1)
/* k/n are up to 9999; mails that would need more places in all are left out. */
#define SLOTS_MAX ((size_t)1 << 20)
#define A_HOUR	  3600
#define A_DAY	  86400

struct item {
	size_t mail;
	struct subject s;
	struct sender from;
	size_t person; /* number of one of the items of this sender */
	bool cover, diff;
	bool fix; /* on top of a patch, whatever its k/n */
	char patch_id[PATCH_ID_HEX];
	char *change_id;
	struct strvec named; /* Message-IDs of what it says came before */
	int64_t date;
	size_t up; /* item: the nearest that it replies to, or NONE */
	size_t posting;
};

/* A version while it is put together. */
struct posting {
	size_t cover; /* item, or NONE */
	size_t *slot; /* items, NONE where none is: patch k at [k - 1] */
	size_t n_slots, present;
	size_t total;	   /* as it is written; 0: no k/n */
	size_t first;	   /* item whose subject counts */
	size_t person, up; /* up: item that it replies to, of another posting */
	int version, minor;
	bool lettered, rfc, resend, versioned;
	const char *change_id; /* of its first mail that has one */
	int64_t begin, end;    /* of its dates */
	size_t *repeated;      /* items */
	size_t n_repeated, cap_repeated;
	size_t merged;	/* posting that it became part of, else its own number */
	size_t follows; /* posting that it is a partial reroll of, or NONE */
	bool partial;
	size_t series; /* number of one of the postings of the series */
	enum posted_link link;
	bool sure; /* that link */
};

/* "Obsoleted-by: ID" in a reply to an item. */
struct obsoleted {
	size_t item;
	char *by;
};

struct finder {
	const struct thread *t;
	struct item *v;
	size_t n, cap;
	size_t *item_of; /* of each mail its item, or NONE */
	size_t *up_of;	 /* of each mail the nearest item above it, or NONE */
	struct posting *p;
	size_t n_postings, cap_postings;
	size_t n_slots; /* of all postings: see SLOTS_MAX */
	struct obsoleted *obsoleted;
	size_t n_obsoleted, cap_obsoleted;
	size_t *possible; /* mails */
	size_t n_possible, cap_possible;
	bool no_patch_ids; /* nobody will ask for them */
};

/* posted_read.c: the items, in the order of the thread. */
void find_items(struct finder *f);
/* Make an item of a mail that had not looked like one: a cover in prose. */
size_t add_cover(struct finder *f, size_t mail);
/* Once more, when covers in prose were found. */
void find_ups(struct finder *f);
void item_release(struct item *it);
/* posted_text.c: what the text of a cover or patch says; the diff in it. */
void read_text(struct item *it, struct str text, bool patch_id);
void find_obsoleted(struct finder *f, size_t mail, size_t item);
/* posted_person.c: number the people. */
void find_people(struct finder *f);
/* posted_group.c: items that were posted at once. */
void find_postings(struct finder *f);
/* The posting that an item is in by now. */
size_t posting_of(const struct finder *f, size_t item);
/* Join b into a: its patches go to free places, the others are repeated. */
void join(struct finder *f, size_t a, size_t b);
bool disjoint(const struct posting *a, const struct posting *b);
/* posted_link.c: which of them are versions of one series. */
void find_series(struct finder *f);

/* posted_settle.c: the versions, series by series, oldest first; the caller frees. */
size_t *settle_versions(struct finder *f, size_t *ret_n);

/* Root of x in a union-find forest. */
size_t uf_root(size_t *up, size_t x);

#endif
