/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * base_suggest.h - printers of series base --suggest.
 */
#ifndef SERIES_CMD_BASE_SUGGEST_H
#define SERIES_CMD_BASE_SUGGEST_H

#include "series/suggest_base.h"
#include "cmd.h"

void base_suggest_print(struct ctx *ctx, const struct base_suggestions *b);
struct json *base_suggest_json(const struct series *s, const struct base_suggestions *b);

#endif
