// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * b4prep.c - see b4prep.h: where b4 keeps it, and reading it.
 */
#include <ctype.h>
#include <stdlib.h>
#include "b4prep.h"
#include "series/mem.h"

#define MARKER	 "--- b4-submit-tracking ---"
#define MAX_BACK (SERIES_MAX_PATCHES + 1)
#define ID_MAX	 200

void b4prep_release(struct b4prep *b)
{
	free(b->strategy);
	commit_release(&b->cover);
	free(b->text);
	json_free(b->doc);
	*b = (struct b4prep){ 0 };
}

/* Where the line of the marker begins, or -1. */
static ptrdiff_t find_marker(struct str text)
{
	struct str rest = text, line;

	while (str_line(&rest, &line))
		if (str_eqc(str_trim(line), MARKER))
			return line.p - text.p;
	return -1;
}

int b4prep_find(struct repo *r, const char *head, const char *stop, struct commit *ret,
		struct err *err)
{
	char id[OID_HEX];

	memcpy(id, head, OID_HEX);
	for (int i = 0; i < MAX_BACK && *id && !(stop && !strcmp(id, stop)); i++) {
		struct commit c = { .subject = NULL };
		int rc = repo_commit(r, id, &c, err);

		if (rc)
			return rc;
		if (find_marker(str_c(c.message)) >= 0) {
			*ret = c;
			return 0;
		}
		memcpy(id, c.parent, OID_HEX);
		commit_release(&c);
	}
	return err_set(err, E_NOTFOUND, "no cover letter of b4 in the commits of %.12s",
		       head);
}

static const char *branch_setting(const struct config *c, const char *branch,
				  const char *key)
{
	char *full _cleanup_free_ = xasprintf("branch.%s.%s", branch, key);

	return config_get(c, full);
}

static int choose_strategy(const struct config *c, const char *branch, char **ret,
			   struct err *err)
{
	const char *own = branch_setting(c, branch, "b4-prep-cover-strategy"), *s = own;

	if (!s)
		s = config_get(c, "b4.prep-cover-strategy");
	if (!s)
		s = branch_setting(c, branch, "b4-tracking") ? "branch-description"
							     : "commit";
	if (strcmp(s, "commit") && strcmp(s, "tip-commit") &&
	    strcmp(s, "branch-description"))
		return err_set(
			err, E_FAIL,
			"%s%s%s = %s: expected commit, tip-commit or "
			"branch-description, the places where b4 keeps a cover letter",
			own ? "branch." : "b4", own ? branch : "",
			own ? ".b4-prep-cover-strategy" : ".prep-cover-strategy", s);
	*ret = xstrdup(s);
	return 0;
}

/*
 * One word that can stand in a letter: no blanks, nothing that does not print. b4 makes
 * it from the branch's name, so letters of any script may be in it.
 */
static bool change_id_ok(const char *s)
{
	size_t n = 0;

	for (; s[n]; n++)
		if ((unsigned char)s[n] < 0x80 && !isgraph((unsigned char)s[n]))
			return false;
	return n && n <= ID_MAX;
}

static int read_json(struct b4prep *b, struct str text, const char *what, struct err *err)
{
	ptrdiff_t at = str_chr(text, '{');
	int64_t revision;
	int rc;

	if (at < 0)
		return err_set(err, E_CORRUPT,
			       "%s: there is no tracking JSON of b4 in it; b4 prep "
			       "--show-info would say the same",
			       what);
	text.p += at;
	text.len -= (size_t)at;
	rc = json_parse(str_trim(text), what, &b->doc, err);
	if (rc)
		return rc;
	b->s = json_get(b->doc, "series");
	b->change_id = json_get_str(b->s, "change-id");
	b->base_branch = json_get_str(b->s, "base-branch");
	revision = json_get_int(b->s, "revision", 0);
	if (!b->change_id || !change_id_ok(b->change_id))
		return err_set(err, E_CORRUPT,
			       "%s: expected \"series\" with a \"change-id\" of one word "
			       "in the tracking JSON of b4",
			       what);
	if (revision < 1 || revision > SERIES_MAX_VERSION)
		return err_set(err, E_CORRUPT,
			       "%s: expected a \"revision\" of 1 or more in the tracking "
			       "JSON of b4",
			       what);
	b->revision = (int)revision;
	return 0;
}

static int from_commit(struct repo *r, const char *branch, const char *head,
		       struct b4prep *b, struct err *err)
{
	char *what _cleanup_free_ = NULL;
	struct commit below _cleanup_(commit_release) = { .subject = NULL };
	struct str all;
	ptrdiff_t at;
	int rc = b4prep_find(r, head, NULL, &b->cover, err);

	if (rc == E_NOTFOUND)
		return err_set(err, rc,
			       "branch %s was not prepared by b4: no commit holds its "
			       "cover letter; series init makes a series of a plain "
			       "branch",
			       branch);
	if (rc)
		return rc;
	what = xasprintf("cover letter commit %.12s", b->cover.id);
	if (b->cover.parents != 1)
		return err_set(err, E_FAIL,
			       "%s has %zu parents; expected the empty commit that b4 "
			       "prep makes",
			       what, b->cover.parents);
	rc = repo_commit(r, b->cover.parent, &below, err);
	if (rc)
		return rc;
	if (strcmp(below.tree, b->cover.tree))
		return err_set(err, E_FAIL,
			       "%s changes files, so taking it out would lose them; move "
			       "the changes into a commit of their own (git rebase -i "
			       "%.12s^)",
			       what, b->cover.id);
	all = str_c(b->cover.message);
	at = find_marker(all);
	b->text = str_dup(str_n(all.p, (size_t)at));
	return read_json(b, str_n(all.p + at, all.len - (size_t)at), what, err);
}

static int from_config(const struct config *c, const char *branch, struct b4prep *b,
		       struct err *err)
{
	const char *json = branch_setting(c, branch, "b4-tracking");
	const char *text = branch_setting(c, branch, "description");
	char *what _cleanup_free_ = xasprintf("branch.%s.b4-tracking", branch);

	if (!json)
		return err_set(err, E_NOTFOUND,
			       "branch %s was not prepared by b4: %s is not set; series "
			       "init makes a series of a plain branch",
			       branch, what);
	b->text = xstrdup(text ? text : "");
	return read_json(b, str_c(json), what, err);
}

int b4prep_read(struct repo *r, const struct config *c, const char *branch,
		const char *head, struct b4prep *ret, struct err *err)
{
	struct b4prep b = { .strategy = NULL };
	int rc = choose_strategy(c, branch, &b.strategy, err);

	if (!rc && !strcmp(b.strategy, "branch-description"))
		rc = from_config(c, branch, &b, err);
	else if (!rc)
		rc = from_commit(r, branch, head, &b, err);
	if (rc) {
		b4prep_release(&b);
		return rc;
	}
	*ret = b;
	return 0;
}
