// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_base.c - see import_base.h.
 */
#include "import_base.h"
#include "series/mailinfo.h"
#include "series/mem.h"
#include "wantblobs.h"

/* Of one branch: commits that changed the files of the patches, newest first. */
#define LOOK_BACK "2000"

void import_bases_release(struct import_bases *b)
{
	strvec_release(&b->refs);
	strvec_release(&b->ids);
}

static void add_base(struct repo *r, struct import_bases *b, const char *ref)
{
	char id[OID_HEX];

	if (repo_resolve(r, ref, id, NULL) || strvec_has(&b->ids, id))
		return;
	strvec_push(&b->refs, ref);
	strvec_push(&b->ids, id);
}

void import_bases_find(struct repo *r, const struct config *c, struct import_bases *ret)
{
	static const char *const mains[] = { "HEAD", "main", "master" };
	struct strvec remotes _cleanup_strvec_ = STRVEC_INIT;

	add_base(r, ret, "@{upstream}");
	config_subsections(c, "remote", "", &remotes);
	for (size_t i = 0; i < remotes.n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(mains); k++) {
			char *ref _cleanup_free_ =
				xasprintf("%s/%s", remotes.v[i], mains[k]);

			add_base(r, ret, ref);
		}
	add_base(r, ret, "main");
	add_base(r, ret, "master");
	add_base(r, ret, "HEAD");
}

const char *import_base_ref(struct repo *r, const struct import_bases *b,
			    const char *commit)
{
	for (size_t i = 0; i < b->ids.n; i++)
		if (strcmp(b->refs.v[i], "HEAD") &&
		    repo_is_ancestor(r, commit, b->ids.v[i], NULL) == 1)
			return b->refs.v[i];
	return NULL;
}

/* Ask for each COMMIT:PATH; the first commit that has them all. */
static bool first_that_has(struct repo *r, const struct strvec *commits,
			   const struct want_blobs *w, char ret[OID_HEX])
{
	char *args[] = { "cat-file", "--batch-check=%(objectname)", NULL };
	struct buf in _cleanup_buf_ = BUF_INIT, out _cleanup_buf_ = BUF_INIT;
	struct str rest, line;

	for (size_t i = 0; i < commits->n; i++)
		for (size_t k = 0; k < w->paths.n; k++)
			buf_printf(&in, "%s:%s\n", commits->v[i], w->paths.v[k]);
	if (git_check(r, args, buf_str(&in), &out, NULL))
		return false;
	rest = buf_str(&out);
	for (size_t i = 0; i < commits->n; i++) {
		bool all = true;

		for (size_t k = 0; k < w->paths.n && str_line(&rest, &line); k++) {
			bool none = strspn(w->oids.v[k], "0") == strlen(w->oids.v[k]);

			all = all && (none ? str_ends(line, " missing")
					   : str_starts(line, w->oids.v[k]));
		}
		if (all && !repo_resolve(r, commits->v[i], ret, NULL))
			return true;
	}
	return false;
}

/* rev-list of what is older than date, appended. */
static void older(struct repo *r, const char *max, int64_t date, const char *tip,
		  const struct strvec *paths, struct strvec *ret)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	struct buf out _cleanup_buf_ = BUF_INIT;

	strvec_pushl(&args, "rev-list", max, NULL);
	if (!paths)
		strvec_push(&args, "--first-parent");
	if (date)
		strvec_pushf(&args, "--before=%lld", (long long)date);
	strvec_pushl(&args, tip, "--", NULL);
	if (paths)
		strvec_extend(&args, paths);
	if (!git_check(r, strvec_argv(&args), STR_NULL, &out, NULL) && out.len)
		strvec_split(ret, str_trim(buf_str(&out)), '\n');
}

/*
 * Between two commits that change one of the files all commits will do: the newest that
 * was there when the patches were posted is the likely one.
 */
static bool base_by_blobs(struct repo *r, const struct import_bases *b, int64_t date,
			  const struct want_blobs *w, char ret[OID_HEX])
{
	for (size_t i = 0; i < b->ids.n && w->paths.n; i++) {
		struct strvec changed _cleanup_strvec_ = STRVEC_INIT;
		struct strvec commits _cleanup_strvec_ = STRVEC_INIT;

		older(r, "--max-count=1", date, b->ids.v[i], NULL, &commits);
		older(r, "--max-count=" LOOK_BACK, date, b->ids.v[i], &w->paths,
		      &changed);
		for (size_t k = 0; k < changed.n; k++) {
			strvec_push(&commits, changed.v[k]);
			strvec_pushf(&commits, "%s^", changed.v[k]);
		}
		if (first_that_has(r, &commits, w, ret))
			return true;
	}
	return false;
}

static void push_once(struct strvec *to, const char *id)
{
	if (!strvec_has(to, id))
		strvec_push(to, id);
}

void import_base_list(struct repo *r, const struct import_bases *b,
		      const struct thread *t, const struct posted_version *v,
		      struct strvec *ret, char **ret_said)
{
	struct want_blobs w _cleanup_want_blobs_ = { .paths = STRVEC_INIT };
	char *said _cleanup_free_ = posted_base(t, v);
	char id[OID_HEX];

	if (said && !repo_resolve(r, said, id, NULL)) {
		push_once(ret, id);
	} else if (said) {
		*ret_said = said;
		said = NULL;
	}
	for (size_t k = 0; k < v->total && !ret->n; k++) {
		struct mailinfo i _cleanup_mailinfo_;

		if (v->patch[k].mail == NO_MAIL)
			continue;
		mailinfo_read(&t->v[v->patch[k].mail].mail, &i);
		want_blobs_add(buf_str(&i.patch), &w);
	}
	if (!ret->n && base_by_blobs(r, b, v->date, &w, id))
		push_once(ret, id);
	for (size_t i = 0; i < b->ids.n; i++)
		push_once(ret, b->ids.v[i]);
}
