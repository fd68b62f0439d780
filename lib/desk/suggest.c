// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest.c - what the changelog of the draft might say: the range-diff with the last
 * version put into the words that authors use.
 */
#include <stdlib.h>
#include "letter.h"
#include "patchcode.h"
#include "series/changes.h"
#include "series/compare.h"
#include "series/mem.h"
#include "suggest.h"
#include "suggest_base_priv.h"

#define SHORT_ID 12

void suggestions_release(struct suggestions *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->v[i].text);
		strvec_release(&s->v[i].words);
	}
	free(s->v);
	*s = (struct suggestions){ 0 };
}

struct suggestion *suggest(struct suggestions *to, int patch, char *text_take)
{
	struct suggestion *e;

	vec_grow(to->v, to->n, to->cap);
	e = &to->v[to->n++];
	*e = (struct suggestion){ .patch = patch, .text = text_take };
	return e;
}

static void suggest_rebase(const struct series *s, const struct config *c,
			   const struct version *last, struct suggestions *to)
{
	char *name _cleanup_free_ = NULL;
	struct suggestion *e;

	if (!strcmp(last->base, s->base))
		return;
	name = letter_base_name(s, c);
	e = suggest(to, 0,
		    name ? xasprintf("rebased onto %s (%.*s)", name, SHORT_ID, s->base)
			 : xasprintf("rebased onto %.*s", SHORT_ID, s->base));
	strvec_push(&e->words, "rebase");
}

/* A patch that came, went or was moved: its title, or "patch K" with the right number. */
static void name_patch(struct suggestion *e, const char *subject, size_t k)
{
	strvec_push(&e->words, subject);
	if (k)
		strvec_pushf(&e->words, "patch %zu", k);
}

static void suggest_new(const struct flow *w, size_t i, struct suggestions *to)
{
	const struct compared *p = &w->c->v[i];
	const char *from = w->last;
	struct suggestion *e;
	const struct compared *old;

	if (w->other[i] == NOWHERE) {
		e = suggest(
			to, 0,
			xasprintf("new patch %zu (\"%s\")", p->pair->to, p->to_subject));
		name_patch(e, p->to_subject, p->pair->to);
		return;
	}
	old = &w->c->v[w->other[i]];
	if (old->pair->mark == RANGE_DROPPED)
		e = suggest(to, 0,
			    xasprintf("patch %zu (\"%s\") is made from patch %zu of %s "
				      "(\"%s\")",
				      p->pair->to, p->to_subject, old->pair->from, from,
				      old->from_subject));
	else
		e = suggest(to, 0,
			    xasprintf("split patch %zu (\"%s\") out of patch %zu",
				      p->pair->to, p->to_subject, old->pair->to));
	name_patch(e, p->to_subject, p->pair->to);
}

static void suggest_dropped(const struct flow *w, size_t i, struct suggestions *to)
{
	const struct compared *p = &w->c->v[i];
	struct suggestion *e;

	/* Patches made from it say so themselves. */
	for (size_t k = 0; k < w->c->n; k++)
		if (w->c->v[k].pair->mark == RANGE_NEW && w->other[k] == i)
			return;
	if (w->other[i] == NOWHERE || w->taken[i])
		e = suggest(to, 0,
			    xasprintf("dropped patch %zu of %s (\"%s\")%s%s",
				      p->pair->from, w->last, p->from_subject,
				      w->taken[i] ? ": it is in " : "",
				      w->taken[i] ? w->base : ""));
	else
		e = suggest(to, 0,
			    xasprintf("folded patch %zu of %s (\"%s\") into patch %zu",
				      p->pair->from, w->last, p->from_subject,
				      w->c->v[w->other[i]].pair->to));
	name_patch(e, p->from_subject, 0);
}

static void suggest_moved(const struct flow *w, size_t i, struct suggestions *to)
{
	const struct compared *p = &w->c->v[i];
	struct suggestion *e;

	if (!p->pair->moved)
		return;
	e = suggest(to, 0,
		    xasprintf("moved patch %zu of %s (\"%s\") to %zu", p->pair->from,
			      w->last, p->to_subject, p->pair->to));
	name_patch(e, p->to_subject, 0);
	strvec_push(&e->words, "reorder");
}

static void suggest_whole(const struct flow *w, struct suggestions *to)
{
	for (size_t i = 0; i < w->c->n; i++)
		if (w->c->v[i].pair->mark == RANGE_NEW)
			suggest_new(w, i, to);
	for (size_t i = 0; i < w->c->n; i++)
		if (w->c->v[i].pair->mark == RANGE_DROPPED)
			suggest_dropped(w, i, to);
	for (size_t i = 0; i < w->c->n; i++)
		suggest_moved(w, i, to);
}

