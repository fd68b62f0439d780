// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fixup_look.c - the branch beside the version that was posted: which commit is which
 * patch, which are fixup! commits and for what, and what is left out of a fix.
 */
#include "check_priv.h"
#include "fixup_priv.h"
#include "series/compose.h"
#include "series/mem.h"

void look_release(struct look *q)
{
	comparison_release(&q->cmp);
	free(q->now);
	free(q->target);
}

const char *look_commit(const struct look *q, int k)
{
	return q->now[k - 1] < 0 ? NULL : q->s->patches[q->now[k - 1]].commit;
}

static bool is_fixup(const char *subject)
{
	return check_is_fixup(&(struct commit){ .subject = (char *)subject });
}

/* The only commit of the branch with this title, or -1. */
static ptrdiff_t by_title(const struct look *q, const char *subject)
{
	ptrdiff_t found = -1;

	for (size_t i = 0; i < q->s->n_patches; i++)
		if (!strcmp(q->s->patches[i].subject, subject)) {
			if (found >= 0)
				return -1;
			found = (ptrdiff_t)i;
		}
	return found;
}

static bool taken(const struct look *q, ptrdiff_t i)
{
	for (size_t k = 0; k < q->v->n_patches; k++)
		if (q->now[k] == i)
			return true;
	return false;
}

/* By the title, else as git range-diff pairs them. */
static void pair_patches(struct look *q)
{
	for (size_t k = 0; k < q->v->n_patches; k++)
		q->now[k] = -1;
	for (size_t k = 0; k < q->v->n_patches; k++) {
		ptrdiff_t i = by_title(q, q->v->patches[k].subject);

		if (i >= 0 && !taken(q, i))
			q->now[k] = i;
	}
	for (size_t j = 0; j < q->cmp.n; j++) {
		const struct range_pair *p = q->cmp.v[j].pair;

		if (p->from && p->to && q->now[p->from - 1] < 0 &&
		    !is_fixup(q->s->patches[p->to - 1].subject) &&
		    !taken(q, (ptrdiff_t)p->to - 1))
			q->now[p->from - 1] = (ptrdiff_t)p->to - 1;
	}
}

/* "fixup! fixup! TITLE" without the marks. */
static struct str marked(const char *subject)
{
	struct str rest = str_c(subject);

	while (str_skip(&rest, "fixup! ") || str_skip(&rest, "squash! ") ||
	       str_skip(&rest, "amend! "))
		;
	return rest;
}

/* Patch k's title or commit, as posted and as it is now. */
static bool names(const struct look *q, size_t k, struct str what, bool whole)
{
	const char *now = look_commit(q, (int)k + 1);
	const struct patch *p = &q->v->patches[k];
	const char *title = now ? q->s->patches[q->now[k]].subject : p->subject;
	char *word _cleanup_free_ = str_dup(what);

	if (whole)
		return str_eqc(what, p->subject) || str_eqc(what, title);
	if (what.len >= 7 &&
	    (str_starts(str_c(p->commit), word) || (now && str_starts(str_c(now), word))))
		return true;
	return what.len &&
	       (str_starts(str_c(p->subject), word) || str_starts(str_c(title), word));
}

/* As git rebase --autosquash finds it: the title, then its begin or a commit. */
static int find_target(const struct look *q, const char *subject)
{
	struct str what = marked(subject);

	for (int whole = 1; whole >= 0; whole--)
		for (size_t k = 0; k < q->v->n_patches; k++)
			if (names(q, k, what, whole))
				return (int)k + 1;
	return 0;
}

