// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sync: fetch, take every series in, push what is newer here, and start over when another
 * machine was faster.
 */
#include <stdlib.h>
#include "series/intr.h"
#include "series/mem.h"
#include "series/time.h"
#include "sync_priv.h"

#define MAX_ROUNDS 8
#define PAUSE_MS   200

struct round {
	struct repo *repo;
	const struct config *config;
	const struct sync_opts *opts;
	const char *remote;
	struct sync *sync;
	struct sync_refs mine, theirs;
};

struct sync_item *sync_item(struct sync *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].name, name))
			return &s->v[i];
	vec_grow(s->v, s->n, s->cap);
	s->v[s->n] = (struct sync_item){ .name = xstrdup(name) };
	return &s->v[s->n++];
}

static void note(struct sync_item *it, const char *text)
{
	if (!strvec_has(&it->notes, text))
		strvec_push(&it->notes, text);
}

static void left_out(struct sync_item *it, const char *why)
{
	it->state = SYNC_LEFT_OUT;
	note(it, why);
}

/* "NAME/PART" of a remote: the name of its series; NULL, and an item, when it is odd. */
static char *name_of_ref(struct sync *s, const char *ref, const char *remote)
{
	const char *slash = strchr(ref, '/');
	char *name = slash ? xmemdup0(ref, slash - ref) : xstrdup(ref);

	if (slash && series_name_ok(name) && series_ref_ok(slash + 1))
		return name;
	free(name);
	name = xasprintf("refs/series/%s", ref);
	{
		struct sync_item *it = sync_item(s, name);
		char *why _cleanup_free_ = xasprintf(
			"%s has that ref, which is no part of a series", remote);

		left_out(it, why);
	}
	free(name);
	return NULL;
}

static void add_names(struct round *r, const struct sync_refs *refs, bool theirs,
		      struct strvec *ret)
{
	for (size_t i = 0; i < refs->names.n; i++) {
		const char *ref = refs->names.v[i], *slash = strchr(ref, '/');
		char *name _cleanup_free_ = NULL;

		if (theirs) {
			name = name_of_ref(r->sync, ref, r->remote);
		} else if (slash) {
			name = xmemdup0(ref, slash - ref);
			if (!series_name_ok(name))
				continue;
		}
		if (name && !strvec_has(ret, name))
			strvec_push(ret, name);
	}
}

/* A sent head of theirs that is not the commit their own document names. */
static int check_heads(struct round *r, struct sync_item *it, const char *state,
		       struct err *err)
{
	struct strvec labels _cleanup_strvec_ = STRVEC_INIT;
	struct strvec ids _cleanup_strvec_ = STRVEC_INIT;
	int rc = state_heads(r->repo, it->name, state, &labels, &ids, err);

	for (size_t i = 0; i < labels.n && !rc; i++) {
		const char *id = sync_refs_find(&r->theirs, it->name, labels.v[i]);

		if (id && strcmp(id, ids.v[i]))
			rc = err_set(err, E_CORRUPT,
				     "refs/series/%s/%s is %.12s there, and its document "
				     "says %.12s",
				     it->name, labels.v[i], id, ids.v[i]);
	}
	return rc;
}

static void add_conflict(struct round *r, struct sync_item *it, const char *why)
{
	it->state = SYNC_CONFLICT;
	note(it, why);
	strvec_release(&it->remedy);
	if (strstr(why, "two series of one name")) {
		strvec_pushf(&it->remedy, "series sync --rename %s:%s-2 %s", it->name,
			     it->name, r->remote);
		return;
	}
	strvec_pushf(&it->remedy, "series sync --ours %s %s", it->name, r->remote);
	strvec_pushf(&it->remedy, "series sync --theirs %s %s", it->name, r->remote);
}

static void record(struct sync_item *it, enum merge_outcome how)
{
	static const enum sync_state states[] = { [MERGE_SAME] = SYNC_SAME,
						  [MERGE_AHEAD] = SYNC_SAME,
						  [MERGE_NEW] = SYNC_NEW,
						  [MERGE_FORWARD] = SYNC_UPDATED,
						  [MERGE_JOINED] = SYNC_MERGED };

	/* What an earlier round did is still news. */
	if (states[how] != SYNC_SAME && it->state != SYNC_MERGED)
		it->state = states[how];
}

static enum merge_side side_of(const struct sync_opts *o, const char *name)
{
	if (o->ours && !strcmp(o->ours, name))
		return MERGE_OURS;
	return o->theirs && !strcmp(o->theirs, name) ? MERGE_THEIRS : MERGE_ASK;
}

/* Where --push alone is asked for: is there something there that ours has not? */
static int only_look(struct round *r, struct sync_item *it, const char *theirs,
		     const char *mine, struct err *err)
{
	int rc = mine ? repo_is_ancestor(r->repo, theirs, mine, err) : 0;

	if (!rc) {
		it->state = SYNC_BEHIND;
		strvec_release(&it->remedy);
		strvec_pushf(&it->remedy, "series sync %s", r->remote);
	}
	return rc < 0 ? rc : 0;
}

