// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first error of a build: what a person would look for in the log.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define LINES_BEFORE 6
#define LINES_AFTER  8
/* Of a line: it goes into the state and onto the screen. */
#define LINE_KEPT ((size_t)1000)

/* 2: an error of the compiler, assembler, linker or modpost; 1: make gave up; 0: neither
 */
static int weight(struct str line)
{
	static const char *const strong[] = {
		": error: ",
		": fatal error: ",
		": Error: ",
		": undefined reference",
		"ERROR: modpost",
		"multiple definition of",
		": internal compiler error",
		"Kconfig: error",
	};

	if (str_starts(line, "error: ") || str_starts(line, "ld: error"))
		return 2;
	for (size_t i = 0; i < ARRAY_SIZE(strong); i++)
		if (str_find(line, strong[i]) >= 0)
			return 2;
	/* kconfig: "mm/Kconfig:12: syntax error" */
	if (str_find(line, ": syntax error") >= 0 ||
	    str_find(line, "No rule to make") >= 0)
		return 2;
	return str_starts(line, "make") && str_find(line, "*** ") >= 0;
}

static void put_line(struct buf *out, struct str line)
{
	while (str_skip(&line, "../"))
		;
	line.len = MIN(line.len, LINE_KEPT);
	buf_printf(out, "%s" STR_FMT, out->len ? "\n" : "", STR_ARG(line));
}

static bool leads(struct str line)
{
	return str_find(line, "In file included from ") >= 0 ||
	       str_starts(line, "                 from ") ||
	       str_find(line, ": In function ") >= 0 ||
	       str_find(line, ": in function ") >= 0 ||
	       str_find(line, ": At top level") >= 0;
}

static bool follows(struct str line)
{
	struct str object;

	return !step_line(line, &object) &&
	       (str_starts(line, " ") || str_find(line, ": note: ") >= 0);
}

char *first_error(struct str log)
{
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct str lines[LINES_BEFORE + 1], rest = log, line, best = STR_NULL;
	size_t n = 0;
	int w = 0;

	while (w < 2 && str_line(&rest, &line)) {
		int now = weight(line);

		if (now > w) {
			best = line;
			w = now;
		}
	}
	if (!w)
		return NULL;
	/* Lines just before it that belong to it; for a bare make error whatever is
	 * there. */
	rest = log;
	while (str_line(&rest, &line) && line.p != best.p) {
		struct str object;
		bool keep = w == 2 ? leads(line) : !step_line(line, &object);

		if (!keep)
			n = 0;
		else if (n == LINES_BEFORE)
			memmove(lines, lines + 1, (n - 1) * sizeof(*lines)), n--;
		if (keep)
			lines[n++] = line;
	}
	lines[n++] = best;
	for (size_t i = 0; i < n; i++)
		put_line(&out, lines[i]);
	for (int i = 0; w == 2 && i < LINES_AFTER && str_line(&rest, &line); i++) {
		if (!follows(line))
			break;
		put_line(&out, line);
	}
	return buf_take(&out);
}

bool machine_error(struct str log, struct str *ret_line)
{
	static const char *const signs[] = {
		"No space left on device",  "Disk quota exceeded",
		"Cannot allocate memory",   "Killed signal terminated program",
		"virtual memory exhausted", "Input/output error",
		"Read-only file system",    "Too many open files",
	};
	struct str line;

	while (str_line(&log, &line)) {
		/* What the kernel's code says (gcc shows it), or a warning about it. */
		if (str_starts(line, " ") || str_find(line, ": warning: ") >= 0 ||
		    str_find(line, ": note: ") >= 0)
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
			if (str_find(line, signs[i]) >= 0) {
				*ret_line = line;
				return true;
			}
	}
	return false;
}