int look_at_branch(struct look *q, struct err *err)
{
	struct side from = { 0 }, to = { 0 };
	int rc = side_branch(q->s, &to, err);

	if (rc)
		return rc;
	if (!q->s->n_patches) {
		side_release(&to);
		return err_set(err, E_FAIL,
			       "there are no commits above the base: git switch to the "
			       "branch that has the change, or series base --set REF");
	}
	side_version(q->v, &from);
	rc = compare_make(q->s->repo, &from, &to, 0, &q->cmp, err);
	if (rc)
		return rc;
	q->now = xcalloc(q->v->n_patches + 1, sizeof(*q->now));
	q->target = xcalloc(q->s->n_patches + 1, sizeof(*q->target));
	pair_patches(q);
	for (size_t i = 0; i < q->s->n_patches; i++)
		q->target[i] = is_fixup(q->s->patches[i].subject)
				       ? find_target(q, q->s->patches[i].subject)
				       : -1;
	return 0;
}

/* The fixes of patch k so far have this fixup! commit. */
static bool was_sent(const struct look *q, int k, const char *patch_id)
{
	for (size_t i = 0; i < q->v->n_fixups; i++)
		if (q->v->fixups[i].patch == k &&
		    strvec_has(&q->v->fixups[i].parts, patch_id))
			return true;
	return false;
}

/* Below "amend! TITLE" stands the new message of the patch, which is no word on the fix.
 */
static void add_text(struct fix *f, const struct commit *c, struct strvec *trailers)
{
	if (!str_starts(str_c(c->subject), "amend! "))
		fix_text(message_body(c->message), &f->text, trailers);
	if (f->author.name)
		return;
	f->author.name = xstrdup(c->author_name);
	f->author.email = xstrdup(c->author_email);
}

int look_at_parts(struct look *q, int k, struct err *err)
{
	struct strvec trailers _cleanup_strvec_ = STRVEC_INIT;
	struct fix *f = q->f;
	int rc = 0;

	for (size_t i = 0; i < q->s->n_patches && !rc; i++) {
		const struct patch *p = &q->s->patches[i];
		struct commit c;

		if (q->target[i] != k || was_sent(q, k, p->patch_id))
			continue;
		rc = repo_commit(q->s->repo, p->commit, &c, err);
		if (rc)
			return rc;
		strvec_push(&f->parts, p->patch_id);
		add_text(f, &c, &trailers);
		commit_release(&c);
	}
	fix_text_end(&f->text, &trailers);
	return rc;
}

/* Did the code of patch k change in its own commit? Context lines do not count. */
static bool amended(const struct look *q, int k)
{
	const char *now = look_commit(q, k);

	if (!now ||
	    !strcmp(q->s->patches[q->now[k - 1]].patch_id, q->v->patches[k - 1].patch_id))
		return false;
	for (size_t j = 0; j < q->cmp.n; j++) {
		const struct range_pair *p = q->cmp.v[j].pair;

		if (p->from == (size_t)k && (ptrdiff_t)p->to == q->now[k - 1] + 1)
			return q->cmp.v[j].code_changed;
	}
	return true;
}

bool look_has_fixups(const struct look *q, int k)
{
	for (size_t i = 0; i < q->s->n_patches; i++)
		if (q->target[i] == k)
			return true;
	return false;
}

/* The branch starts on top of the posted patches, or of a tree that has them. */
static bool all_below(const struct look *q)
{
	for (size_t k = 0; k < q->v->n_patches; k++)
		if (q->now[k] >= 0)
			return false;
	return true;
}

static int is_other(struct look *q, int k, bool *ret, struct err *err)
{
	*ret = amended(q, k) || look_has_fixups(q, k);
	/* It may have gone out as a fix of its own. */
	return *ret ? look_changed(q, k, ret, err) : 0;
}

static void leave_out(struct look *q, const char *remedy, const char *what,
		      const char *subject)
{
	findings_add(&q->f->findings, "fixup-others", SEVERITY_WARNING, q->f->title,
		     remedy, "%s is not in it: '%s'", what, subject);
}

