// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rangediff.c - git range-diff run and its output read. The format is that of
 * range-diff.c in git 2.39: a line "N:  COMMIT ! M:  COMMIT subject" a pair, the diff of
 * the two patches below it, indented by four blanks.
 */
#include <ctype.h>
#include <stdlib.h>
#include "series/mem.h"
#include "series/rangediff.h"

#define INDENT	  "    "
#define RANGE_MAX 1000 /* patches of a series */
#define UNLIKE	  999  /* a --creation-factor that pairs what has little in common */

const char *range_mark_name(enum range_mark m)
{
	static const char *const names[] = { "unchanged", "changed", "dropped", "new" };

	return names[m];
}

void rangediff_release(struct rangediff *d)
{
	for (size_t i = 0; i < d->n; i++)
		buf_release(&d->v[i].own);
	free(d->v);
	buf_release(&d->text);
	*d = (struct rangediff){ 0 };
}

/* " 3:  e388dbe...": the number (0 for "-") and the commit ("" for dashes) of one side.
 */
static bool take_side(struct str *line, size_t *ret_n, char ret_id[OID_HEX])
{
	struct str number, id;
	int64_t n = 0;

	if (!str_word(line, &number) || !str_word(line, &id) || number.len < 2 ||
	    number.p[number.len - 1] != ':' || id.len != OID_HEX - 1)
		return false;
	number.len--;
	if (str_eqc(number, "-")) {
		ret_id[0] = '\0';
	} else if (str_to_i64(number, 1, INT32_MAX, &n)) {
		memcpy(ret_id, id.p, id.len);
		ret_id[id.len] = '\0';
	} else {
		return false;
	}
	*ret_n = (size_t)n;
	return true;
}

static bool take_pair(struct str line, struct range_pair *ret)
{
	static const char marks[] = "=!<>";
	struct range_pair p = { 0 };
	const char *at;
	struct str mark;

	if (!take_side(&line, &p.from, p.from_id) || !str_word(&line, &mark) ||
	    mark.len != 1 || !(at = strchr(marks, mark.p[0])) ||
	    !take_side(&line, &p.to, p.to_id))
		return false;
	p.mark = (enum range_mark)(at - marks);
	*ret = p;
	return true;
}

/*
 * What stayed in order is the longest run of rising old numbers; the rest was moved. Some
 * hundred patches at most, so the plain quadratic way.
 */
static void find_moved(struct rangediff *d)
{
	size_t *len = xcalloc(d->n + 1, sizeof(*len)), best = 0, last = 0;

	for (size_t i = 0; i < d->n; i++) {
		if (!d->v[i].from || !d->v[i].to)
			continue;
		len[i] = 1;
		for (size_t k = 0; k < i; k++)
			if (len[k] >= len[i] && d->v[k].from < d->v[i].from)
				len[i] = len[k] + 1;
		best = MAX(best, len[i]);
		d->v[i].moved = true;
	}
	last = SIZE_MAX;
	for (size_t i = d->n; i-- > 0 && best;)
		if (len[i] == best && d->v[i].from < last) {
			last = d->v[i].from;
			d->v[i].moved = false;
			best--;
		}
	free(len);
}

static int parse(struct rangediff *d, struct err *err)
{
	struct str rest = buf_str(&d->text), line;
	size_t cap = 0;

	while (str_line(&rest, &line)) {
		struct range_pair *p = d->n ? &d->v[d->n - 1] : NULL;

		if (p && str_starts(line, INDENT)) {
			if (!p->body.p)
				p->body = line;
			p->body.len = (size_t)(line.p + line.len + 1 - p->body.p);
			continue;
		}
		vec_grow(d->v, d->n, cap);
		if (!take_pair(line, &d->v[d->n]))
			return err_set(
				err, E_FAIL,
				"git range-diff printed a line that is no pair: '" STR_FMT
				"'",
				STR_ARG(line));
		d->n++;
	}
	find_moved(d);
	return 0;
}

/* git takes no empty range: all patches of the other side are new, or dropped. */
static int one_sided(struct repo *r, const char *base, const char *tip, bool to,
		     struct rangediff *d, struct err *err)
{
	struct commit *v = NULL;
	int rc = repo_range(r, base, tip, RANGE_MAX, &v, &d->n, err);

