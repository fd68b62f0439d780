// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another name for a series: all its refs in one transaction, then the settings.
 */
#include <stdlib.h>
#include "merge.h"
#include "series/mem.h"
#include "series/outbox.h"

static int not_being_sent(struct repo *r, const char *name, struct err *err)
{
	struct outbox *o _cleanup_outbox_ = NULL;
	int rc = outbox_find(repo_common_dir(r), name, &o, err);

	if (rc == E_NOTFOUND) {
		if (err)
			err_release(err);
		return 0;
	}
	if (!rc)
		rc = err_set(err, E_FAIL,
			     "series %s is being sent; first: series send -s %s --resume",
			     name, name);
	return rc;
}

static int named_state(struct repo *r, struct store *t, const char *to, char ret[OID_HEX],
		       struct err *err)
{
	struct json *j _cleanup_json_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	char *message _cleanup_free_ = xasprintf("rename to %s", to);
	struct tree_edit edit = { .path = "series.json" };
	int rc = store_get_json(t, "series.json", &j, err);

	if (rc)
		return rc;
	json_set_str(j, "name", to);
	json_dump(j, &text);
	edit.data = text.p;
	edit.len = text.len;
	return repo_commit_edits(r, store_at(t), &edit, 1, message, ret, err);
}

static int move_all(struct repo *r, struct store *t, const char *from, const char *to,
		    const char *state, struct err *err)
{
	char *prefix _cleanup_free_ = xasprintf("refs/series/%s/", from);
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	struct ref_update *u;
	size_t n = 0;
	int rc = repo_refs(r, prefix, &refs, err);

	if (rc)
		return rc;
	u = xcalloc(2 * refs.n + 1, sizeof(*u));
	for (size_t i = 0; i < refs.n && !rc; i++) {
		const char *part = refs.v[i] + strlen(prefix);
		char id[OID_HEX];

		rc = repo_ref(r, refs.v[i], id, err);
		strvec_pushf(&names, "refs/series/%s/%s", to, part);
		strvec_push(&ids, !strcmp(part, "state") ? store_at(t) : id);
	}
	for (size_t i = 0; i < refs.n && !rc; i++) {
		bool is_state = !strcmp(refs.v[i] + strlen(prefix), "state");

		u[n++] = (struct ref_update){ names.v[i], is_state ? state : ids.v[i],
					      "" };
		u[n++] = (struct ref_update){ refs.v[i], NULL, ids.v[i] };
	}
	if (!rc)
		rc = git_update_refs(r, u, n, "series: rename", err);
	free(u);
	return rc;
}

/* The branches that name it, and the one that only the document knows. */
static int move_settings(struct repo *r, const struct config *c, const char *from,
			 const char *to, const char *branch, struct err *err)
{
	struct strvec branches _cleanup_strvec_ = STRVEC_INIT;
	int rc = 0;

	config_subsections_with(c, "branch", "series", from, &branches);
	if (branch && !strvec_has(&branches, branch))
		strvec_push(&branches, branch);
	for (size_t i = 0; i < branches.n && !rc; i++) {
		char *key _cleanup_free_ = xasprintf("branch.%s.series", branches.v[i]);
		char *args[] = { "config", "--replace-all", key, (char *)to, NULL };

		rc = git_check(r, args, STR_NULL, NULL, err);
	}
	return rc;
}

int series_rename(struct repo *r, const struct config *c, const char *from,
		  const char *to, struct err *err)
{
	struct store *old _cleanup_store_ = NULL, *fresh _cleanup_store_ = NULL;
	struct series *s _cleanup_series_ = NULL;
	char state[OID_HEX];
	int rc = store_begin(r, from, false, &old, err);

	if (!rc)
		rc = not_being_sent(r, from, err);
	if (!rc)
		rc = series_open(r, c, from, &s, err);
	if (!rc)
		rc = store_begin(r, to, true, &fresh, err);
	if (!rc)
		rc = named_state(r, old, to, state, err);
	if (!rc)
		rc = move_all(r, old, from, to, state, err);
	return rc ? rc : move_settings(r, c, from, to, *s->head ? s->branch : NULL, err);
}
