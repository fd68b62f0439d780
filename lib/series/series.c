// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A snapshot of a series: its documents, its branch, its base and its patches.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/mem.h"

static void patches_free(struct patch *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(p[i].subject);
		free(p[i].author_name);
		free(p[i].author_email);
		free(p[i].message_id);
	}
	free(p);
}

void series_free(struct series *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_versions; i++)
		version_release(&s->versions[i]);
	free(s->versions);
	patches_free(s->patches, s->n_patches);
	strvec_release(&s->prefixes);
	strvec_release(&s->to);
	strvec_release(&s->cc);
	strvec_release(&s->prerequisites);
	free(s->name);
	free(s->change_id);
	free(s->branch);
	free(s->base_ref);
	free(s);
}

void series_freep(struct series **s)
{
	series_free(*s);
	*s = NULL;
}

static int read_document(struct series *s, struct err *err)
{
	struct json *j _cleanup_json_ = NULL;
	const struct json *base;
	int rc = state_json(s->repo, s->name, s->state, "series.json", &j, err);

	if (rc)
		return rc;
	/* Without a base that is an object name the rules of range.c find one. */
	base = json_get(j, "base");
	oid_copy(json_get_str(base, "commit"), s->base);
	s->base_ref = xstrdup_null(json_get_str(base, "ref"));
	s->base_mixed = json_get_bool(base, "mixed", false);
	s->change_id = xstrdup_null(json_get_str(j, "change_id"));
	if (!s->change_id)
		return err_set(err, E_CORRUPT,
			       "refs/series/%s/state:series.json has no change_id",
			       s->name);
	s->branch = xstrdup_null(json_get_str(j, "branch"));
	json_get_strvec(j, "prefixes", &s->prefixes);
	json_get_strvec(j, "to", &s->to);
	json_get_strvec(j, "cc", &s->cc);
	json_get_strvec(j, "prerequisites", &s->prerequisites);
	base = json_get(j, "public_base");
	oid_copy(json_get_str(base, "commit"), s->public_base);
	oid_copy(json_get_str(base, "for"), s->public_for);
	s->created = json_get_int(j, "created", 0);
	s->first_version = version_number(json_get_int(j, "first_version", 1));
	if (!s->first_version)
		s->first_version = 1;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct version *x = a, *y = b;

	if (x->rfc != y->rfc)
		return x->rfc ? -1 : 1;
	return (x->n > y->n) - (x->n < y->n);
}

static int read_versions(struct series *s, struct err *err)
{
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	int rc = state_list(s->repo, s->state, "versions", &files, err);

	if (rc)
		return rc;
	s->versions = xcalloc(files.n + 1, sizeof(*s->versions));
	for (size_t i = 0; i < files.n; i++) {
		struct version *v = &s->versions[s->n_versions];
		struct json *j _cleanup_json_ = NULL;
		char *name _cleanup_free_ = NULL;

		rc = state_json(s->repo, s->name, s->state, files.v[i], &j, err);
		if (!rc)
			rc = version_parse(j, files.v[i], v, err);
		if (rc)
			return err_context(err, "series %s", s->name);
		s->n_versions++;
		name = version_path(v);
		if (strcmp(name, files.v[i]))
			return err_set(err, E_CORRUPT,
				       "refs/series/%s/state:%s: expected version %d in "
				       "%s",
				       s->name, files.v[i], v->n, name);
	}
	if (s->n_versions)
		qsort(s->versions, s->n_versions, sizeof(*s->versions), by_number);
	return 0;
}

static void find_branch(struct series *s, const struct config *c)
{
	char *branch = branch_of_series(s->repo, c, s->name, s->branch);
	char *ref _cleanup_free_ = NULL;

	if (branch) {
		free(s->branch);
		s->branch = branch;
		ref = xasprintf("refs/heads/%s", branch);
	}
	if (!ref || repo_ref(s->repo, ref, s->head, NULL))
		s->head[0] = '\0';
}

