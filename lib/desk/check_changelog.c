// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_changelog.c - a later version says what changed (changes/vN.txt), and not of a
 * patch that git range-diff finds unchanged. Entries of a patch begin with "patch K:",
 * with or without "- ", and a subject may stand behind it.
 */
#include <ctype.h>
#include "check_priv.h"
#include "series/compare.h"
#include "series/store.h"

/* "- patch 3: TEXT" to 3 and TEXT; 0 for another line. */
static size_t patch_of(struct str line, struct str *ret_text)
{
	size_t k = 0;

	line = str_trim(line);
	if (str_skip(&line, "- "))
		line = str_trim(line);
	if (!str_skip(&line, "patch ") && !str_skip(&line, "Patch "))
		return 0;
	for (; line.len && isdigit((unsigned char)line.p[0]) && k < SERIES_MAX_PATCHES;
	     line = str_n(line.p + 1, line.len - 1))
		k = k * 10 + (size_t)(line.p[0] - '0');
	if (!str_skip(&line, ":"))
		return 0;
	*ret_text = str_trim(line);
	return k;
}

/* Who is meant: the patch of that subject, else the number. */
static size_t find_patch(const struct check_ctx *x, size_t k, struct str text)
{
	for (size_t i = 0; i < x->n; i++)
		if (str_eqc(text, x->commits[i].subject))
			return i + 1;
	return k;
}

static bool unchanged(const struct comparison *c, size_t k)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct compared *p = &c->v[i];

		if (p->pair->to == k)
			return p->pair->mark == RANGE_SAME && !p->pair->moved &&
			       !p->retitled;
	}
	return false;
}

static void look_at_entries(struct check_ctx *x, struct str text,
			    const struct comparison *c)
{
	struct str line, rest;
	size_t n = 0;

	while (str_line(&text, &line)) {
		size_t k = patch_of(line, &rest);

		n++;
		if (!k || str_find(line, "no change") >= 0)
			continue;
		k = find_patch(x, k, rest);
		if (unchanged(c, k)) {
			char *where _cleanup_free_ = xasprintf(
				"changes/v%d.txt:%zu", x->p->outbox->version.n, n);

			check_add(x, "changelog-denied", where, "series changes --edit",
				  "patch %zu is as it was in %s", k, c->from.name);
		}
	}
}

static int compare(struct check_ctx *x, const struct version *last, struct str text,
		   struct err *err)
{
	struct comparison c _cleanup_comparison_ = { 0 };
	struct side from _cleanup_(side_release) = { 0 },
			 to _cleanup_(side_release) = { 0 };
	int rc;

	if (str_find(text, "patch ") < 0 && str_find(text, "Patch ") < 0)
		return 0;
	side_version(last, &from);
	rc = side_branch(x->s, &to, err);
	if (!rc)
		rc = compare_make(x->s->repo, &from, &to, 0, &c, err);
	if (!rc)
		look_at_entries(x, text, &c);
	return rc;
}

int check_changelog(struct check_ctx *x, struct err *err)
{
	const struct version *last = series_last(x->s);
	int n = x->p->outbox->version.n, rc;
	char *path _cleanup_free_ = xasprintf("changes/v%d.txt", n);
	struct buf text _cleanup_buf_ = BUF_INIT;

	if (n < 2 || x->p->outbox->restart)
		return 0;
	rc = store_read(x->s->repo, x->s->name, path, &text, err);
	if (rc == E_NOTFOUND) {
		err_release(err);
		rc = 0;
	}
	if (!rc && !str_trim(buf_str(&text)).len)
		check_add(x, "changelog-missing", path, "series changes --edit",
			  "v%d does not say what changed", n);
	return rc || !last ? rc : compare(x, last, buf_str(&text), err);
}
