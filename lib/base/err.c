// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * err.c - code and message of a failure, with context added on the way up.
 */
#include <string.h>
#include "series/err.h"
#include "series/mem.h"

int err_vset(struct err *e, int code, const char *fmt, va_list ap)
{
	char *msg;

	if (!e)
		return code;
	/* Format first: the arguments may point into the old message. */
	msg = xvasprintf(fmt, ap);
	free(e->msg);
	e->msg = msg;
	e->code = code;
	return code;
}

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(e, code, fmt, ap);
	va_end(ap);
	return code;
}

int err_errno(struct err *e, int errnum, const char *fmt, ...)
{
	char *text _cleanup_free_ = NULL;
	va_list ap;

	if (!e)
		return E_FAIL;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return err_set(e, E_FAIL, "%s: %s", text, strerror(errnum));
}

int err_context(struct err *e, const char *fmt, ...)
{
	char *text _cleanup_free_ = NULL;
	va_list ap;

	if (!e)
		return E_FAIL;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	if (!e->msg || !*e->msg)
		return err_set(e, e->code ? e->code : E_FAIL, "%s", text);
	return err_set(e, e->code ? e->code : E_FAIL, "%s: %s", text, e->msg);
}

const char *err_msg(const struct err *e)
{
	return e && e->msg ? e->msg : "";
}

void err_release(struct err *e)
{
	if (!e)
		return;
	free(e->msg);
	e->msg = NULL;
	e->code = 0;
}

int err_exit_status(int code)
{
	switch (code) {
	case 0:
		return 0;
	case E_FINDINGS:
		return 2;
	case E_USAGE:
		return 129;
	case E_INTR:
		return 130;
	default:
		return 1;
	}
}