int series_open(struct repo *r, const struct config *c, const char *name,
		struct series **ret, struct err *err)
{
	struct series *s _cleanup_series_ = NULL;
	char state[OID_HEX];
	int rc = store_head(r, name, state, err);

	if (rc)
		return rc;
	s = xcalloc(1, sizeof(*s));
	s->repo = r;
	s->name = xstrdup(name);
	memcpy(s->state, state, OID_HEX);
	rc = read_document(s, err);
	if (!rc)
		rc = read_versions(s, err);
	if (rc)
		return rc;
	find_branch(s, c);
	*ret = s;
	s = NULL;
	return 0;
}

static int add_patch(struct series *s, struct commit *c, struct err *err)
{
	struct patch *p = &s->patches[s->n_patches];
	int rc = repo_patch_id(s->repo, c->id, p->patch_id, err);

	if (rc)
		return rc;
	p->n = (int)++s->n_patches;
	memcpy(p->commit, c->id, OID_HEX);
	memcpy(p->tree, c->tree, OID_HEX);
	p->subject = xstrdup(c->subject);
	p->author_name = xstrdup(c->author_name);
	p->author_email = xstrdup(c->author_email);
	return 0;
}

int series_find_patches(struct series *s, const struct config *c, struct err *err)
{
	struct base_query q = { .repo = s->repo,
				.config = c,
				.name = s->name,
				.head = s->head,
				.recorded = s->base,
				.ref = s->base_ref,
				.branch = s->branch,
				.last = series_last(s),
				.mixed = s->base_mixed };
	struct base_found found = { .ref = NULL };
	struct commit *v = NULL;
	size_t n = 0;
	int rc;

	if (!*s->head)
		return 0;
	rc = base_find(&q, &found, err);
	if (rc)
		return rc;
	free(s->base_ref);
	s->base_ref = found.ref;
	rc = repo_range(s->repo, found.base, s->head, SERIES_MAX_PATCHES, &v, &n, err);
	if (rc)
		return err_context(err, "series %s", s->name);
	memcpy(s->base, found.base, OID_HEX);
	s->patches = xcalloc(n + 1, sizeof(*s->patches));
	for (size_t i = 0; i < n && !rc; i++)
		rc = add_patch(s, &v[i], err);
	commits_free(v, n);
	return rc;
}

int series_load(struct repo *r, const struct config *c, const char *name,
		struct series **ret, struct err *err)
{
	struct series *s _cleanup_series_ = NULL;
	int rc = series_open(r, c, name, &s, err);

	if (!rc)
		rc = series_find_patches(s, c, err);
	if (rc)
		return rc;
	*ret = s;
	s = NULL;
	return 0;
}

const struct version *series_last(const struct series *s)
{
	return s->n_versions ? &s->versions[s->n_versions - 1] : NULL;
}

const struct version *series_version(const struct series *s, int n)
{
	for (size_t i = 0; i < s->n_versions; i++)
		if (s->versions[i].n == n && !s->versions[i].rfc)
			return &s->versions[i];
	return NULL;
}

const struct version *series_version_named(const struct series *s, const char *name)
{
	for (size_t i = 0; i < s->n_versions; i++) {
		char *label _cleanup_free_ = version_label(&s->versions[i]);

		if (!strcmp(label, name) || (label[0] == 'v' && !strcmp(label + 1, name)))
			return &s->versions[i];
	}
	return NULL;
}

int series_draft(const struct series *s)
{
	const struct version *v = series_last(s);

	if (!v || v->rfc)
		return s->first_version;
	return v->n >= s->first_version ? v->n + 1 : s->first_version;
}

bool series_may_restart(const struct series *s)
{
	bool any = false;

	for (size_t i = 0; i < s->n_versions; i++) {
		const struct version *v = &s->versions[i];
		const char *state = version_state(v);

		if (v->rfc) {
			if (series_version(s, v->n))
				return false;
			continue;
		}
		if (!version_is_rfc(v) || !state || !strcmp(state, "sending"))
			return false;
		any = true;
	}
	return any;
}
