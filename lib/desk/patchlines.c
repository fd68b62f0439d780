// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchlines.c - see patchlines.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include "patchlines.h"
#include "series/mem.h"

/* What parts the commits: no line of a diff begins with it. */
#define START "\001"

static bool says_something(struct str line)
{
	for (size_t i = 0; i < line.len; i++)
		if (isalnum((unsigned char)line.p[i]) || (unsigned char)line.p[i] >= 0x80)
			return true;
	return false;
}

static void take_line(struct str line, struct strvec *to)
{
	struct str rest = str_n(line.p + 1, line.len - 1), word;
	struct buf b = BUF_INIT;

	if (!says_something(rest))
		return;
	buf_putc(&b, line.p[0]);
	while (str_word(&rest, &word)) {
		if (b.len > 1)
			buf_putc(&b, ' ');
		buf_addstr(&b, word);
	}
	strvec_take(to, buf_take(&b));
}

/* The output of git log -p: lists in the order of the ids, which git keeps. */
static void parse(struct str rest, const struct strvec *ids, struct strvec *lists)
{
	struct strvec *to = NULL;
	bool hunk = false;
	struct str line;

	while (str_line(&rest, &line)) {
		if (str_skip(&line, START)) {
			to = NULL;
			for (size_t i = 0; i < ids->n && !to; i++)
				if (str_eqc(line, ids->v[i]))
					to = &lists[i];
			hunk = false;
		} else if (str_starts(line, "diff ")) {
			hunk = false;
		} else if (str_starts(line, "@@ ")) {
			hunk = true;
		} else if (to && hunk && line.len &&
			   (line.p[0] == '+' || line.p[0] == '-')) {
			take_line(line, to);
		}
	}
	for (size_t i = 0; i < ids->n; i++)
		strvec_sort(&lists[i]);
}

int patchlines_read(struct repo *r, const struct strvec *ids, struct strvec **ret,
		    struct err *err)
{
	char *argv[] = { "-c",
			 "log.showSignature=false",
			 "log",
			 "--no-walk=unsorted",
			 "--stdin",
			 "--format=" START "%H",
			 "-p",
			 "-U0",
			 "--no-color",
			 "--no-ext-diff",
			 "--no-textconv",
			 "--no-notes",
			 "--no-relative",
			 NULL };
	char *input _cleanup_free_ = strvec_join(ids, "\n");
	struct buf out _cleanup_buf_ = BUF_INIT;
	int rc = ids->n ? git_check(r, argv, str_c(input), &out, err) : 0;

	if (rc)
		return rc;
	*ret = xcalloc(ids->n + 1, sizeof(**ret));
	parse(buf_str(&out), ids, *ret);
	return 0;
}

void patchlines_minus(const struct strvec *a, const struct strvec *b, struct strvec *ret)
{
	size_t i = 0, k = 0;

	while (i < a->n) {
		int order = k < b->n ? strcmp(a->v[i], b->v[k]) : -1;

		if (order < 0)
			strvec_push(ret, a->v[i++]);
		else if (order > 0)
			k++;
		else
			i++, k++;
	}
}

size_t patchlines_shared(const struct strvec *a, const struct strvec *b)
{
	size_t i = 0, k = 0, n = 0;

	while (i < a->n && k < b->n) {
		int order = strcmp(a->v[i], b->v[k]);

		if (!order)
			n++;
		i += order <= 0;
		k += order >= 0;
	}
	return n;
}
