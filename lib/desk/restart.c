// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * restart.c - a series that was posted as an RFC begins again at v1: the RFCs step aside.
 * The draft's changelog follows its number.
 */
#include "claim.h"
#include "series/changelog.h"
#include "series/mem.h"

static int move_file(struct store *t, const char *from, const char *to, struct err *err)
{
	struct buf data _cleanup_buf_ = BUF_INIT;
	int rc = store_get(t, from, &data, err);

	if (rc)
		return rc;
	store_put(t, to, data.p ? data.p : "", data.len);
	store_del(t, from);
	return 0;
}

/* sent/vN/... to sent/rfcN/... */
static int move_mails(struct store *t, const struct series *s, int n, struct err *err)
{
	char *dir _cleanup_free_ = xasprintf("sent/v%d", n);
	struct strvec files _cleanup_strvec_ = STRVEC_INIT;
	int rc = store_list(s->repo, s->name, dir, &files, err);

	for (size_t i = 0; i < files.n && !rc; i++) {
		char *to _cleanup_free_ =
			xasprintf("sent/rfc%d%s", n, files.v[i] + strlen(dir));

		rc = move_file(t, files.v[i], to, err);
	}
	return rc;
}

/* changes/vN.txt gets another name, if there is one. */
static int move_changes(struct store *t, int n, const char *kind, int to_n,
			struct err *err)
{
	char *from _cleanup_free_ = xasprintf("changes/v%d.txt", n);
	char *to _cleanup_free_ = xasprintf("changes/%s%d.txt", kind, to_n);
	int rc = move_file(t, from, to, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	return rc;
}

/* part: "" for the head of the version, or ".fix1". */
static void move_head(struct store *t, const struct series *s, int n, const char *part)
{
	char *from _cleanup_free_ = xasprintf("refs/series/%s/v%d%s", s->name, n, part);
	char *to _cleanup_free_ = xasprintf("refs/series/%s/rfc%d%s", s->name, n, part);
	char head[OID_HEX];

	if (repo_ref(s->repo, from, head, NULL))
		return;
	store_ref(t, to, head, NULL);
	if (n > 1 || *part) /* v1 gets its new head with the claim */
		store_ref(t, from, NULL, head);
}

int set_aside(struct store *t, const struct series *s, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < s->n_versions && !rc; i++) {
		struct version v = { 0 };
		struct json *doc _cleanup_json_ = NULL;
		char *from _cleanup_free_ = version_path(&s->versions[i]);
		char *to _cleanup_free_ = NULL;

		if (s->versions[i].rfc)
			continue;
		version_copy(&s->versions[i], &v);
		v.rfc = true;
		to = version_path(&v);
		doc = version_json(&v);
		store_put_json(t, to, doc);
		store_del(t, from);
		rc = move_mails(t, s, v.n, err);
		if (!rc)
			rc = move_changes(t, v.n, "rfc", v.n, err);
		move_head(t, s, v.n, "");
		for (size_t k = 0; k < v.n_fixups; k++) {
			char *part _cleanup_free_ = xasprintf(".fix%zu", k + 1);

			move_head(t, s, v.n, part);
		}
		version_release(&v);
	}
	return rc;
}

int claim_changelog(struct store *t, const struct series *s, const struct outbox *o,
		    struct err *err)
{
	int n = series_changelog_number(s, o->version.n, o->restart);

	return n == o->version.n ? 0 : move_changes(t, n, "v", o->version.n, err);
}

int free_changelog(struct store *t, const struct series *s, const struct outbox *o,
		   struct err *err)
{
	int draft = s->first_version;

	for (size_t i = 0; i < s->n_versions; i++) {
		const struct version *v = &s->versions[i];

		if (!v->rfc && v->n != o->version.n && v->n >= draft)
			draft = v->n + 1;
	}
	return o->restart || draft >= o->version.n
		       ? 0
		       : move_changes(t, o->version.n, "v", draft, err);
}