	if (rc)
		return rc;
	d->v = xcalloc(d->n + 1, sizeof(*d->v));
	for (size_t i = 0; i < d->n; i++) {
		struct range_pair *p = &d->v[i];

		p->mark = to ? RANGE_NEW : RANGE_DROPPED;
		*(to ? &p->to : &p->from) = i + 1;
		memcpy(to ? p->to_id : p->from_id, v[i].id, OID_HEX);
	}
	commits_free(v, d->n);
	return 0;
}

static int run_git(struct repo *r, char *const *args, struct rangediff *d,
		   struct err *err)
{
	int rc = git_check(r, args, STR_NULL, &d->text, err);

	return rc ? rc : parse(d, err);
}

int git_range_diff(struct repo *r, const char *from_base, const char *from_tip,
		   const char *to_base, const char *to_tip, int creation,
		   struct rangediff *ret, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct rangediff d _cleanup_rangediff_ = { 0 };
	char ids[4][OID_HEX];
	const char *const revs[4] = { from_base, from_tip, to_base, to_tip };
	int rc = 0;

	for (size_t i = 0; i < 4 && !rc; i++)
		rc = repo_resolve(r, revs[i], ids[i], err);
	if (rc)
		return rc;
	strvec_pushl(&args, "-c", "core.abbrev=40", "range-diff", "--no-color",
		     "--no-notes", "--no-ext-diff", NULL);
	if (creation)
		strvec_pushf(&args, "--creation-factor=%d", creation);
	strvec_pushf(&args, "%s..%s", ids[0], ids[1]);
	strvec_pushf(&args, "%s..%s", ids[2], ids[3]);
	if (!strcmp(ids[0], ids[1]))
		rc = one_sided(r, ids[2], ids[3], true, &d, err);
	else if (!strcmp(ids[2], ids[3]))
		rc = one_sided(r, ids[0], ids[1], false, &d, err);
	else
		rc = run_git(r, strvec_argv(&args), &d, err);
	if (rc)
		return rc;
	*ret = d;
	d = (struct rangediff){ 0 };
	return 0;
}

int rangediff_join(struct repo *r, struct rangediff *d, size_t dropped, size_t added,
		   struct err *err)
{
	struct range_pair *old = &d->v[dropped], *p = &d->v[added];
	char *a _cleanup_free_ = xasprintf("%s^", old->from_id);
	char *b _cleanup_free_ = xasprintf("%s^", p->to_id);
	struct rangediff two _cleanup_rangediff_ = { 0 };
	int rc = git_range_diff(r, a, old->from_id, b, p->to_id, UNLIKE, &two, err);

	if (rc)
		return rc;
	p->mark = RANGE_CHANGED;
	p->from = old->from;
	memcpy(p->from_id, old->from_id, OID_HEX);
	if (two.n == 1) {
		p->mark = two.v[0].mark;
		p->body = two.v[0].body;
		p->own = two.text;
		two.text = (struct buf){ 0 };
	}
	memmove(old, old + 1, (--d->n - dropped) * sizeof(*old));
	find_moved(d);
	return 0;
}

/* " ## Commit message ##", " ## mm/rmap.c (new) ##": the part that begins, else empty. */
static struct str part_of(struct str line)
{
	if (!str_skip(&line, " ## ") || line.len < 3)
		return STR_LIT("");
	line.len -= 3;
	return line;
}

static bool is_words(struct str part)
{
	return str_eqc(part, "Metadata") || str_eqc(part, "Commit message") ||
	       str_starts(part, "Notes");
}

/* In words lines are indented, so that none of theirs looks like a heading. */
void range_pair_words(const struct range_pair *p, struct strvec *ret)
{
	struct str rest = p->body, line, part = STR_LIT("");

	while (str_line(&rest, &line)) {
		struct str next;

		if (!str_skip(&line, INDENT) || !line.len)
			continue;
		/* The outer hunk names the part of what comes first in it. */
		if (str_skip(&line, "@@")) {
			line = str_trim(line);
			part = line.len ? line : part;
			continue;
		}
		next = part_of(str_n(line.p + 1, line.len - 1));
		if (next.len) {
			part = next;
		} else if ((line.p[0] == '+' || line.p[0] == '-') && is_words(part)) {
			char *name _cleanup_free_ = str_dup(part);

			if (!strvec_has(ret, name))
				strvec_push(ret, name);
		}
	}
}
