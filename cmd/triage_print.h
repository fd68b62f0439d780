/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * triage_print.h - rows of series as text and as JSON.
 */
#ifndef CMD_TRIAGE_PRINT_H
#define CMD_TRIAGE_PRINT_H

#include "series/out.h"
#include "series/triage.h"

/* v: indices of rows in their order. Groups with their titles, a line a row. */
void triage_print(struct out *o, struct triage *t, const size_t *v, size_t n);
/* {"schema", "groups": {"ready": 3, ...}, "series": [...]}. */
/* The Message-ID of each, a line each. */
void triage_print_ids(struct out *o, const struct triage *t, const size_t *v, size_t n);
struct json *triage_json(struct triage *t, const size_t *v, size_t n);

#endif
