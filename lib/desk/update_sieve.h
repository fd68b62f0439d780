/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * update_sieve.h - of many mails those of a series' threads: ours by their Message-IDs,
 * and what names one of them, whatever the order.
 */
#ifndef DESK_UPDATE_SIEVE_H
#define DESK_UPDATE_SIEVE_H

#include "series/thread.h"

/* Ids that are known, and grow with each mail that speaks of one. */
struct idset {
	char **slot;
	size_t n, cap;
};

struct sieve {
	struct idset ours, seen;
	size_t n;	     /* mails that were read */
	struct thread *t;    /* takes the mails; borrowed */
	struct thread later; /* those that name a mail which was not seen yet */
	bool *later_taken;   /* of each whether it was taken in the end */
};

enum sieved { SIEVE_LEFT, SIEVE_TAKEN, SIEVE_WAITS };

/* A Message-ID that is looked for. */
void sieve_know(struct sieve *s, const char *id);
/* One mail; of SIEVE_WAITS its index in later, if wanted. */
enum sieved sieve_mail(struct sieve *s, const struct mail *m, size_t *ret_later);
/* Everything was seen: of what waited, those that belong to it after all are taken. */
void sieve_end(struct sieve *s);
void sieve_release(struct sieve *s);

#endif
