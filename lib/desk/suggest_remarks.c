// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest_remarks.c - what reviewers asked for and the draft does, as entries of its
 * changelog with thanks: one for each person and patch. Where the remarks stand is said,
 * never what they say: the words of others are no changelog.
 */
#include <stdlib.h>
#include "follow.h"
#include "patchcode.h"
#include "series/addr.h"
#include "series/mem.h"
#include "series/reviewdoc.h"
#include "suggest.h"

/* What one person said of one patch. */
struct thanks {
	const struct review_remark *first;
	size_t patch; /* of the draft, 0: the series */
	size_t n;
	struct strvec places; /* "mm/rmap.c: f()", "mm/rmap.c" */
};

struct collect {
	const struct series *s;
	struct follow follow;
	struct strvec ids;	/* commits that remarks are about */
	struct patchcode *code; /* of each */
	struct thanks *v;
	size_t n, cap;
};

static void collect_release(struct collect *c)
{
	for (size_t i = 0; i < c->n; i++)
		strvec_release(&c->v[i].places);
	free(c->v);
	patchcodes_free(c->code, c->ids.n);
	strvec_release(&c->ids);
	follow_release(&c->follow);
}

/* The patch that a remark was about; NULL: none, or one that we do not know. */
static const struct patch *patch_then(const struct series *s,
				      const struct review_remark *m)
{
	const struct version *v = series_version_named(s, m->label);

	return v && m->patch && m->patch <= v->n_patches ? &v->patches[m->patch - 1]
							 : NULL;
}

/* Commits that are gone leave places without functions. */
static int read_code(struct collect *c, const struct review *r, int draft,
		     struct err *err)
{
	struct commit k;

	for (size_t i = 0; i < r->n_remarks; i++) {
		const struct review_remark *m = &r->remarks[i];
		const struct patch *p = patch_then(c->s, m);

		if (m->done_in != draft || !m->file || !m->code || !p ||
		    strvec_has(&c->ids, p->commit) ||
		    repo_commit(c->s->repo, p->commit, &k, NULL))
			continue;
		commit_release(&k);
		strvec_push(&c->ids, p->commit);
	}
	return c->ids.n ? patchcodes_read(c->s->repo, &c->ids, &c->code, err) : 0;
}

/* The function that the line stands in, where the patch has that line; else the file. */
static void add_place(const struct collect *c, const struct review_remark *m,
		      struct strvec *to)
{
	const struct patch *p = patch_then(c->s, m);
	const char *place = m->file;

	for (size_t i = 0; p && m->code && i < c->ids.n; i++) {
		const struct patchcode *code = &c->code[i];

		for (size_t k = 0; k < code->n && !strcmp(c->ids.v[i], p->commit); k++)
			if (*code->v[k].text != ' ' &&
			    str_eqc(patchcode_file(code->v[k].place), m->file) &&
			    !strcmp(code->v[k].text + 1, m->code))
				place = code->v[k].place;
	}
	if (!strvec_has(to, place))
		strvec_push(to, place);
}

static struct thanks *find_thanks(struct collect *c, const struct review_remark *m,
				  size_t patch)
{
	struct thanks *t;

	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].patch == patch && email_same(c->v[i].first->email, m->email))
			return &c->v[i];
	vec_grow(c->v, c->n, c->cap);
	t = &c->v[c->n++];
	*t = (struct thanks){ .first = m, .patch = patch };
	return t;
}

static int add_remark(struct collect *c, const struct review_remark *m, struct err *err)
{
	const struct patch *p = patch_then(c->s, m);
	const struct version *v = series_version_named(c->s, m->label);
	struct thanks *t;
	size_t patch = 0;
	int rc = p ? follow_patch(&c->follow, v, m->patch, &patch, err) : 0;

	if (rc)
		return rc;
	t = find_thanks(c, m, patch);
	t->n++;
	if (m->file)
		add_place(c, m, &t->places);
	return 0;
}

static void put_thanks(const struct collect *c, struct thanks *t, struct suggestions *to)
{
	const struct review_remark *m = t->first;
	const char *name = *m->name ? m->name : m->email;
	const struct patch *p = patch_then(c->s, m);
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct suggestion *e;

	buf_printf(&b, "addressed the remark%s", t->n == 1 ? "" : "s");
	if (t->places.n) {
		strvec_sort(&t->places);
		buf_puts(&b, " on ");
		suggest_put_places(&t->places, &b);
	} else if (!t->patch && p) {
		buf_printf(&b, " on patch %zu of %s (\"%s\")", m->patch, m->label,
			   p->subject);
	} else if (!t->patch) {
		buf_puts(&b, " on the cover letter");
	}
	buf_printf(&b, " (thanks %s)", name);
	e = suggest(to, (int)t->patch, buf_take(&b));
	strvec_push(&e->words, name);
}

int suggest_remarks(const struct series *s, const struct review *r,
		    struct suggestions *to, struct err *err)
{
	struct collect c _cleanup_(collect_release) = { .s = s };
	int draft = series_draft(s), rc;

	follow_init(s, &c.follow);
	rc = read_code(&c, r, draft, err);
	for (size_t i = 0; !rc && i < r->n_remarks; i++)
		if (r->remarks[i].done_in == draft &&
		    !remark_of_nak(r, &r->remarks[i], false))
			rc = add_remark(&c, &r->remarks[i], err);
	for (size_t i = 0; !rc && i < c.n; i++)
		put_thanks(&c, &c.v[i], to);
	return rc;
}
