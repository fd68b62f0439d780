// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A new series, and the document series.json.
 */
#include <stdlib.h>
#include "internal.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/time.h"

/* The document series.json of a snapshot. */
static struct json *series_json(const struct series *s)
{
	struct json *j = json_obj(), *base = json_obj();

	json_set_int(j, "schema", STATE_SCHEMA);
	json_set_str(j, "name", s->name);
	json_set_str(j, "change_id", s->change_id);
	json_set_str(j, "branch", s->branch);
	json_set_str(base, "commit", s->base);
	json_set_str(base, "ref", s->base_ref);
	if (s->base_mixed)
		json_set_bool(base, "mixed", true);
	json_set(j, "base", base);
	json_set_strvec(j, "prefixes", &s->prefixes);
	json_set_strvec(j, "to", &s->to);
	json_set_strvec(j, "cc", &s->cc);
	json_set_strvec(j, "prerequisites", &s->prerequisites);
	json_set_int(j, "created", s->created);
	json_set_int(j, "first_version", s->first_version);
	return j;
}

/* b4's form: YYYYMMDD-NAME-12HEX */
static char *new_change_id(const char *name, int64_t now)
{
	struct buf b = BUF_INIT;

	time_yyyymmdd(now, &b);
	buf_printf(&b, "-%s-", name);
	rand_hex(&b, 12);
	return buf_take(&b);
}

static int branch_head(struct repo *r, const char *branch, char ret[OID_HEX],
		       struct err *err)
{
	char *ref _cleanup_free_ = xasprintf("refs/heads/%s", branch);
	int rc = repo_ref(r, ref, ret, err);

	if (rc == E_NOTFOUND)
		return err_set(err, rc,
			       "there is no branch %s, or it has no commit yet; a series "
			       "needs a branch with commits on top of a base",
			       branch);
	return rc;
}

static int choose_name(struct repo *r, const struct config *c,
		       const struct series_init_opts *o, const char *branch, char **ret,
		       struct err *err)
{
	char *has _cleanup_free_ = NULL;
	char head[OID_HEX];
	char *name;

	if (o->name && !series_name_ok(o->name))
		return err_set(
			err, E_USAGE,
			"\"%s\" is no name of a series: a-z, 0-9, '.', '_', '-', at "
			"most 64, first a letter or digit",
			o->name);
	if (!series_of_branch(r, c, branch, &has, NULL))
		return err_set(err, E_EXISTS, "branch %s has the series \"%s\" already",
			       branch, has);
	name = o->name ? xstrdup(o->name) : series_name_from(branch);
	if (!store_head(r, name, head, NULL)) {
		int rc =
			err_set(err, E_EXISTS,
				"there is a series \"%s\" already; give this one another "
				"name: %s NAME",
				name, o->command);
		free(name);
		return rc;
	}
	*ret = name;
	return 0;
}

/* The setting that git branch -m moves along. */
static int tie_branch(struct repo *r, const char *branch, const char *name,
		      struct err *err)
{
	char *key _cleanup_free_ = xasprintf("branch.%s.series", branch);
	char *args[] = { "config", "--replace-all", key, (char *)name, NULL };
	int rc = git_check(r, args, STR_NULL, NULL, err);

	if (rc)
		return err_context(err,
				   "the series %s is made, but its branch does not know "
				   "(git config --replace-all %s %s)",
				   name, key, name);
	return 0;
}

static int write_first_state(struct series *s, const struct series_init_opts *o,
			     struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct json *j _cleanup_json_ = NULL;
	char *message _cleanup_free_ = xasprintf("init %s", s->name);
	int rc = store_begin(s->repo, s->name, true, &t, err);

	if (!rc && o->fill)
		rc = o->fill(s, t, o->arg, err);
	if (rc)
		return rc;
	j = series_json(s);
	store_put_json(t, "series.json", j);
	return store_commit(t, message, err);
}

/* A base that is the series' own branch would leave no patches. */
static int not_itself(const char *given, const char *branch, const char *ref,
		      struct err *err)
{
	if (!ref || !branch || strcmp(ref, branch))
		return 0;
	return err_set(
		err, E_USAGE,
		"base %s: that is the branch of the series itself; name the branch or "
		"commit that its patches start on",
		given);
}

/*
 * An init that came to its end except for the branch's setting (the disk was full): the
 * same command again ends it. *ret stays NULL when there is nothing of the kind.
 */
static int finish_init(struct repo *r, const struct config *c,
		       const struct series_init_opts *o, const char *branch, char **ret,
		       struct err *err)
{
	char *key _cleanup_free_ = xasprintf("branch.%s.series", branch);
	char *has _cleanup_free_ = NULL;
	int rc;

