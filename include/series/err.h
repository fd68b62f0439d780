/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err.h - how failure travels.
 *
 * A function that can fail returns 0 or one of the negative codes below and takes a
 * struct err * as its last parameter. The message names the thing, what was expected
 * and what to do next; callers put context in front on the way up ("send: patch 5/9:
 * ..."). NULL is allowed for the parameter. err_release() frees; err_set() replaces.
 */
#ifndef SERIES_ERR_H
#define SERIES_ERR_H

#include <stdarg.h>

enum {
	E_FAIL = -1,	  /* anything without a code of its own; exit status 1 */
	E_FINDINGS = -2,  /* the work was done and found something; exit status 2 */
	E_NOTFOUND = -3,  /* the named thing does not exist */
	E_EXISTS = -4,	  /* the thing is there already */
	E_CONFLICT = -5,  /* somebody else moved what we wanted to move */
	E_LOCKED = -6,	  /* somebody else holds the lock */
	E_CORRUPT = -7,	  /* stored data that cannot be read */
	E_TIMEOUT = -8,	  /* a deadline passed */
	E_UNSURE = -9,	  /* it may have happened, and cannot be known from here */
	E_USAGE = -129,	  /* wrong command line; exit status 129 */
	E_INTR = -130,	  /* interrupted; exit status 130 */
};

struct err {
	int code;
	char *msg;
};

#define ERR_INIT { 0, NULL }

/* Set code and message; returns code, so that "return err_set(...)" reads well. */
int err_set(struct err *e, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int err_vset(struct err *e, int code, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
/* The same with ": strerror(errnum)" behind the message; the code is E_FAIL. */
int err_errno(struct err *e, int errnum, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Put "TEXT: " in front of the message; returns the code (E_FAIL when e is NULL). */
int err_context(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The message, "" when there is none. Borrowed. */
const char *err_msg(const struct err *e);
/* Free the message and forget the code. */
void err_release(struct err *e);
/* Exit status of the program for a code (cli: 0, 1, 2, 129, 130). */
int err_exit_status(int code);
#define _cleanup_err_ __attribute__((cleanup(err_release)))

#endif