int look_at_others(struct look *q, int k, struct err *err)
{
	char *next _cleanup_free_ = xasprintf("v%d will have it", series_draft(q->s));

	for (size_t i = 0; i < q->v->n_patches; i++) {
		char *what _cleanup_free_ = xasprintf("what changed in patch %zu", i + 1);
		char *remedy _cleanup_free_ = xasprintf("series send --fixup=%zu", i + 1);
		bool other = false;
		int rc = (int)i + 1 == k ? 0 : is_other(q, (int)i + 1, &other, err);

		if (rc)
			return rc;
		if (other)
			leave_out(q, remedy, what, q->v->patches[i].subject);
		else if (q->now[i] < 0 && !all_below(q))
			leave_out(q, next, "that a patch was dropped",
				  q->v->patches[i].subject);
	}
	for (size_t i = 0; i < q->s->n_patches; i++)
		if (!q->target[i])
			leave_out(q, next, "a commit that fits no posted patch",
				  q->s->patches[i].subject);
		else if (q->target[i] < 0 && !taken(q, (ptrdiff_t)i))
			leave_out(q, next, "a new commit", q->s->patches[i].subject);
	return 0;
}

/* Has this commit, an amend! one or the patch itself, another text than the posted one?
 */
static int other_text(const struct look *q, const char *commit,
		      const struct commit *posted, bool *ret, struct err *err)
{
	struct commit c;
	struct str text;
	int rc = repo_commit(q->s->repo, commit, &c, err);

	if (rc)
		return rc;
	text = str_starts(str_c(c.subject), "amend! ") ? message_body(c.message)
						       : str_c(c.message);
	*ret = !str_eq(str_trim(text), str_trim(str_c(posted->message)));
	commit_release(&c);
	return 0;
}

/* Is the text of patch k another one now, in its commit or by an amend! commit? */
static int reworded(const struct look *q, int k, bool *ret, struct err *err)
{
	const char *now = look_commit(q, k);
	struct commit posted;
	int rc = repo_commit(q->s->repo, q->v->patches[k - 1].commit, &posted, err);

	*ret = false;
	if (rc)
		return rc;
	if (now)
		rc = other_text(q, now, &posted, ret, err);
	for (size_t i = 0; i < q->s->n_patches && !rc && !*ret; i++) {
		const struct patch *p = &q->s->patches[i];

		if (q->target[i] == k && str_starts(str_c(p->subject), "amend! "))
			rc = other_text(q, p->commit, &posted, ret, err);
	}
	commit_release(&posted);
	return rc;
}

/* "; what changed is patch 2, 4: series send --fixup=2" */
static int put_changed(struct look *q, int k, struct buf *out, struct err *err)
{
	int first = 0;

	for (int i = 1; (size_t)i <= q->v->n_patches; i++) {
		bool other = false;
		int rc = i == k ? 0 : is_other(q, i, &other, err);

		if (rc)
			return rc;
		if (!other)
			continue;
		buf_printf(out, "%s%d", first ? ", " : "; what changed is patch ", i);
		first = first ? first : i;
	}
	if (first)
		buf_printf(out, ": series send --fixup=%d", first);
	else
		buf_puts(out, "; amend its commit, or git commit --fixup=COMMIT");
	return 0;
}

int look_nothing(struct look *q, int k, struct err *err)
{
	struct buf more _cleanup_buf_ = BUF_INIT;
	const char *subject = q->v->patches[k - 1].subject;
	bool words;
	int rc;

	if (!look_commit(q, k) && !look_has_fixups(q, k) && !all_below(q))
		return err_set(
			err, E_FAIL,
			"patch %d '%s' is no longer in the branch: ask for it to be "
			"dropped, in a reply to its mail, or post v%d",
			k, subject, series_draft(q->s));
	rc = reworded(q, k, &words, err);
	if (!rc && words)
		return err_set(
			err, E_FAIL,
			"only the message of patch %d '%s' changed, and a fix is for "
			"code: reply to its mail with the new text, or post v%d",
			k, subject, series_draft(q->s));
	if (!rc)
		rc = put_changed(q, k, &more, err);
	if (rc)
		return rc;
	return err_set(err, E_FAIL, "the code of patch %d '%s' is as it was %s%s", k,
		       subject, q->f->nth > 1 ? "with its last fix" : "posted",
		       buf_cstr(&more));
}
