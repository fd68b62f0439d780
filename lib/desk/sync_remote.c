// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The remote of sync: which one, its refspec, fetching from it and pushing to it.
 */
#include <stdlib.h>
#include "series/mem.h"
#include "sync_priv.h"

char *sync_refspec(const char *remote)
{
	return xasprintf("+refs/series/*:refs/series-remote/%s/*", remote);
}

static bool known(const struct config *c, const char *remote)
{
	char *key _cleanup_free_ = xasprintf("remote.%s.series", remote);

	return config_get_bool(c, key, false);
}

/* Remotes that have a URL. */
static void remotes(const struct config *c, bool only_known, struct strvec *ret)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;

	config_subsections(c, "remote", "", &all);
	for (size_t i = 0; i < all.n; i++) {
		char *key _cleanup_free_ = xasprintf("remote.%s.url", all.v[i]);

		if (config_get(c, key) && (!only_known || known(c, all.v[i])))
			strvec_push(ret, all.v[i]);
	}
}

static int choose(const struct strvec *v, char **ret, struct err *err)
{
	char *list _cleanup_free_ = strvec_join(v, ", ");

	if (v->n == 1) {
		*ret = xstrdup(v->v[0]);
		return 0;
	}
	if (!v->n)
		return err_set(err, E_USAGE,
			       "sync: this repository has no remote; git remote add NAME "
			       "URL, then series sync NAME");
	return err_set(err, E_USAGE, "sync: which remote? series sync REMOTE, one of: %s",
		       list);
}

int sync_remote(const struct config *c, const char *given, char **ret, bool *ret_known,
		struct err *err)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;
	struct strvec used _cleanup_strvec_ = STRVEC_INIT;
	int rc = 0;

	remotes(c, false, &all);
	remotes(c, true, &used);
	if (given && (*given == '-' || !strvec_has(&all, given))) {
		char *list _cleanup_free_ = strvec_join(&all, ", ");

		return err_set(err, E_USAGE,
			       "sync: \"%s\" is no remote of this repository (%s); git "
			       "remote add NAME URL makes one",
			       given, all.n ? list : "there is none");
	}
	if (given)
		*ret = xstrdup(given);
	else
		rc = choose(used.n ? &used : &all, ret, err);
	if (!rc)
		*ret_known = known(c, *ret);
	return rc;
}

int sync_remember(struct repo *r, const struct config *c, const char *remote,
		  struct err *err)
{
	char *spec _cleanup_free_ = sync_refspec(remote);
	char *fetch _cleanup_free_ = xasprintf("remote.%s.fetch", remote);
	char *mark _cleanup_free_ = xasprintf("remote.%s.series", remote);
	char *add[] = { "config", "--add", fetch, spec, NULL };
	char *set[] = { "config", "--replace-all", mark, "true", NULL };
	struct strvec have _cleanup_strvec_ = STRVEC_INIT;
	int rc = 0;

	config_get_all(c, fetch, &have);
	if (!strvec_has(&have, spec))
		rc = git_check(r, add, STR_NULL, NULL, err);
	return rc ? rc : git_check(r, set, STR_NULL, NULL, err);
}

void sync_refs_release(struct sync_refs *f)
{
	strvec_release(&f->names);
	strvec_release(&f->ids);
}

const char *sync_refs_find(const struct sync_refs *f, const char *name, const char *part)
{
	char *key _cleanup_free_ = xasprintf("%s/%s", name, part);

	for (size_t i = 0; i < f->names.n; i++)
		if (!strcmp(f->names.v[i], key))
			return f->ids.v[i];
	return NULL;
}

int sync_refs_read(struct repo *r, const char *prefix, struct sync_refs *ret,
		   struct err *err)
{
	struct strvec refs _cleanup_strvec_ = STRVEC_INIT;
	int rc = repo_refs(r, prefix, &refs, err);

	for (size_t i = 0; i < refs.n && !rc; i++) {
		char id[OID_HEX];

		if (repo_ref(r, refs.v[i], id, NULL))
			continue; /* gone meanwhile, or leads nowhere */
		strvec_push(&ret->names, refs.v[i] + strlen(prefix));
		strvec_push(&ret->ids, id);
	}
	return rc;
}

int sync_fetch(struct repo *r, const char *remote, struct sync_refs *ret, struct err *err)
{
	char *spec _cleanup_free_ = sync_refspec(remote);
	char *prefix _cleanup_free_ = xasprintf("refs/series-remote/%s/", remote);
	char *args[] = { "fetch",
			 "--quiet",
			 "--no-tags",
			 "--prune",
			 "--refmap=",
			 "--no-recurse-submodules",
			 "--no-write-fetch-head",
			 "--end-of-options",
			 (char *)remote,
			 spec,
			 NULL };
	struct buf words _cleanup_buf_ = BUF_INIT;
	int rc = git_talk(r, args, &words, err);

	if (rc < 0)
		return rc;
	if (rc)
		return err_set(err, E_FAIL,
			       "cannot fetch from %s: %s (git remote -v shows where it "
			       "is); nothing was changed",
			       remote, buf_cstr(&words));
	return sync_refs_read(r, prefix, ret, err);
}

void sync_push_add(struct sync_pushes *p, const char *name, const char *part,
		   const char *new_id, const char *old_id)
{
	vec_grow(p->v, p->n, p->cap);
	p->v[p->n++] = (struct sync_push){ xasprintf("refs/series/%s/%s", name, part),
					   xstrdup_null(new_id), xstrdup_null(old_id) };
}

void sync_pushes_release(struct sync_pushes *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->v[i].ref);
		free(p->v[i].new_id);
		free(p->v[i].old_id);
	}
	free(p->v);
	*p = (struct sync_pushes){ NULL, 0, 0 };
}

int sync_push_all(struct repo *r, const char *remote, const struct sync_pushes *p,
		  struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct buf words _cleanup_buf_ = BUF_INIT;
	int rc;

	/* git refuses refspecs for a mirror, whose push would delete what is not here. */
	strvec_push(&args, "-c");
	strvec_pushf(&args, "remote.%s.mirror=false", remote);
	strvec_pushl(&args, "-c", "push.followTags=false", "push", "--quiet", "--atomic",
		     "--recurse-submodules=no", NULL);
	for (size_t i = 0; i < p->n; i++)
		strvec_pushf(&args, "--force-with-lease=%s:%s", p->v[i].ref,
			     p->v[i].old_id ? p->v[i].old_id : "");
	strvec_pushl(&args, "--end-of-options", remote, NULL);
	for (size_t i = 0; i < p->n; i++)
		strvec_pushf(&args, "%s:%s", p->v[i].new_id ? p->v[i].new_id : "",
			     p->v[i].ref);
	rc = git_talk(r, strvec_argv(&args), &words, err);
	if (rc > 0)
		return err_set(
			err, E_CONFLICT,
			"cannot push to %s: %s; nothing was pushed (the series are "
			"merged here all the same)",
			remote, buf_cstr(&words));
	return rc;
}
