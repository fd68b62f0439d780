// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_whitespace.c - what git diff --check says of each patch: conflict markers, and
 * white space errors (core.whitespace and .gitattributes hold) where the base has no
 * checkpatch.
 */
#include "check_priv.h"

#define SCRIPT "scripts/checkpatch.pl"

static bool base_has_checkpatch(const struct check_ctx *x)
{
	struct buf text _cleanup_buf_ = BUF_INIT;

	return !repo_file(x->s->repo, x->base, SCRIPT, &text, NULL);
}

/*
 * git calls each line of seven equal signs a marker. Below a heading of seven letters it
 * is none: it counts where "<<<<<<<" stands above it in the file. place is "FILE:LINE".
 */
static bool is_marker(const struct check_ctx *x, size_t i, struct str place)
{
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *path _cleanup_free_ = NULL;
	struct str rest = place, number = STR_NULL, line = STR_NULL;
	bool open = false;
	int64_t n;

	while (str_cut(&rest, ':', &number))
		;
	if (number.len >= place.len || !str_to_i64(number, 1, INT64_MAX, &n))
		return true;
	path = str_dup(str_n(place.p, place.len - number.len - 1));
	if (repo_file(x->s->repo, x->commits[i].id, path, &text, NULL))
		return true;
	rest = buf_str(&text);
	while (n-- > 0 && str_line(&rest, &line))
		open |= str_starts(line, "<<<<<<<");
	return open || !str_starts(line, "=======");
}

/* "FILE:LINE: leftover conflict marker", "FILE:LINE: trailing whitespace." */
static void look_at_line(struct check_ctx *x, size_t i, struct str line, bool whitespace)
{
	struct str place = line, what = STR_NULL;
	char *where _cleanup_free_ = NULL, *remedy _cleanup_free_ = NULL;
	ptrdiff_t end = -1, at;

	for (size_t k = 0; (at = str_find(str_n(line.p + k, line.len - k), ": ")) >= 0;) {
		end = (ptrdiff_t)k + at;
		k += (size_t)at + 2;
	}
	if (end < 0 || !line.len || strchr("+- ", line.p[0]))
		return;
	place = str_n(line.p, end);
	what = str_n(line.p + end + 2, line.len - end - 2);
	if (str_ends(what, "."))
		what.len--;
	where = xasprintf("patch %zu/%zu, " STR_FMT, i + 1, x->n, STR_ARG(place));
	remedy = check_rebase(x, i, "edit");
	if (str_eqc(what, "leftover conflict marker")) {
		if (is_marker(x, i, place))
			check_add(x, "conflict-marker", where, remedy,
				  "a conflict marker is left");
	} else if (whitespace) {
		check_add(x, "whitespace", where, remedy, STR_FMT, STR_ARG(what));
	}
}

int check_whitespace(struct check_ctx *x, struct err *err)
{
	char *range _cleanup_free_ = xasprintf("%s..%s", x->base, x->head);
	char *args[] = { "log",
			 "--reverse",
			 "--check",
			 "--no-show-signature",
			 "--no-color",
			 "--no-ext-diff",
			 "--no-renames",
			 "--no-relative",
			 "--format=commit %H",
			 range,
			 NULL };
	bool whitespace = check_wanted(x, "whitespace") && !base_has_checkpatch(x);
	struct proc_result res _cleanup_proc_ = PROC_RESULT_INIT;
	struct str rest, line;
	size_t i = 0;
	/* Its status is 2 when something was found. */
	int rc = git_run(x->s->repo, args, STR_NULL, &res, err);

	if (rc)
		return rc;
	rest = buf_str(&res.out);
	while (str_line(&rest, &line)) {
		if (str_skip(&line, "commit ") && line.len == OID_HEX - 1) {
			for (size_t k = 0; k < x->n; k++)
				i = str_eqc(line, x->commits[k].id) ? k : i;
			continue;
		}
		look_at_line(x, i, line, whitespace);
	}
	return 0;
}
