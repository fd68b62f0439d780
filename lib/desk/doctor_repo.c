// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks of the repository: our settings in its configuration, remotes that endanger
 * refs/series, and what killed processes left behind.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "doctor_priv.h"
#include "series/check.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/settings.h"
#include "series/time.h"

/* A lock of a living git goes away long before. */
#define OLD_SECONDS 600

/* Does a side of a refspec ("refs/" STAR, "refs/series/x/state") reach refs/series/? */
static bool reaches_series(struct str side)
{
	ptrdiff_t star = str_chr(side, '*');
	struct str series = STR_LIT("refs/series/");
	size_t n;

	if (star < 0)
		return str_starts(side, "refs/series/");
	n = MIN((size_t)star, series.len);
	return !strncmp(side.p, series.p, n) &&
	       ((size_t)star <= series.len || str_starts(side, "refs/series/"));
}

static void check_mirror(struct doctor *d, const struct config *c, const char *remote)
{
	char *key _cleanup_free_ = xasprintf("remote.%s.mirror", remote);

	if (!config_get_bool(c, key, false))
		return;
	doctor_add(d, "mirror", DOCTOR_WARN,
		   xasprintf("%s is set: git push %s publishes refs/series, and deletes "
			     "there what is not here",
			     key, remote),
		   xasprintf("git config --unset-all %s", key));
}

/* What git needs to have one value out of several removed: a pattern for all of it. */
static char *as_pattern(struct str value)
{
	struct buf b = BUF_INIT;

	buf_putc(&b, '^');
	for (size_t i = 0; i < value.len; i++) {
		if (strchr("+*.[]^$\\(){}?|", value.p[i]))
			buf_putc(&b, '\\');
		buf_putc(&b, value.p[i]);
	}
	buf_putc(&b, '$');
	return buf_take(&b);
}

/* remote.X.push with our states in it; remote.X.fetch that writes over them. */
static void check_specs(struct doctor *d, const struct config *c, const char *remote,
			const char *which)
{
	char *key _cleanup_free_ = xasprintf("remote.%s.%s", remote, which);
	struct strvec specs _cleanup_strvec_ = STRVEC_INIT;
	bool fetch = !strcmp(which, "fetch");

	config_get_all(c, key, &specs);
	for (size_t i = 0; i < specs.n; i++) {
		char *pattern _cleanup_free_ = as_pattern(str_c(specs.v[i]));
		struct str s = str_c(specs.v[i]), from;
		bool excluded = str_starts(s, "^");

		str_skip(&s, "+");
		if (excluded || !str_cut(&s, ':', &from) ||
		    !reaches_series(fetch && s.p ? s : from) || (fetch && !s.p))
			continue;
		doctor_add(d, which, DOCTOR_WARN,
			   xasprintf(fetch ? "%s = %s: git fetch writes over refs/series "
					     "of this repository"
					   : "%s = %s: git push writes over refs/series "
					     "there, "
					     "without a merge",
				     key, specs.v[i]),
			   xasprintf("git config --unset-all %s '%s', and series sync %s",
				     key, pattern, remote));
	}
}

void doctor_remotes(struct doctor *d, const struct config *c)
{
	struct strvec remotes _cleanup_strvec_ = STRVEC_INIT;

	config_subsections(c, "remote", "", &remotes);
	for (size_t i = 0; i < remotes.n; i++) {
		check_mirror(d, c, remotes.v[i]);
		check_specs(d, c, remotes.v[i], "push");
		check_specs(d, c, remotes.v[i], "fetch");
	}
}

static int64_t age_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? -1 : time_now() - (int64_t)st.st_mtim.tv_sec;
}

static void old_file(struct doctor *d, const char *path, const char *what)
{
	if (age_of(path) < OLD_SECONDS)
		return;
	doctor_add(d, "leftover", DOCTOR_WARN, xasprintf("%s: %s", path, what),
		   xasprintf("if no git runs here: rm '%s'", path));
}

/* Ref locks, at any depth. */
static void find_locks(struct doctor *d, const char *dir, int depth)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	if (depth > 4 || fs_list(dir, &names, NULL))
		return;
	for (size_t i = 0; i < names.n; i++) {
		char *path _cleanup_free_ = path_join(dir, names.v[i]);

		if (fs_is_dir(path))
			find_locks(d, path, depth + 1);
		else if (str_ends(str_c(path), ".lock"))
			old_file(d, path, "the lock of a git that was killed");
	}
}

