/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.h - every key of git's configuration that is ours ("series.*"): one table for the
 * manual and for doctor, which finds mistyped ones.
 */
#ifndef SERIES_SETTINGS_H
#define SERIES_SETTINGS_H

#include <stddef.h>
#include "series/git.h"
#include "series/strvec.h"

struct setting {
	const char *key;	/* without "series."; a part "*" stands for any name */
	const char *arg;	/* what its value is: "SECONDS", or all it may be: "a|b" */
	const char *help;	/* begins in lower case, no full stop */
};

/* Row i, or NULL behind the last one. */
const struct setting *setting_at(size_t i);
/* The row of a whole key as git lists it ("series.arch.arm64.cross"), or NULL. */
const struct setting *setting_find(const char *key);
/* The name nearest to a mistyped key, its own names for the parts "*", or NULL. Caller frees. */
char *setting_near(const char *key);
/* Is that one of the values that the row allows? Rows that list none allow all. */
bool setting_allows(const struct setting *s, const char *value);

#endif