static int take_in(struct round *r, struct sync_item *it, const char *theirs,
		   const char *mine, struct err *err)
{
	struct err why _cleanup_err_ = ERR_INIT;
	enum merge_outcome how = MERGE_SAME;
	int rc = state_check(r->repo, it->name, theirs, &why);

	if (!rc)
		rc = check_heads(r, it, theirs, &why);
	if (!rc && !r->opts->fetch)
		return only_look(r, it, theirs, mine, err);
	if (!rc)
		rc = state_take(r->repo, it->name, theirs, r->remote,
				side_of(r->opts, it->name), &how, &it->notes, &why);
	if (rc == E_INTR)
		return intr_check(err);
	if (rc == E_CONFLICT)
		add_conflict(r, it, err_msg(&why));
	else if (rc)
		left_out(it, err_msg(&why));
	else
		record(it, how);
	return rc ? 0 : sync_tie_branch(r->repo, r->config, it, err);
}

static int take_all(struct round *r, struct err *err)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = sync_refs_read(r->repo, "refs/series/", &r->mine, err);

	if (rc)
		return rc;
	add_names(r, &r->theirs, true, &names);
	add_names(r, &r->mine, false, &names);
	strvec_sort(&names);
	for (size_t i = 0; i < names.n && !rc; i++) {
		struct sync_item *it = sync_item(r->sync, names.v[i]);
		const char *theirs = sync_refs_find(&r->theirs, it->name, "state");

		rc = intr_check(err);
		if (!rc && theirs)
			rc = take_in(r, it, theirs,
				     sync_refs_find(&r->mine, it->name, "state"), err);
	}
	sync_refs_release(&r->mine);
	r->mine = (struct sync_refs){ 0 };
	return rc ? rc : sync_refs_read(r->repo, "refs/series/", &r->mine, err);
}

static bool goes_out(const struct sync_item *it)
{
	return it->state != SYNC_CONFLICT && it->state != SYNC_LEFT_OUT &&
	       it->state != SYNC_BEHIND;
}

static int push_all(struct round *r, size_t *ret_n, struct err *err)
{
	struct sync_pushes p _cleanup_sync_pushes_ = { NULL, 0, 0 };
	bool *mark _cleanup_free_ = xcalloc(r->sync->n + 1, sizeof(*mark));
	int rc = 0;

	for (size_t i = 0; i < r->sync->n && !rc; i++) {
		size_t before = p.n;

		if (goes_out(&r->sync->v[i]))
			rc = sync_outgoing(r->repo, &r->sync->v[i], &r->mine, &r->theirs,
					   &p, err);
		mark[i] = p.n > before;
	}
	if (!rc && p.n)
		rc = sync_push_all(r->repo, r->remote, &p, err);
	for (size_t i = 0; !rc && i < r->sync->n; i++)
		r->sync->v[i].pushed |= mark[i];
	if (!rc)
		*ret_n = p.n;
	return rc;
}

static bool same_refs(const struct sync_refs *a, const struct sync_refs *b)
{
	if (a->names.n != b->names.n)
		return false;
	for (size_t i = 0; i < a->names.n; i++)
		if (strcmp(a->names.v[i], b->names.v[i]) ||
		    strcmp(a->ids.v[i], b->ids.v[i]))
			return false;
	return true;
}

/*
 * A push was refused. Again when the remote has moved meanwhile, which another machine
 * did; a remote that stays as it was has a reason of its own. Two looks, for a push that
 * runs at this moment holds the refs before it moves them.
 */
static int look_again(struct round *r, bool *ret_moved, struct err *err)
{
	for (int i = 0; i < 2; i++) {
		struct sync_refs now _cleanup_sync_refs_ = { 0 };
		int rc;

		if (i)
			time_sleep_ms(PAUSE_MS);
		rc = sync_fetch(r->repo, r->remote, &now, err);
		if (rc)
			return rc;
		*ret_moved = !same_refs(&now, &r->theirs);
		if (*ret_moved) {
			sync_refs_release(&r->theirs);
			r->theirs = now;
			now = (struct sync_refs){ 0 };
			return 0;
		}
	}
	return 0;
}

static int rounds(struct round *r, struct err *err)
{
	int rc = sync_fetch(r->repo, r->remote, &r->theirs, err);

	for (int i = 0; !rc; i++) {
		struct err later _cleanup_err_ = ERR_INIT;
		bool moved = false;
		size_t n = 0;

		rc = take_all(r, err);
		if (rc || !r->opts->push)
			break;
		rc = push_all(r, &n, err);
		if (rc != E_CONFLICT || i + 1 >= MAX_ROUNDS)
			break;
		rc = look_again(r, &moved, &later);
		if (rc || !moved) {
			rc = E_CONFLICT; /* the reason of the push says more */
			break;
		}
		err_release(err);
		sync_refs_release(&r->mine);
		r->mine = (struct sync_refs){ 0 };
	}
	return rc;
}

int sync_run(struct repo *repo, const struct config *c, const struct sync_opts *o,
	     struct sync *ret, struct err *err)
{
	struct sync s = { .remote = xstrdup(o->remote) };
	struct round r = {
		.repo = repo, .config = c, .opts = o, .remote = s.remote, .sync = &s
	};
	const char *settle = o->ours ? o->ours : o->theirs;
	int rc = rounds(&r, err);

	if (!rc && settle && !sync_refs_find(&r.theirs, settle, "state"))
		rc = err_set(err, E_NOTFOUND, "%s has no series \"%s\"", s.remote,
			     settle);
	sync_refs_release(&r.mine);
	sync_refs_release(&r.theirs);
	if (rc)
		sync_release(&s);
	else
		*ret = s;
	return rc;
}

void sync_release(struct sync *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->v[i].name);
		strvec_release(&s->v[i].notes);
		strvec_release(&s->v[i].remedy);
	}
	free(s->v);
	free(s->remote);
	*s = (struct sync){ 0 };
}
