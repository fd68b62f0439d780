// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mirrors.c - see mirrors.h: mirrors by name, made, brought up, looked at, removed.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include "mirrors_priv.h"
#include "series/fs.h"
#include "series/json.h"
#include "series/lock.h"
#include "series/mem.h"
#include "series/mirror.h"
#include "series/series.h"
#include "series/xdg.h"

void mirror_conf_release(struct mirror_conf *m)
{
	free(m->name);
	free(m->dir);
	free(m->source);
	free(m->form);
	*m = (struct mirror_conf){ .name = NULL };
}

void mirrored_release(struct mirrored *m)
{
	free(m->anew);
}

static char *dir_of(const char *name)
{
	char *below _cleanup_free_ = xasprintf("mirrors/%s", name);

	return xdg_data(below);
}

static char *config_of(const char *dir)
{
	return path_join(dir, "config.json");
}

static int check_name(const char *name, struct err *err)
{
	if (series_name_ok(name))
		return 0;
	return err_set(err, E_USAGE,
		       "\"%s\" is no name for a mirror: small letters, digits, '.', '_' "
		       "and '-', 64 at most",
		       name);
}

int mirrors_names(struct strvec *ret, struct err *err)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;
	char *dir _cleanup_free_ = xdg_data("mirrors");
	int rc = fs_list(dir, &all, err);

	if (rc == E_NOTFOUND) {
		err_release(err);
		return 0;
	}
	for (size_t i = 0; i < all.n; i++) {
		char *one _cleanup_free_ = path_join(dir, all.v[i]);
		char *file _cleanup_free_ = config_of(one);

		if (series_name_ok(all.v[i]) && fs_exists(file))
			strvec_push(ret, all.v[i]);
	}
	return rc;
}

static int none_such(const char *name, struct err *err)
{
	struct strvec all _cleanup_strvec_ = STRVEC_INIT;
	char *list _cleanup_free_ = NULL;

	mirrors_names(&all, NULL);
	list = strvec_join(&all, ", ");
	return err_set(err, E_NOTFOUND, "no mirror \"%s\"; %s%s", name,
		       all.n ? "there are: " : "series mirror add NAME URL makes one",
		       list);
}

int mirrors_load(const char *name, struct mirror_conf *ret, struct err *err)
{
	char *dir _cleanup_free_ = dir_of(name), *file _cleanup_free_ = config_of(dir);
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	int rc = check_name(name, err);

	if (rc)
		return rc;
	rc = fs_read(file, 1 << 20, &text, err);
	if (rc == E_NOTFOUND)
		return none_such(name, err);
	if (!rc)
		rc = json_parse_schema(buf_str(&text), file, 1, &j, err);
	if (!rc && !json_get_str(j, "source"))
		rc = err_set(err, E_CORRUPT,
			     "%s does not say where the list is; series mirror drop %s, "
			     "and add it again",
			     file, name);
	if (rc)
		return rc;
	*ret = (struct mirror_conf){ .name = xstrdup(name),
				     .dir = dir,
				     .source = xstrdup(json_get_str(j, "source")),
				     .form = xstrdup_null(json_get_str(j, "form")),
				     .since = json_get_int(j, "since", 0) };
	dir = NULL;
	return 0;
}

static int save(const struct mirror_conf *m, struct err *err)
{
	char *file _cleanup_free_ = config_of(m->dir);
	struct json *j _cleanup_json_ = json_obj();
	struct buf text _cleanup_buf_ = BUF_INIT;

	json_set_int(j, "schema", 1);
	json_set_str(j, "source", m->source);
	json_set_str(j, "form", m->form);
	json_set_int(j, "since", m->since);
	json_dump(j, &text);
	/* A URL may have a password in it. */
	return fs_write_atomic(file, text.p, text.len, 0600, err);
}

/* One at a time; the file stands beside the mirror, which may be removed. */
static int take_lock(const char *name, struct lock *l, struct err *err)
{
	char *below _cleanup_free_ = xasprintf("mirrors/%s.lock", name);
	char *path _cleanup_free_ = xdg_data(below);

	return lock_take(l, path, "mirror", 0, err);
}

static int index_it(const struct mirror_conf *m, struct mirrored *ret, struct err *err)
{
	char *path _cleanup_free_ = listindex_path(m->name);
	struct listindex *x _cleanup_listindex_ = NULL;
	struct strvec epochs _cleanup_strvec_ = STRVEC_INIT;
	int rc = mirror_epochs(m->dir, &epochs, NULL);

	ret->epochs = epochs.n;
	if (rc) /* nothing is so new: that is no failure */
		return 0;
	rc = listindex_open(path, &x, &ret->anew, err);
	if (!rc)
		rc = listindex_update(x, m->dir, m->since, &ret->index, err);
	return rc ? rc : listindex_count(x, &ret->mails, &ret->series, err);
}

