// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_known.c - see import_known.h.
 */
#include "import_known.h"
#include "ours.h"
#include "series/mem.h"
#include "series/sanitize.h"

static bool known(const struct thread *t, size_t mail, const struct strvec *ids)
{
	const char *id = mail == NO_MAIL ? NULL : t->v[mail].id;

	return id && *id && strvec_has(ids, id);
}

/* A mail of this version that is among them, or NO_MAIL. */
static size_t known_mail(const struct import_posted_opts *o,
			 const struct posted_version *v, const struct strvec *ids)
{
	if (known(o->thread, v->cover, ids))
		return v->cover;
	for (size_t k = 0; k < v->total; k++)
		if (&o->posted->v[v->patch[k].from] == v &&
		    known(o->thread, v->patch[k].mail, ids))
			return v->patch[k].mail;
	for (size_t k = 0; k < v->n_repeated; k++)
		if (known(o->thread, v->repeated[k], ids))
			return v->repeated[k];
	return NO_MAIL;
}

/* "v3", "v3, v4": versions of which the series has no mail. */
static char *new_versions(const struct import_posted_opts *o, const struct strvec *ids)
{
	const struct posted_series *ps = &o->posted->series[o->series];
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < ps->n; i++) {
		const struct posted_version *v = &o->posted->v[ps->v[i]];

		if (known_mail(o, v, ids) == NO_MAIL)
			buf_printf(&b, "%s%s", b.len ? ", " : "", v->label);
	}
	return buf_take(&b);
}

static int say_known(const struct series *s, const struct import_posted_opts *o,
		     const char *id, const struct strvec *ids, struct err *err)
{
	char *more _cleanup_free_ = new_versions(o, ids);
	char *mark _cleanup_free_ = xasprintf("refs/series/%s/posted", s->name);
	char *word _cleanup_free_ = s->branch ? shell_word(s->branch) : NULL;
	char at[OID_HEX];
	struct buf b _cleanup_buf_ = BUF_INIT;

	buf_printf(&b,
		   "this is series %s: it has <%s> already; series update -s %s fetches "
		   "what came back for it",
		   s->name, id, s->name);
	if (*more)
		buf_printf(&b, ". It lacks %s", more);
	if (*more && word && !repo_ref(s->repo, mark, at, NULL))
		buf_printf(&b,
			   ": series import --undo %s forgets it and leaves the branch, "
			   "then it can be imported anew (--branch NAME)",
			   word);
	return err_set(err, E_EXISTS, "%s", buf_cstr(&b));
}

int import_known(struct repo *r, const struct config *c,
		 const struct import_posted_opts *o, struct err *err)
{
	const struct posted_series *ps = &o->posted->series[o->series];
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;
	int rc = series_names(r, &names, err);

	for (size_t n = 0; n < names.n && !rc; n++) {
		struct series *s _cleanup_series_ = NULL;
		struct strvec ids _cleanup_strvec_ = STRVEC_INIT;

		if (series_open(r, c, names.v[n], &s, NULL))
			continue;
		ours_ids(s, &ids);
		for (size_t i = 0; i < ps->n && !rc; i++) {
			size_t mail = known_mail(o, &o->posted->v[ps->v[i]], &ids);

			if (mail != NO_MAIL)
				rc = say_known(s, o, o->thread->v[mail].id, &ids, err);
		}
	}
	return rc;
}
