// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * posted_base.c - the commit that a posted version says it was made on. See posted.h.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "series/posted.h"

#define HEX_MIN 7
#define HEX_MAX 40

static bool is_commit(struct str s)
{
	if (s.len < HEX_MIN || s.len > HEX_MAX)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (hex_digit(s.p[i]) < 0)
			return false;
	return true;
}

static char *base_in(struct str text)
{
	struct str line;

	while (str_line(&text, &line)) {
		if (!str_skip(&line, "base-commit:"))
			continue;
		line = str_trim(line);
		if (is_commit(line))
			return str_dup(line);
	}
	return NULL;
}

char *posted_base(const struct thread *t, const struct posted_version *v)
{
	char *base = NULL;

	for (size_t k = 0; k <= v->total && !base; k++) {
		size_t mail = k ? v->patch[k - 1].mail : v->cover;
		struct buf own _cleanup_buf_ = BUF_INIT;

		if (mail != NO_MAIL)
			base = base_in(thread_text(t, mail, &own));
	}
	return base;
}
