/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * am_print.h - what series am says of the series that it applies: version, patches, tags.
 */
#ifndef CMD_AM_PRINT_H
#define CMD_AM_PRINT_H

#include "series/am.h"
#include "series/attest.h"
#include "series/out.h"

/* The version, its patches with the tags that they get, and the tags that are left out. */
void am_print(struct out *o, const struct am *a);
/* What became of the trial on a commit that people know as where ("HEAD of main"). */
void am_print_trial(struct out *o, const struct am *a, const struct am_trial *t,
		    const char *where);
/* The same as {"version", "patches", "left_out", "notes"}. */
struct json *am_json(const struct am *a);
/* {"on", "ok", "patch", "title", "why", "missing"}. */
struct json *am_trial_json(const struct am *a, const struct am_trial *t,
			   const char *where);
/* Whose signatures the mails have. */
void am_print_signatures(struct out *o, const struct attestations *s);
struct json *am_signatures_json(const struct attestations *s);
/* "Acked-by: Joe Doe <joe@example.org> for 2/3 (conditional: ...)", sanitised. */
void am_tag_line(const struct am *a, const struct am_tag *t, struct buf *out);

#endif
