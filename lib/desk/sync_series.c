// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sync of one series: what of it goes out, and the branch it belongs to here.
 */
#include <ctype.h>
#include <stdlib.h>
#include "series/mem.h"
#include "sync_priv.h"

/* May it stand in a command that somebody pastes? */
static bool plain(const char *s)
{
	if (!*s || *s == '-')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("._/+-", *s))
			return false;
	return true;
}

static int tie(struct repo *r, const char *branch, const char *name, struct err *err)
{
	char *key _cleanup_free_ = xasprintf("branch.%s.series", branch);
	char *args[] = { "config", "--replace-all", key, (char *)name, NULL };

	return git_check(r, args, STR_NULL, NULL, err);
}

/* How to get the commits here: by the newest sent head that came along. */
static void say_branch(struct repo *r, const struct series *s, struct sync_item *it)
{
	const char *branch = s->branch && plain(s->branch) ? s->branch : s->name;

	for (size_t i = s->n_versions; i-- > 0;) {
		char *ref _cleanup_free_ =
			xasprintf("refs/series/%s/v%d", s->name, s->versions[i].n);
		char id[OID_HEX];

		if (repo_ref(r, ref, id, NULL))
			continue;
		strvec_release(&it->remedy);
		strvec_pushf(&it->remedy, "git switch -c %s %s", branch, ref);
		return;
	}
	strvec_pushf(&it->notes,
		     "nothing of it was sent yet and its branch %s is not here: its "
		     "commits come by git push and git fetch",
		     branch);
}

int sync_tie_branch(struct repo *r, const struct config *c, struct sync_item *it,
		    struct err *err)
{
	struct series *s _cleanup_series_ = NULL;
	char *owner _cleanup_free_ = NULL, *key _cleanup_free_ = NULL;
	char *ref _cleanup_free_ = NULL;
	char id[OID_HEX];

	if (series_open(r, c, it->name, &s, NULL) || !s->branch)
		return 0;
	if (!*s->head) {
		if (it->state != SYNC_SAME)
			say_branch(r, s, it);
		return 0;
	}
	ref = xasprintf("refs/heads/%s", s->branch);
	key = xasprintf("branch.%s.series", s->branch);
	/* Neither a branch that has another series, nor one that is not there. */
	if (config_get(c, key) || repo_ref(r, ref, id, NULL) ||
	    series_of_branch(r, c, s->branch, &owner, NULL) || strcmp(owner, it->name))
		return 0;
	return tie(r, s->branch, it->name, err);
}

/* PART of "NAME/PART", when that is a head that sync carries; else NULL. */
static const char *head_part(const struct sync_item *it, const char *ref)
{
	size_t len = strlen(it->name);

	if (strncmp(ref, it->name, len) || ref[len] != '/' ||
	    !series_ref_ok(ref + len + 1) || !strcmp(ref + len, "/state"))
		return NULL;
	return ref + len + 1;
}

/* The sent heads; newer: our documents are newer than theirs and say which they are. */
static int outgoing_heads(struct repo *r, struct sync_item *it, const char *state,
			  const struct sync_refs *mine, const struct sync_refs *theirs,
			  bool newer, struct sync_pushes *ret, struct err *err)
{
	struct strvec labels _cleanup_strvec_ = STRVEC_INIT;
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	int rc = newer ? state_heads(r, it->name, state, &labels, &ids, err) : 0;

	for (size_t i = 0; i < mine->names.n && !rc; i++) {
		const char *part = head_part(it, mine->names.v[i]), *there;

		if (!part)
			continue;
		there = sync_refs_find(theirs, it->name, part);
		if (!there || (newer && strcmp(there, mine->ids.v[i])))
			sync_push_add(ret, it->name, part, mine->ids.v[i], there);
	}
	/* A version that was taken back here has no head there either. */
	for (size_t i = 0; newer && i < theirs->names.n && !rc; i++) {
		const char *part = head_part(it, theirs->names.v[i]);

		if (part && !strchr(part, '/') && !strvec_has(&labels, part) &&
		    !sync_refs_find(mine, it->name, part))
			sync_push_add(ret, it->name, part, NULL, theirs->ids.v[i]);
	}
	return rc;
}

int sync_outgoing(struct repo *r, struct sync_item *it, const struct sync_refs *mine,
		  const struct sync_refs *theirs, struct sync_pushes *ret,
		  struct err *err)
{
	const char *here = sync_refs_find(mine, it->name, "state");
	const char *there = sync_refs_find(theirs, it->name, "state");
	struct err why _cleanup_err_ = ERR_INIT;
	bool newer = here && (!there || strcmp(here, there));

	if (!here)
		return 0;
	if (newer && state_check(r, it->name, here, &why)) {
		it->state = SYNC_LEFT_OUT;
		strvec_push(&it->notes, err_msg(&why));
		return 0;
	}
	if (newer)
		sync_push_add(ret, it->name, "state", here, there);
	return outgoing_heads(r, it, here, mine, theirs, newer, ret, err);
}
