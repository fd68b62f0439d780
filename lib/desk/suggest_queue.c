// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest_queue.c - the patches of a version that a branch has already.
 *
 * Looked for among the commits that came after the version's base. The title has to be
 * the same; then the patch-id, or else the author's address.
 */
#include "series/mem.h"
#include "suggest_base_priv.h"

struct want {
	const struct patch *v;
	size_t n;
	struct base_queued *hit; /* one for each; commit "" when there is none */
};

/* Documents of others may not name the author: then the commit does. */
static bool author_is(const struct series *s, const struct patch *p, struct str email)
{
	struct commit c;
	bool is;

	if (p->author_email)
		return str_ieqc(email, p->author_email);
	if (repo_commit(s->repo, p->commit, &c, NULL))
		return false;
	is = str_ieqc(email, c.author_email);
	commit_release(&c);
	return is;
}

static int add_hit(const struct series *s, const struct want *w, struct str id,
		   struct str author, struct str subject, struct err *err)
{
	for (size_t i = 0; i < w->n; i++) {
		struct base_queued *q = &w->hit[i];
		char commit[OID_HEX], patch_id[OID_HEX];
		bool same;
		int rc;

		if (!str_ieqc(subject, w->v[i].subject) || (*q->commit && q->same) ||
		    id.len != OID_HEX - 1)
			continue;
		memcpy(commit, id.p, OID_HEX - 1);
		commit[OID_HEX - 1] = '\0';
		rc = repo_patch_id(s->repo, commit, patch_id, err);
		if (rc)
			return rc;
		same = *patch_id && !strcmp(patch_id, w->v[i].patch_id);
		if (!same && (*q->commit || !author_is(s, &w->v[i], author)))
			continue;
		free(q->subject);
		*q = (struct base_queued){ .patch = w->v[i].n,
					   .subject = str_dup(subject),
					   .same = same };
		memcpy(q->commit, commit, OID_HEX);
	}
	return 0;
}

/* The hits to the candidate; the one that is first in the branch is last in the log. */
static int take_hits(const struct series *s, const struct want *w, struct str log,
		     struct base_candidate *c, struct err *err)
{
	struct str entry;
	const char *first = NULL;
	struct commit commit;
	int rc;

	c->queued = xcalloc(w->n + 1, sizeof(*c->queued));
	for (size_t i = 0; i < w->n; i++)
		if (*w->hit[i].commit) {
			c->queued[c->n_queued++] = w->hit[i];
			w->hit[i].subject = NULL;
		}
	while (str_cut(&log, '\0', &entry))
		for (size_t i = 0; i < c->n_queued; i++)
			if (str_starts(entry, c->queued[i].commit))
				first = c->queued[i].commit;
	if (!first)
		return 0;
	rc = repo_commit(s->repo, first, &commit, err);
	if (rc)
		return rc;
	memcpy(c->before, commit.parent, OID_HEX);
	commit_release(&commit);
	return 0;
}

static int read_log(const struct series *s, const char *base, const char *tip,
		    struct buf *ret, struct err *err)
{
	char *count _cleanup_free_ = xasprintf("--max-count=%d", SUGGEST_LOOK + 1);
	char *not_base _cleanup_free_ = xasprintf("^%s", base);
	char *args[] = { "--no-replace-objects",
			 "log",
			 "-z",
			 "--topo-order",
			 "--no-merges",
			 "--no-show-signature",
			 "--no-notes",
			 "--no-color",
			 "--no-patch",
			 "--encoding=UTF-8",
			 "--format=%H%x1f%ae%x1f%s",
			 count,
			 "--end-of-options",
			 (char *)tip,
			 not_base,
			 NULL };

	return git_check(s->repo, args, STR_NULL, ret, err);
}

int queue_find(const struct series *s, const struct version *v, struct base_candidate *c,
	       struct err *err)
{
	struct want w = { v ? v->patches : s->patches, v ? v->n_patches : s->n_patches,
			  NULL };
	struct buf log _cleanup_buf_ = BUF_INIT;
	struct str rest, entry, id, author;
	size_t n = 0;
	char base[OID_HEX];
	int rc;

	/* The draft may start on top of what is looked for; the version did not. */
	if (!v || repo_resolve(s->repo, v->base, base, NULL))
		memcpy(base, s->base, OID_HEX);
	rc = read_log(s, base, c->tip, &log, err);
	if (rc)
		return rc;
	w.hit = xcalloc(w.n + 1, sizeof(*w.hit));
	rest = buf_str(&log);
	while (!rc && str_cut(&rest, '\0', &entry)) {
		if (++n > SUGGEST_LOOK) {
			c->cut = entry.len > 0;
			break;
		}
		if (str_cut(&entry, '\x1f', &id) && str_cut(&entry, '\x1f', &author))
			rc = add_hit(s, &w, id, author, entry, err);
	}
	if (!rc)
		rc = take_hits(s, &w, buf_str(&log), c, err);
	for (size_t i = 0; i < w.n; i++)
		free(w.hit[i].subject);
	free(w.hit);
	return rc;
}
