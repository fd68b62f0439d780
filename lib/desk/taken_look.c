// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * taken_look.c - where the commits of what was applied are today. See taken.h.
 */
#include "series/mem.h"
#include "series/subject.h"
#include "series/taken.h"

#define LOOK_BACK "--max-count=20000"

static int find_tip(struct repo *r, const char *branch, char ret[OID_HEX])
{
	char *ref _cleanup_free_ = branch ? xasprintf("refs/heads/%s", branch) : NULL;
	int rc = ref ? repo_ref(r, ref, ret, NULL) : repo_resolve(r, "HEAD", ret, NULL);

	/* Also "origin/main", "v6.12", a commit. */
	return rc && branch ? repo_resolve(r, branch, ret, NULL) : rc;
}

static bool same_commit(struct repo *r, const struct taken_patch *p, struct str line,
			char ret[OID_HEX])
{
	struct str id, time, email;
	char patch_id[OID_HEX];
	bool title, author;
	int64_t when;
	char *subject _cleanup_free_ = NULL, *address _cleanup_free_ = NULL;

	if (!str_cut(&line, ' ', &id) || id.len != OID_HEX - 1 ||
	    !str_cut(&line, ' ', &time) ||
	    !str_to_i64(time, INT64_MIN, INT64_MAX, &when) ||
	    !str_cut(&line, ' ', &email))
		return false;
	subject = str_dup(line);
	address = str_dup(email);
	title = title_same(subject, p->title);
	author = when == p->author_time && !strcmp(address, p->author_email);
	memcpy(ret, id.p, OID_HEX - 1);
	ret[OID_HEX - 1] = '\0';
	if (title && author)
		return true;
	return (title || author) && *p->patch_id &&
	       !repo_patch_id(r, ret, patch_id, NULL) && !strcmp(patch_id, p->patch_id);
}

/* In git log's lines "COMMIT TIME ADDRESS TITLE", the newest first. */
static void search(struct repo *r, struct taken *t, struct str log)
{
	for (size_t i = 0; i < t->n; i++) {
		struct taken_patch *p = &t->patch[i];
		struct str rest = log, line;

		while (!*p->now && str_line(&rest, &line))
			if (!same_commit(r, p, line, p->now))
				p->now[0] = '\0';
	}
}

/* The commits of a branch behind the base, if that is still here. */
static int read_log(struct repo *r, const struct taken *t, const char *tip,
		    struct buf *ret, struct err *err)
{
	struct strvec args _cleanup_strvec_ = STRVEC_INIT;
	char id[OID_HEX];

	strvec_pushl(&args, "log", LOOK_BACK, "--no-merges", "--no-show-signature",
		     "--format=%H %at %ae %s", tip, NULL);
	if (!repo_resolve(r, t->base, id, NULL))
		strvec_pushf(&args, "^%s", t->base);
	strvec_push(&args, "--");
	return git_check(r, strvec_argv(&args), STR_NULL, ret, err);
}

int taken_look(struct repo *r, struct taken *t, const char *branch, struct err *err)
{
	struct buf log _cleanup_buf_ = BUF_INIT;
	char tip[OID_HEX];
	size_t gone = 0;
	int rc = 0;

	t->found = 0;
	if (find_tip(r, branch ? branch : t->branch, tip))
		return branch ? err_set(err, E_NOTFOUND, "there is no branch %s", branch)
			      : 0;
	for (size_t i = 0; i < t->n; i++) {
		struct taken_patch *p = &t->patch[i];

		p->now[0] = '\0';
		if (*p->commit && repo_is_ancestor(r, p->commit, tip, NULL) == 1)
			memcpy(p->now, p->commit, OID_HEX);
		else
			gone++;
	}
	if (gone)
		rc = read_log(r, t, tip, &log, err);
	if (!rc && gone)
		search(r, t, buf_str(&log));
	for (size_t i = 0; i < t->n; i++)
		t->found += *t->patch[i].now != '\0';
	return rc;
}
