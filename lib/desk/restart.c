// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * restart.c - a series that was posted as an RFC begins again at v1: the RFCs step aside.
 */
#include "claim.h"
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

static int move_changes(struct store *t, int n, struct err *err)
{
	char *from _cleanup_free_ = xasprintf("changes/v%d.txt", n);
	char *to _cleanup_free_ = xasprintf("changes/rfc%d.txt", n);
	int rc = n > 1 ? move_file(t, from, to, err) : 0;

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
			rc = move_changes(t, v.n, err);
		move_head(t, s, v.n, "");
		for (size_t k = 0; k < v.n_fixups; k++) {
			char *part _cleanup_free_ = xasprintf(".fix%zu", k + 1);

			move_head(t, s, v.n, part);
		}
		version_release(&v);
	}
	return rc;
}
