/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hoststate.h - what is remembered of a host. Private to lib/lab.
 */
#ifndef LAB_HOSTSTATE_H
#define LAB_HOSTSTATE_H

#include "series/lab.h"

/* Write it, or remove the file when there is nothing to remember. */
int host_state_save(const struct host *h, const struct host_state *s, struct err *err);
/* Path of the lock that is held while the host is used; fresh memory. */
char *host_lock_path(const struct host *h);

#endif
