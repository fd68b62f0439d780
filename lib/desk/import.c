// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import.c - see import.h: from b4's branch to a series.
 */
#include <stdlib.h>
#include "atrest.h"
#include "b4move.h"
#include "b4prep.h"
#include "series/covertext.h"
#include "series/import.h"
#include "series/mem.h"
#include "series/prefix.h"
#include "series/sanitize.h"
#include "series/store.h"

struct import_plan {
	struct b4prep b4;
	struct import *im; /* that this is the plan of */
};

void import_free(struct import *im)
{
	if (!im)
		return;
	b4prep_release(&im->plan->b4);
	free(im->plan);
	free(im->branch);
	free(im->name);
	free(im->base_ref);
	free(im->strategy);
	strvec_release(&im->notes);
	free(im);
}

void import_freep(struct import **im)
{
	import_free(*im);
	*im = NULL;
}

bool import_needed(const struct series *s, const struct config *c)
{
	struct commit cover _cleanup_(commit_release) = { .subject = NULL };
	char *key _cleanup_free_ = xasprintf("branch.%s.b4-tracking", s->branch);

	return config_get(c, key) ||
	       !b4prep_find(s->repo, s->head, s->base, &cover, NULL);
}

static int choose_branch(struct repo *r, const struct config *c,
			 const struct import_opts *o, struct import *im, struct err *err)
{
	char *has _cleanup_free_ = NULL, *ref _cleanup_free_ = NULL;
	int rc = 0;

	if (o->branch)
		im->branch = xstrdup(o->branch);
	else
		rc = repo_branch(r, &im->branch, err);
	if (rc == E_NOTFOUND)
		return err_set(err, rc,
			       "HEAD is detached; name the branch: series import BRANCH");
	if (rc)
		return rc;
	ref = xasprintf("refs/heads/%s", im->branch);
	rc = repo_ref(r, ref, im->old_head, err);
	if (rc == E_NOTFOUND)
		return err_set(
			err, rc,
			"there is no branch %s here; git branch --list shows those "
			"there are",
			im->branch);
	if (!rc && !series_of_branch(r, c, im->branch, &has, NULL))
		rc = err_set(err, E_EXISTS, "branch %s has the series \"%s\" already",
			     im->branch, has);
	return rc;
}

static int look(struct repo *r, const struct config *c, const struct import_opts *o,
		struct import *im, struct err *err)
{
	struct b4prep *b = &im->plan->b4;
	int rc = choose_branch(r, c, o, im, err);

	if (!rc)
		rc = b4prep_read(r, c, im->branch, im->old_head, b, err);
	if (!rc)
		rc = branch_at_rest(r, im->branch, err);
	if (rc)
		return rc;
	im->name =
		o->name ? xstrdup(o->name)
			: series_name_from(!strncmp(im->branch, "b4/", 3) ? im->branch + 3
									  : im->branch);
	im->strategy = xstrdup(b->strategy);
	im->base_ref = xstrdup_null(o->base ? o->base : b->base_branch);
	memcpy(im->head, im->old_head, OID_HEX);
	if (!*b->cover.id)
		return 0;
	memcpy(im->cover_commit, b->cover.id, OID_HEX);
	rc = branch_without(r, &b->cover, im->old_head, im->head, &im->n_moved,
			    &im->was_signed, err);
	return rc ? err_context(err, "branch %s", im->branch) : 0;
}

int import_look(struct repo *r, const struct config *c, const struct import_opts *o,
		struct import **ret, struct err *err)
{
	struct import *im _cleanup_import_ = xcalloc(1, sizeof(*im));
	int rc;

	im->plan = xcalloc(1, sizeof(*im->plan));
	im->plan->im = im;
	rc = look(r, c, o, im, err);
	if (rc)
		return rc;
	*ret = im;
	im = NULL;
	return 0;
}

/* "net-next v5" may stand in one string there. */
static void take_prefixes(struct import *im, const struct strvec *from, struct series *s)
{
	for (size_t i = 0; i < from->n; i++) {
		struct strvec words _cleanup_strvec_ = STRVEC_INIT;

		strvec_split(&words, str_c(from->v[i]), ' ');
		for (size_t k = 0; k < words.n; k++) {
			struct strvec one _cleanup_strvec_ = STRVEC_INIT;

			strvec_push(&one, words.v[k]);
			if (prefix_check(&one, true, NULL))
				strvec_pushf(&im->notes,
					     "prefix \"%s\" is not taken over: series "
					     "init --prefix takes no such word",
					     words.v[k]);
			else if (!strvec_has(&s->prefixes, words.v[k]))
				strvec_push(&s->prefixes, words.v[k]);
		}
	}
}

