/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_add.h - a new host: asked for, looked at, written into git's configuration.
 */
#ifndef SERIES_HOST_ADD_H
#define SERIES_HOST_ADD_H

#include "cmd.h"

/* What was given on the command line; the rest is asked for. */
struct host_new {
	const char *type, *ssh, *arch, *boot, *alias;
	bool allow_reboot, local;
};

/* Write it; nothing is written unless all of it makes sense. */
int host_add(struct ctx *c, const char *name, const struct host_new *n, struct err *err);

#endif
