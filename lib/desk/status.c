// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a series stands, put together from its documents.
 */
#include "series/mem.h"
#include "series/outbox.h"
#include "status_priv.h"

static bool version_has(const struct version *v, const char *patch_id)
{
	for (size_t i = 0; i < v->n_patches; i++)
		if (!strcmp(v->patches[i].patch_id, patch_id))
			return true;
	return false;
}

/* Since which version this very change is there without a break. */
static int since(const struct series *s, const struct patch *p)
{
	int n = series_draft(s);

	for (size_t i = s->n_versions; i-- > 0;) {
		if (s->versions[i].rfc || !version_has(&s->versions[i], p->patch_id))
			break;
		n = s->versions[i].n;
	}
	return n;
}

static void fill_patches(struct status *st)
{
	const struct series *s = st->series;
	const struct version *last = series_last(s);

	st->patches = xcalloc(s->n_patches + 1, sizeof(*st->patches));
	for (size_t i = 0; i < s->n_patches; i++) {
		const struct patch *p = &s->patches[i];

		st->patches[i].patch = p;
		st->patches[i].since = since(s, p);
		st->patches[i].changed = last && !version_has(last, p->patch_id);
	}
}

/* The branch holds what was posted last: same patches, same order. */
static bool unchanged(const struct series *s, const struct version *v)
{
	if (v->n_patches != s->n_patches)
		return false;
	for (size_t i = 0; i < s->n_patches; i++)
		if (strcmp(v->patches[i].patch_id, s->patches[i].patch_id) ||
		    strcmp(v->patches[i].subject, s->patches[i].subject))
			return false;
	return true;
}

/* Did all mails of it go out once? */
static bool sent_once(const struct version *v)
{
	for (size_t i = 0; i < v->n_postings; i++)
		if (!strcmp(v->postings[i].state, "sent"))
			return true;
	return false;
}

static const char *state_of(const struct series *s)
{
	const struct version *v = series_last(s);

	if (!v || v->rfc)
		return "preparing";
	if (!sent_once(v))
		return "partial";
	return unchanged(s, v) ? "sent" : "preparing";
}

static int look_at_outbox(struct status *st, struct err *err)
{
	const struct series *s = st->series;
	struct outbox *o _cleanup_outbox_ = NULL;
	int rc = outbox_find(repo_common_dir(s->repo), s->name, &o, err);

	if (rc == E_NOTFOUND) {
		if (err)
			err_release(err);
		return 0;
	}
	if (rc == E_CORRUPT) {
		findings_add(&st->findings, "outbox-corrupt", SEVERITY_ERROR, "outbox",
			     NULL, "%s", err_msg(err));
		if (err)
			err_release(err);
		return 0;
	}
	if (rc)
		return rc;
	st->outbox.total = o->n_mails;
	st->outbox.accepted = outbox_count(o, OUTBOX_OK);
	st->outbox.unsure = outbox_count(o, OUTBOX_UNSURE);
	return 0;
}

int status_make(struct series *s, const struct config *c, struct status **ret,
		struct err *err)
{
	struct status *st _cleanup_status_ = xcalloc(1, sizeof(*st));
	int rc;

	st->series = s;
	st->behind = -1;
	st->state = state_of(s);
	fill_patches(st);
	rc = status_builds(st, err);
	if (!rc)
		rc = status_benches(st, c, err);
	if (!rc)
		rc = look_at_outbox(st, err);
	if (!rc)
		rc = status_review(st, s, c, err);
	if (!rc && s->base_ref && series_behind(s, &st->behind, NULL))
		st->behind = -1;
	if (!rc)
		rc = status_advise(st, c, err);
	if (rc)
		return rc;
	*ret = st;
	st = NULL;
	return 0;
}

void status_free(struct status *st)
{
	if (!st)
		return;
	for (size_t i = 0; i < st->series->n_patches; i++)
		free(st->patches[i].builds);
	free(st->patches);
	free(st->base.builds);
	for (size_t i = 0; i < st->n_bench; i++) {
		struct status_bench *b = &st->bench[i];

		free(b->name);
		free(b->case_name);
		free(b->host);
		free(b->arch);
		free(b->change);
		free(b->verdict);
		free(b->verdict_text);
		free(b->why);
	}
	free(st->bench);
	strvec_release(&st->archs);
	judged_release(&st->tags);
	review_release(&st->review);
	findings_release(&st->findings);
	free(st->next);
	free(st);
}

void status_freep(struct status **st)
{
	status_free(*st);
	*st = NULL;
}