/* "a(), b() and c()" */
static void put_list(const struct strvec *v, struct buf *out)
{
	for (size_t i = 0; i < v->n; i++)
		buf_printf(out, "%s%s",
			   !i		   ? ""
			   : i + 1 == v->n ? " and "
					   : ", ",
			   v->v[i]);
}

/* The places of one file, those from *at on: "foo() and bar() in mm/rmap.c". */
static void put_file(const struct strvec *places, size_t *at, struct buf *out)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct str file = patchcode_file(places->v[*at]);

	for (; *at < places->n && str_eq(patchcode_file(places->v[*at]), file); ++*at) {
		const char *name = places->v[*at] + file.len;

		if (*name)
			strvec_push(&names, name + strlen(": "));
	}
	if (names.n > 4)
		buf_printf(out, "%zu functions in ", names.n);
	else if (names.n)
		put_list(&names, out);
	if (names.n && names.n <= 4)
		buf_puts(out, " in ");
	buf_addstr(out, file);
}

void suggest_put_places(const struct strvec *places, struct buf *out)
{
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;

	for (size_t i = 0; i < places->n;) {
		struct buf file = BUF_INIT;

		put_file(places, &i, &file);
		strvec_take(&files, buf_take(&file));
	}
	if (files.n > 4)
		buf_printf(out, "%zu files", files.n);
	else
		put_list(&files, out);
}

static void suggest_code(const struct compared *p, struct suggestions *to)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct suggestion *e;

	buf_puts(&b, "changed ");
	suggest_put_places(&p->code, &b);
	e = suggest(to, (int)p->pair->to, buf_take(&b));
	e->own = true;
}

/* Its code changed since fixes for it were posted: they went into it. */
static void suggest_fixes(const struct series *s, const struct config *config,
			  const struct compared *p, struct suggestions *to)
{
	const struct version *last = series_last(s);

	for (size_t i = 0; i < last->n_fixups; i++) {
		const struct fixup *f = &last->fixups[i];
		const char *id = f->posting.message_id;
		struct buf b _cleanup_buf_ = BUF_INIT;
		struct suggestion *e;

		if ((size_t)f->patch != p->pair->from || !id)
			continue;
		buf_puts(&b, "folded in the fix posted as ");
		changes_link(config, id, &b);
		e = suggest(to, (int)p->pair->to, buf_take(&b));
		strvec_pushl(&e->words, id, "the fix", NULL);
	}
}

static void say_patch(const struct compared *p, const struct commit *old,
		      const struct commit *now, struct suggestions *to)
{
	int k = (int)p->pair->to;
	struct suggestion *e;

	if (p->retitled) {
		e = suggest(to, k, xasprintf("retitled (was \"%s\")", p->from_subject));
		strvec_push(&e->words, "title");
		strvec_push(&e->words, p->from_subject);
	}
	if (p->code.n) {
		suggest_code(p, to);
	} else if (!taglines_same_text(old, now)) {
		e = suggest(to, k, xstrdup("changed the commit message only"));
		e->own = true;
	}
	suggest_lost_tags(k, old, now, p->code.n ? ": the code changed" : "", to);
}

static int read_both(const struct series *s, const char *from, const char *to,
		     struct commit *old, struct commit *now, struct err *err)
{
	int rc = repo_commit(s->repo, from, old, err);

	if (rc)
		return rc;
	rc = repo_commit(s->repo, to, now, err);
	if (rc)
		commit_release(old);
	return rc;
}

/* Tags that came with the draft, and what is known of all. */
struct gained {
	const struct judged *judged;
	struct taglines tags;
};

static void gained_release(struct gained *g)
{
	taglines_release(&g->tags);
}

static int suggest_patch(const struct series *s, const struct config *config,
			 const struct compared *p, struct gained *gained,
			 struct suggestions *to, struct err *err)
{
	struct commit old, now;
	int rc = read_both(s, p->pair->from_id, p->pair->to_id, &old, &now, err);

	if (rc)
		return rc;
	if (p->code.n)
		suggest_fixes(s, config, p, to);
	say_patch(p, &old, &now, to);
	taglines_collected(&old, &now, p->pair->to, gained->judged, &gained->tags);
	commit_release(&old);
	commit_release(&now);
	return 0;
}