static void find_half_outboxes(struct doctor *d, const char *dir)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	if (fs_list(dir, &names, NULL))
		return;
	for (size_t i = 0; i < names.n; i++) {
		char *path _cleanup_free_ = path_join(dir, names.v[i]);

		if (!str_ends(str_c(path), ".tmp") || age_of(path) < OLD_SECONDS)
			continue;
		doctor_add(
			d, "leftover", DOCTOR_WARN,
			xasprintf("%s: mails of a send that was killed before it began; "
				  "nothing of it went out",
				  path),
			xasprintf("rm -r '%s'", path));
	}
}

/* What cmd/edit.c kept: NAME.cover.txt, NAME.changes-vN.txt. */
static void find_kept_texts(struct doctor *d, const char *dir)
{
	struct strvec names _cleanup_strvec_ = STRVEC_INIT;

	if (fs_list(dir, &names, NULL))
		return;
	for (size_t i = 0; i < names.n; i++) {
		struct str s = str_c(names.v[i]);
		char *path _cleanup_free_ = path_join(dir, names.v[i]);
		ptrdiff_t changes = str_find(s, ".changes-v");
		bool cover = str_ends(s, ".cover.txt");

		if (!(cover || (changes > 0 && str_ends(s, ".txt"))) ||
		    age_of(path) < OLD_SECONDS)
			continue;
		s.len = cover ? s.len - strlen(".cover.txt") : (size_t)changes;
		doctor_add(d, "leftover", DOCTOR_WARN,
			   xasprintf("%s: a %s that was not stored", path,
				     cover ? "cover letter" : "changelog"),
			   xasprintf("series %s -s " STR_FMT " --edit takes it up",
				     cover ? "cover" : "changes", STR_ARG(s)));
	}
}

void doctor_leftovers(struct doctor *d, struct repo *r)
{
	const char *common = repo_common_dir(r);
	char *refs _cleanup_free_ = path_join(common, "refs/series");
	char *packed _cleanup_free_ = path_join(common, "packed-refs.lock");
	char *outbox _cleanup_free_ = path_join(common, "series/outbox");
	char *kept _cleanup_free_ = path_join(common, "series");

	old_file(d, packed, "the lock of a git that was killed; no ref can be deleted");
	find_locks(d, refs, 0);
	find_half_outboxes(d, outbox);
	find_kept_texts(d, kept);
}

/* A mistyped key is not read by anything, and git does not say so. */
static void check_key(struct doctor *d, const char *key, const char *value)
{
	const struct setting *s = setting_find(key);
	char *near _cleanup_free_ = s ? NULL : setting_near(key);

	if (!s)
		doctor_add(d, "setting", DOCTOR_WARN,
			   xasprintf("%s is set, and nothing reads it", key),
			   near ? xasprintf("did you mean %s? git config --unset-all %s takes "
					    "this one away",
					    near, key) :
				  xasprintf("git config --unset-all %s; man series has all keys",
					    key));
	else if (!setting_allows(s, value))
		doctor_add(d, "setting", DOCTOR_WARN,
			   xasprintf("%s is '%s'; it may be %s", key, value, s->arg),
			   xasprintf("git config %s VALUE", key));
}

/* series.check.ID with an ID that the table of checks has not. */
static bool unknown_check(const struct checks *all, const char *key)
{
	struct str id = str_c(key);

	if (!str_skip(&id, "series.check.") || str_eqc(id, "days"))
		return false;
	for (size_t i = 0; i < all->n; i++)
		if (str_ieqc(id, all->v[i].id))
			return false;
	return true;
}

void doctor_settings(struct doctor *d, const struct config *c)
{
	struct checks checks _cleanup_checks_ = { 0 };
	const char *key, *value;

	check_list(NULL, NULL, &checks, NULL);
	for (size_t i = 0; config_at(c, i, &key, &value); i++) {
		if (unknown_check(&checks, key))
			doctor_add(d, "setting", DOCTOR_WARN,
				   xasprintf("%s is set, and there is no such check", key),
				   xasprintf("series check --list has them; git config "
					     "--unset-all %s",
					     key));
		else if (!strncmp(key, "series.", 7))
			check_key(d, key, value);
	}
}