static void put_cover(const struct b4cover *cover, struct store *t)
{
	struct covertext text = { cover->title, cover->body, cover->notes };
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (!cover->untouched && *cover->title) {
		covertext_format(&text, &b);
		store_put(t, "cover.txt", b.p, b.len);
	}
	for (size_t i = 0; i < cover->n_changes; i++) {
		char *path _cleanup_free_ =
			xasprintf("changes/v%d.txt", cover->changes[i].n);
		char *block _cleanup_free_ =
			covertext_block(buf_str(&cover->changes[i].text));

		if (*block)
			store_put(t, path, block, strlen(block));
	}
}

/* The letter without what no mail should carry and no editor would store; says so. */
static void clean_text(struct import *im, struct buf *out)
{
	struct str rest = str_c(im->plan->b4.text), line;
	size_t first = 0;

	for (size_t n = 1; str_line(&rest, &line); n++) {
		size_t before = out->len;

		while (line.len && line.p[line.len - 1] == '\r')
			line.len--;
		sanitize(line, out);
		if (!first && !str_eq(line, str_n(out->p + before, out->len - before)))
			first = n;
		buf_putc(out, '\n');
	}
	if (first)
		strvec_pushf(&im->notes,
			     "the cover letter has control characters, or bytes that are "
			     "not UTF-8 (line %zu is the first): they are left out, or "
			     "replaced",
			     first);
}

static void fill_cover(struct import *im, const struct version *v, size_t n,
		       struct series *s, struct store *t)
{
	struct b4prep *b = &im->plan->b4;
	struct strvec words _cleanup_strvec_ = STRVEC_INIT;
	struct b4cover cover _cleanup_b4cover_ = { 0 };
	struct buf text _cleanup_buf_ = BUF_INIT;
	size_t top = n ? (size_t)v[n - 1].n + 1 : 0;
	bool *linked = xcalloc(top + 1, sizeof(*linked));

	for (size_t i = 0; i < n; i++)
		linked[v[i].n] = true;
	clean_text(im, &text);
	b4cover_parse(buf_str(&text), linked, top, &cover);
	free(linked);
	json_get_strvec(b->s, "prefixes", &words);
	take_prefixes(im, &words, s);
	take_prefixes(im, &cover.prefixes, s);
	strvec_extend(&s->to, &cover.to);
	strvec_extend(&s->cc, &cover.cc);
	for (size_t i = 0; i < cover.odd.n; i++)
		strvec_pushf(&im->notes,
			     "\"%s\" in the cover letter is no address: it is not taken "
			     "over",
			     cover.odd.v[i]);
	put_cover(&cover, t);
}

static int fill(struct series *s, struct store *t, void *arg, struct err *err)
{
	struct import *im = arg;
	char *ref _cleanup_free_ = xasprintf("refs/series/%s/b4", s->name);
	char *branch _cleanup_free_ = xasprintf("refs/heads/%s", im->branch);
	struct version *v = NULL;
	size_t n = 0;
	int rc = b4sent_read(s->repo, &im->plan->b4, im->branch, s->base, &v, &n,
			     &im->notes, err);

	if (!rc) {
		fill_cover(im, v, n, s, t);
		for (size_t i = 0; i < n; i++)
			version_put(&v[i], s->name, t);
		store_ref(t, ref, im->old_head, "");
		if (strcmp(im->head, im->old_head))
			store_ref(t, branch, im->head, im->old_head);
	}
	for (size_t i = 0; i < n; i++)
		version_release(&v[i]);
	free(v);
	return rc;
}

static int same_head(struct repo *r, const struct import *im, struct err *err)
{
	char *ref _cleanup_free_ = xasprintf("refs/heads/%s", im->branch);
	char *word _cleanup_free_ = shell_word(im->branch);
	char now[OID_HEX];
	int rc = repo_ref(r, ref, now, err);

	if (!rc && strcmp(now, im->old_head))
		rc = err_set(
			err, E_CONFLICT,
			"branch %s has moved meanwhile; look again: series import %s",
			im->branch, word);
	return rc;
}

int import_do(struct repo *r, const struct config *c, struct import *im, struct err *err)
{
	const struct b4prep *b = &im->plan->b4;
	char *word _cleanup_free_ = shell_word(im->branch);
	char *command _cleanup_free_ = xasprintf("series import %s", word);
	char *name _cleanup_free_ = NULL;
	struct series_init_opts o = { .name = im->name,
				      .branch = im->branch,
				      .base_ref = im->base_ref,
				      .version = b->revision,
				      .command = command,
				      .change_id = b->change_id,
				      .head = im->head,
				      .fill = fill,
				      .arg = im };
	int rc = same_head(r, im, err);

	if (!strcmp(b->strategy, "commit"))
		o.base = b->cover.parent;
	else if (!o.base_ref && !rc)
		rc = err_set(err, E_NOTFOUND,
			     "b4 does not say which branch %s was started from; say it: "
			     "%s --base REF",
			     im->branch, command);
	if (!rc)
		rc = series_create(r, c, &o, &name, err);
	if (!rc && im->n_moved)
		carry_notes(r, b->cover.id, im->old_head, b->cover.parent, im->head);
	return rc;
}
