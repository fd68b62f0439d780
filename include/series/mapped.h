/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mapped.h - files mapped into memory that others may change meanwhile.
 *
 * Where a mapped file is cut short, or its disk cannot be read, the kernel sends SIGBUS
 * to who reads there. Here such bytes become zeros and torn is set: whoever reads looks
 * at it when done with a piece. (Handed to write(2) such bytes are EFAULT.) For one
 * thread.
 */
#ifndef SERIES_MAPPED_H
#define SERIES_MAPPED_H

#include <signal.h>
#include "series/err.h"
#include "series/str.h"

struct mapped {
	struct str bytes; /* "" of an empty file */
	volatile sig_atomic_t torn;
	struct mapped *next;
};

/*
 * Map a regular file as long as it is now. fd may be closed, *m must stay where it is
 * until mapped_close(), which forgives a zeroed or closed one. name is for messages.
 */
int mapped_open(struct mapped *m, int fd, const char *name, struct err *err);
void mapped_close(struct mapped *m);

#endif
