/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * credential.h - passwords by "git credential" (git-credential(1)): the user's helpers,
 * askpass programs and the terminal, as git itself asks for them.
 *
 * Secrets travel on standard input and output only.
 */
#ifndef SERIES_CREDENTIAL_H
#define SERIES_CREDENTIAL_H

#include "series/git.h"

struct credential {
	const char *protocol, *host, *username; /* borrowed: "smtp", "HOST:PORT", NAME */
	char *password;		/* after credential_fill() */
	struct buf answer;	/* git's whole answer, for the two below */
};

/*
 * Ask for the password; git may use the terminal. E_FAIL with git's own words when there
 * is none to be had, E_INTR when the question was interrupted.
 */
int credential_fill(struct repo *r, struct credential *c, struct err *err);
/* It was right: helpers may store it. */
int credential_approve(struct repo *r, const struct credential *c, struct err *err);
/* It was wrong: helpers forget it, and the next fill asks again. */
int credential_reject(struct repo *r, const struct credential *c, struct err *err);
/* Wipes the secrets. */
void credential_release(struct credential *c);

#endif
