/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prefix.h - the words in the brackets of a subject that the user chooses: "mm",
 * "net-next", "6.12". PATCH, the version and k/n are not among them; RFC and RESEND are,
 * and stand in front.
 */
#ifndef SERIES_PREFIX_H
#define SERIES_PREFIX_H

#include <stdbool.h>
#include "series/err.h"
#include "series/series.h"

/* E_USAGE says what a prefix may be. for_good: it is to be stored, so RESEND is none. */
int prefix_check(const struct strvec *words, bool for_good, struct err *err);
/* Store them (none: clear) in one state commit; s->prefixes follow. Checked first. */
int series_set_prefixes(struct series *s, const struct strvec *words, struct err *err);

#endif
