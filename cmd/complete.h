/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * complete.h - candidates that only the program knows: series, hosts, arches, benchmarks.
 */
#ifndef SERIES_COMPLETE_H
#define SERIES_COMPLETE_H

#include "cmd.h"

/* One candidate a line; an unknown kind is E_USAGE, no repository is an empty answer. */
int complete_kind(struct ctx *c, const char *kind, struct err *err);
/* The pager git would use: core.pager, or NULL. */
const char *config_pager(const struct config *c);

#endif