static int fetch_and_index(struct mirror_conf *m, struct mirrored *ret, struct err *err)
{
	struct mirrored got = { .epochs = 0 };
	bool first = !m->form;
	int rc = mirrors_fetch(m, err);

	if (!rc && first)
		rc = save(m, err);
	if (!rc)
		rc = index_it(m, &got, err);
	if (rc)
		mirrored_release(&got);
	else
		*ret = got;
	return rc;
}

int mirrors_update(const char *name, struct mirrored *ret, struct err *err)
{
	struct mirror_conf m _cleanup_mirror_conf_ = { .name = NULL };
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	int rc = mirrors_load(name, &m, err);

	if (!rc)
		rc = take_lock(name, &lock, err);
	return rc ? rc : fetch_and_index(&m, ret, err);
}

/* A path as a whole one; a URL without slashes at its end. */
static int whole_source(const char *source, char **ret, struct err *err)
{
	char *path;
	size_t n;

	if (fs_exists(source)) {
		path = realpath(source, NULL);
		if (!path)
			return err_errno(err, errno, "%s", source);
		*ret = path;
		return 0;
	}
	if (!strstr(source, "://") && !strchr(source, ':'))
		return err_set(err, E_NOTFOUND, "%s: no such file or folder, and no URL",
			       source);
	*ret = xstrdup(source);
	for (n = strlen(*ret); n > 1 && (*ret)[n - 1] == '/'; n--)
		(*ret)[n - 1] = '\0';
	return 0;
}

/* It failed: what is no mirror, or has no mails yet, goes, so that the name is free. */
static void undo_add(const struct mirror_conf *m, int rc)
{
	struct strvec epochs _cleanup_strvec_ = STRVEC_INIT;

	if (rc == E_NOTFOUND || mirror_epochs(m->dir, &epochs, NULL))
		fs_rmtree(m->dir, NULL);
}

int mirrors_add(const char *name, const char *source, const char *since,
		struct mirrored *ret, struct err *err)
{
	struct mirror_conf m _cleanup_mirror_conf_ = { .name = xstrdup(name) };
	struct lock lock _cleanup_lock_ = LOCK_INIT;
	char *file _cleanup_free_ = NULL;
	int rc = check_name(name, err);

	m.dir = dir_of(name);
	file = config_of(m.dir);
	if (!rc && since)
		rc = mirrors_date(since, &m.since, err);
	if (!rc)
		rc = whole_source(source, &m.source, err);
	if (!rc)
		rc = take_lock(name, &lock, err);
	if (!rc && fs_exists(file))
		rc = err_set(err, E_EXISTS,
			     "there is a mirror %s; series mirror update %s, or drop it "
			     "first",
			     name, name);
	if (!rc)
		rc = fs_mkdirs(m.dir, err);
	if (rc)
		return rc;
	rc = save(&m, err);
	if (!rc)
		rc = fetch_and_index(&m, ret, err);
	if (rc)
		undo_add(&m, rc);
	return rc;
}

int mirrors_drop(const char *name, struct err *err)
{
	static const char *const ends[] = { "", "-wal", "-shm", ".lock" };
	struct mirror_conf m _cleanup_mirror_conf_ = { .name = NULL };
	struct lock lock = LOCK_INIT;
	char *index _cleanup_free_ = listindex_path(name);
	char *dir _cleanup_free_ = dir_of(name);
	int rc = check_name(name, err);

	/* A config that cannot be read is a reason to drop it. */
	if (!rc && !fs_is_dir(dir))
		rc = none_such(name, err);
	if (!rc)
		rc = take_lock(name, &lock, err);
	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < ARRAY_SIZE(ends); i++) {
		char *path _cleanup_free_ = xasprintf("%s%s", index, ends[i]);

		rc = fs_unlink(path, err);
	}
	if (!rc)
		rc = fs_rmtree(dir, err);
	lock_remove(&lock);
	return rc;
}

int mirrors_look(const struct mirror_conf *m, struct mirror_state *ret, struct err *err)
{
	struct mirror_state s = { .epochs = 0 };
	struct strvec epochs _cleanup_strvec_ = STRVEC_INIT;
	char *path _cleanup_free_ = listindex_path(m->name);
	struct listindex *x _cleanup_listindex_ = NULL;
	int rc = 0;

	if (!mirror_epochs(m->dir, &epochs, NULL))
		s.epochs = epochs.n;
	s.bytes = fs_tree_bytes(m->dir) + MAX(fs_size(path), 0);
	if (fs_exists(path))
		rc = listindex_open(path, &x, NULL, err);
	if (!rc && x)
		rc = listindex_count(x, &s.mails, &s.series, err);
	if (!rc && x)
		rc = listindex_when(x, &s.updated, err);
	if (!rc)
		*ret = s;
	return rc;
}
