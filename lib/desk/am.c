// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * am.c - which version of a series is applied, and which of its patches. See am.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include "am_priv.h"
#include "series/mem.h"

void am_release(struct am *a)
{
	free(a->patch);
	free(a->tag);
	tags_release(&a->tags);
	strvec_release(&a->notes);
	*a = (struct am){ 0 };
}

/* "v2", "2", "5.1", "RFC v1" without blanks and case, and without the v. */
static char *plain_label(const char *s)
{
	struct buf b = BUF_INIT;

	for (; *s; s++)
		if (isdigit((unsigned char)*s) || *s == '.' ||
		    (isalpha((unsigned char)*s) && !(tolower((unsigned char)*s) == 'v' &&
						     isdigit((unsigned char)s[1]))))
			buf_putc(&b, (char)tolower((unsigned char)*s));
	return buf_take(&b);
}

static bool is_named(const struct posted_version *v, const char *plain)
{
	char *label _cleanup_free_ = plain_label(v->label);
	char *number _cleanup_free_ = v->minor ? xasprintf("%d.%d", v->version, v->minor)
					       : xasprintf("%d", v->version);

	return !strcmp(label, plain) || !strcmp(number, plain);
}

static bool complete(const struct posted_version *v)
{
	return v->total && !v->missing;
}

/*
 * The newest that has the name. A version goes before an RFC of its number, one that is
 * complete before one that is not.
 */
static int find_named(const struct am *a, const struct posted_series *s, const char *name,
		      size_t *ret, struct err *err)
{
	char *plain _cleanup_free_ = plain_label(name);
	struct buf all _cleanup_buf_ = BUF_INIT;
	size_t best = NO_MAIL;

	for (size_t i = s->n; i-- > 0;) {
		const struct posted_version *v = &a->posted->v[s->v[i]];
		const struct posted_version *was =
			best == NO_MAIL ? NULL : &a->posted->v[best];

		buf_printf(&all, "%s%s", all.len ? ", " : "", v->label);
		if (is_named(v, plain) &&
		    (!was || (was->rfc && !v->rfc) ||
		     (was->rfc == v->rfc && !complete(was) && complete(v))))
			best = s->v[i];
	}
	if (best == NO_MAIL)
		return err_set(err, E_NOTFOUND,
			       "there is no version '%s' here; there is %s", name,
			       buf_cstr(&all));
	*ret = best;
	return 0;
}

/* What is taken, where something else may have been meant. */
static void note_choice(struct am *a, const struct posted_series *s)
{
	const struct posted_version *v = am_version(a), *asked = NULL;
	const struct posted_version *last = &a->posted->v[s->v[s->n - 1]];

	if (a->opts->asked != NO_MAIL)
		asked = &a->posted->v[a->opts->asked];
	if (asked && asked != v && !a->opts->version)
		strvec_pushf(&a->notes,
			     "the mail that was asked for is of %s; %s is newer (-v %s "
			     "takes the other)",
			     asked->label, v->label, asked->label);
	if (last != v && !a->opts->version)
		strvec_pushf(
			&a->notes,
			"%s is newer than %s and not complete: %zu of its %zu patches "
			"are not here",
			last->label, v->label, last->missing, last->total);
	else if (last != v && asked != v)
		strvec_pushf(&a->notes, "%s is not the newest version: that is %s",
			     v->label, last->label);
	if (v->partial)
		strvec_pushf(
			&a->notes,
			"%s is a reroll of some patches; the others are those of the "
			"version before",
			v->label);
	if (v->uncertain)
		strvec_pushf(&a->notes,
			     "it is uncertain that %s is a version of the same series",
			     v->label);
}

static int choose_version(struct am *a, size_t series, struct err *err)
{
	const struct posted_series *s = &a->posted->series[series];
	int rc = 0;

	if (a->opts->version)
		rc = find_named(a, s, a->opts->version, &a->version, err);
	else
		a->version = posted_newest(a->posted, series);
	if (!rc)
		note_choice(a, s);
	return rc;
}

/* "1,3-5" of total patches, as a mark for each. */
static int read_ranges(const char *list, size_t total, bool *want, struct err *err)
{
	struct str rest = str_c(list), piece, first;

	while (str_cut(&rest, ',', &piece)) {
		int64_t lo, hi;
		struct str last = str_trim(piece);

		str_cut(&last, '-', &first);
		if (!str_to_i64(str_trim(first), 1, (int64_t)total, &lo) ||
		    (last.p && !str_to_i64(str_trim(last), lo, (int64_t)total, &hi)))
			return err_set(
				err, E_USAGE,
				"--patches: '%s' is no list like 1,3-5 of patches 1 to "
				"%zu",
				list, total);
		for (int64_t k = lo; k <= (last.p ? hi : lo); k++)
			want[k - 1] = true;
	}
	return 0;
}

static int say_missing(const struct am *a, const bool *want, struct err *err)
{
	const struct posted_version *v = am_version(a);
	struct buf b _cleanup_buf_ = BUF_INIT, there _cleanup_buf_ = BUF_INIT;
	size_t n = 0;

	for (size_t k = 0; k < v->total; k++) {
		bool missing = v->patch[k].mail == NO_MAIL;
		struct buf *to = missing ? &b : &there;

		if (!want[k])
			continue;
		n += missing;
		buf_printf(to, "%s%zu", to->len ? "," : "", k + 1);
	}
	if (!n)
		return 0;
	return err_set(
		err, E_FAIL,
		"%s is not complete: patch%s %s of %zu %s not here; give a mailbox "
		"that has all%s%s%s",
		v->label, n == 1 ? "" : "es", buf_cstr(&b), v->total,
		n == 1 ? "is" : "are",
		there.len ? ", or leave out what is missing: -P " : "", buf_cstr(&there),
		"");
}

static int choose_patches(struct am *a, struct err *err)
{
	const struct posted_version *v = am_version(a);
	bool *want _cleanup_free_ = xcalloc(v->total + 1, sizeof(*want));
	int rc = 0;

	if (!v->total)
		return err_set(err, E_FAIL, "%s: none of its patches is here", v->label);
	for (size_t k = 0; k < v->total; k++)
		want[k] = !a->opts->patches;
	if (a->opts->patches)
		rc = read_ranges(a->opts->patches, v->total, want, err);
	if (!rc)
		rc = say_missing(a, want, err);
	if (rc)
		return rc;
	a->patch = xcalloc(v->total, sizeof(*a->patch));
	for (size_t k = 0; k < v->total; k++)
		if (want[k])
			a->patch[a->n_patches++] =
				(struct am_patch){ .n = k + 1,
						   .mail = v->patch[k].mail,
						   .title = v->patch[k].title };
	return 0;
}

int am_open(struct repo *r, const struct config *c, const struct thread *t,
	    const struct posted *p, size_t series, const struct am_opts *o,
	    struct am *ret, struct err *err)
{
	struct am a _cleanup_am_ = {
		.repo = r, .config = c, .thread = t, .posted = p, .opts = o
	};
	int rc = choose_version(&a, series, err);

	if (!rc)
		rc = choose_patches(&a, err);
	if (!rc)
		rc = am_judge_tags(&a, err);
	if (rc)
		return rc;
	*ret = a;
	a = (struct am){ 0 };
	return 0;
}
