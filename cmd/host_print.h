/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_print.h - a host in lines and in JSON.
 */
#ifndef SERIES_HOST_PRINT_H
#define SERIES_HOST_PRINT_H

#include "series/lab.h"
#include "cmd.h"

/* What it is and where it stands: quarantine, away. The caller frees. */
struct json *host_json(const struct host *h);
/* All hosts of the configuration, also those whose settings are wrong. */
int host_print_list(struct ctx *c, struct err *err);
void host_print_check(struct ctx *c, const struct host *h, const struct arch *a,
		      const struct host_check *res);

#endif