/* The tags of a patch that was folded go with it, unless the other one has them. */
static int suggest_folded_tags(const struct series *s, const struct flow *w, size_t i,
			       struct suggestions *to, struct err *err)
{
	const struct range_pair *from = w->c->v[i].pair;
	const struct range_pair *into = w->c->v[w->other[i]].pair;
	char *why _cleanup_free_ =
		xasprintf(" with patch %zu of %s", from->from, w->last);
	struct commit old, now;
	int rc = read_both(s, from->from_id, into->to_id, &old, &now, err);

	if (rc)
		return rc;
	suggest_lost_tags((int)into->to, &old, &now, why, to);
	commit_release(&old);
	commit_release(&now);
	return 0;
}

/* Stable: those of one patch stay in their order. */
static void sort_by_patch(struct suggestions *s)
{
	for (size_t i = 1; i < s->n; i++) {
		struct suggestion e = s->v[i];
		size_t k = i;

		for (; k > 0 && s->v[k - 1].patch > e.patch; k--)
			s->v[k] = s->v[k - 1];
		s->v[k] = e;
	}
}

/* What the new base has of the last version needs no patch any more. */
static int find_taken(const struct series *s, const struct config *config, struct flow *w,
		      struct err *err)
{
	const struct version *last = series_last(s);
	struct base_candidate c = { .ref = NULL };
	int rc;

	if (!w->c->counts[RANGE_DROPPED] || !strcmp(last->base, s->base))
		return 0;
	memcpy(c.tip, s->base, OID_HEX);
	rc = queue_find(s, last, &c, err);
	for (size_t i = 0; i < w->c->n && !rc; i++)
		for (size_t k = 0; k < c.n_queued; k++)
			if (w->c->v[i].pair->mark == RANGE_DROPPED &&
			    w->c->v[i].pair->from == (size_t)c.queued[k].patch)
				w->taken[i] = true;
	base_candidate_release(&c);
	w->base = letter_base_name(s, config);
	if (!w->base)
		w->base = xstrdup("the base");
	return rc;
}

static int suggest_all(const struct series *s, const struct config *config,
		       const struct comparison *c, const struct judged *judged,
		       struct suggestions *to, struct err *err)
{
	struct gained gained _cleanup_(gained_release) = { .judged = judged };
	struct flow w _cleanup_(flow_release) = { 0 };
	int rc = flow_find(s->repo, c, &w, err);

	if (!rc)
		rc = find_taken(s, config, &w, err);
	if (rc)
		return rc;
	suggest_whole(&w, to);
	for (size_t i = 0; i < c->n && !rc; i++)
		if (c->v[i].pair->mark == RANGE_CHANGED)
			rc = suggest_patch(s, config, &c->v[i], &gained, to, err);
	for (size_t i = 0; i < c->n && !rc; i++)
		if (c->v[i].pair->mark == RANGE_DROPPED && w.other[i] != NOWHERE &&
		    !w.taken[i])
			rc = suggest_folded_tags(s, &w, i, to, err);
	if (!rc)
		suggest_gained_tags(&gained.tags, to);
	return rc;
}

int suggestions_make(const struct series *s, const struct config *c, bool restart,
		     struct suggestions *ret, struct err *err)
{
	const struct version *last = series_last(s);
	struct suggestions to _cleanup_suggestions_ = { 0 };
	struct comparison cmp _cleanup_comparison_ = { 0 };
	struct patchnotes notes _cleanup_patchnotes_ = { 0 };
	struct review said _cleanup_review_ = { .n_tags = 0 };
	struct judged tags _cleanup_judged_ = { NULL };
	struct side a = { 0 }, b = { 0 };
	int rc;

	if (!last || !*s->head) {
		*ret = (struct suggestions){ 0 };
		return 0;
	}
	suggest_rebase(s, c, last, &to);
	side_version(last, &a);
	if (last->rfc || restart) {
		free(a.name);
		a.name = xasprintf("RFC v%d", last->n);
	}
	rc = side_branch(s, &b, err);
	if (!rc)
		rc = compare_make(s->repo, &a, &b, 0, &cmp, err);
	if (!rc)
		rc = review_load(s, &said, err);
	if (!rc)
		rc = tags_judge(s, c, &said, &tags, err);
	if (!rc)
		rc = suggest_all(s, c, &cmp, &tags, &to, err);
	if (!rc)
		rc = suggest_remarks(s, &said, &to, err);
	side_release(&a);
	if (!rc)
		rc = notes_make(s, false, &notes, NULL, err);
	if (rc)
		return rc;
	suggestions_note(&to, &notes);
	sort_by_patch(&to);
	*ret = to;
	to = (struct suggestions){ 0 };
	return 0;
}
