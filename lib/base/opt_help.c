// SPDX-License-Identifier: GPL-2.0-or-later
/* opt_help.c - an option table as help lines. */
#include "series/mem.h"
#include "series/opt.h"
#include "series/utf8.h"

#define HELP_MAX	 30 /* longest left part that has its help on the same line */
#define LINE_MAX_COLUMNS 80

void opt_arg(const struct opt *o, struct buf *out)
{
	const char *const *c;

	if (o->kind == OPT_FLAG)
		return;
	if (o->arg || o->kind != OPT_CHOICE) {
		buf_puts(out, o->arg ? o->arg : o->kind == OPT_INT ? "N" : "VALUE");
		return;
	}
	for (c = o->choices; *c; c++)
		buf_printf(out, "%s%s", c == o->choices ? "" : "|", *c);
}

static void left_part(const struct opt *o, struct buf *b)
{
	if (o->letter)
		buf_printf(b, "  -%c, ", o->letter);
	else
		buf_puts(b, "      ");
	buf_printf(b, "--%s%s", o->negatable ? "[no-]" : "", o->name);
	if (o->kind != OPT_FLAG)
		buf_puts(b, o->kind == OPT_OPTIONAL ? "[=" : " ");
	opt_arg(o, b);
	if (o->kind == OPT_OPTIONAL)
		buf_putc(b, ']');
}

void opt_help(const struct opt *table, struct buf *out)
{
	const struct opt *o;
	size_t width = 0;

	for (o = table; o->name; o++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		left_part(o, &b);
		if (b.len <= HELP_MAX)
			width = MAX(width, b.len);
	}
	for (o = table; o->name; o++) {
		struct buf b _cleanup_buf_ = BUF_INIT;

		left_part(o, &b);
		buf_addstr(out, buf_str(&b));
		if (o->help) {
			if (b.len > HELP_MAX)
				buf_putc(out, '\n');
			buf_fill(out, ' ',
				 b.len > HELP_MAX ? width + 2 : width - b.len + 2);
			utf8_wrap(str_c(o->help), width + 2, LINE_MAX_COLUMNS, out);
		}
		buf_putc(out, '\n');
	}
}
