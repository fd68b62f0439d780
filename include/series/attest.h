/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attest.h - the signatures in the fields of mails: whose they say they are, and what was
 * found of them.
 *
 * DKIM-Signature (RFC 6376) is shown and not verified: that wants the mail as the server
 * had it, and its keys. X-Developer-Signature is verified by the program patatt, where it
 * is installed, with the keys that it knows.
 */
#ifndef SERIES_ATTEST_H
#define SERIES_ATTEST_H

#include "series/thread.h"

struct attested {
	char *field;   /* "DKIM-Signature" */
	char *who;     /* its domain, or the developer */
	char *verdict; /* "not verified", "valid", "no key", "bad", ... */
	bool bad;      /* it was verified, and is wrong */
	size_t mails;  /* so many have it */
};

struct attestations {
	struct attested *v;
	size_t n, cap;
	size_t mails; /* that were looked at */
};

/* Of these mails of a thread. E_INTR; what cannot be verified is told in the verdict. */
int attest_read(const struct thread *t, const size_t *mails, size_t n,
		struct attestations *ret, struct err *err);
void attestations_release(struct attestations *a);
#define _cleanup_attestations_ __attribute__((cleanup(attestations_release)))

#endif
