/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out.h - where a command's answer goes: text or JSON, colours, pager.
 *
 * A command fills o->text (or builds o->json) and main flushes it once, through the pager
 * when it is long and a terminal is there; so library code never prints.
 */
#ifndef SERIES_OUT_H
#define SERIES_OUT_H

#include <stdbool.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/json.h"

struct out {
	struct buf text;
	struct json *json; /* when set it is printed instead of the text */
	bool color;	   /* resolved: --color, NO_COLOR, isatty */
	bool tty;
	bool no_pager;
	size_t width;	   /* columns, 80 when unknown */
	struct err failed; /* of out_drain() */
};

/* color: "auto", "always" or "never". */
void out_init(struct out *o, const char *color, bool no_pager);
void out_release(struct out *o);
void out_puts(struct out *o, const char *s);
void out_printf(struct out *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Foreign text, sanitised. */
void out_foreign(struct out *o, struct str s);
/*
 * Text in a colour (SGR number as text: "32" green, "31" red, "33" yellow, "1" bold),
 * sanitised.
 */
void out_color(struct out *o, const char *sgr, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * For answers of any length: what was gathered goes to stdout now, if it is much and no
 * pager may want the whole. An error stays in failed, further text is dropped, and
 * out_flush() returns it.
 */
void out_drain(struct out *o);
/*
 * Write what was gathered to stdout and forget it. On a terminal, unless no_pager, what
 * is longer than the screen goes through pager, a shell command of the user's own config
 * as with git's core.pager; NULL: $PAGER, else less; "" and "cat": none. E_FAIL when not
 * all could be written (disk full, reader gone).
 */
int out_flush(struct out *o, const char *pager, struct err *err);

#endif