	if (config_get(c, key) || series_of_branch(r, c, branch, &has, NULL) ||
	    (o->name && strcmp(o->name, has)))
		return 0;
	rc = tie_branch(r, branch, has, err);
	if (rc)
		return rc;
	*ret = has;
	has = NULL;
	return 0;
}

static int choose_base(struct series *s, const struct config *c,
		       const struct series_init_opts *o, struct err *err)
{
	char *ask _cleanup_free_ = xasprintf("%s --base", o->command);
	char id[OID_HEX];
	int rc;

	if (o->base) {
		char *ref _cleanup_free_ = NULL;

		memcpy(s->base, o->base, OID_HEX);
		if (o->base_ref &&
		    !base_given(s->repo, c, o->base_ref, s->head, ask, id, &ref, NULL) &&
		    !strcmp(id, o->base) && ref && strcmp(ref, s->branch))
			s->base_ref = xstrdup(ref);
		return 0;
	}
	if (!o->base_ref) {
		struct base_found found = { .ref = NULL };

		rc = base_guess(s->repo, c, s->branch, s->head, &found, o->ret_why, err);
		memcpy(s->base, found.base, OID_HEX);
		s->base_ref = found.ref;
		return rc;
	}
	rc = base_given(s->repo, c, o->base_ref, s->head, ask, s->base, &s->base_ref,
			err);
	return rc ? rc : not_itself(o->base_ref, s->branch, s->base_ref, err);
}

/* What could never be loaded is not made: a merge inside, too many commits. */
static int check_range(const struct series *s, struct err *err)
{
	struct commit *v = NULL;
	size_t n = 0;
	int rc = repo_range(s->repo, s->base, s->head, SERIES_MAX_PATCHES, &v, &n, err);

	if (!rc)
		commits_free(v, n);
	return rc;
}

int series_create(struct repo *r, const struct config *c,
		  const struct series_init_opts *given, char **ret_name, struct err *err)
{
	struct series *s _cleanup_series_ = xcalloc(1, sizeof(*s));
	struct series_init_opts o = *given;
	char *done = NULL;
	int rc;

	if (!o.command)
		o.command = "series init";
	s->repo = r;
	if (o.branch)
		s->branch = xstrdup(o.branch);
	else if ((rc = repo_branch(r, &s->branch, err)))
		return rc;
	rc = branch_head(r, s->branch, s->head, err);
	if (!rc)
		rc = finish_init(r, c, &o, s->branch, &done, err);
	if (done) {
		*ret_name = done;
		return 0;
	}
	if (!rc)
		rc = choose_name(r, c, &o, s->branch, &s->name, err);
	if (rc)
		return rc;
	if (o.head)
		memcpy(s->head, o.head, OID_HEX);
	rc = choose_base(s, c, &o, err);
	if (!rc)
		rc = check_range(s, err);
	if (rc)
		return rc;
	s->base_mixed = base_is_mixed(r, c, s->base, s->head);
	s->created = time_now();
	s->change_id =
		o.change_id ? xstrdup(o.change_id) : new_change_id(s->name, s->created);
	s->first_version = o.version > 1 ? o.version : 1;
	rc = write_first_state(s, &o, err);
	if (!rc)
		rc = tie_branch(r, s->branch, s->name, err);
	if (rc)
		return rc;
	*ret_name = xstrdup(s->name);
	return 0;
}

int series_set_base(struct series *s, const struct config *c, const char *given,
		    struct err *err)
{
	struct store *t _cleanup_store_ = NULL;
	struct json *j _cleanup_json_ = NULL;
	char *ref _cleanup_free_ = NULL;
	char *word _cleanup_free_ = shell_word(s->branch ? s->branch : "NAME");
	struct json *base;
	char id[OID_HEX];
	bool mixed;
	int rc;

	if (!*s->head)
		return err_set(err, E_NOTFOUND,
			       "series %s: its branch %s is gone; bring it back: git "
			       "branch %s COMMIT",
			       s->name, s->branch ? s->branch : "", word);
	rc = base_given(s->repo, c, given, s->head, ASK_SET, id, &ref, err);
	if (!rc)
		rc = not_itself(given, s->branch, ref, err);
	if (!rc)
		rc = store_begin(s->repo, s->name, false, &t, err);
	if (!rc)
		rc = store_get_json(t, "series.json", &j, err);
	if (rc)
		return rc;
	mixed = base_is_mixed(s->repo, c, id, s->head);
	base = json_obj();
	json_set_str(base, "commit", id);
	json_set_str(base, "ref", ref);
	if (mixed)
		json_set_bool(base, "mixed", true);
	json_set(j, "base", base);
	json_set_str(j, "branch", s->branch);
	store_put_json(t, "series.json", j);
	rc = store_commit(t, "base", err);
	if (rc)
		return rc;
	memcpy(s->base, id, OID_HEX);
	s->base_mixed = mixed;
	free(s->base_ref);
	s->base_ref = ref;
	ref = NULL;
	return 0;
}
