/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.h - what the commands need, looked at one by one.
 */
#ifndef SERIES_DOCTOR_H
#define SERIES_DOCTOR_H

#include <stddef.h>
#include "series/err.h"
#include "series/git.h"

enum doctor_state { DOCTOR_OK, DOCTOR_WARN, DOCTOR_BAD };

struct doctor_item {
	const char *id;		/* "git", "compiler-arm64", ...; static or owned by the row */
	enum doctor_state state;
	char *what;		/* one line, may hold foreign text */
	char *remedy;		/* NULL when ok */
};

struct doctor {
	struct doctor_item *items;
	size_t n, cap;
};

/* Run all checks; r and c may be NULL outside a repository. Problems are no error. */
int doctor_run(struct repo *r, const struct config *c, struct doctor *ret, struct err *err);
void doctor_release(struct doctor *d);

#endif
