/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock.h - one writer at a time, by flock(2).
 *
 * The kernel drops the lock when its holder dies, so a stale lock cannot block. The file
 * stays and holds "PID HOST SINCE PURPOSE" of the last holder, for messages.
 */
#ifndef SERIES_LOCK_H
#define SERIES_LOCK_H

#include "series/err.h"

struct lock {
	int fd;
	char *path;
};

#define LOCK_INIT { -1, NULL }

/*
 * Take the lock at path (directories are made), waiting up to wait_ms; purpose is one
 * word for the message others see. E_LOCKED names the holder; E_INTR while waiting.
 */
int lock_take(struct lock *l, const char *path, const char *purpose, int wait_ms,
	      struct err *err);
void lock_release(struct lock *l);
/* The same, and the file goes: for locks that are wanted once. Waiters look again. */
void lock_remove(struct lock *l);
#define _cleanup_lock_ __attribute__((cleanup(lock_release)))

#endif
